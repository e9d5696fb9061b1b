"""False proofs by blow-ups, strata and changes of coordinates, made by hand: all are refused."""

from fractions import Fraction

import pytest
from forging import (
    consistent,
    copied,
    germ_proof,
    hull,
    monomial,
    node,
    polynomial,
    refused,
    steps,
    without_zeros,
)

import rlct
from rlct.engine import limits
from rlct.errors import CertificateError


@pytest.fixture(autouse=True)
def by_blow_ups(monkeypatch):
    """Let the engine resolve what it would otherwise read off polyhedra."""
    monkeypatch.setattr(limits, "MOST_DIVISION_CELLS", 0)


def divided(unit, names, child):
    """Divide the only generator by a unit."""
    return node("simplify", {"operations": [{"divide": 0, "by": polynomial(unit, names)}]}, child)


# Proofs about x² + y² + z², where λ = 3/4: blow up the origin.

SPHERE = "x**2+y**2+z**2"


def sphere(first_chart, **options):
    """A proof by three charts; the first has a local s and free parameters t and u."""
    names = ["s", "x", "q"]
    leaf = divided("1+x**2+q**2", names, monomial([(2, 0)], [2, 0]))
    second = without_zeros([("1", "1"), ("1", "q")], names, node("fix", {"point": [0]}, leaf))
    third = node(
        "forget", None, germ_proof(["s**2*(1+x**2+y**2)"], ["s", "x", "y"], prior={"s": 2})
    )
    return {
        **copied(rlct.ideal([SPHERE], **options).certificate),
        "proof": node("blowup", {"weights": [1, 1, 1]}, first_chart, second, third),
    }


def honest_first_chart():
    return without_zeros(
        [("1", "1"), ("1", "t"), ("1", "u")],
        ["s", "t", "u"],
        node("fix", {"point": [0, 0]}, monomial([(2,)], [2])),
    )


def test_the_honest_proof_is_accepted():
    claim = consistent(sphere(honest_first_chart()))["claim"]
    assert (claim["status"], claim["lambda"], claim["theta"]) == ("exact", "3/4", 1)


def first_chart_with_a_lost_unit():
    """The stratum t·u = 0 with u ≠ 0, as t = t'/u, without the condition u ≠ 0.

    At u = 0, which is no point of the stratum, the generator times u² is s²·(u² + t'² + u⁴).
    """
    names = ["s", "t", "u"]
    unit = "t**2+u**2+u**4"
    nonzero = without_zeros(
        [("1", "1"), ("1", "u")],
        names,
        node("fix", {"point": [1]}, divided(unit, names, monomial([(2, 0)], [2, 0]))),
    )
    invented = node("forget", None, germ_proof([f"s**2*({unit})"], names, prior={"s": 2}))
    on_graph = node(
        "stratify",
        {"by": polynomial("u", names), "zeros": {"solve": 2, "units": []}},
        nonzero,
        invented,
    )
    away = node("fix", {"point": [1, 1]}, monomial([(2,)], [2]))
    split = node(
        "stratify",
        {"by": polynomial("t*u", names), "zeros": {"solve": 1, "units": []}},
        away,
        on_graph,
    )
    at_zero = node(
        "fix", {"point": [0]}, divided("1+t**2+u**2", ["s", "u", "t"], monomial([(2, 0)], [2, 0]))
    )
    zeros = {"solve": 2, "units": [polynomial("1+t**2", ["s", "u", "t"])]}
    whole = node("stratify", {"by": polynomial("u", names), "zeros": zeros}, split, at_zero)
    return without_zeros([("1", "1"), ("1", "t"), ("1", "u")], names, whole)


def test_a_lost_unit():
    with pytest.raises(CertificateError, match="not one on the stratum"):
        consistent(sphere(first_chart_with_a_lost_unit()))


STU = ["s", "t", "u"]
OPEN = {"open": True}


