"""Closed forms for λ and θ, written here a second time, without the package under test."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import ceil

Value = tuple[Fraction, int]


def deep_linear(widths: Sequence[int], rank: int) -> Value:
    """Aoyagi (2024): the least pair over the fibre of a product of true rank ``rank``."""
    first = Fraction(rank * (widths[0] + widths[-1]) - rank * rank, 2)
    excess = sorted(w - rank for w in widths)
    if excess[0] == 0:
        return first, 1
    for used in range(1, len(excess)):
        total = sum(excess[: used + 1])
        below = used * excess[used] < total
        if below and (used + 1 == len(excess) or total <= used * excess[used + 1]):
            high = ceil(Fraction(total, used))
            a = total - (high - 1) * used
            squares = sum(m * m for m in excess[: used + 1])
            rest = Fraction(high * a + (high - 1) * total - squares, 4)
            return first + rest, a * (used - a) + 1
    raise AssertionError("no number of widths fits")


def rank_paths(widths: Sequence[int], rank: int) -> Value:
    """Return the same pair from ranks of partial products: half the codimension, longest chain."""
    first = Fraction(rank * (widths[0] + widths[-1]) - rank * rank, 2)
    excess = [w - rank for w in widths]
    costs: dict[tuple[int, ...], int] = {}
    for inner in product(*(range(h + 1) for h in excess[1:-1])):
        path = (excess[0], *inner, 0)
        steps = list(zip(path, path[1:], excess[1:], strict=False))
        if all(low <= high for high, low, _ in steps):
            costs[path] = sum((h - low) * (high - low) for high, low, h in steps)
    least = min(costs.values())
    best = sorted(p for p, c in costs.items() if c == least)
    chain: dict[tuple[int, ...], int] = {}
    for p in best:  # lexicographic order extends the componentwise one
        under = [chain[q] for q in chain if all(a <= b for a, b in zip(q, p, strict=True))]
        chain[p] = 1 + max(under, default=0)
    return first + Fraction(least, 2), max(chain.values())


def matrix_product(widths: Sequence[int], rank: int) -> Value:
    """Both routes for a product of matrices, which must agree."""
    value = deep_linear(widths, rank)
    assert value == rank_paths(widths, rank), widths
    return value


def vandermonde(m: int, h: int, q: int) -> Value:
    """Return Aoyagi (2009, 2019) for Σ a_kh b_h^(1+qn), one input, m outputs, h signed units."""
    k = max(i for i in range(h + 2) if 2 * h >= m * (i * (i - 1) * q + 2 * i))
    lam = Fraction(m * q * k * (k + 1) + 2 * h, 4 * (1 + k * q))
    return lam, 2 if 2 * h == m * (k * (k - 1) * q + 2 * k) else 1


def off_diagonal(p: int, k: int) -> Value:
    """Off-diagonal entries of A Aᵀ, A of p × k (Aoyagi 2010)."""
    lam = min(Fraction(p * k, 4), Fraction(p * (p - 1), 4))
    return lam, p if k == p - 1 else 1


def mixture_simplex(h: int, r: int, d: int, alpha: Fraction = Fraction(1)) -> Value:
    """Mixture of h components in R^d with weights on the simplex, r of them true."""
    one, other = alpha / 2, Fraction(d, 4)
    lam = Fraction(r - 1, 2) + Fraction(r * d, 2) + (h - r) * min(one, other)
    return lam, 1 + (h - r) * (one == other)


def _rank(rows: list[list[Fraction]]) -> int:
    rows = [list(r) for r in rows]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


def arrangement(planes: Sequence[Sequence[int]], powers: Sequence[int] | None = None) -> Value:
    """K = Π l_i^(2s_i) of central real hyperplanes, from the flats and their longest chain."""
    powers = powers or [1] * len(planes)
    normals = [[Fraction(a) for a in p] for p in planes]
    top = _rank(normals)
    flats: dict[frozenset[int], int] = {}
    for size in range(1, top + 1):
        for chosen in combinations(range(len(planes)), size):
            span = [normals[i] for i in chosen]
            codim = _rank(span)
            inside = frozenset(i for i in range(len(planes)) if _rank([*span, normals[i]]) == codim)
            flats[inside] = codim
    ratio = {f: Fraction(c, sum(powers[i] for i in f)) for f, c in flats.items()}
    least = min(ratio.values())
    chain: dict[frozenset[int], int] = {}
    for flat in sorted((f for f in flats if ratio[f] == least), key=len):
        chain[flat] = 1 + max((chain[g] for g in chain if g < flat), default=0)
    return least / 2, max(chain.values())
