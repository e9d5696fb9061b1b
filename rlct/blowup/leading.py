"""The leading coefficient C of ζ(z) ~ C/(z+λ)^θ, where a chart gives it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, inf, prod
from operator import mul
from typing import Any

import mpmath

from rlct.algebra.polynomial import Polynomial, Terms, terms_of
from rlct.blowup.decide import LocalZeta
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.questions.problem import Problem

_ANY_PRIOR = "|x|^h times any continuous φ with φ(0) = 1"
_MOST_TERMS = 20_000  # of K, before they are collected


@dataclass(frozen=True)
class LeadingCoefficient:
    """C in ζ(z) ~ C/(z+λ)^θ, with what it depends on."""

    pair: Pair
    value: float
    #: Bound on the numerical error; 0 if `exact` is known.
    error: float
    exact: Fraction | None
    #: How it was found.
    method: str
    #: The prior it belongs to: |x|^h on a box, or |x|^h times any continuous φ, φ(0) = 1.
    domain: str

    @property
    def volume(self) -> float:
        """The constant c of V(t) = ∫_{K<t} φ ~ c t^λ (log 1/t)^{θ−1}; C = λ (θ−1)! c."""
        return self.value / (float(self.pair.lam) * factorial(self.pair.theta - 1))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "value": self.value,
            "error": self.error,
            "exact": None if self.exact is None else str(self.exact),
            "volume": self.volume,
            "method": self.method,
            "domain": self.domain,
        }

    def __str__(self) -> str:
        number = f"= {self.exact}" if self.exact is not None else f"≈ {self.value:.10g}"
        return f"C {number} ({self.method}; {self.domain})"


def leading_coefficient(problem: Problem, pair: Pair) -> LeadingCoefficient | None:
    """Leading coefficient of the zeta function at its largest pole.

    The pair is the proved one.  The answer is for a monomial K at the origin (on the box |x_i| ≤ 1,
    0 ≤ x_i ≤ 1 where x_i ≥ 0); for K with a principal part Σ a_i x_i^(e_i); and for germs of two
    variables that are not degenerate over R, or mildly, at poles over the point.  None in other
    cases.

    ``theory/toric.md`` has the formulas and their proof.

    >>> print(leading_coefficient(Problem.poly("x**2*y**4"), Pair.of("1/4")))
    C = 2 (monomial; prior |x|^h on the box |x_i| ≤ 1)
    >>> found = leading_coefficient(Problem.poly("x**2+y**2"), Pair.of(1))
    >>> round(found.value, 10), round(found.volume, 10)          # V(t) = πt
    (3.1415926536, 3.1415926536)
    """
    if problem.is_ideal and sum(len(g) ** 2 for g in problem.local.generators) > _MOST_TERMS:
        return None
    terms = terms_of(_function(problem))
    if len(terms) == 1:
        coefficient = _on_a_box(problem, terms, pair)
    else:
        coefficient = _of_sum(problem, terms, pair) or _of_plane(problem, pair)
    # Coefficients may be larger than any float.
    return coefficient if coefficient is not None and 0 < coefficient.value < inf else None


def _function(problem: Problem) -> Polynomial:
    """K at the origin, in the coordinates of the germ."""
    germ = problem.local
    if not germ.is_ideal:
        return germ.generators[0]
    return sum((g**2 for g in germ.generators), start=germ.ring.zero)


def _on_a_box(problem: Problem, terms: Terms, pair: Pair) -> LeadingCoefficient | None:
    """ζ = a^z Π s_j/(e_j z + 1 + h_j), in the coordinates of the question."""
    if any(problem.point):
        return None
    ((exponents, a),) = terms.items()
    value = Fraction(1)
    for e, q, h, wall in zip(exponents, problem.powers, problem.prior, problem.nonneg, strict=True):
        side, own = 1 if wall else 2, Fraction(e, q)
        rest = 1 + h - own * pair.lam
        value *= side / (rest or own)
    domain = "prior |x|^h on the box |x_i| ≤ 1"
    if any(problem.nonneg):
        domain += ", x_i ≥ 0 where so restricted"
    if a == 1:
        return LeadingCoefficient(pair, float(value), 0.0, value, "monomial", domain)
    number = float(_float(value) * _float(a) ** -_float(pair.lam))
    return LeadingCoefficient(pair, number, number * 1e-14, None, "monomial", domain)


def _of_sum(problem: Problem, terms: Terms, pair: Pair) -> LeadingCoefficient | None:
    """Residue along the one divisor that attains λ, where f is Σ a_i x_i^(e_i) there."""
    prior = problem.local.prior
    optimum = monomial_optimum(sorted(terms), prior)
    weight = optimum.weight
    # K is K, not a generator whose square counts: the programme gives half of λ.
    if pair.theta != 1 or optimum.pair.theta != 1 or 2 * optimum.pair.lam != pair.lam:
        return None
    part = {m: c for m, c in terms.items() if sum(map(mul, weight, m)) == 1}
    if min(weight) <= 0 or any(sum(map(bool, m)) > 1 for m in part):
        return None
    # x = y^q covers x ≥ 0 twice if q is even.
    cover_factor = prod((Fraction(q, 1 + (q % 2 == 0)) for q in problem.powers), start=Fraction(1))
    value = float(_float(cover_factor * pair.lam) * _diagonal(part, prior, pair.lam))
    return LeadingCoefficient(pair, value, value * 1e-14, None, "gamma functions", _ANY_PRIOR)


def _of_plane(problem: Problem, pair: Pair) -> LeadingCoefficient | None:
    """The functional of φ = 1 at −λ."""
    zeta = LocalZeta.of(problem, pair.lam)
    pole = None if zeta is None else zeta.with_functional(zeta.decide(-pair.lam))
    if pole is None or pole.value is None or pole.order != pair.theta:
        return None
    low, high = pole.value
    method = "integral over the exceptional curve" if pole.order == 1 else "where divisors meet"
    return LeadingCoefficient(pair, (low + high) / 2, high - low, None, method, _ANY_PRIOR)


def _diagonal(part: Terms, prior: Sequence[Fraction], lam: Fraction) -> Any:
    """∫_{Σ a_i x_i^e_i < 1} |x|^h, by Dirichlet's integral."""
    value = 1 / mpmath.gamma(1 + _float(lam))
    for m, a in part.items():
        i, e = next((i, e) for i, e in enumerate(m) if e)
        ratio = _float((1 + prior[i]) / e)
        value *= 2 * mpmath.gamma(ratio) / (e * _float(a) ** ratio)
    return value


def _float(number: Fraction) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator
