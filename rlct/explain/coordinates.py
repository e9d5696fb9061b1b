"""Wordings of the rules that change coordinates or use a part of the generators."""

from __future__ import annotations

from rlct.certificate.numbers.arithmetic import Poly
from rlct.explain.proved_step import (
    ProvedStep,
    StepWording,
    Words,
    joined_items,
    shortened_polynomial,
)
from rlct.explain.reductions import added_pairs, least_of_factors, pairs_of

__all__ = ["COORDINATE_WORDS"]


def eliminate(step: ProvedStep) -> Words:
    """A generator u·x + r replaces the coordinate x."""
    g = step.generators[step.data["generator"]]
    i = step.data["variable"]
    x = step.names[i]
    slope: Poly = {(*m[:i], 0, *m[i + 1 :]): c for m, c in g.items() if m[i] == 1}
    start = (
        f"The generator `{shortened_polynomial(g, step.names)}` is linear in `{x}`, with "
        "coefficient "
    )
    text = (
        f"{start}`{shortened_polynomial(slope, step.names)}`, which is not 0 at the point; so it "
        f"can be taken as a coordinate in place of `{x}`, with prior 1. By itself it gives `λ = "
        "1/2`, `θ = 1`.",
    )
    if not step.children:
        return Words(
            "Linear generator",
            (*text, f"Nothing else is left on its zeros: {step.result}."),
            page="conventions",
        )
    substituted = f"Where it vanishes, the other generators become {step.child()}, without `{x}`."
    return Words(
        "Linear generator",
        (*text, substituted),
        (f"The sum rule adds `1/2` to `λ`, and `θ` stays: {step.pair(0)} becomes {step.result}.",),
        page="conventions",
    )


def subideal(step: ProvedStep) -> Words:
    """Fewer generators."""
    return Words(
        "Fewer generators",
        (f"Leaving generators out makes `K` smaller; what remains is {step.child()}.",),
        (f"A smaller `K` has a smaller pair, so this is a lower bound: {step.result}.",),
        page="conventions",
    )


def discriminant(step: ProvedStep) -> Words:
    """The integral of the reciprocal root of a discriminant."""
    x = step.names[step.data["variable"]]
    return Words(
        "Discriminant",
        (
            f"The generator is `f = A*{x}^2 + B*{x} + C`, and its discriminant is {step.child()}.",
            f"For given other variables the set of `{x}` with `|f| < ε` has length at most "
            "`8ε/√|B^2 - 4AC|`, so the integral of `1/√|B^2 - 4AC|` bounds the volume: it is "
            "finite if `λ > 1/4` for the discriminant.",
        ),
        (f"There {step.pair(0)}; so {step.result}.",),
        page="discriminants",
        sources=("stein1993",),
    )


def linear(step: ProvedStep) -> Words:
    """Linear change of coordinates."""
    return Words(
        "Linear change of coordinates",
        (
            f"Substitute `{step.children[0].chart}`: an invertible linear change that leaves the "
            "variables of the prior alone. It multiplies volumes by a constant, so the pair stays.",
            f"The ideal becomes {step.child()}.",
        ),
        page="flows",
        sources=("harrison1975", "watanabe2009"),
    )


def transverse(step: ProvedStep) -> Words:
    """Sums and products hidden by coordinates."""
    sum_or_product = step.data["way"]
    vector_fields = []
    for part in step.data["parts"]:
        for flow in part["steps"]:
            terms = [
                f"∂_{name}" if step.poly(a) == "1" else f"({step.poly(a)})*∂_{name}"
                for a, name in zip(flow["field"], step.names, strict=True)
                if a
            ]
            vector_fields.append(f"`{' + '.join(terms)}`")
    text = [
        f"The ideal is a {sum_or_product} of {len(step.labels)} ideals that do not show separate "
        "variables."
        if len(step.labels) > 1
        else "The ideal has fewer variables than it shows.",
    ]
    if vector_fields:
        text.append(
            f"A part is constant along {joined_items(vector_fields, 3)}: the field takes its "
            "generators to combinations of themselves."
        )
    text.append(
        "The differentials of what the parts depend on are independent, so these are coordinates "
        "of their own: "
        f"{joined_items(f'{step.child(k)} ({n})' for k, n in enumerate(step.labels))}."
    )
    return Words(
        "Hidden structure along vector fields",
        tuple(text),
        (added_pairs(step) if sum_or_product == "sum" else least_of_factors(step),),
        page="flows",
        sources=("rossi1963", "watanabe2009"),
        why=(
            "If a field `X` with `X(0) ≠ 0` takes generators to combinations of themselves, its "
            "flow carries the slice where a variable is 0 to a whole neighbourhood, and the ideal "
            "depends on the other coordinates alone.",
        ),
    )


def enclose(step: ProvedStep) -> Words:
    """The best of several bounds."""
    pair_texts = pairs_of(step)
    return Words(
        "The better of two bounds",
        ("The germ is bounded in several ways.",),
        (f"{pair_texts}. The largest lower and the smallest upper bound hold: {step.result}.",),
    )


def unit(step: ProvedStep) -> Words:
    """A polynomial without zeros where the relations hold."""
    return Words(
        "A polynomial that cannot vanish",
        (
            f"An identity shows that `{step.poly(step.data['polynomial'])}` has no zero where the "
            "relations between the parameters hold: it counts as a unit from here on.",
        ),
        page="blowups",
    )


def rational(step: ProvedStep) -> Words:
    """No irrational coefficient is left."""
    return Words(
        "Rational coefficients",
        (f"No coefficient is irrational any more: the ideal is {step.child()} over `Q`.",),
        page="points",
    )


COORDINATE_WORDS: dict[str, StepWording] = {
    "eliminate": eliminate,
    "subideal": subideal,
    "discriminant": discriminant,
    "linear": linear,
    "transverse": transverse,
    "enclose": enclose,
    "unit": unit,
    "rational": rational,
}
