"""Vector fields along which an ideal is constant."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.exact_rank import RESIDUE_PRIME as _PRIME
from rlct.algebra.polynomial import Polynomial, order
from rlct.engine import limits
from rlct.proof.encode import encode_polynomial, encode_polynomials

Array = npt.NDArray[np.int64]

_FLOW_SEED = 20_240_229  # any number; the same question takes the same steps each time


@dataclass(frozen=True)
class Flow:
    """A field X = Σ a_j ∂_j with a_i(0) ≠ 0 for the variable i, and X(f_k) = Σ c_kl f_l."""

    variable: int
    field: tuple[Polynomial, ...]
    #: None: all are 0.
    cofactors: tuple[tuple[Polynomial, ...], ...] | None

    def encoded(self) -> dict[str, Any]:
        """JSON form for certificates."""
        data: dict[str, Any] = {
            "variable": self.variable,
            "field": encode_polynomials(self.field),
        }
        if self.cofactors is not None:
            data["cofactors"] = [[encode_polynomial(c) for c in row] for row in self.cofactors]
        return data


def kernel(generators: Sequence[Polynomial], allowed_variables: Sequence[int]) -> list[int]:
    """Variables x_i with a direction v, v_i ≠ 0, along which the lowest forms are constant.

    A field that preserves the ideal has such a value at 0: its lowest order is not lowered.
    """
    least = min(map(order, generators))
    rows: dict[tuple[int, tuple[int, ...]], dict[int, Any]] = {}
    for k, g in enumerate(generators):
        for m, c in g.terms():
            if sum(m) == least:
                for j, i in enumerate(allowed_variables):
                    if m[i]:
                        key = (*m[:i], m[i] - 1, *m[i + 1 :])
                        rows.setdefault((k, key), {})[j] = c * m[i]
    if not rows:
        return list(allowed_variables)
    size = len(allowed_variables)
    matrix = [[row.get(j, QQ.zero) for j in range(size)] for row in rows.values()]
    vectors = DomainMatrix(matrix, (len(matrix), size), QQ).to_field().nullspace().to_list()
    return [i for j, i in enumerate(allowed_variables) if any(v[j] for v in vectors)]


def find_flow(
    generators: Sequence[Polynomial],
    allowed_variables: Sequence[int],
    *,
    higher_fields: bool = True,
) -> Flow | None:
    """A field in the allowed directions that preserves the ideal and does not vanish at 0.

    Found modulo a prime and lifted to Q; the identity is then tested over Q.  ``higher_fields``
    says whether fields of higher degree and with cofactors are tried.
    """
    if not allowed_variables or sum(map(len, generators)) > limits.MOST_FLOW_TERMS:
        return None
    kernel_directions = kernel(generators, allowed_variables)
    if not kernel_directions:
        return None
    used_variables = sorted(
        {i for g in generators for m in g.itermonoms() for i, e in enumerate(m) if e}
    )
    system = _System(generators, allowed_variables, sorted({*used_variables, *allowed_variables}))
    # What depends on two variables is settled otherwise, unless it is a power of one.
    highest_degree = min(limits.HIGHEST_FLOW_DEGREE, len(system.used)) if higher_fields else 1
    for degree, cofactor_degree in _shapes(
        len(generators), highest_degree, higher_fields=higher_fields
    ):
        flow = system.solve(degree, cofactor_degree, kernel_directions)
        if flow is not None:
            return flow
    return None


def _shapes(count: int, highest: int, *, higher_fields: bool) -> Iterator[tuple[int, int | None]]:
    """Degrees of the field and of its cofactors (None: they are 0)."""
    for degree in range(highest + 1):
        yield degree, None
        if 0 < degree <= 2 and (higher_fields or count == 1):
            yield degree, degree - 1


class _System:
    """Linear equations for the coefficients of a field, from values at random points."""

    def __init__(
        self, generators: Sequence[Polynomial], allowed: Sequence[int], used: Sequence[int]
    ) -> None:
        self._generators = list(generators)
        self._ring = generators[0].ring
        self._allowed = list(allowed)
        self.used = list(used)
        self._derivatives = [[g.diff(self._ring.gens[j]) for j in allowed] for g in generators]
        rng = np.random.default_rng(_FLOW_SEED)
        shape = (limits.MOST_FLOW_UNKNOWNS + limits.EXTRA_FLOW_EQUATIONS, self._ring.ngens)
        self._points: Array = rng.integers(1, _PRIME, size=shape, dtype=np.int64)

    def solve(
        self, degree: int, cofactor_degree: int | None, kernel_directions: list[int]
    ) -> Flow | None:
        """A field of this shape with a value ≠ 0 at the origin."""
        count, width = len(self._generators), len(self.used)
        unknowns = len(self._allowed) * comb(width + degree, degree)
        if cofactor_degree is not None:
            unknowns += count**2 * comb(width + cofactor_degree, cofactor_degree)
        if unknowns > limits.MOST_FLOW_UNKNOWNS:
            return None
        sample_points = self._points[: unknowns // count + limits.EXTRA_FLOW_EQUATIONS]
        monomials = list(self._monomials(degree))
        table = _powers(sample_points, monomials)
        slope_values = [[values(p, sample_points) for p in row] for row in self._derivatives]
        columns: list[tuple[int, int, tuple[int, ...]]] = []
        column_blocks: list[Array] = []
        if cofactor_degree is not None:
            lower = list(self._monomials(cofactor_degree))
            small = _powers(sample_points, lower)
            generator_values = [values(g, sample_points) for g in self._generators]
            for k in range(count):
                for f in range(count):
                    block = np.zeros((count, len(sample_points), len(lower)), dtype=np.int64)
                    block[k] = -(small * generator_values[f][:, None]) % _PRIME
                    column_blocks.append(block.reshape(-1, len(lower)))
                    columns += [(-1 - k, f, m) for m in lower]
        for constant in (False, True):
            chosen = [c for c, m in enumerate(monomials) if any(m) is not constant]
            for slope_number, j in enumerate(self._allowed):
                if not constant or j in kernel_directions:
                    parts = [
                        table[:, chosen] * row[slope_number][:, None] % _PRIME
                        for row in slope_values
                    ]
                    column_blocks.append(np.concatenate(parts))
                    columns += [(j, 0, monomials[c]) for c in chosen]
        matrix = np.concatenate(column_blocks, axis=1)
        for vector in null_vectors(matrix, [not any(c[2]) and c[0] >= 0 for c in columns]):
            flow = self._lifted(vector, columns, has_cofactors=cofactor_degree is not None)
            if flow is not None:
                return flow
        return None

    def _monomials(self, degree: int) -> Iterator[tuple[int, ...]]:
        for d in range(degree, -1, -1):
            for chosen in combinations_with_replacement(self.used, d):
                yield tuple(chosen.count(i) for i in range(self._ring.ngens))

    def _lifted(
        self,
        vector: dict[int, int],
        columns: Sequence[tuple[int, int, tuple[int, ...]]],
        *,
        has_cofactors: bool,
    ) -> Flow | None:
        """The field over Q, if it preserves the ideal there."""
        field: list[dict[tuple[int, ...], Any]] = [{} for _ in range(self._ring.ngens)]
        count = len(self._generators)
        rows: list[list[dict[tuple[int, ...], Any]]] = [
            [{} for _ in range(count)] for _ in range(count)
        ]
        for index, value in vector.items():
            number = rational_lift(value)
            if number is None:
                return None
            kind, f, m = columns[index]
            (field[kind] if kind >= 0 else rows[-1 - kind][f])[m] = number
        a = tuple(map(self._ring.from_dict, field))
        c = tuple(tuple(map(self._ring.from_dict, row)) for row in rows)
        for k in range(count):
            image = self._ring.zero
            for place, j in enumerate(self._allowed):
                if a[j]:
                    image += a[j] * self._derivatives[k][place]
            for h, factor in zip(self._generators, c[k], strict=True):
                if factor:
                    image -= factor * h
            if image:
                return None
        zero = (0,) * self._ring.ngens
        pivots = [j for j in self._allowed if a[j].get(zero, None)]
        # The variable with the simplest component: the others stay as they are.
        variable = min(pivots, key=lambda j: (len(a[j]), -j))
        return Flow(variable, a, c if has_cofactors and any(map(any, c)) else None)


def _powers(points: Array, monomials: Sequence[tuple[int, ...]]) -> Array:
    """Values of monomials at points, modulo the prime: shape (points, monomials)."""
    top = max((max(m) for m in monomials), default=0)
    table = np.ones((top + 1, *points.shape), dtype=np.int64)
    for e in range(1, top + 1):
        table[e] = table[e - 1] * points % _PRIME
    exponents = np.array(monomials, dtype=np.intp).reshape(len(monomials), -1)
    total = np.ones((len(points), len(monomials)), dtype=np.int64)
    for i in range(points.shape[1]):
        if exponents[:, i].any():
            total = total * table[exponents[:, i], :, i].T % _PRIME
    return total


def values(p: Polynomial, points: Array) -> Array:
    """Values of a polynomial at points, modulo the prime."""
    if not p:
        return np.zeros(len(points), dtype=np.int64)
    coefficients = np.array(
        [
            int(c.numerator) % _PRIME * pow(int(c.denominator), -1, _PRIME) % _PRIME
            for c in p.itercoeffs()
        ],
        dtype=np.int64,
    )
    terms = _powers(points, list(p.itermonoms())) * coefficients % _PRIME
    result: Array = terms.sum(axis=1) % _PRIME
    return result


def null_vectors(matrix: Array, wanted_columns: Sequence[bool]) -> Iterator[dict[int, int]]:
    """Null vectors modulo the prime with entry 1 at one of the wanted columns, the last ones."""
    M = matrix % _PRIME
    pivots: list[int] = []
    for column in range(M.shape[1]):
        rows = np.flatnonzero(M[len(pivots) :, column])
        if not len(rows):
            if wanted_columns[column]:
                vector = {c: int(-M[r, column]) % _PRIME for r, c in enumerate(pivots)}
                yield {**{c: v for c, v in vector.items() if v}, column: 1}
            continue
        k = len(pivots)
        chosen = k + int(rows[0])
        if chosen != k:
            M[[k, chosen]] = M[[chosen, k]]
        M[k] = M[k] * pow(int(M[k, column]), -1, _PRIME) % _PRIME
        factors = M[:, column].copy()
        factors[k] = 0
        hit = np.flatnonzero(factors)
        M[hit] = (M[hit] - factors[hit, None] * M[k]) % _PRIME
        pivots.append(column)
        if len(pivots) == len(M):
            return


def rational_lift(value: int) -> Any:
    """The rational with small numerator and denominator, or None."""
    bound = int((_PRIME // 2) ** 0.5)
    r0, r1, s0, s1 = _PRIME, value % _PRIME, 0, 1
    while r1 > bound:
        q = r0 // r1
        r0, r1, s0, s1 = r1, r0 - q * r1, s1, s0 - q * s1
    if not s1 or abs(s1) > bound:
        return None
    return QQ(r1, s1) if s1 > 0 else QQ(-r1, -s1)
