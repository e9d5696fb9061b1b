"""Poles of germs of two variables against decisions and residues found by other programs."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import iv

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.blowup import plane_poles
from rlct.blowup.face_residue import FaceResidue
from rlct.blowup.plane_poles import ResolvedGerm
from rlct.blowup.residue_ball import finite_part

CASES = json.loads((Path(__file__).parent / "plane_poles.json").read_text("utf-8"))["germs"]
RE_Z4 = "x**4-6*x**2*y**2+y**4"
RE_Z3_IM_Z3_SQUARED = "(x**3-3*x*y**2)*(3*x**2*y-y**3)**2"


def germ(text, prior=(0, 0)):
    x, y = make_ring(["x", "y"]).gens
    return ResolvedGerm.of(eval(text, {"x": x, "y": y}), tuple(map(Fraction, prior)))


def conflicts(text):
    """Decisions that differ from those of the file."""
    decided, known = germ(text), CASES[text]["orders"]
    poles = {str(s): decided.decide(Fraction(s)) for s in known}
    return {
        s: (pole, known[s])
        for s, pole in poles.items()
        if pole.order != known[s] or (pole.status == "pole") != (known[s] > 0)
    }


@pytest.mark.parametrize("text", CASES)
def test_every_candidate_is_decided_as_by_the_other_program(text):
    assert not conflicts(text)
    candidates = plane_poles.listed_candidates(list(germ(text).progressions()))
    assert {*map(Fraction, CASES[text]["orders"])} <= {*candidates}


def test_a_planted_wrong_decision_is_seen(monkeypatch):
    monkeypatch.setattr(FaceResidue, "primitive", lambda self, form, spare=None: {})
    assert "-7/6" in conflicts("x**2-y**3")
    monkeypatch.undo()
    monkeypatch.setattr(FaceResidue, "primitive", lambda self, form, spare=None: None)
    assert not conflicts("x**5+x**2*y+y**4")  # gamma functions show these zeros too
    monkeypatch.setattr(plane_poles, "_gamma_product", lambda residue, form: True)
    assert "-4/5" in conflicts("x**5+x**2*y+y**4")


@pytest.mark.parametrize(
    ("text", "s", "place", "value"),
    [
        (text, s, place, value)
        for text, case in CASES.items()
        for s, (place, value) in list(case["coefficients"].items())[:1]
    ],
)
def test_intervals_hold_the_coefficients_of_the_other_program(text, s, place, value):
    f, s = germ(text), Fraction(s)
    total = iv.mpf(0)
    for edge in f.edges:
        order = edge.order_at(s, f.prior)
        if order >= 0 and order % 2 == 0:
            residue = FaceResidue(edge, f.terms, f.prior, s, int(order))
            form = dict(residue.forms()).get(tuple(map(int, place.split(","))))
            if form:
                total += 2 * finite_part(residue, form) / edge.least
    assert total.delta < 1e-12
    assert abs(float(total.mid) - float(value)) < 1e-9 * max(1, abs(float(value)))


@pytest.mark.parametrize(
    ("text", "s", "why"),
    [
        (RE_Z4, "-2", "rational with real poles alone"),
        (RE_Z3_IM_Z3_SQUARED, "-2/3", "exact form, averaged over rotations"),
    ],
)
def test_zeros_by_other_symmetries_are_no_poles(text, s, why, monkeypatch):
    """On the circle |f|^s has frequencies 8k, 6k alone, and the mean is 0 at these s."""
    assert germ(text).decide(Fraction(s)).why == why
    monkeypatch.setattr(FaceResidue, "averaged", lambda self, form: form)
    assert germ(text).decide(Fraction(s)).status == ("none" if text == RE_Z4 else "open")


def test_averages_keep_the_integral_and_planted_ones_do_not():
    """At −8/9 there is a pole: the average over rotations by 60° has the integral of the form."""
    f = germ(RE_Z3_IM_Z3_SQUARED)
    face = FaceResidue(f.edges[0], f.terms, f.prior, Fraction(-8, 9), 6)
    for _, form in face.forms():
        difference = finite_part(face, form) - finite_part(face, face.averaged(form))
        assert 0 in difference
        assert difference.delta < 1e-9
    monomial = {0: Fraction(1)}
    assert face.averaged(monomial) != monomial
    of_no_symmetry = germ("x**3+x*y**2+2*y**3")
    other = FaceResidue(of_no_symmetry.edges[0], of_no_symmetry.terms, f.prior, Fraction(-4, 3), 2)
    assert other.averaged(monomial) == monomial


def test_a_primitive_needs_its_constants_at_zero():
    """|τ|^−1 τ⁴(1+τ⁴)^(−3/2) is d of −½ sgn(τ)(1+τ⁴)^(−1/2): its integral is 1, not 0."""
    f = germ("x**4+y**4")
    one = replace(FaceResidue(f.edges[0], f.terms, f.prior, Fraction(-3, 2), 4), order=4)
    one.__dict__.update(exponent=Fraction(-1), sign=0)
    assert one.primitive({4: Fraction(1)}) is None
    assert 1 in finite_part(one, {4: Fraction(1)})


def test_a_zero_of_the_cut_is_no_seam():
    """x² − y² + x³ is X² − Y²: at −2 all finite parts are 0, though ±1 are the zeros of G."""
    f = germ("x**2-y**2+x**3")
    residue = FaceResidue(f.edges[0], f.terms, f.prior, Fraction(-2), 2)
    assert all(0 in finite_part(residue, form) for _, form in residue.forms())
    assert f.decide(Fraction(-2)).status == "none"
    assert f.decide(Fraction(-3)).order == 2


@pytest.mark.slow
def test_linear_images_have_the_same_poles():
    """xy and x² − y², x³ + y³ and (x + y)(x² − xy + y²) in x + 2y: other charts, other rules."""
    for text, image in [("x*y", "x**2-y**2"), ("x**3+y**3", "(x+2*y)**3+y**3")]:
        one, other = germ(text), germ(image)
        for k in range(2, 15):
            s = Fraction(-k, 3 if "3" in text else 2)
            a, b = one.decide(s), other.decide(s)
            assert "open" in (a.status, b.status) or (a.status, a.order) == (b.status, b.order)


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("x**3*y+y**5", "y**3*x+x**5"),
        ("x**2*y**2+x**5+y**5", "(x**2*y**2+x**5+y**5)*(1+x-2*y)"),
        ("x**3-3*x*y**2+y**4", "y**3-3*y*x**2+x**4"),
        ("x**3+x*y**2", "(x+y**2)**3+(x+y**2)*y**2"),
        ("x**4-x**2*y**2+y**4", "(x+y)**4-(x+y)**2*y**2+y**4"),
    ],
)
def test_other_coordinates_and_units_change_nothing(text, image):
    one, other = germ(text), germ(image)
    for s in (Fraction(-k, 60) for k in range(1, 120)):
        a, b = one.decide(s), other.decide(s)
        assert a.status != "open"
        assert (a.status, a.order) == (b.status, b.order)


def test_a_wall_makes_a_pole():
    """Exact forms have constants at a wall: −3/2 of the cusp with y ≥ 0, and x ≥ 0 keeps all m."""
    free, wall = (
        {p.z: p for p in rlct.blow_up(["x**2-y**3"], nonneg=names).poles} for names in ([], ["y"])
    )
    assert free[Fraction(-3, 4)].status == "none"
    assert wall[Fraction(-3, 4)].status == "pole"
    assert wall[Fraction(-2, 3)].why == "odd rule"
    assert wall[Fraction(-7, 12)].why.endswith("coefficient of φ_0,1")
    kept = rlct.blow_up(["x**2-y**3"], nonneg=["x"]).poles
    assert {p.z: p.why for p in kept}[Fraction(-2, 3)] != "odd rule"


def test_what_is_printed_and_its_json():
    shown = rlct.blow_up(["x**2-y**3"])
    assert [str(p.z) for p in shown.poles if p.proved][:5] == [
        *("-5/12", "-1/2", "-7/12", "-11/12", "-13/12")
    ]
    first = shown.to_dict()["poles"][0]
    assert first == {
        "z": "-5/12",
        "order": 1,
        "status": "pole",
        "why": "positive integral, coefficient of φ_0,0",
    }
    assert "no poles     -2/3, -5/6" in str(shown)
    # z of a power is s over it, and a double pole is printed with its order.
    double = {p.z: p.order for p in rlct.blow_up(rlct.poly("x**2*y**2")).poles}
    assert double[Fraction(-1, 2)] == double[Fraction(-3, 2)] == 2
    assert double[Fraction(-1)] == 0


def test_a_degenerate_germ_is_left_to_its_tree():
    assert germ("(x**2-y**3)**2+x*y**5") is None
    assert germ("x**2*(x**2-y**3)**2") is not None
