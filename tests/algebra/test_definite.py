"""Positive forms: what is proved is true, and forms with zeros are never called positive."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from rlct.algebra.polynomial import terms_of
from rlct.algebra.positivity.definite import is_positive_definite, positive_off_origin
from rlct.questions.problem import Problem
from rlct.theorems import get_theorem
from rlct.theorems.arguments import Truth


def form(text: str) -> dict[tuple[int, ...], Fraction]:
    return dict(terms_of(Problem.ideal([text]).generators[0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "positive"),
    [
        ("x**2 + x*y + y**2 + z**2", True),
        ("x**4 - x**2*y**2 + y**4 + z**4", True),
        # By the inequality of the means x⁴ + y⁴ + z⁴ + w⁴ ≥ 4xyzw, with equality at (1, 1, 1, 1).
        ("x**4 + y**4 + z**4 + w**4 - 3*x*y*z*w", True),
        ("x**6 + y**6 + z**6 - 3*x**2*y**2*z**2", False),
        ("x**4 - 2*x**2*y**2 + y**4 + z**4", False),
        # Motzkin's form is no sum of squares and has zeros; this one has none.
        ("x**4*y**2 + x**2*y**4 + z**6 - 3*x**2*y**2*z**2", False),
        ("100*x**4*y**2 + 100*x**2*y**4 + 101*z**6 - 300*x**2*y**2*z**2 + x**6 + y**6", True),
        # A zero with irrational coordinates only, x² = 2y², z = 0.
        ("x**4 - 4*x**2*y**2 + 4*y**4 + z**4", False),
        ("x**2 - y**2 + z**2", False),
        ("-x**2 - y**2", False),
    ],
)
def test_known_forms(text: str, positive: bool) -> None:
    assert positive_off_origin(form(text)) is positive


@pytest.mark.slow
def test_planted_zeros_are_never_missed() -> None:
    """Sums of squares of forms that vanish at one rational point, and the same plus a little."""
    rng = random.Random(5)
    monomials = [e for e in itertools.product(range(3), repeat=3) if sum(e) == 2]
    proved = 0
    for _ in range(20):
        point = [Fraction(rng.randint(-3, 3)) for _ in range(2)] + [Fraction(1)]
        total: dict[tuple[int, ...], Fraction] = {}
        for _ in range(5):
            square = {e: Fraction(rng.randint(-4, 4)) for e in monomials}
            square[0, 0, 2] -= sum(
                c * point[0] ** e[0] * point[1] ** e[1] for e, c in square.items()
            )
            for (a, c), (b, d) in itertools.product(square.items(), repeat=2):
                both = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
                total[both] = total.get(both, Fraction(0)) + c * d
        assert not positive_off_origin(total)
        for k in range(3):
            exponents = tuple(4 * (i == k) for i in range(3))
            total[exponents] = total.get(exponents, Fraction(0)) + Fraction(1, 10)
        proved += positive_off_origin(total)
    assert proved == 20


def test_pivots() -> None:
    assert is_positive_definite([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
    assert not is_positive_definite([[0, 1], [1, 5]])
    assert not is_positive_definite([[1, 2], [2, 1]])


@pytest.mark.parametrize(
    ("forms", "truth"),
    [
        ("x^4-x^2*y^2+y^4+z^4", Truth.TRUE),
        ("x*y*z-x^3-y^3-z^3", Truth.FALSE),
        ("3*x^2+y*z-7*y^2", Truth.FALSE),
        ("x^2+y*z;y^2+x*z;z^2+x*y", Truth.TRUE),
        ("x^2-2*y^2;z^2-3*y^2", Truth.OPEN),
    ],
)
def test_forms_in_three_variables(forms: str, truth: Truth) -> None:
    findings = get_theorem("semi-regular").findings(rank=1, forms=forms)
    assert next(f for f in findings if "common real zero" in f.statement).truth is truth
