"""Germs whose lowest form has no critical point but 0: one blow-up of the origin is enough."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from operator import add

from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.algebra.polynomial import terms_of
from rlct.engine import limits
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.newton.nondegeneracy import sign_change
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Form = Mapping[tuple[int, ...], Fraction]


def _sign(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    """From λ = 1/2 on it has a real zero, which is simple."""
    return SignTrait.CHANGES if step.lower.lam >= Fraction(1, 2) else SignTrait.OPEN


@germ_rule("smooth-form", "linear", RuleTrait.OUTERMOST, sign=_sign)
def smooth_form(germ: Germ) -> Proof | None:
    """(f): λ = min(n/(2d), 1/2), θ = 2 if they are equal, for n variables and lowest degree d.

    Condition: no prior; the lowest form has no critical point but 0, even a complex one, and a
    real zero but 0 unless n < d.  ``theory/certificates.md`` (Smooth lowest forms) proves it.
    """
    if len(germ.generators) > 1 or any(germ.prior):
        return None
    terms, n = terms_of(germ.generators[0]), germ.ring.ngens
    d = min(map(sum, terms))
    # In fewer variables the faces of the Newton polyhedron are few.
    if n < 4 or d < 2 or comb(n * (d - 1), n - 1) > limits.MOST_FORM_MONOMIALS:
        return None
    form = {m: c for m, c in terms.items() if sum(m) == d}
    data = {}
    if n >= d and d % 2 == 0:  # of an odd degree it changes its sign anyway
        points = sign_change(form)
        if points is None:
            return None
        data = {"signs": [encode_numbers(point) for point in points]}
    if not _is_smooth(form, n, d):
        return None
    pair = Pair(Fraction(n, 2 * d), 1) * Pair(Fraction(1, 2), 1)
    return Proof("smooth-form", pair, pair, data)


def _is_smooth(form: Form, n: int, d: int) -> bool:
    """Whether as many multiples of the derivatives as there are monomials are independent."""
    derivatives = [
        {(*m[:i], m[i] - 1, *m[i + 1 :]): c * m[i] for m, c in form.items() if m[i]}
        for i in range(n)
    ]
    monomials = list(_monomials(n, n * (d - 2) + 1))
    column = {m: k for k, m in enumerate(monomials)}
    rows = []
    for m in monomials:
        i = next(i for i, e in enumerate(m) if e >= d - 1)
        rest = (*m[:i], m[i] - (d - 1), *m[i + 1 :])
        row = [Fraction(0)] * len(monomials)
        for a, c in derivatives[i].items():
            row[column[tuple(map(add, rest, a))]] = c
        rows.append(row)
    return rank_modulo_prime(rows) == len(rows)


def _monomials(n: int, degree: int) -> Iterator[tuple[int, ...]]:
    """All exponents of a degree: where bars stand between so many stars."""
    for bars in combinations(range(degree + n - 1), n - 1):
        yield tuple(b - a - 1 for a, b in pairwise((-1, *bars, degree + n - 1)))