def stratify(by, zeros, *children, names=STU):
    return node("stratify", {"by": polynomial(by, names), "zeros": zeros}, *children)


def opened(number):
    return [node("open") for _ in range(number)]


# Blow-ups


def edited_blow_up(change):
    document = sphere(honest_first_chart())
    change(document["proof"])
    return document


@pytest.mark.parametrize("chart", [0, 1, 2])
def test_a_missing_chart(chart):
    with pytest.raises(CertificateError):
        consistent(edited_blow_up(lambda proof: proof["children"].pop(chart)))


def test_a_chart_too_many():
    refused(edited_blow_up(lambda p: p["children"].append(node("open"))), "a step too many")


@pytest.mark.parametrize("weights", [[1, 1], [0, 0, 0], [1, 1, -1], [1, 1, 1.0], [1, 1, True], []])
def test_weights_that_are_none(weights):
    refused(edited_blow_up(lambda p: p["data"].update(weights=weights)), "weights")


@pytest.mark.parametrize("h", [0, 1, 3])
def test_the_prior_of_the_divisor(h):
    """The Jacobian gives |s|²."""
    leaf = node("fix", {"point": [0, 0]}, monomial([(2,)], [h]))
    chart = without_zeros([("1", "1"), ("1", "t"), ("1", "u")], STU, leaf)
    refused(sphere(chart), "multipliers|weight|optimal face")


def cusp(*negative):
    """x² + y³ with prior |y|, by weights 3 and 2: y = s², y = −s², then x = s³ with y local."""
    last = divided("1+y**3", ["s", "y"], monomial([(6, 0)], [6, 1]))
    return {
        **copied(rlct.ideal(["x**2+y**3"], prior="y").certificate),
        "proof": node("blowup", {"weights": [3, 2]}, positive_chart(), *negative, last),
    }


def positive_chart():
    """Over y = s² the generator is s⁶·(t² + 1)."""
    leaf = node("fix", {"point": [0]}, monomial([(6,)], [6]))
    return without_zeros([("1", "1"), ("1", "t")], ["s", "t"], leaf)


def test_the_other_sign_of_an_even_weight():
    """Over y = −s² it is s⁶·(t² − 1): its zeros have 1/2, the divisor has 7/12."""
    assert rlct.ideal(["x**2+y**3"], prior="y").lam == Fraction(1, 2)
    with pytest.raises(CertificateError):
        consistent(cusp())
    refused(cusp(positive_chart()), "not known to be a unit")
    claim = consistent(cusp(node("open")))["claim"]
    assert (claim["lower"], claim["upper"]) == ("1/16", "7/12")


@pytest.mark.parametrize(
    ("generators", "options", "image", "message"),
    [
        (["x**2+2*y**2"], {}, [1, 0], "changes the generators"),
        (["x**2+y**3"], {}, [1, 0], "changes the generators"),
        (["x**2", "y**2", "x**3"], {}, [1, 0], "changes the generators"),
        (["x**2+y**2"], {"prior": "x"}, [1, 0], "changes weights or priors"),
        (["x**2+y**2"], {}, [0, 0], "not a permutation"),
        (["x**2+y**2"], {}, [1], "not a permutation"),
        (["x**2+y**2"], {}, [1.0, 0.0], "not a permutation"),
    ],
)
def test_symmetries_that_are_none(generators, options, image, message):
    document = copied(rlct.ideal(generators, **options).certificate)
    data = {"weights": [1, 1], "symmetries": [image]}
    document["proof"] = node("blowup", data, *opened(1))
    refused(document, message)


def test_a_symmetry_that_changes_weights():
    document = copied(rlct.ideal(["x**2+y**2"]).certificate)
    data = {"weights": [1, 2], "symmetries": [[1, 0]]}
    document["proof"] = node("blowup", data, *opened(1))
    refused(document, "changes weights or priors")


# Changes of coordinates


