"""Gaussian elimination among generators that are linear in common variables.

Power sums Σ a_h b_h^k, the moments of a mixture, are the example: elimination of the weights a_h
one by one leaves divided differences, whose last is a product.
"""

from collections.abc import Sequence

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs.generators import with_generators
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial
from rlct.questions.problem import Germ

Row = dict[int, Polynomial]  # generator to the multiplier of the pivot that is subtracted


def echelon_form(germ: Germ) -> Step | None:
    """(g_1, …, g_r) = (g_p, g_k − q_k·g_p, …): the same ideal and pair, as by Gauss.

    Eliminates variables from all generators but one each; ``theory/certificates.md`` lists it.

    A variable may occur to one power only, the same in all generators that are left; its
    coefficients have to be multiples of the one in the pivot, which is then retired.
    """
    generators = list(germ.generators)
    if not germ.is_ideal or not 1 < len(generators) <= limits.MOST_ECHELON_GENERATORS:
        return None
    rows, operations = set(range(len(generators))), []
    pivots = 0
    while (cheapest_pivot := _cheapest(generators, rows)) is not None:
        pivot, multipliers = cheapest_pivot
        for k, factor in multipliers.items():
            generators[k] = generators[k] - factor * generators[pivot]
            operations.append(
                {"subtract": pivot, "times": encode_polynomial(factor), "from": k},
            )
        rows.remove(pivot)
        rows -= {k for k in multipliers if not generators[k]}
        pivots += 1
    if pivots < limits.LEAST_ECHELON_PIVOTS:
        return None
    child = with_generators(germ, generators)
    return Step("simplify", (child,), same_bounds, {"operations": operations})


def _cheapest(generators: Sequence[Polynomial], rows: set[int]) -> tuple[int, Row] | None:
    """The pivot after which the generators have fewest terms."""
    best_pivot: tuple[int, int, Row] | None = None
    ring = generators[0].ring
    for v in range(ring.ngens):
        coefficients = _coefficients(generators, rows, v)
        for pivot, divisor in coefficients.items():
            multipliers = _multipliers(coefficients, pivot, divisor)
            if multipliers is None:
                continue
            terms = sum(
                len(g - multipliers[k] * generators[pivot]) if k in multipliers else len(g)
                for k, g in enumerate(generators)
            )
            if terms <= limits.MOST_ECHELON_TERMS and (best_pivot is None or terms < best_pivot[0]):
                best_pivot = terms, pivot, multipliers
    return None if best_pivot is None else best_pivot[1:]


def _coefficients(generators: Sequence[Polynomial], rows: set[int], v: int) -> Row:
    """Coefficients of the only power of a variable, by generator; empty if it has several."""
    power_coefficients: Row = {}
    powers = {m[v] for k in rows for m in generators[k].itermonoms()} - {0}
    if len(powers) != 1:
        return power_coefficients
    for k in rows:
        g = generators[k]
        terms = {(*m[:v], 0, *m[v + 1 :]): c for m, c in g.terms() if m[v]}
        if terms:
            power_coefficients[k] = g.ring.from_dict(terms)
    return power_coefficients


def _multipliers(coefficients: Row, pivot: int, divisor: Polynomial) -> Row | None:
    """Quotients by the coefficient of the pivot, if it divides all others and there are any."""
    multipliers: Row = {}
    for k, c in coefficients.items():
        if k == pivot:
            continue
        quotient, rest = c.div(divisor)
        if rest:
            return None
        multipliers[k] = quotient
    return multipliers or None
