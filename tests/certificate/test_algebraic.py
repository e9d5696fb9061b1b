"""False proofs over algebraic functions: all are refused."""

import functools

import pytest
from forging import consistent, copied, node, polynomial, refused, steps

import rlct


@functools.cache
def certificate(kind, *generators):
    ask = rlct.poly if kind == "poly" else rlct.ideal
    return ask(generators[0] if kind == "poly" else list(generators)).certificate


def changed(original, is_meant, change):
    """The proof with the evidence of every step of a kind changed."""
    document = copied(original)
    found = [step["data"] for step in steps(document["proof"]) if is_meant(step)]
    assert found
    for data in found:
        change(data)
    return document


def width(terms):
    return len(terms[0][1])


def number(like, value):
    return [[value, [0] * width(like)]]


# Strata without rational points: ((x² + y² − 3z²)² + w⁵)²

CONE = ("poly", "((x**2+y**2-3*z**2)**2+w**5)**2")


def is_adjoin(step):
    return step["rule"] == "stratify" and "adjoin" in step["data"]["zeros"]


def cone(change):
    return changed(certificate(*CONE), is_adjoin, lambda data: change(data["zeros"], data["by"]))


def test_the_proof_of_the_cone_is_accepted():
    claim = consistent(cone(lambda zeros, by: None))["claim"]
    assert (claim["lambda"], claim["theta"]) == ("7/20", 1)


ADJOIN = {
    "no cofactors": (
        lambda z, by: z.update(cofactors=[[] for _ in z["cofactors"]]),
        "the combination is not known to be a unit",
    ),
    "another identity": (
        lambda z, by: z.update(cofactors=[number(by, "1") for _ in z["cofactors"]]),
        "the combination is not known to be a unit",
    ),
    "too few cofactors": (lambda z, by: z["cofactors"].pop(), "number of cofactors"),
    "too many cofactors": (lambda z, by: z["cofactors"].append([]), "number of cofactors"),
    "a cofactor in a local": (
        lambda z, by: z["cofactors"][0].append(["1", [9, *[0] * (width(by) - 1)]]),
        "a cofactor involves a local",
    ),
    "no free parameter": (lambda z, by: z.update(adjoin=0), "not a free parameter"),
    "no index": (lambda z, by: z.update(adjoin=True), "not a free parameter"),
    "unknown evidence": (lambda z, by: z.update(more=1), "unknown evidence"),
    "a line along nothing": (
        lambda z, by: z["line"].update(parameter=9) if "line" in z else None,
        "the line",
    ),
    "a line at no integers": (
        lambda z, by: z["line"].update(at=["1" for _ in z["line"]["at"]]) if "line" in z else None,
        "the line",
    ),
}


@pytest.mark.parametrize("name", ADJOIN)
def test_adjoining(name):
    change, message = ADJOIN[name]
    refused(cone(change), message)


def test_without_a_line_there_is_no_upper_bound():
    document = consistent(cone(lambda zeros, by: zeros.pop("line", None)))
    found = [step for step in steps(document["proof"]) if is_adjoin(step)]
    assert all(step["children"][1]["upper"] is not None for step in found)
    assert document["claim"]["status"] == "bounds"


# Over the cube root of 2: ((x³ − 2y³)² + z⁵)², where 9α⁴ is a unit by the relation.

CUBIC = ("poly", "((x**3-2*y**3)**2+z**5)**2")


def is_unit(step):
    return step["rule"] == "unit"


def is_reduction(step):
    operations = step.get("data", {}).get("operations", [])
    return step["rule"] == "simplify" and any("reduce" in o for o in operations)


def test_the_proof_over_the_cube_root_is_accepted():
    assert consistent(certificate(*CUBIC))["claim"]["lambda"] == "4/15"


