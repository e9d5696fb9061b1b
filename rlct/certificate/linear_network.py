"""The checker's own value for linear networks: rank patterns of the partial products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rlct.certificate import cost
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["rank_path_pair", "replay"]

_THEOREMS = ("deep-linear", "deep-linear-rank-paths", "reduced-rank-regression")


def replay(question: Mapping[str, Any], proof: Mapping[str, Any]) -> tuple[Pair, Pair]:
    """Check the hypotheses of the question and return its pair, twice."""
    widths, rank, bias = question["widths"], question["rank"], question["bias"]
    inputs = question["input_rank"]
    numbers = [*widths, rank, inputs]
    if any(type(x) is not int for x in numbers) or type(bias) is not bool:
        raise CertificateError("linear-network: widths and ranks are integers, bias a boolean")
    if len(widths) < 2 or min(widths) < 1 or not 1 <= inputs <= widths[0]:
        raise CertificateError("linear-network: the widths or the input rank are not possible")
    effective = [inputs, *widths[1:]]
    if not 0 <= rank <= min(effective):
        raise CertificateError("linear-network: the rank exceeds the smallest width")
    if proof["rule"] != "theorem" or proof["data"]["theorem"] not in _THEOREMS:
        raise CertificateError("linear-network: not a theorem on linear networks")
    if proof["data"]["theorem"] == "reduced-rank-regression" and (len(widths) != 3 or bias):
        raise CertificateError("linear-network: that theorem needs two layers without bias")
    pair = rank_path_pair(effective, rank)
    if bias:
        pair = Pair(pair.lam + Fraction(widths[-1], 2), pair.theta)
    return pair, pair


def rank_path_pair(widths: Sequence[int], rank: int) -> Pair:
    """Pair of {A_L⋯A_1 = B}, rank B = r, from the rank patterns of the partial products.

    Over paths h_0 = k_0 ≥ k_1 ≥ … ≥ k_L = 0, k_j ≤ h_j = width_j − r, the codimension
    Σ (h_j − k_j)(k_{j−1} − k_j) is least; λ is half of it plus the regular part, θ the
    longest chain of minimisers (Lehalleur and Rimányi, arXiv:2411.19920, whose θ lacks the
    final + 1).  The minimisers form a distributive lattice, so a maximal chain has one more
    element than there are join-irreducible minimisers: the least minimisers with k_j ≥ v.

    Examples
    --------
    >>> rank_path_pair([5, 3, 5], 1)
    Pair(8, 1)
    """
    regular = Fraction(rank * (widths[0] + widths[-1]) - rank**2, 2)
    h = [width - rank for width in widths]
    if min(h) == 0:
        # The middle factor has full rank: the fibre is smooth beyond the regular part.
        least, theta = _codimension(h)[0], 1
    else:
        least, theta = _codimension(h)
    lam = regular + Fraction(least, 2)
    if lam == 0:
        raise CertificateError("linear-network: K does not depend on the weights")
    return Pair(lam, theta)


def _codimension(h: Sequence[int]) -> tuple[int, int]:
    caps = [h[0]]
    for width in h[1:]:
        caps.append(min(caps[-1], width))
    caps[-1] = 0
    cost.charge(20 * len(h) + 2 * _arcs(caps), "a linear network")
    # tail[j][k]: least cost of k_j = k onwards; next[j][k]: its optimal successors.
    tail: dict[int, int] = {0: 0}
    successors: list[dict[int, list[int]]] = []
    for j in range(len(h) - 1, 0, -1):
        values: dict[int, int] = {}
        best: dict[int, list[int]] = {}
        for before in range(h[0] if j == 1 else 0, caps[j - 1] + 1):
            costs = {
                k: (h[j] - k) * (before - k) + tail[k] for k in range(min(before, caps[j]) + 1)
            }
            values[before] = min(costs.values())
            best[before] = [k for k, cost in costs.items() if cost == values[before]]
        tail = values
        successors.append(best)
    return tail[h[0]], _longest_chain(successors[::-1], h[0])


def _arcs(caps: Sequence[int]) -> int:
    """Number of pairs k_(j−1) ≥ k_j that are compared; the first k is given."""
    found = caps[1] + 1
    for before, after in pairwise(caps[1:]):
        low = min(before, after) + 1
        found += low * (low + 1) // 2 + (before - low + 1) * low
    return found


def _longest_chain(successors: Sequence[Mapping[int, list[int]]], start: int) -> int:
    predecessors: list[dict[int, int]] = []
    layer = {start}
    for arcs in successors:
        least: dict[int, int] = {}
        for before in sorted(layer, reverse=True):
            for after in arcs[before]:
                least[after] = before
        predecessors.append(least)
        layer = set(least)
    cost.charge(sum(map(len, predecessors)) * (20 + 3 * len(predecessors)), "a linear network")
    minimisers = set()
    for j, least in enumerate(predecessors):
        for node in least:
            path = [node]
            for k in range(j, -1, -1):
                path.append(predecessors[k][path[-1]])
            path.reverse()
            for arcs in successors[j + 1 :]:
                path.append(min(arcs[path[-1]]))
            minimisers.add(tuple(path))
    # The least minimiser is among them and is not join-irreducible: chain = count − 1 + 1.
    return len(minimisers)
