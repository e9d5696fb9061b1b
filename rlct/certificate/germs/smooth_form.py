"""Germs whose lowest form has no critical point but 0."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from operator import add
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, over_integers, partial_derivative
from rlct.certificate.numbers.linear import rank_modulo_prime
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import Data, PairBounds, Statement, need
from rlct.certificate.torus.identities import check_signs
from rlct.pair import Pair


@checked_rule(
    "smooth-form",
    "{signs?: [[rational]]2}",
    wording="A smooth lowest form\n"
    "The terms of least degree of {generators} have no common critical point but 0, even a complex "
    "one: multiples of their derivatives are all forms of some degree. So after one blow-up of the "
    "origin the generator is a power of the divisor times a unit or a coordinate beside it.\n"
    "The divisor gives half of the number of variables by that degree, the coordinate `1/2`; the "
    "smaller counts, and `θ = 2` if they are equal: {result}.",
)
def smooth_form_rule(statement: Statement, data: Data, solve_child: Any) -> PairBounds:
    """pair((f)) = (n/(2d), 1)·(1/2, 1), a product of pairs, n variables and d the lowest degree.

    If there is no prior, the derivatives of the terms of degree d ≥ 2 have no common complex zero
    but 0, and these terms a real one but 0: for n < d none is needed, as n/(2d) is the smaller
    anyway, and for odd d there is one (``theory/certificates.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "smooth-form: not principal")
    need(statement.field is None and not any(statement.prior), "smooth-form: a prior, or a field")
    (f,), n = statement.generators, statement.width
    d = min(map(sum, f))
    form = {m: c for m, c in f.items() if sum(m) == d}
    need(d >= 2, "smooth-form: a linear form")
    if "signs" in data:
        check_signs([form], data["signs"])
    need(n < d or d % 2 == 1 or "signs" in data, "smooth-form: there may be no real zero")
    need(_generate_all_forms(form, n, d), "smooth-form: there may be a critical point")
    pair = Pair(Fraction(n, 2 * d), 1) * Pair(Fraction(1, 2), 1)
    return pair, pair


def _generate_all_forms(form: Poly, n: int, d: int) -> bool:
    """Whether multiples of the derivatives are all forms of degree N = n(d − 2) + 1.

    Then each x_i^N is one, so that all x_i are 0 where the derivatives are.  Each monomial of that
    degree has some x_i^(d−1): as many multiples as there are monomials are enough, if a minor
    modulo a prime shows that they are independent.
    """
    degree = n * (d - 2) + 1
    size = comb(degree + n - 1, n - 1)
    cost.charge(cost.of_table(size, size + n * len(form), 3), "multiples of the derivatives")
    slopes = [over_integers(partial_derivative(form, i))[0] for i in range(n)]
    column = {m: k for k, m in enumerate(_monomials(n, degree))}
    rows = []
    for m in column:
        i = next(i for i, e in enumerate(m) if e >= d - 1)
        rest = (*m[:i], m[i] - (d - 1), *m[i + 1 :])
        row = [0] * size
        for a, c in slopes[i].items():
            row[column[tuple(map(add, rest, a))]] = c
        rows.append(row)
    return rank_modulo_prime(rows) == size


def _monomials(n: int, degree: int) -> Iterator[tuple[int, ...]]:
    """All exponents of a degree: n − 1 bars stand between so many stars."""
    for bars in combinations(range(degree + n - 1), n - 1):
        yield tuple(b - a - 1 for a, b in pairwise((-1, *bars, degree + n - 1)))
