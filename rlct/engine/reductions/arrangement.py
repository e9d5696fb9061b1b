"""Products of powers of linear forms and of definite forms, in any coordinates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from rlct.algebra.flats import longest_chain, subspace_intersections
from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import (
    Polynomial,
    Ring,
    content_and_factors,
    order,
    support,
    to_fraction,
    total_degree,
)
from rlct.algebra.real_algebraic import domain_of
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, unit_beside
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule, has_positive_unit
from rlct.engine.germs.signed_squares import SignedSquares, signed_squares
from rlct.pair import Pair
from rlct.proof.encode import encode_field, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


@dataclass(frozen=True)
class _FormPower:
    """(Σ c·l^degree)^exponent with linear forms l, which vanish where the power does."""

    summands: SignedSquares
    degree: int
    exponent: int

    @property
    def order(self) -> int:
        """Order along a subspace on which it vanishes."""
        return self.degree * self.exponent

    def encoded(self) -> dict[str, Any]:
        """Evidence for the checker."""
        return {
            "summands": [
                [encode_polynomial(form.ring(c))[0][0], encode_polynomial(form)]
                for c, form in self.summands
            ],
            "degree": self.degree,
            "exponent": self.exponent,
        }


def _sign(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    if any(q["degree"] * q["exponent"] % 2 for q in step.data["factors"]):
        return SignTrait.CHANGES
    even = "field" not in step.data and has_positive_unit(step.data)
    return SignTrait.NONNEGATIVE if even else SignTrait.OPEN


@germ_rule("arrangement", "crossings", RuleTrait.NO_CHARTS | RuleTrait.SMALL_FIELD, sign=_sign)
def linear_arrangement(germ: Germ) -> Proof | None:
    """(u·Π q_j^e_j): λ = min (codim W + Σ h_i)/(2·Σ e_j·deg q_j), summed over what vanishes on W.

    Condition: u(0) ≠ 0, and q_j is linear or Σ c·l^k with c > 0, k even and linear l.  W runs over
    the intersections of the zero sets of the q_j and of the variables of the prior; θ is the
    length of the longest chain of minimisers.  ``theory/hyperplane-arrangement.md`` proves it.
    """
    if len(germ.generators) != 1 or len(germ.generators[0]) > limits.MOST_ARRANGEMENT_TERMS:
        return None
    (f,) = germ.generators
    factors = [(q, e) for q, e in content_and_factors(f)[1] if not constant_term(q)]
    if any(order(q) != total_degree(q) for q, _ in factors):
        return None
    ring, field = germ.ring, germ.field
    data: dict[str, Any] = {}
    powers = _form_powers(factors, ring, field)
    if powers is None and field is None and (field := _splitting_field(factors)) is not None:
        ring = ring.clone(domain=domain_of(field))
        data["field"] = encode_field(field)
        powers = _form_powers(_split(factors, ring, field), ring, field)
    subspaces = None if powers is None else _deepest_subspaces(powers, germ, ring)
    if powers is None or subspaces is None:
        return None
    least, chain = subspaces
    data["factors"] = [power.encoded() for power in powers]
    data["unit"] = encode_polynomial(unit_beside(f, factors).set_ring(ring))
    data["chain"] = [sorted(members) for members in chain]
    pair = Pair(least, len(chain))
    return Proof("arrangement", pair, pair, data)


def _form_powers(
    factors: Iterable[tuple[Polynomial, int]], ring: Ring, field: NumberField | None
) -> list[_FormPower] | None:
    """Every factor as a linear form, or as a sum of even powers of them."""
    powers = []
    for q, exponent in factors:
        degree = total_degree(q)
        if degree == 1:
            summands: SignedSquares | None = [(ring.domain.one, q)]
        else:
            summands = _even_powers(q, field)
        if summands is None:
            return None
        powers.append(_FormPower(summands, degree, exponent))
    return powers


def _even_powers(q: Polynomial, field: NumberField | None) -> SignedSquares | None:
    """Σ c·l^k as squares c·h² show it: h is linear, or a power of one variable."""
    linear_powers: SignedSquares = []
    for c, h in signed_squares(q, field) or ():
        used = support(h)
        if total_degree(h) == 1:
            linear_powers.append((c, h))
        elif len(h) == 1 and len(used) == 1:
            linear_powers.append((c * h.LC**2, q.ring.gens[used.pop()]))
        else:
            return None
    return linear_powers or None


def _deepest_subspaces(
    powers: list[_FormPower], germ: Germ, ring: Ring
) -> tuple[Fraction, list[frozenset[int]]] | None:
    """The least candidate of a subspace, and a longest chain that reaches it; None for too many.

    A subspace is given by all that vanishes on it: factors, and after them variables of the prior.
    """
    places = [i for i, h in enumerate(germ.prior) if h]
    factor_orders = [power.order for power in powers] + [0] * len(places)
    prior_exponents = [Fraction(0)] * len(powers) + [germ.prior[i] for i in places]
    forms = [[form for _, form in power.summands] for power in powers]
    forms += [[ring.gens[i]] for i in places]
    units = [tuple(int(i == j) for j in range(ring.ngens)) for i in range(ring.ngens)]
    subspaces = [
        [[form.get(unit, ring.domain.zero) for unit in units] for form in some] for some in forms
    ]
    members_of = subspace_intersections(subspaces, limits.MOST_FLATS)
    if members_of is None:
        return None
    candidates = {
        members: sum((prior_exponents[i] for i in members), Fraction(codimension))
        / (2 * sum(factor_orders[i] for i in members))
        for members, codimension in members_of.items()
        if any(factor_orders[i] for i in members)
    }
    least = min(candidates.values())
    return least, longest_chain([m for m, value in candidates.items() if value == least])


def _splitting_field(factors: list[tuple[Polynomial, int]]) -> NumberField | None:
    """Q(√N) for the first quadratic factor with two real linear factors that are not rational."""
    for q, _ in factors:
        halves = _conjugate_halves(q)
        if halves is not None:
            number = halves[2]
            low = Fraction(isqrt(number))
            return NumberField((-number, 0, 1), low, low + 1)
    return None


def _conjugate_halves(q: Polynomial) -> tuple[Polynomial, Polynomial, int] | None:
    """Forms a, b and a whole number N > 0 with q = a² − N·b², if q has such a form.

    By the discriminant in the first variable, of which an irreducible q of rank 2 has the square.
    """
    x = q.ring.gens[min(support(q))]
    if total_degree(q) != 2 or q.coeff_wrt(x, 2) != 1:
        return None
    half = q.coeff_wrt(x, 1) / 2
    content, roots = content_and_factors(half**2 - q.coeff_wrt(x, 0))
    number = to_fraction(content)
    if number <= 0 or len(roots) != 1 or roots[0][1] != 2:
        return None
    # √(n/m) = √(n·m)/m
    return x + half, roots[0][0] / number.denominator, number.numerator * number.denominator


def _split(
    factors: Iterable[tuple[Polynomial, int]], ring: Ring, field: NumberField
) -> list[tuple[Polynomial, int]]:
    """The factors over Q(√N), the quadratic ones split where their roots are in it."""
    number = -field.modulus[0]
    split_factors = []
    for q, exponent in factors:
        halves = _conjugate_halves(q)
        scale = 0 if halves is None else isqrt(halves[2] * number)
        if halves is None or scale**2 != halves[2] * number:
            split_factors.append((q.set_ring(ring), exponent))
            continue
        root = ring.domain([Fraction(scale, number), 0])
        first, second = (half.set_ring(ring) for half in halves[:2])
        split_factors += [(first - second * root, exponent), (first + second * root, exponent)]
    return split_factors
