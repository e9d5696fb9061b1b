"""Simpler generators of the same ideal in the local ring at the origin."""

from collections.abc import Callable
from functools import reduce
from math import inf
from typing import Any

from rlct.algebra.division import exact_quotient, quotient_if_whole
from rlct.algebra.factoring import common_divisor
from rlct.algebra.polynomial import Polynomial, order
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, with_generators
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial
from rlct.questions.problem import Germ

Operations = list[dict[str, Any]]


@germ_rule(
    "simplify",
    "unsimplified-transverse",
    RuleTrait.ANY_FIELD,
    keeps=SignTrait.NOWHERE_ZERO | SignTrait.CHANGES,
)
def simplify_generators(germ: Germ) -> Step | None:
    """(g_1, …, g_r) = (h_1, …, h_s) in the local ring at 0: same K up to constants, same pair.

    Each operation is invertible and recorded; ``theory/certificates.md`` lists them.

    ``divide``: u·h is replaced by h where u(0) ≠ 0.  ``subtract``: a multiple of another
    generator is subtracted.  Zero generators are dropped at the end.
    """
    if len(germ.generators) > limits.MOST_SIMPLIFIED_GENERATORS:
        return None
    generators = list(germ.generators)
    operations: Operations = []
    simplify_passes: tuple[Callable[[list[Polynomial], Operations], None], ...] = (
        _divide_units,
        _divide_hidden_unit,
        subtract_monomials,
        subtract_multiples,
        _subtract_leading_terms,
    )
    for _ in range(limits.MOST_SIMPLIFY_PASSES):
        done = len(operations)
        for step in simplify_passes:
            step(generators, operations)
        if len(operations) == done:
            break
    if not operations:
        return None
    child = with_generators(germ, generators)
    return Step("simplify", (child,), same_bounds, {"operations": operations})


def _divide_units(generators: list[Polynomial], operations: Operations) -> None:
    for i, g in enumerate(generators):
        unit = _unit_factor(g) if g else None
        if unit is not None:
            generators[i] = exact_quotient(g, unit)
            operations.append({"divide": i, "by": encode_polynomial(unit)})


def _divide_hidden_unit(generators: list[Polynomial], operations: Operations) -> None:
    """If g_i is a unit times the common divisor, the ideal is principal: show it."""
    if len(generators) < 2:
        return
    common = reduce(common_divisor, filter(None, generators))
    if common.is_ground:
        return
    for i, g in enumerate(generators):
        unit = exact_quotient(g, common)
        if unit and constant_term(unit):
            if unit != unit.ring.one:
                generators[i] = common
                operations.append({"divide": i, "by": encode_polynomial(unit)})
            return


def _unit_factor(g: Polynomial) -> Polynomial | None:
    """The unit of a generator that is a monomial times a unit; None if it is 1 or none."""
    ring = g.ring
    if len(g) == 1:
        return ring.ground_new(g.LC) if ring.domain.one != g.LC else None
    monomial = _content(g)
    # Other factors that are units do no harm: they change no Newton polyhedron.
    return exact_quotient(g, monomial) if monomial.LM in g else None


def _content(g: Polynomial) -> Polynomial:
    exponents = tuple(min(column) for column in zip(*g.itermonoms(), strict=True))
    return g.ring.from_dict({exponents: g.ring.domain.one})


def subtract_multiple(
    generators: list[Polynomial], operations: Operations, i: int, j: int, factor: Polynomial
) -> None:
    """Replace g_i by g_i − factor·g_j, which leaves the ideal as it is, and record it."""
    generators[i] = generators[i] - factor * generators[j]
    operations.append({"subtract": j, "times": encode_polynomial(factor), "from": i})


def subtract_monomials(generators: list[Polynomial], operations: Operations) -> None:
    """Remove every term that is a multiple of a generator with one term."""
    for j, monomial in enumerate(generators):
        if len(monomial) != 1:
            continue
        (exponents, coefficient) = next(iter(monomial.terms()))
        for i, g in enumerate(generators):
            if i == j:
                continue
            quotient = g.ring.from_dict(
                {
                    tuple(a - b for a, b in zip(m, exponents, strict=True)): c / coefficient
                    for m, c in g.terms()
                    if all(a >= b for a, b in zip(m, exponents, strict=True))
                }
            )
            if quotient:
                subtract_multiple(generators, operations, i, j, quotient)


def subtract_multiples(
    generators: list[Polynomial], operations: Operations, most_terms: float = inf
) -> None:
    """Remove every generator that is a multiple of one with several terms, at most so many."""
    for j, divisor in enumerate(generators):
        if not 1 < len(divisor) <= most_terms:
            continue
        for i, g in enumerate(generators):
            if i != j and g:
                quotient = quotient_if_whole(g, divisor)
                if quotient is not None:
                    subtract_multiple(generators, operations, i, j, quotient)


def _subtract_leading_terms(generators: list[Polynomial], operations: Operations) -> None:
    """Gaussian elimination on the lowest terms, with rational multipliers."""
    pivots = sorted((k for k, g in enumerate(generators) if g), key=lambda k: _rank(generators[k]))
    for position, j in enumerate(pivots):
        if not generators[j]:
            continue
        leading = _leading(generators[j])
        for i in pivots[position + 1 :] + pivots[:position]:
            c = generators[i].get(leading, None)
            if c:
                factor = generators[j].ring.ground_new(c / generators[j][leading])
                subtract_multiple(generators, operations, i, j, factor)


def _rank(g: Polynomial) -> tuple[int, int]:
    return order(g), len(g)


def _leading(g: Polynomial) -> tuple[int, ...]:
    """Lowest monomial: by degree, then lexicographically."""
    return min(g.itermonoms(), key=lambda m: (sum(m), tuple(-e for e in m)))