@pytest.mark.parametrize(
    ("variable", "scale", "shift", "options", "message"),
    [
        (0, "1", "y", {}, None),
        (0, "2+z", "2*y+y*z", {}, None),
        (0, "y", "y**2", {}, "scale"),
        (0, "0", "y", {}, "scale|number"),
        (0, "1", "y+1", {}, "does not vanish"),
        (0, "1", "-1", {}, "does not vanish"),
        (0, "1+x", "y", {}, "involves its variable"),
        (0, "1", "y+x**2", {}, "involves its variable"),
        (0, "1", "y", {"prior": "x"}, "the variable"),
        (3, "1", "y", {}, "the variable"),
        (-3, "1", "y", {}, "the variable"),
        (False, "1", "y", {}, "the variable"),
    ],
)
def test_changes_of_coordinates(variable, scale, shift, options, message):
    """(x + y)²·(1 + z) becomes x² up to units; the lies are changes that are none."""
    document = copied(rlct.ideal(["(x+y)**2*(1+z)"], **options).certificate)
    names = ["x", "y", "z"]
    data = {
        "variable": variable,
        "scale": polynomial(scale, names),
        "shift": polynomial(shift, names),
    }
    leaf = node("forget", None, germ_proof(["x**2"], ["x"]))
    leaf = (
        node("hull", hull([(2, 0, 0)])) if message else divided("1+z", names, monomial([(2, 0, 0)]))
    )
    document["proof"] = node("coordinate", data, leaf)
    if message:
        refused(document, message)
    else:
        assert consistent(document)["claim"]["lambda"] == "1/4"


# Strata


def squares(sign, *items):
    return {"sign": sign, "squares": [[c, polynomial(h, STU)] for c, h in items]}


