"""Which candidate poles of a plane germ are poles: reasons that integers and identities decide.

A table stands beside the proof, with every candidate down to its end.  ``theory/plane-poles.md``
has the rules.  What needs an interval, or terms beyond an edge, is not replayed and not proved.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

from rlct.certificate import cost
from rlct.certificate.numbers import arithmetic, univariate
from rlct.certificate.numbers.arithmetic import Poly, poly_product, read_fraction
from rlct.certificate.numbers.univariate import count_nonzero_real_roots
from rlct.certificate.statement import Statement, need, read_index
from rlct.certificate.torus.faces import list_compact_faces

_MOST_ENTRIES, _MOST_EXPONENT = 1_000, 400  # of a table; of its germ
Prior = tuple[Fraction, ...]


class _Edge(NamedTuple):
    """f_N = x^α·y^β·G(τ), τ = y^a/x^b, of order N; at its left end x has `left_end`."""

    a: int
    b: int
    least: int
    corner: tuple[int, ...]
    left_end: int
    row: tuple[Fraction, ...]  # coefficients of G
    excess: int  # the least order of a further term over N; 0 if there is none

    def order(self, s: Fraction, prior: Prior) -> Fraction:
        """The number m of s."""
        return -s * self.least - self.a * (1 + prior[0]) - self.b * (1 + prior[1])


def replay_poles(state: Statement, table: Mapping[str, Any]) -> list[tuple[Fraction, bool]]:
    """Each candidate of a table, in z, and whether what is said of it is replayed.

    A table that leaves one out, or says of one what is false, is refused.
    """
    need(state.width == 2 and state.field is None, "poles: not two variables over Q")
    f = arithmetic.read_polynomial(table["function"], 2)
    power = read_index(table["power"], 1_000, "poles: no power", 1)
    need(0 < max(map(max, f), default=0) <= _MOST_EXPONENT, "poles: no function")
    square = state.is_ideal and len(state.generators) == 1
    need(power % 2 == 0 or not square, "poles: K is a square")
    whole = arithmetic.poly_power(f, power // (1 + square), 2)
    own = state.generators[0]
    if len(state.generators) > 1:
        own = arithmetic.poly_sum(*(poly_product(g, g) for g in state.generators))
    ratio = own.get(max(whole), Fraction(0)) / whole[max(whole)]
    need(arithmetic.poly_scale(whole, ratio) == own, "poles: K is no power of the function")
    entries, prior = table["list"], state.prior
    need(isinstance(entries, list) and 0 < len(entries) <= _MOST_ENTRIES, "poles: no list")
    listed = [read_fraction(entry["z"]) * power for entry in entries]
    faces = sorted(map(sorted, list_compact_faces([*f], set())))
    corners = [*(face[0] for face in faces), faces[-1][-1] if faces else min(f)]
    edges = [_edge(f, *ends) for ends in pairwise(corners)]
    axes = [(n, h) for n, h in zip((corners[0][0], corners[-1][1]), prior, strict=True) if n]
    steps = [(1 + h, n) for n, h in axes]
    steps += [(-edge.order(Fraction(0), prior), edge.least) for edge in edges]
    steps += [(Fraction(1), 1)] * any(count_nonzero_real_roots(edge.row) for edge in edges)
    cost.charge(30 * sum(int(-listed[-1] * n) + 1 for _, n in steps), "a table of poles")
    expected = {-(c + k) / n for c, n in steps for k in range(int(-listed[-1] * n) + 1)}
    down_to = sorted((s for s in expected if s >= listed[-1]), reverse=True)
    need(listed == down_to, "poles: a candidate is left out")
    for edge in edges:
        common = univariate.dense_gcd([edge.row, univariate.dense_derivative(edge.row)])
        simple = len(common) < 2 or not count_nonzero_real_roots(common)
        need(simple, "poles: a real root of an edge is not simple")
    pairs = zip(listed, entries, strict=True)
    return [(s / power, _replays(s, entry, corners, edges, axes, prior)) for s, entry in pairs]


def _replays(
    s: Fraction,
    entry: Mapping[str, Any],
    corners: list[tuple[int, ...]],
    edges: list[_Edge],
    axes: list[tuple[int, Fraction]],
    prior: Prior,
) -> bool:
    claim, why = (entry["status"], entry["order"]), str(entry["why"])
    primitives: dict[Any, Poly] = {
        tuple(index): {(read_index(k, 10**4, "forms", -(10**4)),): read_fraction(c) for k, c in row}
        for index, row in entry.get("forms", [])
    }
    crosses = any(
        all(n and _meets(s, n, h) for n, h in zip(corner, prior, strict=True)) for corner in corners
    )
    even = [(e, int(m)) for e in edges if (m := e.order(s, prior)) >= 0 and m % 2 == 0]
    curves = [e for e in edges if s % 2 == 1 and count_nonzero_real_roots(e.row)]
    off = bool(curves) or any(_meets(s, n, h) for n, h in axes)
    need(type(claim[1]) is int, "poles: an order is no number")
    need(claim[0] in ("pole", "open") or claim == ("none", 0), "poles: an unknown status")
    need(claim[0] != "none" or not (off or crosses), "poles: a pole is said to be none")
    need(claim != ("pole", 1) or not crosses, "poles: a vertex has order 2")
    if why.startswith("vertex rule"):
        need(claim == ("pole", 2) and crosses, "poles: no vertex has order 2")
        return not curves or s == -1
    if why.startswith("curve rule"):
        need(claim[0] == "pole" and off, "poles: neither a curve nor an axis")
        return claim[1] == 1 and not any(edge in curves for edge, _ in even)
    if why == "odd rule":
        need(claim[0] == "none" and not even, "poles: an order is even")
        return True
    # Coefficients of the highest derivatives: terms beyond the edge add to the others alone.
    top = [
        (edge, i, (m - edge.a * i) // edge.b)
        for edge, m in even
        for i in range(m // edge.a + 1)
        if (m - edge.a * i) % edge.b == 0
    ]
    if claim[0] == "none":
        return all(
            _vanishes(edge, i, j, s, prior, primitives.get((edges.index(edge), i)))
            for edge, i, j in top
        ) and not any(0 < edge.excess <= m for edge, m in even)
    return claim == ("pole", 1) and any(
        _is_not_zero(even, i, j, s, prior, why) for _, i, j in top if not (off or crosses)
    )


def _edge(f: Poly, start: tuple[int, ...], end: tuple[int, ...]) -> _Edge:
    length = gcd(end[0] - start[0], start[1] - end[1])
    a, b = (start[1] - end[1]) // length, (end[0] - start[0]) // length
    row = [f.get((end[0] - k * b, end[1] + k * a), 0) for k in range(length + 1)]
    least = a * end[0] + b * end[1]
    excess = min((n for i, j in f if (n := a * i + b * j - least)), default=0)
    return _Edge(a, b, least, end, start[0], tuple(map(Fraction, row)), excess)  # type: ignore[arg-type]


def _meets(s: Fraction, n: int, h: Fraction) -> bool:
    """Whether |x|^(n·s + h) has a pole at s, over both signs of x."""
    power = -n * s - 1 - h
    return power >= 0 and power % 2 == 0


def _is_not_zero(
    even: Sequence[tuple[_Edge, int]], i: int, j: int, s: Fraction, prior: Prior, why: str
) -> bool:
    """Whether the coefficient of φ_ij is positive, or one Γ(A)Γ(B)Γ(C), none at an integer."""
    if any(edge.a * i + edge.b * j < m for edge, m in even):
        return False  # terms beyond the edge count
    own = [edge for edge, m in even if edge.a * i + edge.b * j == m]
    if why.startswith("positive integral"):
        return i % 2 == j % 2 == 0 and all(
            j + 1 + prior[1] + edge.corner[1] * s > 0
            and i + 1 + prior[0] + edge.left_end * s > 0
            and (s > -1 or not count_nonzero_real_roots(edge.row))
            for edge in own
        )
    ((edge, *others), n) = own, len(own[0].row) - 1
    if others or any(edge.row[1:-1]) or not why.startswith("product of gamma"):
        return False
    first = (j + 1 + prior[1] + edge.corner[1] * s) / (edge.a * n)
    last = -s - first
    if 1 in (first.denominator, s.denominator, last.denominator):
        return False
    even_sides = edge.row[0] * edge.row[-1] > 0 or (first - last) % 2 != 1
    return n % 2 == 1 or ((j if edge.a % 2 else i) % 2 == 0 and even_sides)


def _vanishes(
    edge: _Edge, i: int, j: int, s: Fraction, prior: Prior, primitive: Poly | None
) -> bool:
    """Whether ∫ |τ|^e·sgn(τ)^κ·|G|^s is 0, by parity or as the derivative of τR|G|^s·….

    That is 1 = (e + 1)RG + τR′G + (s + 1)τG′R, without constants at 0 and ∞.
    """
    start = (j + 1 + prior[1] + edge.corner[1] * s) / edge.a
    sign, degree = (j if edge.a % 2 else i) % 2, len(edge.row) - 1
    if sign and not any(edge.row[1::2]):
        return True
    if not primitive:
        return False
    row: Poly = {(k,): c for k, c in enumerate(edge.row) if c}
    derived: Poly = {n: (start + n[0]) * c for n, c in primitive.items()}
    slope: Poly = {n: n[0] * (s + 1) * c for n, c in row.items()}
    whole = arithmetic.poly_sum(poly_product(derived, row), poly_product(slope, primitive))
    end = start + degree * (s + 1)
    return (
        {n: c for n, c in whole.items() if c} == {(0,): 1}
        and (start.denominator > 1 or (sign + 1 - start) % 2 == 0 or start + min(primitive)[0] > 0)
        and (
            end.denominator > 1 or (1 + sign - end + degree) % 2 == 0 or end + max(primitive)[0] < 0
        )
    )
