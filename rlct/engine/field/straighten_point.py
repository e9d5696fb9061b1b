"""Irrational coordinates that the generators contain only in their minimal polynomial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import Polynomial, support
from rlct.algebra.real_algebraic import AlgebraicNumber, domain_of
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.questions.problem import Problem

__all__ = ["straightened"]


def straightened(
    problem: Problem, generators: Sequence[Polynomial]
) -> tuple[dict[str, Any], Problem, list[Polynomial]] | None:
    """Take the minimal polynomial p of an irrational coordinate as coordinate in its place.

    At x = α the polynomial p(x) is one, since α is a simple root.  If the generators are
    polynomials G in p(x) and the other variables, the question is that of G at p = 0.

    Returns
    -------
    dict
        Evidence for the rule `compose`.
    Problem
        With 0 as that coordinate; only its point, prior and walls count.
    list of Polynomial
        The G.
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
        minimal = ring.from_dict(terms)
        outer = [_in_terms_of(g, i, minimal) for g in generators]
        if any(g is None for g in outer):
            continue
        moved = replace(
            problem,
            point=_with(problem.point, i, Fraction(0)),
            prior=_with(problem.prior, i, Fraction(0)),
            nonneg=_with(problem.nonneg, i, False),
        )
        known = [g for g in outer if g is not None]
        domain = domain_of(field)
        local = [moved.localise(g) for g in known]
        data = {
            "variable": i,
            "coordinate": encode_polynomial(problem.localise(minimal)),
            "generators": encode_polynomials(
                g.set_ring(g.ring.clone(domain=domain)) for g in local
            ),
        }
        return data, moved, known
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
