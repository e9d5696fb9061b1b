"""Linear networks through the ranks of partial products: a route without Aoyagi's formula."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments, Finding
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.kit.given import only_open
from rlct.theorems.linear_networks import deep_linear
from rlct.theorems.linear_networks.linear_network import (
    effective_widths,
    linear_findings,
    on_all_inputs,
    with_biases,
)
from rlct.theorems.working import step

# Pairs of neighbouring ranks that are tried; about a second.
MAX_STEPS: Final = 5_000_000


def least_path_pair(widths: Sequence[int], rank: int) -> Pair:
    """Minimise the codimension of rank patterns, and measure the lattice of minimisers.

    That 0 ≤ rank ≤ min(widths) is not checked here.  The pair is that of K = ‖A_L⋯A_1 − true
    product‖² at its deepest zero; InputError if the widths are too large for this route.

    With excess widths h_j = H_j − r, a path h_0 = k_0 ≥ k_1 ≥ … ≥ k_L = 0, k_j ≤ h_j, lists the
    ranks of the partial products; Σ (h_j − k_j)(k_{j−1} − k_j) is the codimension of its stratum.
    The cost is submodular, so the minimisers are closed under componentwise min and max: a
    distributive lattice, all of whose maximal chains have one element more than there are
    join-irreducible minimisers (Birkhoff).  θ is that length.

    Lehalleur, S. P. and Rimányi, R. (2024), arXiv:2411.19920, who print θ without the + 1;
    ``theory/deep-linear-rank-paths.md`` has the proofs.

    >>> least_path_pair([2, 2, 2, 2], 0), least_path_pair([50, 40, 30, 50], 3)
    (Pair(3/2, 3), Pair(597, 3))
    """
    excess = [width - rank for width in widths]
    smooth = Fraction(rank * (widths[0] + widths[-1] - rank), 2)
    regular = f"{rank}·({widths[0]} + {widths[-1]} − {rank})/2"
    if min(excess) == 0:
        return Pair(step(f"λ = {regular}", smooth), 1)
    if _steps(excess) > MAX_STEPS:
        raise InputError("the widths are too large for rank paths; use the theorem deep-linear")
    codimension, layers = _minimisers(excess)
    step("least codimension", codimension)
    lam = step(f"λ = {regular} + {codimension}/2", smooth + Fraction(codimension, 2))
    return Pair(lam, step("longest chain of minimisers, θ", 1 + _join_irreducibles(layers)))


Arcs = dict[int, list[int]]  # rank before the layer → ranks after it, along minimisers, ascending


def _caps(excess: Sequence[int]) -> list[int]:
    caps = [excess[0]]
    for width in excess[1:-1]:
        caps.append(min(caps[-1], width))
    return [*caps, 0]


def _steps(excess: Sequence[int]) -> int:
    caps = _caps(excess)
    later = pairwise(caps[1:])  # the first rank is given
    return caps[1] + 1 + sum((a + 1) * (b + 1) for a, b in later)


def _minimisers(excess_widths: Sequence[int]) -> tuple[int, list[Arcs]]:
    """Return the least cost and, for each layer, the arcs that minimisers use."""
    rank_caps = _caps(excess_widths)
    # ahead[k]: least cost of the layers after this one when they start from rank k.
    costs_ahead, best_arcs = [0], []
    for j in range(len(excess_widths) - 1, 0, -1):
        width = excess_widths[j]
        layer_costs, arcs = [], {}
        first = rank_caps[0] if j == 1 else 0
        for rank_before in range(first, rank_caps[j - 1] + 1):
            options = [
                (width - rank_after) * (rank_before - rank_after) + costs_ahead[rank_after]
                for rank_after in range(min(rank_before, rank_caps[j]) + 1)
            ]
            least = min(options)
            layer_costs.append(least)
            arcs[rank_before] = [
                rank_after for rank_after, cost in enumerate(options) if cost == least
            ]
        costs_ahead = layer_costs
        best_arcs.append(arcs)
    best_arcs.reverse()
    # Keep what a path from k_0 = h_0 reaches.
    reached, reached_arcs = {rank_caps[0]}, []
    for arcs in best_arcs:
        reached_arcs.append({rank_before: arcs[rank_before] for rank_before in sorted(reached)})
        reached = {rank_after for rank_before in reached for rank_after in arcs[rank_before]}
    return costs_ahead[0], reached_arcs


def _join_irreducibles(layers: Sequence[Arcs]) -> int:
    """Count the least minimisers with k_j ≥ v over all (j, v), without the least of all.

    These are the join-irreducible elements of a sublattice of a product of chains.  Among the
    minimisers through a given rank the least exists, and is found by least steps either way.
    """
    start = next(iter(layers[0]))
    prefix_of: dict[int, tuple[int, ...]] = {start: (start,)}  # rank → least way to reach it
    distinct_paths = set()
    for number, arcs in enumerate(layers):
        for rank, prefix in prefix_of.items():
            path = prefix
            current = rank
            for later in layers[number:]:
                current = later[current][0]
                path = (*path, current)
            distinct_paths.add(path)
        reached: dict[int, tuple[int, ...]] = {}
        for rank in sorted(prefix_of):
            for after in arcs[rank]:
                reached.setdefault(after, (*prefix_of[rank], after))
        prefix_of = reached
    return len(distinct_paths) - 1


def _size(arguments: Arguments) -> tuple[Finding, ...]:
    findings = linear_findings(arguments)
    if any(finding.truth is Truth.FALSE for finding in findings):
        return findings
    excess = [width - arguments["rank"] for width in effective_widths(arguments)]
    steps = 0 if min(excess) == 0 else _steps(excess)
    small = Finding(
        "the paths are few enough to be searched",
        Truth.TRUE if steps <= MAX_STEPS else Truth.OPEN,
        f"{steps} pairs of neighbouring ranks, limit {MAX_STEPS}",
    )
    return (*findings, small)


def _value(arguments: Arguments) -> Pair:
    pair = least_path_pair(effective_widths(arguments), arguments["rank"])
    return with_biases(pair, arguments)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Paths that are as high as they can be up to one layer, and 0 from there."""
    if not only_open(arguments):
        return on_all_inputs(_value)(arguments)
    widths, rank = effective_widths(arguments), arguments["rank"]
    caps = list(accumulate((width - rank for width in widths), min))
    path_costs = []
    for last in range(1, len(widths)):
        path = [*caps[:last], *([0] * (len(widths) - last))]
        path_costs.append(
            sum(
                (width - rank - after) * (before - after)
                for width, (before, after) in zip(widths[1:], pairwise(path), strict=True)
            )
        )
    biases = Fraction(widths[-1] if arguments["bias"] else 0, 2)
    least = Fraction(rank * (widths[0] + widths[-1] - rank), 2) + biases
    step(f"λ ≥ {rank}·({widths[0]} + {widths[-1]} − {rank})/2 + {biases}", least)
    most = step(f"λ ≤ {least} + {min(path_costs)}/2", least + Fraction(min(path_costs), 2))
    return TheoremBounds("one path of ranks", Pair(least, 1) if least else None, Pair(most, 1))


THEOREM = replace(
    deep_linear.THEOREM,
    id="deep-linear-rank-paths",
    title="Linear network of any depth, through rank patterns",
    cites=("lehalleur2024",),
    hypotheses=_size,
    value=_value,
    fallback=_fallback,
)
