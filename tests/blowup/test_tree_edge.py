"""Poles of degenerate germs: those of the one edge alone, against another program and images."""

from fractions import Fraction
from math import factorial, gamma

import pytest

import rlct
from rlct.blowup import plane_poles, pole_table
from rlct.blowup.poles import PoleCandidates, PoleProgression

TWO_PAIRS = "(x**2-y**3)**2+x*y**5"  # divisors of orders 12 and 26


def statuses(text, **place):
    return {p.z: p.status for p in rlct.blow_up([text], **place).poles}


def value(pole):
    """Γ(w)·C for φ = exp(−x⁴ − y⁴ + x/2 + y/3), whose lower Taylor coefficients are these."""
    total = 0
    for c in pole.functional:
        i, j = map(int, c.taylor_index)
        total += (c.low + c.high) / 2 * 0.5**i / 3**j / (factorial(i) * factorial(j))
    return gamma(-pole.z) * total


def conflicts():
    """Against residues of a program without trees of proofs, whose fit of Z(n) has two digits."""
    poles = {p.z: p for p in rlct.ideal([TWO_PAIRS]).poles()}
    expected = {Fraction(-5, 24): 7.2934, Fraction(-7, 24): -0.98342}
    found = {z: value(poles[z]) for z in expected if poles[z].functional}
    numbers = found != {} and found == pytest.approx(expected, rel=1e-5)
    return not numbers or poles[Fraction(-3, 8)].status != "none"


def test_two_puiseux_pairs():
    assert not conflicts()
    # The second divisor has these, and nothing decides them.
    found = statuses(TWO_PAIRS)
    assert {found[Fraction(-k, 52)] for k in (11, 15, 17)} == {"open"}


def test_planted_wrong_decisions_are_seen(monkeypatch):
    monkeypatch.setattr(plane_poles, "zero_reason", lambda face, form: "planted")
    assert conflicts()


def test_what_other_divisors_share_is_open(monkeypatch):
    tree = rlct.blow_up([TWO_PAIRS]).candidates
    planted = PoleProgression(Fraction(14), Fraction(48), (2,))
    shared = PoleCandidates(2, (*tree.cones, (planted,)))
    monkeypatch.setattr(pole_table, "tree_candidates", lambda root: shared)
    assert statuses(TWO_PAIRS)[Fraction(-7, 24)] == "open"


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("y**2-x**5", "(y-x**2)**2-x**5"),
        ("y**2-x**7", "(y-x**2)**2-x**7"),
        ("x**3+y**7", "(x-y**2)**3+y**7"),
        ("y**2*x-x**6", "(y-x**2)**2*x-x**6"),
        ("x**2*y+y**5", "(x-y)**2*(x+y)+(x+y)**5"),
    ],
)
def test_images_under_other_coordinates_have_the_same_poles(text, image):
    plain, other = statuses(text), statuses(image)
    for z, status in other.items():
        if status != "open" and z >= min(plain):
            assert (plain.get(z) == "pole") == (status == "pole"), z
    assert "none" in other.values()
