"""Generators that depend on a variable through one polynomial in it alone."""

from collections.abc import Sequence
from fractions import Fraction

from sympy import divisors

from rlct.algebra.polynomial import Polynomial, to_fraction
from rlct.engine.germs.function_field import coefficient
from rlct.engine.germs.generators import with_generators
from rlct.engine.germs.rule import SignTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.questions.problem import Germ


@germ_rule("inner", "transverse", keeps=SignTrait.CHANGES)
def inner_polynomial(germ: Germ) -> Step | None:
    """(g_k(x, h(y))) has the pair of (g_k(x, y)), a prior |y|^p included.

    Condition: h(0) = 0 and h′(0) ≠ 0, so that h(y) is a coordinate, y times a unit.
    ``theory/certificates.md`` lists the rule.
    """
    if germ.field is not None:
        return None
    for y in range(germ.ring.ngens):
        longest = max(germ.generators, key=lambda g: max(m[y] for m in g.itermonoms()))
        degree = max(m[y] for m in longest.itermonoms())
        for size in divisors(degree)[1:] if degree else ():
            h = _inner(longest, y, degree, size)
            outer = None if h is None else [_digits(g, h, y) for g in germ.generators]
            if h is not None and outer is not None and None not in outer:
                data = {
                    "variable": y,
                    "inner": encode_polynomial(h),
                    "outer": encode_polynomials(outer),
                }
                return Step("inner", (with_generators(germ, outer),), same_bounds, data)
    return None


def _inner(g: Polynomial, y: int, degree: int, size: int) -> Polynomial | None:
    """The only candidate h of a degree, monic and without constant term, for g(x, h(y)).

    The leading coefficients of g are those of a·h^s: h is the s-th root of their series (Kozen and
    Landau, Polynomial decomposition algorithms, J. Symbolic Computation 7 (1989)).
    """
    leading = coefficient(g, y, degree)
    ratios = [Fraction(1)]
    for k in range(1, size):
        part = coefficient(g, y, degree - k)
        ratio = to_fraction(part.LC) / to_fraction(leading.LC) if part else Fraction(0)
        if part != leading * g.ring.domain(ratio.numerator, ratio.denominator):
            return None
        ratios.append(ratio)
    root = _series_root(ratios, degree // size)
    if not root[size - 1] or not any(root[1:]):
        return None
    zeros = (0,) * g.ring.ngens
    return g.ring.from_dict(
        {
            (*zeros[:y], size - k, *zeros[y + 1 :]): g.ring.domain(c.numerator, c.denominator)
            for k, c in enumerate(root)
            if c
        }
    )


def _series_root(numbers: Sequence[Fraction], exponent: int) -> list[Fraction]:
    """Coefficients of (1 + b_1 t + …)^(1/s), by s·b·r′ = r·b′."""
    root = [Fraction(1)]
    for n in range(1, len(numbers)):
        terms = (
            (Fraction(k, exponent) - (n - k)) * numbers[k] * root[n - k] for k in range(1, n + 1)
        )
        root.append(sum(terms, Fraction(0)) / n)
    return root


def _digits(g: Polynomial, h: Polynomial, y: int) -> Polynomial | None:
    """Σ a_k(x)·y^k with g = Σ a_k(x)·h^k; None if some digit depends on y."""
    result, power = g.ring.zero, g.ring.one
    while g:
        quotient, digit = g.div(h)
        if any(m[y] for m in digit.itermonoms()):
            return None
        result += digit * power
        g, power = quotient, power * g.ring.gens[y]
    return result
