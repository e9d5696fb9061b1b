"""Wordings of what certificates of networks prove."""

from __future__ import annotations

from fractions import Fraction

from rlct.explain.told import Told, Wording, Words, tuple_text

__all__ = ["NETWORKS"]


def rank_paths(told: Told) -> Words:
    """A linear network by rank patterns of partial products."""
    data = told.data
    rank = data["rank"]
    widths = [data["input_rank"], *data["widths"][1:]]
    excess = [width - rank for width in widths]
    regular = Fraction(rank * (widths[0] + widths[-1] - rank), 2)
    bias = Fraction(data["widths"][-1], 2) if data["bias"] else Fraction(0)
    codimension = 2 * (told.node.lower.lam - regular - bias)
    text = [
        f"The certificate proves the number by another route than the formula. Near the deepest "
        f"parameter the layers split into a regular part of rank `r = {rank}`, which gives "
        f"`r(H_in + H_out - r)/2 = {regular}`, and a product of matrices with the widths "
        f"`h = {tuple_text(excess)}`, the widths less the rank, near 0.",
        "The zeros of that product are divided by the ranks `k_j` of its partial products, "
        "`h_0 = k_0 ≥ k_1 ≥ … ≥ k_L = 0`; such a stratum has codimension "
        f"`Σ (h_j - k_j)(k_{{j-1}} - k_j)`, at least `{codimension}`, and half of the least one is "
        f"the threshold: `{codimension / 2}`.",
        f"The longest chain of strata of least codimension gives `θ = {told.node.lower.theta}`.",
    ]
    if bias:
        text.append(f"The biases add half the number of outputs, `{bias}`.")
    text.append(f"Together {told.result}.")
    return Words(
        "Rank patterns of partial products",
        tuple(text),
        page="deep-linear-rank-paths",
        sources=("lehalleur2024", "abeasis1985"),
    )


def generic_rank(told: Told) -> Words:
    """A quadratic network by the rank of its derivative."""
    data = told.data
    rank = 2 * told.node.lower.lam
    sizes = (("unit", len(data["hidden"])), ("output", len(data["outer"])))
    units, outputs = (f"{count} {name}{'s' * (count > 1)}" for name, count in sizes)
    given = "by the weights" + " and by the biases of units and outputs" * data["bias"]
    kept = "integer weights" + " and biases" * data["bias"]
    return Words(
        "Rank of the derivative at a generic parameter",
        (
            "At a generic parameter the true functions form a manifold whose dimension is the "
            f"largest rank of the derivative of the outputs {given}, and `λ` is half of it.",
            f"The certificate holds {kept} of {units} and {outputs} at which the rank modulo the "
            f"prime `2^61 - 1` is {rank}: a minor is not 0, so the largest rank is at least "
            f"{rank}.",
            f"A theorem bounds the rank at every parameter by {rank} as well. So {told.result}.",
        ),
        page="quadratic-generic",
        sources=("abo2009", "ottaviani2007"),
    )


NETWORKS: dict[str, Wording] = {"theorem": rank_paths, "generic-rank": generic_rank}
