"""Irrational coordinates that the generators contain only in their minimal polynomial."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import Polynomial, support
from rlct.algebra.real_algebraic import AlgebraicNumber, domain_of
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.questions.problem import Problem


def straightened_point(
    problem: Problem, generators: Sequence[Polynomial]
) -> tuple[dict[str, Any], Problem, list[Polynomial]] | None:
    """The pair of generators G(p(x_i), …) at x_i = α is that of G at p = 0.

    If p is the minimal polynomial of α, of which α is a simple root, so that p(x_i) is a coordinate
    (``theory/points.md``, Algebraic points).  Evidence for the rule `compose`, the problem with 0
    as that coordinate, of which only point, prior and walls count, and the G.
    """
    field = problem.field
    assert field is not None
    for i, value in enumerate(problem.point):
        if not isinstance(value, AlgebraicNumber):
            continue
        ring = generators[0].ring
        terms = {
            tuple(e if k == i else 0 for k in range(ring.ngens)): ring.domain(c)
            for e, c in enumerate(value.minimal)
            if c
        }
        minimal_polynomial = ring.from_dict(terms)
        in_minimal_polynomial = [_in_terms_of(g, i, minimal_polynomial) for g in generators]
        if any(g is None for g in in_minimal_polynomial):
            continue
        moved_problem = replace(
            problem,
            point=_with(problem.point, i, Fraction(0)),
            prior=_with(problem.prior, i, Fraction(0)),
            nonneg=_with(problem.nonneg, i, False),
        )
        outer_generators = [g for g in in_minimal_polynomial if g is not None]
        domain = domain_of(field)
        local_generators = [moved_problem.localise(g) for g in outer_generators]
        data = {
            "variable": i,
            "coordinate": encode_polynomial(problem.localise(minimal_polynomial)),
            "generators": encode_polynomials(
                g.set_ring(g.ring.clone(domain=domain)) for g in local_generators
            ),
        }
        return data, moved_problem, outer_generators
    return None


def _with(values: Sequence[Any], i: int, value: Any) -> tuple[Any, ...]:
    return (*values[:i], value, *values[i + 1 :])


def _in_terms_of(g: Polynomial, i: int, p: Polynomial) -> Polynomial | None:
    """G with G(x_i = p(x_i)) = g, for p in x_i alone; None if there is none."""
    total, power, x = g.ring.zero, g.ring.one, g.ring.gens[i]
    while g:
        g, digit = g.div(p)
        if i in support(digit):
            return None
        total, power = total + digit * power, power * x
    return total
