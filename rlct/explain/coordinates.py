"""Wordings of the rules that change coordinates or use a part of the generators."""

from __future__ import annotations

from rlct.certificate.arithmetic import Poly
from rlct.explain.reductions import added, least_of_factors, pairs_of
from rlct.explain.told import (
    Told,
    Wording,
    Words,
    listing,
    shown,
)

__all__ = ["COORDINATES"]


def eliminate(told: Told) -> Words:
    """A generator u·x + r replaces the coordinate x."""
    g = told.generators[told.data["generator"]]
    i = told.data["variable"]
    x = told.names[i]
    slope: Poly = {(*m[:i], 0, *m[i + 1 :]): c for m, c in g.items() if m[i] == 1}
    start = f"The generator `{shown(g, told.names)}` is linear in `{x}`, with coefficient "
    text = (
        f"{start}`{shown(slope, told.names)}`, which is not 0 at the point; so it can be taken as "
        f"a coordinate in place of `{x}`, with prior 1. By itself it gives `λ = 1/2`, `θ = 1`.",
    )
    if not told.children:
        return Words(
            "Linear generator",
            (*text, f"Nothing else is left on its zeros: {told.result}."),
            page="conventions",
        )
    rest = f"Where it vanishes, the other generators become {told.child()}, without `{x}`."
    return Words(
        "Linear generator",
        (*text, rest),
        (f"The sum rule adds `1/2` to `λ`, and `θ` stays: {told.pair(0)} becomes {told.result}.",),
        page="conventions",
    )


def subideal(told: Told) -> Words:
    """Fewer generators."""
    return Words(
        "Fewer generators",
        (f"Leaving generators out makes `K` smaller; what is kept is {told.child()}.",),
        (f"A smaller `K` has a smaller pair, so this is a lower bound: {told.result}.",),
        page="conventions",
    )


def linear(told: Told) -> Words:
    """Linear change of coordinates."""
    return Words(
        "Linear change of coordinates",
        (
            f"Substitute `{told.children[0].chart}`: an invertible linear change that leaves the "
            "variables of the prior alone. It multiplies volumes by a constant, so the pair stays.",
            f"The ideal becomes {told.child()}.",
        ),
        page="flows",
        sources=("harrison1975", "watanabe2009"),
    )


def transverse(told: Told) -> Words:
    """Sums and products hidden by coordinates."""
    way = told.data["way"]
    fields = []
    for part in told.data["parts"]:
        for step in part["steps"]:
            terms = [
                f"∂_{name}" if told.poly(a) == "1" else f"({told.poly(a)})*∂_{name}"
                for a, name in zip(step["field"], told.names, strict=True)
                if a
            ]
            fields.append(f"`{' + '.join(terms)}`")
    text = [
        f"The ideal is a {way} of {len(told.labels)} ideals that do not show separate variables."
        if len(told.labels) > 1
        else "The ideal has fewer variables than it shows.",
    ]
    if fields:
        text.append(
            f"A part is constant along {listing(fields, 3)}: the field takes its generators to "
            "combinations of themselves."
        )
    text.append(
        "The differentials of what the parts depend on are independent, so these are coordinates "
        f"of their own: {listing(f'{told.child(k)} ({n})' for k, n in enumerate(told.labels))}."
    )
    return Words(
        "Hidden structure along vector fields",
        tuple(text),
        (added(told) if way == "sum" else least_of_factors(told),),
        page="flows",
        sources=("rossi1963", "watanabe2009"),
        why=(
            "If a field `X` with `X(0) ≠ 0` takes generators to combinations of themselves, its "
            "flow carries the slice where a variable is 0 to a whole neighbourhood, and the ideal "
            "depends on the other coordinates alone.",
        ),
    )


def enclose(told: Told) -> Words:
    """The best of several bounds."""
    found = pairs_of(told)
    return Words(
        "The better of two bounds",
        ("The germ is bounded in several ways.",),
        (f"{found}. The largest lower and the smallest upper bound hold: {told.result}.",),
    )


def unit(told: Told) -> Words:
    """A polynomial without zeros where the relations hold."""
    return Words(
        "A polynomial that cannot vanish",
        (
            f"An identity shows that `{told.poly(told.data['polynomial'])}` has no zero where the "
            "relations between the parameters hold: it counts as a unit from here on.",
        ),
        page="blowups",
    )


def rational(told: Told) -> Words:
    """No irrational coefficient is left."""
    return Words(
        "Rational coefficients",
        (f"No coefficient is irrational any more: the ideal is {told.child()} over `Q`.",),
        page="points",
    )


COORDINATES: dict[str, Wording] = {
    "eliminate": eliminate,
    "subideal": subideal,
    "linear": linear,
    "transverse": transverse,
    "enclose": enclose,
    "unit": unit,
    "rational": rational,
}
