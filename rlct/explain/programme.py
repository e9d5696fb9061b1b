"""The linear programme of a monomial ideal in words, with the numbers that prove it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.explain.proved_step import joined_items, monomial_text, tuple_text
from rlct.pair import Pair

_MOST_COSTS = 12  # entries of the vector c that are shown

PROGRAMME_REASON = (
    "For `v ≥ 0` the box `|x_j| < t^(v_j/2)` lies in `{K < C·t}` if `v·a ≥ 1` for every exponent "
    "`a` that occurs, and has prior mass about `t^(v·c/2)`, `c = 1 + h` with `h` the exponents of "
    "the prior. The best box is all of `{K < t}` up to constants and logarithms, if terms do not "
    "cancel: `λ` is half the least value of `v·c`, a linear programme.",
    "Multipliers `y ≥ 0` of the exponents with `Σ y·a ≤ c` prove that a value is least, since then "
    "`v·c ≥ Σ y (v·a) ≥ Σ y`. If the optimal `v` form a set of dimension `θ - 1`, every dimension "
    "gives a factor `log(1/t)`.",
)


def proved_optimum(data: Mapping[str, Any]) -> Pair:
    """The pair that the multipliers and the optimal weights of the evidence prove."""
    value = sum((Fraction(y) for _, y in data["multipliers"]), Fraction(0))
    return Pair(value / 2, len(data["weights"]))


def programme_sentences(
    data: Mapping[str, Any], prior: Sequence[Fraction], names: Sequence[str]
) -> tuple[str, ...]:
    """Sentences with an optimal weight, and with the multipliers that prove it.

    ``data`` has the ``weights`` and ``multipliers`` of the evidence; ``prior`` the exponents h.
    """
    weights = [[Fraction(x) for x in point] for point in data["weights"]]
    multipliers = [(tuple(a), Fraction(y)) for a, y in data["multipliers"]]
    pair = proved_optimum(data)
    value = 2 * pair.lam
    costs = tuple_text([1 + h for h in prior], _MOST_COSTS)
    used = joined_items(f"`{y}` for `{monomial_text(a, names)}`" for a, y in multipliers)
    sentences = [
        f"Here `c = {costs}`. The weight `v = {tuple_text(weights[0])}` is allowed and has "
        f"`v·c = {value}`; the multipliers {used} have the sum `{value}` too, so none is better: "
        f"`λ = {pair.lam}`."
    ]
    if pair.theta == 1:
        sentences.append("It is the only optimal weight, so `θ = 1`.")
    else:
        others = joined_items((f"`{tuple_text(w)}`" for w in weights), 4)
        sentences.append(
            f"The weights {others} are optimal and span the set of all optimal ones, of dimension "
            f"{pair.theta - 1}, so `θ = {pair.theta}`."
        )
    return tuple(sentences)


MONOMIAL_REASON = (
    "The integral of `K^z` times the prior is a product of integrals of `|x_j|^(2k·z + h)`, each "
    "with its first pole at `-(1 + h)/(2k)`; the largest pole is `-λ`, and `θ` its order.",
)


def monomial_sentences(
    exponents: Sequence[int], prior: Sequence[Fraction], names: Sequence[str]
) -> tuple[str, ...]:
    """Sentences for one monomial, where each variable has its own pole."""
    poles = {
        name: (Fraction(1) + h) / (2 * e)
        for name, e, h in zip(names, exponents, prior, strict=True)
        if e
    }
    least = min(poles.values())
    rows = joined_items(
        f"`(1 + {h})/(2·{e}) = {poles[name]}` for `{name}`"
        for name, e, h in zip(names, exponents, prior, strict=True)
        if e
    )
    reached = [name for name, value in poles.items() if value == least]
    return (
        f"Here `(1 + h)/(2k)` is {rows}. The least, `λ = {least}`, is that of "
        f"{joined_items(f'`{n}`' for n in reached)}, so `θ = {len(reached)}`.",
    )
