"""Charts of weighted blow-ups of coordinate subspaces."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from rlct.engine import limits
from rlct.engine.germs.family import Family, in_variable_order, local_terms
from rlct.newton.linear_program import monomial_optimum


def charts(family: Family, weights: Sequence[int], orbits: Sequence[Sequence[int]]) -> list[Family]:
    """Families over the exceptional divisor of the blow-up of weights w, which cover it.

    For the first variable of each orbit in turn, small weights first, and each sign if w_i is
    even: x_i = ±s^(w_i)
    and x_j = s^(w_j)·y_j.  The chart is used where the y_j of earlier orbits vanish; the others
    are free.  Without symmetry every variable with w_i > 0 is an orbit.
    """
    d, names, ring = len(family.prior), family.names, family.ring
    centre = [i for i in range(d) if weights[i]]
    outer_locals = [i for i in range(d) if not weights[i]]
    exceptional_prior = sum((weights[i] * (1 + family.prior[i]) for i in centre), Fraction(-1))
    chart_families = []
    for position, (i, *_) in enumerate(orbits):
        earlier_locals = [j for orbit in orbits[:position] for j in orbit]
        free_locals = [j for j in centre if j != i and j not in earlier_locals]
        for sign in (1, -1) if weights[i] % 2 == 0 else (1,):
            pulled_back = []
            for g in family.generators:
                terms = {}
                for m, c in g.terms():
                    e = list(m)
                    e[i] = sum(weights[j] * m[j] for j in centre)
                    terms[tuple(e)] = c if sign > 0 or m[i] % 2 == 0 else -c
                pulled_back.append(ring.from_dict(terms))
            order = [names[j] for j in [*outer_locals, i, *earlier_locals, *free_locals]] + names[
                d:
            ]
            chart_families.append(
                Family(
                    tuple(in_variable_order(pulled_back, order)),
                    (
                        *(family.prior[j] for j in outer_locals),
                        exceptional_prior,
                        *(family.prior[j] for j in earlier_locals),
                    ),
                    tuple(family.prior[j] for j in free_locals),
                    tuple(in_variable_order(family.units, order)),
                    relations=family.moved_relations(order),
                    uniform=family.uniform,
                    field=family.field,
                )
            )
    return chart_families


def blowup_centres(family: Family) -> list[tuple[int, ...]]:
    """Weights worth trying: vertices of optimal faces of linear programmes.

    First those of the generators: such a divisor attains the upper bound of the exponents, so
    that afterwards all other points have only to be bounded from below.  Then those of the
    generators without their common monomial, at whose zeros the work remains.
    """
    d = len(family.prior)
    exponents = sorted({m for g in family.generators for m in local_terms(g, d)})
    least = [min(column) for column in zip(*exponents, strict=True)]
    strict = [tuple(a - b for a, b in zip(m, least, strict=True)) for m in exponents]
    weights = list(_vertices(exponents, family.prior))
    if any(least) and all(any(m) for m in strict):
        weights += [w for w in _vertices(strict, [Fraction(0)] * d) if w not in weights]
        weights += [w for w in _vertices(strict, family.prior) if w not in weights]
    return weights


def _vertices(
    exponents: Sequence[tuple[int, ...]], prior: Sequence[Fraction]
) -> Iterator[tuple[int, ...]]:
    """Vertices of the optimal face; small changes of the costs decide which of them."""
    d = len(prior)
    earlier_vertices: list[tuple[int, ...]] = []
    tilts = [[Fraction(1, 10**4 * (k + 7)) for k in range(d)]]
    tilts += [[Fraction(1 + (j - i) % d, 10**5) for j in range(d)] for i in range(d)]
    for tilt in tilts:
        (point, *_) = monomial_optimum(
            exponents, [h + t for h, t in zip(prior, tilt, strict=True)]
        ).points
        scale = lcm(*(x.denominator for x in point))
        integer_point = [int(x * scale) for x in point]
        content = gcd(*integer_point)
        weights = tuple(x // content for x in integer_point)
        if sum(1 for w in weights if w) > 1 and weights not in earlier_vertices:
            earlier_vertices.append(weights)
            yield weights
        if len(earlier_vertices) == limits.MOST_CENTRES:
            return
