"""The checker's own value for linear networks: rank patterns of the partial products."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rlct.certificate import cost
from rlct.certificate.rules import RuleScope, checked_rule, of_kind
from rlct.errors import CertificateError
from rlct.pair import Pair

_LINEAR_THEOREMS = ("deep-linear", "deep-linear-rank-paths", "reduced-rank-regression")


@checked_rule(
    "theorem",
    "{theorem: string}",
    RuleScope.SIZES,
    cites="the codimensions of products of matrices by the ranks of partial products, and "
    "that they give λ and θ (Aoyagi 2024; Lehalleur and Rimányi 2024)",
)
def replay_linear_network(
    question: Mapping[str, Any], proof: Mapping[str, Any]
) -> tuple[Pair, Pair]:
    """λ and θ of a linear network = those of the rank patterns of the partial products, + bias/2.

    If the sizes are possible and the theorem that is named applies to them; that the inputs have
    the recorded rank is part of the question (``theory/deep-linear-rank-paths.md``).
    """
    of_kind(question, "linear-network")
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
    if proof["data"]["theorem"] not in _LINEAR_THEOREMS:
        raise CertificateError("linear-network: not a theorem on linear networks")
    if proof["data"]["theorem"] == "reduced-rank-regression" and (len(widths) != 3 or bias):
        raise CertificateError("linear-network: that theorem needs two layers without bias")
    pair = pair_of_rank_paths(effective, rank)
    if bias:
        pair = Pair(pair.lam + Fraction(widths[-1], 2), pair.theta)
    return pair, pair


def pair_of_rank_paths(widths: Sequence[int], rank: int) -> Pair:
    """Pair of {A_L⋯A_1 = B}, rank B = r, from the rank patterns of the partial products.

    Over paths h_0 = k_0 ≥ k_1 ≥ … ≥ k_L = 0, k_j ≤ h_j = width_j − r, the codimension
    Σ (h_j − k_j)(k_{j−1} − k_j) is least; λ is half of it plus the regular part, θ the
    longest chain of minimisers (Lehalleur and Rimányi, arXiv:2411.19920, whose θ lacks the
    final + 1).  The minimisers form a distributive lattice, so a maximal chain has one more
    element than there are join-irreducible minimisers: the least minimisers with k_j ≥ v.

    >>> pair_of_rank_paths([5, 3, 5], 1)
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
    rank_caps = [h[0]]
    for width in h[1:]:
        rank_caps.append(min(rank_caps[-1], width))
    rank_caps[-1] = 0
    cost.charge(50 * len(h) + 7 * _arcs(rank_caps), "a linear network")
    # By k_j = k: the least cost from there on, and the k_(j+1) that attain it.
    least_costs: dict[int, int] = {0: 0}
    optimal_successors: list[dict[int, list[int]]] = []
    for j in range(len(h) - 1, 0, -1):
        values: dict[int, int] = {}
        best_after: dict[int, list[int]] = {}
        for before in range(h[0] if j == 1 else 0, rank_caps[j - 1] + 1):
            costs = {
                k: (h[j] - k) * (before - k) + least_costs[k]
                for k in range(min(before, rank_caps[j]) + 1)
            }
            values[before] = min(costs.values())
            best_after[before] = [k for k, cost in costs.items() if cost == values[before]]
        least_costs = values
        optimal_successors.append(best_after)
    return least_costs[h[0]], _longest_chain(optimal_successors[::-1], h[0])


def _arcs(caps: Sequence[int]) -> int:
    """Number of pairs k_(j−1) ≥ k_j that are compared; the first k is given."""
    pairs_compared = caps[1] + 1
    for before, after in pairwise(caps[1:]):
        low = min(before, after) + 1
        pairs_compared += low * (low + 1) // 2 + (before - low + 1) * low
    return pairs_compared


def _longest_chain(optimal_successors: Sequence[Mapping[int, list[int]]], start: int) -> int:
    least_predecessors: list[dict[int, int]] = []
    layer = {start}
    for layer_arcs in optimal_successors:
        least_before: dict[int, int] = {}
        for before in sorted(layer, reverse=True):
            for after in layer_arcs[before]:
                least_before[after] = before
        least_predecessors.append(least_before)
        layer = set(least_before)
    cost.charge(
        sum(map(len, least_predecessors)) * (20 + 3 * len(least_predecessors)), "a linear network"
    )
    minimiser_paths = set()
    for j, least_before in enumerate(least_predecessors):
        for node in least_before:
            path = [node]
            for k in range(j, -1, -1):
                path.append(least_predecessors[k][path[-1]])
            path.reverse()
            for layer_arcs in optimal_successors[j + 1 :]:
                path.append(layer_arcs[path[-1]][0])  # the least
            minimiser_paths.add(tuple(path))
    # The least minimiser is among them and is not join-irreducible: chain = count − 1 + 1.
    return len(minimiser_paths)
