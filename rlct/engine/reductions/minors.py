"""All minors of one size of a matrix of variables, general, symmetric or skew-symmetric."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import TypeAlias

from rlct.algebra.polynomial import to_fraction
from rlct.engine import limits
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

#: ±(1 + index of a variable) at each place, 0 for none.
Entries: TypeAlias = list[list[int]]
#: Coefficients by exponents.
_Terms: TypeAlias = dict[tuple[int, ...], int]
#: For every variable those that share no monomial with it.
_Apart: TypeAlias = dict[int, set[int]]


@germ_rule("minors", "positive", RuleTrait.NO_CHARTS)
def minors_of_variables(germ: Germ) -> Proof | None:
    """(minors of size k): λ = min over i < k of N(i)/(2(k − i)), θ the number of minimisers.

    Condition: all k-minors of a matrix of different variables; N(i) counts the variables beside i
    pivots: (m−i)(n−i), C(n−i+1, 2) if it is symmetric, and C(n−2i, 2) for the Pfaffians of size
    2k of a skew one.  ``theory/determinantal.md`` proves it.
    """
    degrees = {sum(m) for g in germ.generators for m in g.itermonoms()}
    term_count = sum(map(len, germ.generators))
    if germ.field is not None or len(degrees) != 1 or term_count > limits.MOST_MINOR_TERMS:
        return None
    (size,) = degrees
    apart = _apart(germ)
    if size < 2 or any(germ.prior[v] for v in apart):
        return None
    diagonal = _never_squared(germ, apart)
    if len(diagonal) < len(apart):
        shapes = {"symmetric": _triangle(apart, diagonal, mirror_sign=1)}
    else:
        shapes = {"general": _grid(apart), "skew": _triangle(apart, _star(apart), mirror_sign=-1)}
    for kind, entries in shapes.items():
        signed = None if entries is None else _with_signs(germ, entries, kind, size)
        if signed is not None:
            blocks = [_block(signed, kind, i) for i in range(size)]
            candidates = [Fraction(block, 2 * (size - i)) for i, block in enumerate(blocks)]
            pair = Pair(min(candidates), candidates.count(min(candidates)))
            return Proof("minors", pair, pair, {"kind": kind, "entries": signed, "size": size})
    return None


def _block(entries: Entries, kind: str, pivots: int) -> int:
    """Number of variables beside some pivots."""
    rows, columns = len(entries) - pivots, len(entries[0]) - pivots
    if kind == "general":
        return rows * columns
    return comb(rows + 1, 2) if kind == "symmetric" else comb(rows - pivots, 2)


def _apart(germ: Germ) -> _Apart:
    """Variables of one row or column never meet in a monomial, and others do."""
    together: _Apart = {}
    for g in germ.generators:
        for m in g.itermonoms():
            present = {v for v, e in enumerate(m) if e}
            for v in present:
                together.setdefault(v, set()).update(present)
    return {v: together.keys() - beside for v, beside in together.items()}


def _grid(apart: _Apart) -> Entries | None:
    """A general matrix: what is apart from one entry is in its row, or in its column."""
    first, beside = min(apart.items())
    second = min(beside, default=first)
    row = [first, second, *sorted(apart[second] & beside)]
    column = [first, *sorted(beside - set(row))]
    entries = [[0] * len(row) for _ in column]
    for v, others in apart.items():
        places = [
            [k for k, w in enumerate(line) if w == v or (v not in line and w in others)]
            for line in (column, row)
        ]
        if any(len(place) != 1 for place in places):
            return None
        entries[places[0][0]][places[1][0]] = v + 1
    return entries


def _never_squared(germ: Germ, apart: _Apart) -> list[int]:
    """The diagonal of a symmetric matrix."""
    return [v for v in sorted(apart) if all(m[v] < 2 for g in germ.generators for m in g)]


def _star(apart: _Apart) -> list[int]:
    """Row 0 of a skew matrix of five rows or more: entries apart from one another."""
    first, beside = min(apart.items())
    second = min(beside, default=first)
    common = apart[second] & beside
    return [first, second, *sorted(v for v in common if apart[v] & common)]


def _triangle(
    distant_entries: _Apart, known_entries: Sequence[int], mirror_sign: int
) -> Entries | None:
    """A matrix from its diagonal, or from its row 0: x_ij is apart from x_ii and x_jj, or x_0i."""
    line_ends = {
        v: [k for k, w in enumerate(known_entries) if w in distant_entries[v]]
        for v in distant_entries.keys() - set(known_entries)
    }
    if any(len(pair) != 2 for pair in line_ends.values()):
        return None
    if mirror_sign == 1:
        line_ends |= {v: [k, k] for k, v in enumerate(known_entries)}
    else:
        line_ends = {v: [i + 1, j + 1] for v, (i, j) in line_ends.items()}
        line_ends |= {v: [0, k] for k, v in enumerate(known_entries, 1)}
    size = 1 + max(j for _, j in line_ends.values())
    entries = [[0] * size for _ in range(size)]
    for v, (i, j) in line_ends.items():
        entries[i][j], entries[j][i] = v + 1, mirror_sign * (v + 1)
    return entries


def _with_signs(germ: Germ, entries: Entries, kind: str, size: int) -> Entries | None:
    """The entries with the signs that make the generators multiples of the minors, if any do."""
    minors = {frozenset(minor): minor for minor in _minors(entries, kind, size, germ.ring.ngens)}
    if set(minors) != {frozenset(g.itermonoms()) for g in germ.generators}:
        return None
    equations = []
    for g in germ.generators:
        minor = minors[frozenset(g.itermonoms())]
        ratios = [(m, to_fraction(c) / minor[m]) for m, c in g.iterterms()]
        first, scale = ratios[0]
        for m, ratio in ratios:
            if abs(ratio) != abs(scale):
                return None
            mask = sum(1 << v for v, (e, f) in enumerate(zip(m, first, strict=True)) if (e + f) % 2)
            equations.append((mask, ratio != scale))
    negative = _binary_solution(equations)
    if negative is None:
        return None
    return [[-x if x and negative >> (abs(x) - 1) & 1 else x for x in row] for row in entries]


def _binary_solution(equations: Iterable[tuple[int, bool]]) -> int | None:
    """Bits x with an even or odd_count number of ones in each mask; None if there are none."""
    reduced_equations: dict[int, tuple[int, bool]] = {}
    for mask, odd_count in equations:
        while mask and (top := mask.bit_length()) in reduced_equations:
            mask, odd_count = (
                mask ^ reduced_equations[top][0],
                odd_count ^ reduced_equations[top][1],
            )
        if mask:
            reduced_equations[mask.bit_length()] = mask, odd_count
        elif odd_count:
            return None
    solution = 0
    for top, (mask, odd_count) in sorted(reduced_equations.items()):
        if (mask & solution).bit_count() % 2 != odd_count:
            solution |= 1 << (top - 1)
    return solution


def _minors(entries: Entries, kind: str, size: int, width: int) -> Iterator[_Terms]:
    """All minors, or Pfaffians of size 2k, expanded; none if there are too many."""
    rows, columns = range(len(entries)), range(len(entries[0]))
    if kind == "skew":
        if comb(len(rows), 2 * size) * _matching_count(size) > limits.MOST_MINOR_TERMS:
            return
        for chosen in combinations(rows, 2 * size):
            yield _summed(_matchings(chosen), entries, width)
        return
    if comb(len(rows), size) * comb(len(columns), size) * factorial(size) > limits.MOST_MINOR_TERMS:
        return
    left_ones, right_ones = combinations(rows, size), list(combinations(columns, size))
    for left, right in product(left_ones, right_ones):
        orders = permutations(range(size))
        pairs = ([(left[i], right[j]) for i, j in enumerate(order)] for order in orders)
        yield _summed(((_sign([j for _, j in places]), places) for places in pairs), entries, width)


def _matching_count(size: int) -> int:
    return factorial(2 * size) // factorial(size) >> size


def _matchings(
    chosen: tuple[int, ...],
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Perfect matchings with their signs."""
    if not chosen:
        yield 1, []
        return
    first, *rest = chosen
    for k, other in enumerate(rest):
        for sign, places in _matchings((*rest[:k], *rest[k + 1 :])):
            yield -sign if k % 2 else sign, [(first, other), *places]


def _sign(order: Sequence[int]) -> int:
    return -1 if sum(a > b for a, b in combinations(order, 2)) % 2 else 1


def _summed(
    products: Iterable[tuple[int, list[tuple[int, int]]]], entries: Entries, width: int
) -> _Terms:
    """Σ sign·Π entries, without what cancels."""
    terms: _Terms = {}
    for sign, places in products:
        exponents = [0] * width
        for i, j in places:
            exponents[abs(entries[i][j]) - 1] += 1
        terms[tuple(exponents)] = terms.get(tuple(exponents), 0) + sign
    return {m: c for m, c in terms.items() if c}