STRATA = {
    "a local": ("s+t", OPEN, "a local is involved"),
    "only a local": ("s", OPEN, "a local is involved"),
    "a number": ("1", OPEN, "a local is involved|no free parameter"),
    "zero": ("0", OPEN, "no free parameter|local"),
    "no square is a number": ("t**2+u**2", {"none": squares(1, ("1", "t"), ("1", "u"))},
                              "no square is a number"),
    "a negative coefficient": ("t**2-1", {"none": squares(1, ("1", "t"), ("-1", "1"))},
                               "not positive"),
    "squares of another sum": ("t**2-1", {"none": squares(1, ("1", "t"), ("1", "1"))},
                               "do not add up"),
    "the wrong sign": ("t**2+1", {"none": squares(-1, ("1", "t"), ("1", "1"))}, "do not add up"),
    "a sign that is none": ("4*t**2+4", {"none": squares(4, ("1", "t"), ("1", "1"))}, "the sign"),
    "a zero square": ("0*t+u**2", {"none": squares(1, ("1", "u"), ("0", "1"))}, "not positive"),
    "a coefficient that may vanish": ("t*u-1", {"solve": 1, "units": []},
                                      "coefficient is not known to be a unit"),
    "a square solved": ("t**2-1", {"solve": 1, "units": []}, "not linear"),
    "a local solved": ("t-1", {"solve": 0, "units": []}, "not a free parameter"),
    "nothing solved": ("t-1", {"solve": 3, "units": []}, "not a free parameter"),
    "another parameter solved": ("t-1", {"solve": 2, "units": []}, "not linear|unit"),
    "a number among the units": ("t-u", {"solve": 1, "units": ["1"]}, "is a number"),
    "an invented unit": ("t-u", {"solve": 1, "units": ["t-1"]}, "divides none"),
    "one of two squares": ("t**2+u**2", {"within": {**squares(1, ("1", "t"), ("1", "u")),
        "index": 0, "factor": polynomial("t-1", STU)}, "solve": 1, "units": []},
        "the square has other zeros"),
    "a square with other zeros": ("t**2*u**2+u**4", {"within": {
        **squares(1, ("1", "t*u"), ("1", "u**2")), "index": 0, "factor": polynomial("t", STU)},
        "solve": 1, "units": []}, "the square has other zeros"),
    "a factor that is a number": ("t**2+u**2", {"within": {**squares(1, ("1", "t"), ("1", "u")),
        "index": 0, "factor": polynomial("2", STU)}, "solve": 1, "units": []}, "is a number"),
    "within an indefinite one": ("t**2-u**2", {"within": {**squares(1, ("1", "t"), ("-1", "u")),
        "index": 0, "factor": polynomial("t", STU)}, "solve": 1, "units": []}, "not positive"),
    "no such evidence": ("t", {"guess": True}, "unknown evidence"),
    "open, but not true": ("t", {"open": 1}, "unknown evidence"),
    "smooth, but not true": ("t", {"smooth": 1}, "unknown evidence"),
    "two kinds": ("t", {"open": True, "smooth": True}, "unknown evidence"),
    "symmetric to nothing": ("t", {"symmetric": {"split": 0, "permutation": [0, 2, 1]}},
                             "no such split"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRATA)
def test_strata(name):
    by, zeros, message = STRATA[name]
    if "units" in zeros:
        zeros = {**zeros, "units": [polynomial(u, STU) for u in zeros["units"]]}
    refused(sphere(stratify(by, zeros, *opened(2))), message)


def test_a_unit_that_vanishes_on_the_stratum():
    """Where t ≠ 0 there is no point with t = 0."""
    again = stratify("t", {"solve": 1, "units": []}, *opened(2))
    refused(sphere(stratify("t", OPEN, again, node("open"))), "a unit vanishes on the stratum")


def test_a_prior_of_a_solved_parameter():
    """On t + u = 0 the prior |t| is no longer a monomial."""
    chart = stratify("t+u", {"solve": 1, "units": []}, *opened(2))
    refused(sphere(chart, prior="y"), "the prior of the parameter")


# Symmetric strata


def symmetric(by, permutation, *, first="t", between=(), split=0, **options):
    """A split by `first`, others with open zeros, then one that refers to an earlier one."""
    inner = stratify(by, {"symmetric": {"split": split, "permutation": permutation}}, node("open"))
    for g in reversed([first, *between]):
        inner = stratify(g, OPEN, inner, node("open"))
    return sphere(inner, **options)


SYMMETRIC = {
    "not a permutation": (("u", [0, 1, 1]), {}, "not a permutation"),
    "too short": (("u", [0, 2]), {}, "not a permutation"),
    "numbers with a point": (("u", [0.0, 2.0, 1.0]), {}, "not a permutation"),
    "a local for a parameter": (("u", [1, 0, 2]), {}, "not a permutation"),
    "another polynomial": (("u", [0, 1, 2]), {}, "does not lead to the earlier split"),
    "another polynomial in it": (("u-1", [0, 2, 1]), {}, "does not lead to the earlier split"),
    "a prior": (("u", [0, 2, 1]), {"prior": "y"}, "changes a prior"),
    "a later split": (("u", [0, 2, 1]), {"split": 1}, "no such split"),
    "the last split": (("u", [0, 2, 1]), {"split": -1}, "no such split"),
    "units of then": (
        ("t-2", [0, 2, 1]),
        {"first": "t", "between": ("u-2",), "split": 1},
        "a unit of the earlier split",
    ),
}


def test_a_symmetric_stratum_is_accepted():
    consistent(symmetric("u", [0, 2, 1]))


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_strata(name):
    arguments, options, message = SYMMETRIC[name]
    refused(symmetric(*arguments, **options), message)


def test_a_permutation_that_changes_the_generators():
    chart = stratify(
        "t",
        OPEN,
        stratify("u", {"symmetric": {"split": 0, "permutation": [0, 2, 1]}}, node("open")),
        node("open"),
    )
    document = copied(rlct.ideal(["x**2+y**2+2*z**2"]).certificate)
    document["proof"] = node("blowup", {"weights": [1, 1, 1]}, chart, *opened(2))
    refused(document, "changes the generators")


def test_a_symmetric_stratum_of_another_family():
    """A change of coordinates in between forgets the earlier splits."""
    inner = stratify("u", {"symmetric": {"split": 0, "permutation": [0, 2, 1]}}, node("open"))
    on_graph = stratify("t", {"solve": 1, "units": []}, node("open"), inner)
    refused(sphere(on_graph), "no such split|no free")


# Free parameters


def test_fixing_where_a_prior_may_vanish():
    leaf = node("fix", {"point": [1, 1]}, monomial([(2,)], [3]))
    chart = without_zeros([("1", "1"), ("1", "t"), ("1", "u")], STU, leaf)
    refused(sphere(chart, prior="y"), "the prior of a parameter may vanish")


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ([0, 1], "a unit vanishes at the point"),
        ([1, 2], "a unit vanishes at the point"),
        ([1], "the point"),
        ([1, "1/2"], "the point"),
        ([1, 0.5], "the point"),
        ([1, True], "the point"),
    ],
)
def test_points_that_are_none(point, message):
    """Where t ≠ 0 and u ≠ 2t."""
    leaf = node("fix", {"point": point}, monomial([(2,)], [2]))
    leaf = without_zeros([("1", "1"), ("1", "t"), ("1", "u")], STU, leaf)
    chart = stratify("t", OPEN, stratify("u-2*t", OPEN, leaf, node("open")), node("open"))
    refused(sphere(chart), message)


