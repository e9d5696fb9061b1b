"""Identities that show where initial forms have common zeros in the torus."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from rlct.algebra.polynomial import Polynomial, from_terms, make_ring, terms_of
from rlct.kernel.algebra import QPoly, identity, qpoly
from rlct.newton.cofactors import monomial_cofactors
from rlct.newton.edges import count_real_roots
from rlct.newton.lattice import primitive_lattice_basis
from rlct.witness.terms import solve_rows

_MOST_FACTORS = 40  # 1 + t², which make a positive polynomial one-signed


class FaceForms:
    """Initial forms F = x^shift f(t), with monomials t = x^B of a basis B of the lattice.

    `points` are the exponents of the forms.
    """

    def __init__(self, forms: list[QPoly], points: list[tuple[int, ...]]) -> None:
        steps = [[x - y for x, y in zip(m, points[0], strict=True)] for m in points]
        self._basis, rows = primitive_lattice_basis(steps)
        size = len(self._basis)
        where = dict(zip(points, rows, strict=True))
        self._ring = make_ring(["t", *(f"t{j}" for j in range(1, size))])
        self._shifts: list[list[int]] = []
        self._polynomials: list[Polynomial] = []
        for form in forms:
            low = [min((where[m][j] for m in form), default=0) for j in range(size)]
            self._shifts.append(self._image(low, points[0]))
            moved = ([x - y for x, y in zip(where[m], low, strict=True)] for m in form)
            terms = dict(zip(map(tuple, moved), form.values(), strict=True))
            self._polynomials.append(from_terms(self._ring, terms))

    def shear(self) -> tuple[int, QPoly] | None:
        """Find a coordinate x_k − c·x^a in place of x_k, for a common zero t = c of the forms."""
        if len(self._basis) > 1:
            return None
        roots: dict[Fraction, int] = {}
        for p, order in reduce(Polynomial.gcd, self._polynomials).factor_list()[1]:
            terms = terms_of(p)
            if p.degree() == 1 and (0,) in terms:
                roots[-terms[(0,)] / terms[(1,)]] = order
        for root in sorted(roots, key=lambda c: -roots[c]):
            for row, c in ((self._basis[0], root), ([-x for x in self._basis[0]], 1 / root)):
                for k in (k for k, x in enumerate(row) if x == 1):
                    if all(x <= 0 for i, x in enumerate(row) if i != k):
                        axis = tuple(int(i == k) for i in range(len(row)))
                        power = tuple(0 if i == k else -x for i, x in enumerate(row))
                        return k, qpoly({axis: 1, power: -c})
        return None

    def _image(self, exponents: Sequence[int], start: Sequence[int]) -> list[int]:
        """Return the exponents of x in x^start t^exponents."""
        columns = zip(start, *self._basis, strict=True)
        return [s + sum(e * b for e, b in zip(exponents, c, strict=True)) for s, *c in columns]

    def identity(self, has_slopes: bool) -> list[QPoly] | None:
        """Find factors c of the forms and their slopes: Σ c F has no zeros in the torus."""
        polynomials = [*self._polynomials]
        if has_slopes:
            polynomials += [t * polynomials[0].diff(t) for t in self._ring.gens]
        if len(self._basis) == 1:
            return self._on_edge(polynomials)
        cofactors = monomial_cofactors(polynomials)
        return None if cofactors is None else self._lifted(cofactors)

    def _on_edge(self, polynomials: list[Polynomial]) -> list[QPoly] | None:
        """Combine to the greatest common divisor, times what makes it one-signed."""
        (t,), common, cofactors = self._ring.gens, self._ring.zero, list[Polynomial]()
        for p in polynomials:
            if p and common:
                first, second, common = common.gcdex(p)
                cofactors = [*(c * first for c in cofactors), second]
            else:
                common = common or p
                cofactors.append(self._ring.one)
        core = common.exquo(t ** min(m for (m,) in common.itermonoms()))
        if count_real_roots(core):
            return None
        multiplier = self._ring.one
        mirrored = self._ring.from_dict({m: c * (-1) ** m[0] for m, c in core.terms()})
        for k in range(_MOST_FACTORS):
            if QPoly(terms_of(core * multiplier)).is_one_signed():
                return self._lifted([c * multiplier for c in cofactors])
            multiplier = multiplier * (1 + t**2 if k else mirrored)
        return None

    def _lifted(self, cofactors: Sequence[Polynomial]) -> list[QPoly]:
        """Write factors of forms and slopes in the variables of the germ."""
        size, width, (shift, *_) = len(self._polynomials), len(self._basis[0]), self._shifts
        parts = [(k, c, self._shifts[k], Fraction(1)) for k, c in enumerate(cofactors[:size])]
        if len(cofactors) > size:
            # t_j ∂/∂t_j of f is x^-shift (Σ row_i x_i ∂/∂x_i F − (row·shift) F).
            inverse = solve_rows([*zip(*self._basis, strict=True)], identity(len(self._basis)))
            for c, row in zip(cofactors[size:], inverse, strict=True):
                parts += [(size + k, c, shift, x) for k, x in enumerate(row)]
                product = sum((x * s for x, s in zip(row, shift, strict=True)), Fraction(0))
                parts.append((0, c, shift, -product))
        factors = [QPoly() for _ in range(size + width * (len(cofactors) > size))]
        for k, c, start, scale in parts:
            lifted = {tuple(self._image(m, [-s for s in start])): x for m, x in terms_of(c).items()}
            factors[k] = factors[k] + QPoly({m: x * scale for m, x in lifted.items()})
        low = [*map(min, zip(*(m for p in factors for m in p), strict=True))]
        return [
            QPoly({tuple(x - y for x, y in zip(m, low, strict=True)): c for m, c in p.items()})
            for p in factors
        ]
