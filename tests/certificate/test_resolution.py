"""False proofs by blow-ups, strata and changes of coordinates, made by hand: all are refused."""

import pytest
from forging import consistent, copied, germ_proof, monomial, node, polynomial, without_zeros

import rlct
from rlct.errors import CertificateError


def divided(unit, names, child):
    """Divide the only generator by a unit."""
    return node("simplify", {"operations": [{"divide": 0, "by": polynomial(unit, names)}]}, child)


# Proofs about x² + y² + z², where λ = 3/4: blow up the origin.

SPHERE = "x**2+y**2+z**2"


def sphere(first_chart):
    """A proof by three charts; the first has a local s and free parameters t and u."""
    names = ["s", "x", "q"]
    leaf = divided("1+x**2+q**2", names, monomial([(2, 0)], [2, 0]))
    second = without_zeros([("1", "1"), ("1", "q")], names, node("fix", {"point": [0]}, leaf))
    third = node(
        "forget", None, germ_proof(["s**2*(1+x**2+y**2)"], ["s", "x", "y"], prior={"s": 2})
    )
    return {
        **copied(rlct.ideal([SPHERE]).certificate),
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