def test_a_parameter_is_not_forgotten():
    chart = node("fix", {"point": [0, 0]}, node("forget", None, node("hull", hull([(2,)]))))
    refused(sphere(chart), "forget: a parameter is used")
    refused(
        sphere(node("forget", None, node("hull", hull([(2,)])))), "not a rule for such a family"
    )


def test_an_unfinished_family_has_no_upper_bound():
    document = consistent(sphere(node("open")))
    assert document["proof"]["children"][0]["upper"] is None
    document["proof"]["children"][0]["upper"] = ["1/2", 1]
    with pytest.raises(CertificateError, match="upper is None"):
        rlct.verify(document)


def test_an_open_family_that_may_vanish_has_no_bound():
    """The degree bounds the order only of a generator that is nowhere zero."""
    document = copied(rlct.ideal(["x**2+y**2"]).certificate)
    document["proof"] = node("open")
    refused(document, "unknown rule")


def test_a_coefficient_that_is_no_unit():
    refused(
        sphere(node("fix", {"point": [0, 0]}, monomial([(2,)], [2]))),
        "not known to be a unit",
    )
    leaf = node("fix", {"point": [0, 0]}, divided("t-1", STU, monomial([(2,)], [2])))
    refused(sphere(leaf), "division by a non-unit")


# Zeros where a polynomial is a coordinate


CONE = "2*x**2-y**2-z**2"


def is_smooth(step):
    return step["rule"] == "smooth-zeros"


def cone(change):
    """The proof of the engine, with the evidence of every smooth stratum changed."""
    document = copied(rlct.ideal([CONE, "z**3"]).certificate)
    found = [step for step in steps(document["proof"]) if is_smooth(step)]
    assert found
    for step in found:
        change(step["data"])
    return document


def test_the_proof_of_the_cone_is_accepted():
    assert consistent(cone(lambda data: None))["claim"]["lambda"] == "2/3"


def width(data):
    return len(data["cofactors"][0][0][1]) if data["cofactors"][0] else len(data["units"][0][0][1])


def one(data, factor="1"):
    return [[factor, [0] * width(data)]]


