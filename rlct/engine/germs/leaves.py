"""Leaves: germs whose pair is read off a polyhedron or a Jacobian matrix."""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from sympy.polys.matrices import DomainMatrix

from rlct.algebra.polynomial import order, terms_of
from rlct.engine.germs.family import weighted_initial_form
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.newton.nondegeneracy import sign_change
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

HOWALD_PAPER = "Howald, Multiplier ideals of monomial ideals, Trans. AMS 353 (2001)"
LIN_THESIS = (
    "Lin, Algebraic Methods for Evaluating Integrals in Bayesian Statistics, Berkeley (2011)"
)


@germ_rule(
    "monomial",
    "",
    RuleTrait.CHEAP | RuleTrait.ANY_FIELD,
    sources=(HOWALD_PAPER, LIN_THESIS),
    sign=SignTrait.NOWHERE_ZERO,
)
def monomial_ideal(germ: Germ) -> Proof | None:
    """(x^α₁, …, x^α_r): 2λ is the least Σ (1 + h_j)·w_j over w ≥ 0 with all α_k·w ≥ 1.

    Condition: every generator has one term.  ``theory/newton.md`` proves it; θ counts independent
    optimal weights, and the certificate holds both sides of the programme.
    """
    if any(len(g) != 1 for g in germ.generators):
        return None
    exponents = [next(iter(g.itermonoms())) for g in germ.generators]
    optimum = monomial_optimum(exponents, germ.prior)
    data = encode_programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("monomial", optimum.pair, optimum.pair, data)


def encode_programme(optimum: MonomialOptimum, exponents: list[list[int]]) -> dict[str, Any]:
    """Optimal weights, and the multipliers with the exponents they belong to."""
    return {
        "weights": [encode_numbers(point) for point in optimum.points],
        "multipliers": [[exponents[i], str(y)] for i, y in sorted(optimum.multipliers.items())],
    }


def floor_bound(germ: Germ) -> Pair:
    """Lower bound that needs no computation: the order of K, and the rank of its Hessian.

    K has order 2m along almost every line, so {K < t} meets each in length O(t^{1/2m});
    and K ≥ c·|z|² in s coordinates z.  Both with any prior bounded above, so h ≥ 0.
    """
    lowest = min(order(g) for g in germ.generators)
    bounds = [Pair(Fraction(1, 2 * lowest), 1)]
    rank = jacobian_rank(germ)
    if rank:
        bounds.append(Pair(Fraction(rank, 2), 1))
    return max(bounds)


def jacobian_rank(germ: Germ) -> int:
    """Rank of the linear parts of the generators."""
    return _rank(germ, range(germ.ring.ngens))


def _rank(germ: Germ, columns: Iterable[int]) -> int:
    units = [tuple(int(i == j) for j in range(germ.ring.ngens)) for i in columns]
    domain = germ.ring.domain
    rows = [[g.get(u, domain.zero) for u in units] for g in germ.generators]
    if not any(any(row) for row in rows):
        return 0
    return int(DomainMatrix(rows, (len(rows), len(units)), domain).rank())


@germ_rule("smooth", "monomial", RuleTrait.CHEAP | RuleTrait.ANY_FIELD, sign=SignTrait.CHANGES)
def smooth_ideal(germ: Germ) -> Proof | None:
    """(g_1, …, g_r) with independent differentials at 0: λ = r/2 and θ = 1.

    They are coordinates then.  ``theory/certificates.md`` lists the rule.

    The differentials must stay independent without the variables of the prior, so that
    those remain coordinates beside the generators.
    """
    free = [i for i, h in enumerate(germ.prior) if h == 0]
    r = len(germ.generators)
    if r > len(free) or any(order(g) != 1 for g in germ.generators) or _rank(germ, free) < r:
        return None
    pair = Pair(Fraction(r, 2), 1)
    return Proof("smooth", pair, pair)


@germ_rule("hull", sources=(LIN_THESIS,))
def hull_bounds(germ: Germ) -> Proof:
    """Upper bound: the pair of the ideal of all terms, as K ≤ C·Σ (every term)².

    Lower bound: `floor_bound`.  No condition; ``theory/certificates.md`` lists the rule.
    """
    exponents = sorted({m for g in germ.generators for m in g.itermonoms()})
    optimum = monomial_optimum(exponents, germ.prior)
    data = encode_programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("hull", floor_bound(germ), optimum.pair, data)


@germ_rule("sign-change", sign=SignTrait.CHANGES)
def sign_change_bounds(germ: Germ) -> Proof | None:
    """Upper bound: (f) has at most (1/2, 1) if an initial form of f takes both signs.

    Condition: opposite signs at two points of one orthant.  Along the lines from near one to near
    the other, f vanishes, so that {|f| < t} has length t at least; ``theory/certificates.md``
    proves it.  Lower bound: `floor_bound`.
    """
    if len(germ.generators) > 1 or germ.field is not None:
        return None
    (f,) = germ.generators
    optimum = monomial_optimum(sorted(f.itermonoms()), germ.prior)
    for weights in ([Fraction(1)] * germ.ring.ngens, *optimum.points):
        scale = lcm(*(w.denominator for w in weights))
        whole = [int(w * scale) for w in weights]
        if min(whole) == 0:
            continue
        points = sign_change(terms_of(weighted_initial_form(f, weights)))
        if points is not None:
            data = {"weights": whole, "signs": [encode_numbers(point) for point in points]}
            return Proof("sign-change", floor_bound(germ), Pair(Fraction(1, 2), 1), data)
    return None
