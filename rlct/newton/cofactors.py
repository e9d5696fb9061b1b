"""Certificates that polynomials have no common zero in the complex torus."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.polynomial import Polynomial, degree

__all__ = ["monomial_cofactors"]

_MOST_VARIABLES = 2  # for Gröbner bases with cofactors; more is a matter of luck
_LARGEST_DEGREE = 30


def monomial_cofactors(polynomials: Sequence[Polynomial]) -> list[Polynomial] | None:
    """Find c with Σ c_i p_i = a monomial, which proves that the p_i have no torus zero.

    Parameters
    ----------
    polynomials : sequence of Polynomial
        In one ring.

    Returns
    -------
    list of Polynomial or None
        None if no such identity was found: there is a common zero over C, or the search
        would have been too long.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> ring = make_ring(["t", "u"]); t, u = ring.gens
    >>> monomial_cofactors([t + u + 1, t, u])
    [1, -1, -1]
    """
    return _constant_cofactors(polynomials) or _groebner_cofactors(polynomials)


def _constant_cofactors(polynomials: Sequence[Polynomial]) -> list[Polynomial] | None:
    """A rational combination that is a monomial: linear algebra on the coefficients.

    Always enough for the derivatives of a form whose exponents are affinely independent.
    """
    ring = polynomials[0].ring
    monomials = sorted({m for p in polynomials for m in p.itermonoms()})
    size = len(polynomials)
    rows = [
        [p.get(m, QQ.zero) for m in monomials] + [QQ(int(i == j)) for j in range(size)]
        for i, p in enumerate(polynomials)
    ]
    echelon = DomainMatrix(rows, (size, len(monomials) + size), QQ).rref()[0].to_list()
    for row in echelon:
        values, combination = row[: len(monomials)], row[len(monomials) :]
        if sum(1 for v in values if v) == 1:
            return [ring.ground_new(c) for c in combination]
    return None


def _groebner_cofactors(polynomials: Sequence[Polynomial]) -> list[Polynomial] | None:
    """Σ c_i p_i + c₀(1 − sΠt) = 1, then s = 1/Πt and denominators cleared."""
    from sympy import Symbol

    ring = polynomials[0].ring
    if ring.ngens > _MOST_VARIABLES or max(map(degree, polynomials)) > _LARGEST_DEGREE:
        return None
    extra = Symbol("s_torus")
    product = extra
    for t in ring.symbols:
        product = product * t
    base = QQ.old_poly_ring(extra, *ring.symbols)
    ideal = base.ideal(*[p.as_expr() for p in polynomials], 1 - product)
    try:
        found = ideal.in_terms_of_generators(1)
    except ValueError:
        return None
    dictionaries = [base.to_sympy(c).as_poly(extra, *ring.symbols).as_dict() for c in found[:-1]]
    top = max((m[0] for terms in dictionaries for m in terms), default=0)
    return [
        ring.from_dict(
            {tuple(e + top - m[0] for e in m[1:]): QQ(c.p, c.q) for m, c in terms.items()}
        )
        for terms in dictionaries
    ]
