"""Small operations on germs shared by the reductions."""

from collections.abc import Iterable, Sequence
from math import prod

from rlct.algebra.division import exact_quotient
from rlct.algebra.polynomial import Polynomial, make_ring
from rlct.engine.germs.family import Family
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.questions.problem import Germ


def with_generators(germ: Germ, generators: Iterable[Polynomial]) -> Germ:
    """Return the ideal of other generators in the same ring, zero generators dropped."""
    return Germ(tuple(g for g in generators if g), germ.prior, True, germ.field)


def constant_term(polynomial: Polynomial) -> object:
    """Value at the origin, in the coefficient domain."""
    return polynomial.get((0,) * polynomial.ring.ngens, polynomial.ring.domain.zero)


def unit_beside(f: Polynomial, factors: Iterable[tuple[Polynomial, int]]) -> Polynomial:
    """The quotient of f by factors with exponents."""
    return exact_quotient(f, prod((g**e for g, e in factors), start=f.ring.one))


def optimum_of_terms(germ: Germ | Family) -> MonomialOptimum:
    """Optimum of the linear programme of all terms of the generators."""
    exponents = sorted({m for g in germ.generators for m in g.itermonoms()})
    return monomial_optimum(exponents, germ.prior)


def restrict_germ(
    generators: Sequence[Polynomial], germ: Germ, variables: Sequence[int], is_ideal: bool
) -> Germ:
    """Germ in the given variables only; the generators must not contain others."""
    names = [str(germ.ring.symbols[i]) for i in variables]
    ring = make_ring(names) if germ.field is None else germ.ring.clone(symbols=names)
    moved = tuple(
        ring.from_dict({tuple(m[i] for i in variables): c for m, c in g.terms()})
        for g in generators
    )
    return Germ(moved, tuple(germ.prior[i] for i in variables), is_ideal, germ.field)
