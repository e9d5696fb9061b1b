"""Poles as functionals of φ, against tables of a program that shares no code; and time limits."""

from fractions import Fraction

import pytest

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.blowup import functional
from rlct.blowup.decide import LocalZeta
from rlct.blowup.functional import residue_table
from rlct.blowup.plane_poles import ResolvedGerm
from rlct.blowup.pole_table import pole_table, proof_root
from rlct.system.time_limit import Budget

#: Coefficients of φ_ij, from the other program's finite parts and from sums by hand at order 2.
TABLES = [
    ("x**2*y**2+x**5+y**5", "-1/2", 2, {(0, 0): 0.2}),
    ("x**3+x*y**3", "-1", 2, {(0, 2): 4 / 3}),  # 8/9 of the vertex, 4/9 of the curve
    ("x**4-y**4", "-1", 2, {(2, 0): 0.5, (0, 2): 0.5}),
    ("x**2-y**2", "-1", 2, {(0, 0): 2}),  # a linear image of xy, which has 4 and Jacobian 2
    ("x**2-y**3", "-7/6", 1, {(0, 1): -4.08077795967416}),
    (
        "x**2*y**2+x**5+y**5",
        "-11/10",
        1,
        {
            (2, 0): -5.07300440219539,
            (0, 3): 4.05840352175632,
            (0, 2): -5.07300440219539,
            (3, 0): 4.05840352175632,
        },
    ),
]


def table(text, s):
    x, y = make_ring(["x", "y"]).gens
    germ = ResolvedGerm.of(eval(text, {"x": x, "y": y}), (Fraction(0), Fraction(0)))
    pole = germ.decide(Fraction(s))
    return pole.order, {
        tuple(map(int, c.taylor_index)): (c.low, c.high) for c in residue_table(germ, pole, 1)
    }


def conflicts(text, s, order, expected):
    own_order, own = table(text, s)
    if (own_order, own.keys()) != (order, expected.keys()):
        return True
    return any(abs(low - expected[k]) + high - low > 1e-8 for k, (low, high) in own.items())


@pytest.mark.parametrize(("text", "s", "order", "expected"), TABLES)
def test_tables_are_those_of_the_other_program(text, s, order, expected):
    assert not conflicts(text, s, order, expected)


def test_a_planted_wrong_coefficient_is_seen(monkeypatch):
    part = functional.finite_part
    monkeypatch.setattr(functional, "finite_part", lambda face, form: 2 * part(face, form))
    assert conflicts(*TABLES[4])
    monkeypatch.setattr(functional, "zero_reason", lambda face, form: "planted")
    assert conflicts(*TABLES[4])
    monkeypatch.setattr(functional, "_add_vertex", lambda table, germ, k, s: None)
    assert conflicts(*TABLES[1])


def test_the_value_of_the_prior_is_another_grade_than_the_pole():
    """−7/6 of |x² − y³|, z = −7/12, is a pole of derivative order 1: no constant φ sees it."""
    poles = {p.z: p for p in rlct.ideal(["x**2-y**3"]).poles()}
    assert poles[Fraction(-7, 12)].value == (0, 0)
    low, high = poles[Fraction(-5, 12)].value
    leading = 3.31759848193  # by adaptive quadrature over the exceptional curve
    assert low <= high < low + 1e-12
    assert low == pytest.approx(leading, rel=1e-9)
    assert poles[Fraction(-1, 2)].functional is None  # an integral along the curve
    # 3 times K has 3^z times the residue.
    tripled = LocalZeta.of(rlct.Problem.poly("3*(x**2-y**3)**2"))
    tripled = tripled.with_functional(tripled.decide(Fraction(-5, 12)))
    assert tripled.value[0] == pytest.approx(3 ** (-5 / 12) * low)


def test_walls_name_coefficients_of_the_question():
    """Half of a constant at a wall x ≥ 0, and the value of x²y² is 4/(2(z + 1/2))²."""
    whole, half = (rlct.poly("x**2*y**2", nonneg=names).poles()[0] for names in ([], ["x"]))
    assert whole.value == pytest.approx((1, 1), rel=1e-15)
    assert half.value == pytest.approx((0.5, 0.5), rel=1e-15)


def test_what_time_does_not_reach_is_open():
    """Two hundred candidates take some seconds."""
    result = rlct.ideal(["x**14+x**7*y**11+x**3*y**17+y**31*x+2*x**12*y**3+y**40"])
    root = proof_root(result.question, result.certificate)
    in_time = pole_table(result.question, result.pair, root, Budget(0.05))
    assert {p.why for p in in_time if p.status == "open"} == {"out of time"}
    for poles in (in_time, result.poles(timeout=1e-9)):  # a thousandth of a second, at the least
        assert (poles[0].z, poles[0].status) == (-result.pair.lam, "pole")
        assert sum(p.status != "open" for p in poles) < 150
