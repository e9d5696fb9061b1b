"""Normal crossings: a generator whose factors are coordinates."""

from collections.abc import Sequence
from fractions import Fraction

from sympy.polys.matrices import DomainMatrix

from rlct.algebra.factoring import squarefree_factors
from rlct.algebra.polynomial import Polynomial, content_and_factors, order
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, unit_beside
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


def _sign(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    return SignTrait.CHANGES if any(e % 2 for _, e in step.data["factors"]) else SignTrait.OPEN


@germ_rule("crossings", "simplify", RuleTrait.SMALL_FIELD, sign=_sign)
def normal_crossings(germ: Germ) -> Proof | None:
    """(u·Π f_j^e_j): λ = min (1 + h_j)/(2·e_j), and θ counts the minimisers.

    Condition: u(0) ≠ 0; the f_j and the variables of the prior are coordinates, and h_j is the
    prior exponent if f_j is a variable, else 0.  ``theory/normal-crossing.md`` proves it.
    """
    if len(germ.generators) != 1 or len(germ.generators[0]) > limits.MOST_CROSSINGS_TERMS:
        return None
    (f,) = germ.generators
    factors = [pair for pair in _factors(f) if not constant_term(pair[0])]
    if not independent([g for g, _ in factors], germ):
        return None
    pair = Pair.product(Pair((1 + prior_of(g, germ)) / (2 * e), 1) for g, e in factors)
    data = {
        "factors": [[encode_polynomial(g), e] for g, e in factors],
        "unit": encode_polynomial(unit_beside(f, factors)),
    }
    return Proof("crossings", pair, pair, data)


def _factors(f: Polynomial) -> list[tuple[Polynomial, int]]:
    """Factors with exponents, irreducible only where that can matter.

    A squarefree factor of order one is a coordinate, whatever units it contains; one of
    order above the number of variables is no product of coordinates.
    """
    if len(f) <= limits.FEW_CROSSINGS_TERMS:
        return list(content_and_factors(f)[1])
    split_factors = []
    for g, e in squarefree_factors(f):
        small = 1 < order(g) <= f.ring.ngens
        split_factors += [(h, e) for h, _ in content_and_factors(g)[1]] if small else [(g, e)]
    return split_factors


def variable_of(g: Polynomial) -> int | None:
    """Index of the variable that g is a multiple of by a number, if it is one."""
    if len(g) != 1 or sum(g.LM) != 1:
        return None
    return next(i for i, e in enumerate(g.LM) if e)


def prior_of(g: Polynomial, germ: Germ) -> Fraction:
    """Prior exponent along g = 0."""
    i = variable_of(g)
    return Fraction(0) if i is None else germ.prior[i]


def independent(factors: list[Polynomial], germ: Germ) -> bool:
    """Whether the factors and the variables of the prior have independent differentials."""
    d, domain = germ.ring.ngens, germ.ring.domain
    units = [tuple(int(i == j) for j in range(d)) for i in range(d)]
    rows = [[g.get(unit, domain.zero) for unit in units] for g in factors]
    named = {variable_of(g) for g in factors}
    rows += [
        [domain(int(i == j)) for j in range(d)]
        for i, h in enumerate(germ.prior)
        if h and i not in named
    ]
    size = len(rows)
    return size <= d and bool(DomainMatrix(rows, (size, d), domain).rank() == size)