SMOOTH = {
    "no cofactors": (lambda d: d.update(cofactors=[[] for _ in d["cofactors"]]), "may vanish"),
    "another identity": (
        lambda d: d.update(cofactors=[one(d) for _ in d["cofactors"]]),
        "the differential may vanish",
    ),
    "too few cofactors": (lambda d: d["cofactors"].pop(), "number of cofactors"),
    "no generator": (lambda d: d.update(kept=[]), "no such generator"),
    "a generator that is none": (lambda d: d.update(kept=[7]), "no such generator"),
    "a coordinate twice": (
        lambda d: (
            d["coordinates"].append(d["coordinates"][0]),
            [row.append(0) for row in d["exponents"]],
        ),
        "not known to be independent",
    ),
    "a coordinate that does not vanish": (
        lambda d: (d["coordinates"].append(one(d)), [row.append(0) for row in d["exponents"]]),
        "does not vanish at the points",
    ),
    "another unit": (
        lambda d: d.update(units=[one(d, "2") for _ in d["units"]]),
        "do not multiply to the generator",
    ),
    "a line along nothing": (
        lambda d: "line" in d and d["line"].update(parameter=9),
        "the line",
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_zeros(name):
    change, message = SMOOTH[name]
    refused(cone(change), message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"parameter": 1, "at": [0, 0]}, None),
        ({"parameter": 0, "at": [0, 2]}, "no zero on the line"),
        ({"parameter": 1, "at": [2, 0]}, "no zero on the line"),
        ({"parameter": 0, "at": [0, 0]}, "a unit vanishes on the line"),
        ({"parameter": 1, "at": ["1/2", 0]}, "the line"),
        ({"parameter": 1, "at": [0]}, "the line"),
        ({"parameter": 2, "at": [0, 0]}, "the line"),
    ],
)
def test_lines(line, message):
    """Over x the zeros are y² + z² = 2, with z ≠ 0."""

    def change(data):
        if len(data["line"]["at"]) == 2:
            data["line"] = line

    document = cone(change)
    if message:
        refused(document, message)
    else:
        assert consistent(document)["claim"]["status"] == "exact"


def test_without_a_line_the_bound_need_not_be_attained():
    document = cone(lambda data: data.pop("line"))
    leaves = [step for step in steps(consistent(document)["proof"]) if is_smooth(step)]
    assert leaves
    assert all(step["upper"] is None for step in leaves)


# Monomials in coordinates


def in_coordinates(generators, coordinates, exponents, units, names, **options):
    document = copied(rlct.ideal(generators, **options).certificate)
    rows = [tuple(row) for row in exponents]
    data = {
        "coordinates": [polynomial(f, names) for f in coordinates],
        "exponents": [list(row) for row in rows],
        "units": [polynomial(u, names) for u in units],
        **monomial(rows)["data"],
    }
    document["proof"] = node("monomials", data)
    return document


def test_monomials_in_coordinates():
    xy = ["x", "y"]
    good = in_coordinates(["(x+y)**2*(x-y)"], ["x+y", "x-y"], [(2, 1)], ["1"], xy)
    assert consistent(good)["claim"]["lambda"] == "1/4"
    refused(
        in_coordinates(["x*(x+y**2)"], ["x", "x+y**2"], [(1, 1)], ["1"], xy), "to be independent"
    )
    refused(
        in_coordinates(["x*y*(x+y)"], ["x", "y", "x+y"], [(1, 1, 1)], ["1"], xy),
        "to be independent",
    )
    refused(in_coordinates(["x**2-y**3"], ["x**2-y**3"], [(1,)], ["1"], xy), "to be independent")
    refused(in_coordinates(["x*y"], ["x"], [(1,)], ["y"], xy), "a unit may vanish")
    refused(in_coordinates(["x*(1+y)"], ["x", "1+y"], [(1, 1)], ["1"], xy), "does not vanish")
    refused(in_coordinates(["x*y**2"], ["x", "y"], [(1, 1)], ["1"], xy), "do not multiply")
    refused(in_coordinates(["x+y"], ["x+y"], [(1,)], ["1"], xy, prior="x*y"), "to be independent")