UNIT = {
    "no cofactors": (
        lambda d: d.update(cofactors=[[] for _ in d["cofactors"]]),
        "the combination is not known to be a unit",
    ),
    "too few cofactors": (lambda d: d["cofactors"].pop(), "number of cofactors"),
    "zero": (lambda d: d.update(polynomial=[]), "a local is involved"),
    "a local": (
        lambda d: d.update(polynomial=[["1", [1, *d["polynomial"][0][1][1:]]]]),
        "a local is involved",
    ),
    "another polynomial": (
        lambda d: d["polynomial"].append(["1", [0] * width(d["polynomial"])]),
        "the combination is not known to be a unit",
    ),
}


@pytest.mark.parametrize("name", UNIT)
def test_units(name):
    change, message = UNIT[name]
    refused(changed(certificate(*CUBIC), is_unit, change), message)


def test_the_relation_is_no_unit():
    """It vanishes everywhere; the identity 0 = A·r − A·r shows nothing."""

    def change(data):
        one = number(data["polynomial"], "1")
        data["cofactors"] = [one, *(one for _ in data["cofactors"][1:])]

    refused(changed(certificate(*CUBIC), is_unit, change), "not known to be a unit")


@pytest.mark.parametrize("relation", [-1, 5, True, "0"])
def test_relations_that_are_none(relation):
    def change(data):
        for operation in data["operations"]:
            if "reduce" in operation:
                operation["by"] = relation

    refused(changed(certificate(*CUBIC), is_reduction, change), "no such relation")


def test_a_reduction_by_something_else():
    def change(data):
        for operation in data["operations"]:
            if "reduce" in operation:
                operation["times"] = [*operation["times"], ["7", [0] * width(operation["times"])]]

    refused(changed(certificate(*CUBIC), is_reduction, change), "proof")


# Coordinates that are not linear: (y + x² + x·y²)² + x⁷ + z⁵


CURVED = "(y+x**2+x*y**2)**2+x**7+z**5"
NAMES = ["x", "y", "z"]


def composed(b, generator, variable=1, names=NAMES, question=CURVED, **options):
    document = copied(rlct.ideal([question], **options).certificate)
    data = {
        "variable": variable,
        "coordinate": polynomial(b, names),
        "generators": [polynomial(generator, names)],
    }
    document["proof"] = node(
        "compose",
        data,
        node("forget", None, copied(rlct.ideal([generator], **options).certificate)["proof"]),
    )
    return document


def test_a_curved_coordinate_is_accepted():
    assert consistent(composed("y+x**2+x*y**2", "y**2+x**7+z**5"))["claim"]["lambda"] == "59/140"


@pytest.mark.parametrize(
    ("b", "generator", "variable", "options", "message"),
    [
        ("y+x**2+x*y**2", "y**2+x**7+z**3", 1, {}, "not those of the family"),
        ("y+x**2", "y**2+x**7+z**5", 1, {}, "not those of the family"),
        ("y+x**2+x*y**2", "x**2+y**7+z**5", 0, {}, "not known to be a coordinate"),
        ("y+x**2+x*y**2", "y**2+x**7+z**5", 1, {"prior": "y"}, "the variable"),
        ("y+x**2+x*y**2", "y**2+x**7+z**5", 3, {}, "the variable"),
    ],
)
def test_coordinates_that_are_none(b, generator, variable, options, message):
    document = composed(b, generator, **{})
    document["proof"]["data"]["variable"] = variable
    if options:
        document["question"] = rlct.ideal([CURVED], **options).certificate["question"]
    refused(document, message)


def test_a_coordinate_that_is_a_square():
    """(x³)² + z⁴ is not u² + z⁴ with u = x³."""
    document = composed("x**3", "x**2+z**4", 0, ["x", "z"], "x**6+z**4")
    refused(document, "not known to be a coordinate")


def test_a_coordinate_that_does_not_vanish():
    document = composed("x", "x**2", 0, ["x"], "x**2")
    document["proof"]["data"]["coordinate"] = polynomial("x+1", ["x"])
    document["proof"]["data"]["generators"] = [polynomial("(x-1)**2", ["x"])]
    refused(document, "the coordinate does not vanish")
