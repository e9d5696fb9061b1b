"""Wordings of theorems, and of what certificates of networks prove."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rlct.explain.told import Told, Wording, Words, bounds_text, listing, tuple_text

if TYPE_CHECKING:
    from rlct.result import Route

__all__ = ["NETWORKS", "theorem_words"]


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
        f"`Σ (h_j - k_j)(k_(j-1) - k_j)`, at least `{codimension}`, and half of the least one is "
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


def theorem_words(route: Route, where: str = "") -> Words | None:
    """What a route by a theorem says, at the place that was asked; None if it is not one."""
    from rlct.explain.cite import keys_of
    from rlct.theorems import all_theorems, get

    found = route.method.removeprefix("theorem ").partition(" ")[0]
    if found == route.method or found not in {t.id for t in all_theorems()}:
        return None
    theorem = get(found)
    text = [f"The theorem says: {theorem.statement}"]
    given = {n: v for n, v in route.arguments.items() if v not in ("None", "true", "false")}
    if given:
        text.append(f"Here {listing((f'{n} = {v}' for n, v in given.items()), 12)}.")
    text += [_hypothesis(h["statement"], h["truth"], h["evidence"]) for h in route.hypotheses]
    if route.working:
        text.append(f"With these numbers: {'; '.join(route.working)}.")
    rule = route.method.partition(" (")[2].rstrip(")")
    if route.lower is None and route.upper is None:
        text.append("A hypothesis is undecided, so the theorem proves nothing here.")
    else:
        answer = (
            f"`λ ≤ {route.upper.lam}`"
            if route.lower is None and route.upper is not None
            else bounds_text(route.lower, route.upper)
            if route.lower is not None
            else ""
        )
        text.append(f"So {answer}{f' ({rule})' if rule else ''}, {where or theorem.where}.")
    keys = [key for source in theorem.sources for key in keys_of(source)]
    title = f"Theorem {theorem.id}: {theorem.title}"
    return Words(title, tuple(text), page=theorem.id, sources=tuple(dict.fromkeys(keys)))


def _hypothesis(statement: str, truth: str, evidence: str) -> str:
    if evidence.startswith("given"):
        name = evidence.removeprefix("given: ")
        how = "taken as given" if truth == "true" else f"not given, but {truth}"
        return f"It needs that {statement}: {how} ({name})."
    holds = "that holds" if truth == "true" else f"that is {truth}"
    return f"It needs that {statement}: {holds} ({evidence})."


NETWORKS: dict[str, Wording] = {"theorem": rank_paths, "generic-rank": generic_rank}
