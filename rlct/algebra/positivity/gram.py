"""Squares of an expanded polynomial whose Gram matrix its terms do not determine.

K = Σ c·g² if and only if K = mᵀ G m with a positive semidefinite matrix G, m the monomials in half
the Newton polytope.  Where K has zeros G is singular, and its kernel is rational as a rule.  A
search in floating point finds a G of low rank, the row space is rounded to polynomials with
rational coefficients, and squares of their combinations are computed exactly, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from rlct.algebra.exact_rank import reduced_echelon
from rlct.algebra.polynomial import Polynomial, from_terms, terms_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Monomial = tuple[int, ...]
Matrix = list[list[Fraction]]
_MOST_MONOMIALS: Final = 130  # rows of a Gram matrix; beyond, one fit takes seconds
_LARGEST_RATIO: Final = 10**12  # ratio of two coefficients
_SIGN_POINTS: Final = 300  # at which the sign of K is evaluated
_POLYTOPE_DIRECTIONS: Final = 400  # that bound half the Newton polytope
_RANKS_TRIED: Final = (1, 2, 3, 4, 5)
_STARTS_OF_RANK: Final = 4  # of the search for each rank
_STEP_RANGE: Final = (30, 300)  # of a search, least and most
_WORK_ALLOWED: Final = 6e9  # products of numbers in all searches, a few seconds
_CLOSE_RESIDUAL: Final = 1e-9  # residual where a search has succeeded, for coefficients of order 1
#: Largest denominators tried, with the distance of a number from the fraction it is taken for.
_ROUNDINGS_TRIED: Final = ((100, 1e-5), (10_000, 1e-8), (1_000_000, 1e-10))


def gram_squares(gram: Matrix) -> list[tuple[Fraction, dict[int, Fraction]]] | None:
    """Write a symmetric matrix as Σ c·v vᵀ with c > 0; None if it is not semidefinite.

    >>> gram_squares([[Fraction(4), Fraction(2)], [Fraction(2), Fraction(1)]])
    [(Fraction(4, 1), {0: Fraction(1, 1), 1: Fraction(1, 2)})]
    """
    remaining_gram = [list(row) for row in gram]
    squares = []
    for k, row in enumerate(remaining_gram):
        pivot = row[k]
        if pivot < 0 or (pivot == 0 and any(row[k:])):
            return None
        if pivot == 0:
            continue
        vector = {j: value / pivot for j, value in enumerate(row) if j >= k and value}
        squares.append((pivot, vector))
        for i, x in vector.items():
            for j, y in vector.items():
                remaining_gram[i][j] -= pivot * x * y
    return squares


@lru_cache(maxsize=64)
def low_rank_squares(K: Polynomial) -> tuple[tuple[Fraction, Polynomial], ...] | None:
    """Look for K = Σ c·g² with few squares; None proves nothing.

    Powers, Wörmann (1998), An algorithm for sums of squares of real polynomials, JPAA 127; Peyrl,
    Parrilo (2008), Computing sum of squares decompositions with rational coefficients, TCS 409.

    >>> from rlct.algebra.polynomial import make_ring
    >>> ring = make_ring(["x", "y", "z"]); x, y, z = ring.gens
    >>> low_rank_squares((x**2 + y * z) ** 2 + (x * y - z**2) ** 2)
    ((Fraction(1, 1), x**2 + y*z), (Fraction(1, 1), x*y - z**2))
    """
    terms = {tuple(map(int, m)): c for m, c in terms_of(K).items()}
    if max(abs(c) for c in terms.values()) > _LARGEST_RATIO * min(abs(c) for c in terms.values()):
        return None  # too far apart for floating point
    if _negative_somewhere(terms):
        return None
    basis = _half_polytope(list(terms))
    if not 1 < len(basis) <= _MOST_MONOMIALS:
        return None
    if not any(terms.get(_sum(a, a), 0) > 0 for a in basis):
        return None  # K ≥ 0 is positive at the vertices of its polytope
    search = _Search(terms, basis)
    for rank in _RANKS_TRIED:
        for start in range(_STARTS_OF_RANK):
            echelon = search.echelon(min(rank, len(basis)), start)
            for rows in _rounded(echelon):
                roots = [from_terms(K.ring, dict(zip(basis, row, strict=True))) for row in rows]
                found = _combined(K, roots, search)
                if found is not None:
                    return found
        if rank >= len(basis):
            break
    return None


def _negative_somewhere(terms: dict[Monomial, Fraction]) -> bool:
    """Whether K < 0 at one of a few points: most polynomials that are asked change sign."""
    import numpy as np

    exponents = np.array(list(terms))
    size = max(map(abs, terms.values()))
    values = np.array([float(c / size) for c in terms.values()])
    rng = np.random.default_rng(0)
    points = rng.normal(size=(_SIGN_POINTS, exponents.shape[1])) * rng.choice(
        [0.1, 1.0, 5.0], (_SIGN_POINTS, 1)
    )
    with np.errstate(over="ignore", invalid="ignore"):
        parts = values * np.prod(points[:, None, :] ** exponents, axis=2)
        return bool((parts.sum(axis=1) < -1e-9 * np.abs(parts).sum(axis=1)).any())


def _half_polytope(support: list[Monomial]) -> list[Monomial]:
    """Monomials that may occur in g if K = Σ g², and a few more."""
    import numpy as np

    points = np.array(support)
    if (points.max(axis=0) % 2).any():
        return []
    sides = [
        range(low // 2 + low % 2, high // 2 + 1)
        for low, high in zip(points.min(axis=0), points.max(axis=0), strict=True)
    ]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, points.shape[1])
    if len(grid) > 200_000:
        return []
    rng = np.random.default_rng(0)
    directions = rng.integers(-9, 10, (_POLYTOPE_DIRECTIONS, points.shape[1]))
    directions = np.vstack([np.ones(points.shape[1], dtype=int), directions])
    for u in directions:
        values = points @ u
        twice = 2 * (grid @ u)
        grid = grid[(values.min() <= twice) & (twice <= values.max())]
    occurring_monomials = set(support)
    basis = [tuple(map(int, m)) for m in grid]
    while True:
        # A square that nothing cancels has to occur.
        sums: dict[Monomial, int] = {}
        for a, b in combinations_with_replacement(basis, 2):
            sums[_sum(a, b)] = sums.get(_sum(a, b), 0) + 1
        possible_basis = [
            a for a in basis if _sum(a, a) in occurring_monomials or sums[_sum(a, a)] > 1
        ]
        if len(possible_basis) == len(basis) or len(possible_basis) > 10 * _MOST_MONOMIALS:
            return sorted(possible_basis, reverse=True) if occurring_monomials <= set(sums) else []
        basis = possible_basis


def _sum(a: Monomial, b: Monomial) -> Monomial:
    return tuple(x + y for x, y in zip(a, b, strict=True))


class _Search:
    """Numbers Y, one row for each square, with K = Σ (Y m)²; monomials are scaled to size 1."""

    def __init__(self, terms: dict[Monomial, Fraction], basis: list[Monomial]) -> None:
        import numpy as np

        monomial_index: dict[Monomial, int] = {}
        self.pairs = np.array(
            [
                [monomial_index.setdefault(_sum(a, b), len(monomial_index)) for b in basis]
                for a in basis
            ]
        )
        self.unit = max(map(abs, terms.values()))
        squares = np.array([float(max(terms.get(_sum(a, a), 0), 0) / self.unit) for a in basis])
        self.sizes = np.sqrt(np.where(squares > 0, squares, squares.max()))
        weights = np.zeros(len(monomial_index))
        np.maximum.at(weights, self.pairs, np.outer(self.sizes, self.sizes))
        self.shares = np.outer(self.sizes, self.sizes) / weights[self.pairs]
        self.wanted = np.zeros(len(monomial_index))
        for m, c in terms.items():
            self.wanted[monomial_index[m]] = float(c / self.unit) / weights[monomial_index[m]]
        self.work_left = _WORK_ALLOWED
        self.squares: Floats = np.zeros((0, len(basis)))
        self.pivots: list[int] = []

    def echelon(self, rank: int, seed: int) -> Floats | None:
        """Basis of the row space of a solution with so many squares, 1 and 0 at the pivots.

        None if none is found, or the work that is allowed is done.
        """
        import numpy as np
        from scipy.linalg import qr
        from scipy.optimize import least_squares

        size = len(self.pairs)
        count = len(self.wanted)

        def residual(y: Floats) -> Floats:
            gram = self.shares * ((g := y.reshape(rank, size)).T @ g)
            return np.bincount(self.pairs.ravel(), gram.ravel(), count) - self.wanted

        def slopes(y: Floats) -> Floats:
            jacobian = np.zeros((count, rank, size))
            for s, row in enumerate(y.reshape(rank, size)):
                values = 2 * self.shares * row
                for a in range(size):
                    jacobian[self.pairs[a], s, a] = values[a]
            return jacobian.reshape(count, -1)

        step_cost = count * (rank * size) ** 2
        steps = min(_STEP_RANGE[1], int(self.work_left / step_cost))
        if steps < _STEP_RANGE[0]:
            return None
        start = np.random.default_rng([rank, seed]).normal(0.0, 0.5, rank * size)
        method = "lm" if count >= rank * size else "trf"
        solution = least_squares(
            residual,
            start,
            slopes,
            method=method,
            xtol=1e-15,
            ftol=1e-15,
            gtol=1e-15,
            max_nfev=steps,
        )
        self.work_left -= solution.nfev * step_cost
        if np.abs(solution.fun).max() > _CLOSE_RESIDUAL:
            return None
        squares = solution.x.reshape(rank, size) * self.sizes
        values = np.linalg.svd(squares, compute_uv=False)
        held = int((values > 1e-4 * values[0]).sum())
        order = qr(squares, pivoting=True, mode="r")[1]
        pivots = sorted(int(k) for k in order[:held])
        self.squares, self.pivots = squares, pivots
        return np.asarray(np.linalg.lstsq(squares[:, pivots], squares, rcond=None)[0])

    def gram(self) -> Matrix:
        """Gram matrix of the last solution in the basis that `echelon` gave, rounded."""
        chosen = self.squares[:, self.pivots]
        return [
            [self.unit * Fraction(x).limit_denominator(1000) for x in row]
            for row in (chosen.T @ chosen).tolist()
        ]


def _rounded(echelon: Floats | None) -> Iterator[Matrix]:
    """Rational matrices that these numbers may stand for, small denominators first."""
    if echelon is None:
        return
    previous_rows: Matrix | None = None
    for most, distance in _ROUNDINGS_TRIED:
        rows = [[Fraction(x).limit_denominator(most) for x in row] for row in echelon.tolist()]
        gaps = (
            abs(float(q) - x) / max(1.0, abs(x))
            for r, e in zip(rows, echelon, strict=True)
            for q, x in zip(r, e, strict=True)
        )
        if rows != previous_rows and max(gaps) < distance:
            yield rows
        previous_rows = rows


def _combined(
    K: Polynomial, roots: Sequence[Polynomial], gram_search: _Search
) -> tuple[tuple[Fraction, Polynomial], ...] | None:
    """Find S with K = Σ S_ij g_i g_j near the numbers found, exactly, and its squares."""
    numbers = gram_search.gram()
    index_pairs = list(combinations_with_replacement(range(len(roots)), 2))
    products = [terms_of(roots[i] * roots[j] * (1 if i == j else 2)) for i, j in index_pairs]
    wanted = terms_of(K)
    monomials = sorted(set().union(wanted, *products))
    equations = [
        [*(p.get(m, Fraction(0)) for p in products), wanted.get(m, Fraction(0))] for m in monomials
    ]
    solved, pivots = reduced_echelon(equations)
    if len(index_pairs) in pivots:
        return None  # K is no combination of these products
    free = [k for k in range(len(index_pairs)) if k not in pivots]
    near = {k: numbers[index_pairs[k][0]][index_pairs[k][1]] for k in free}
    entries = dict(near)
    for row, k in zip(solved, pivots, strict=True):
        entries[k] = row[-1] - sum((row[j] * near[j] for j in free), Fraction(0))
    matrix = [[Fraction(0)] * len(roots) for _ in roots]
    for k, (i, j) in enumerate(index_pairs):
        matrix[i][j] = matrix[j][i] = entries[k]
    parts = gram_squares(matrix)
    if parts is None:
        return None
    zero = K.ring.zero
    return tuple(
        (c, sum((roots[j] * K.ring.domain(x.numerator, x.denominator) for j, x in v.items()), zero))
        for c, v in parts
    )
