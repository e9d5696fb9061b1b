"""Wordings of the rules for the zeros in a cell."""

from __future__ import annotations

from rlct.explain.proved_step import ProvedStep, Words, joined_items, on_page

__all__ = ["FIBRE_WORDS"]


def _scaling(step: ProvedStep) -> str:
    weights = zip(step.names, step.data["weights"], strict=True)
    return joined_items(f"`t^{w}*{name}`" if w != 1 else f"`t*{name}`" for name, w in weights if w)


def _least(step: ProvedStep) -> tuple[str, ...]:
    """What the cells below give together, if there are several."""
    rows = [
        f"{label} gives {step.pair(k)}"
        for k, label in enumerate(step.labels)
        if step.children[k].rule != "absent"
    ]
    return (f"{'; '.join(rows[:12])}. So at each zero here {step.result}.",) if rows[1:] else ()


def _subtract(step: ProvedStep) -> Words:
    return Words(
        "Shorter equations",
        ("Multiples of equations with one term are taken from the others.",),
    )


def _contract(step: ProvedStep) -> Words:
    moved = [f"`{name}`" for name, w in zip(step.names, step.data["weights"], strict=True) if w > 0]
    return Words(
        "Contraction",
        (
            f"Scale to {_scaling(step)}: each equation is multiplied by a power of `t`, and the "
            f"pair stays. Let `t` go to 0: {joined_items(moved)} {'go' if moved[1:] else 'goes'} "
            "to 0, and the pair of the limit is no larger.",
        ),
        why=("A ball about the limit holds a ball about a point near it: volume can only grow.",),
    )


def _normalise(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    signs = "" if "signs" in step.data else " or `-1`"
    return Words(
        "A variable scaled to one",
        (
            f"`{name}` is not 0 here: the scaling to {_scaling(step)} makes it `1`{signs}, and `K` "
            "is a unit times a function of the others.",
        ),
        _least(step),
    )


def _slide(step: ProvedStep) -> Words:
    name, along = (step.names[step.data[key]] for key in ("variable", "along"))
    return Words(
        "A variable moved to zero",
        (
            f"A group that keeps the ideal adds multiples of `{along}`, which is not 0 here, to "
            f"`{name}`: so `{name}` becomes 0.",
        ),
    )


def _rotate(step: ProvedStep) -> Words:
    name, along = (step.names[step.data[key]] for key in ("variable", "along"))
    return Words(
        "A variable turned to zero",
        (
            f"A linear group that keeps the equations turns the plane of `{along}` and `{name}`: "
            f"so `{name}` becomes 0.",
        ),
    )


def _branch(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    return Words(
        "Two cases",
        (f"`{name} ≠ 0` ({step.labels[0]}), or `{name} = 0` ({step.labels[1]}).",),
        _least(step),
    )


def _solve(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    roots = joined_items(f"`{name} = {a}`" for a in step.data["roots"])
    return Words(
        "Roots",
        (f"One of the equations involves only `{name}` here, so at a zero {roots}.",),
        _least(step),
    )


def _cover(step: ProvedStep) -> Words:
    units = [step.read(u) for u in step.data["units"]]
    return Words(
        "Functions that do not vanish together",
        (
            f"A combination of {step.list(units)} and of the generators vanishes nowhere here, so "
            "at a zero one of them is not 0.",
            "One is enough of those that other names of the variables turn into each other.",
        ),
        _least(step),
    )


def _change(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    scale, shift = (step.list([step.read(step.data[key])]) for key in ("scale", "shift"))
    return Words(
        "Another coordinate",
        (
            f"The coordinate `{name}′ = a*{name} + r` takes the place of `{name}`, `a` = {scale} "
            f"and `r` = {shift}; `a` is not 0 here. Generators are multiplied or divided by powers "
            "of `a`.",
        ),
        _least(step),
    )


def _fields(step: ProvedStep) -> Words:
    count = len(step.data["fields"])
    return Words(
        "Fields that move the generators",
        (
            f"There are {count} vector fields along which the generators change by independent "
            "constants at every zero: the derivative of the generators has this rank there.",
        ),
        (f"That many of them are coordinates, so at each zero {step.result}.",),
    )


def _absent(step: ProvedStep) -> Words:
    g = step.generators[step.data["generator"]]
    return Words(
        "No zero",
        (f"The terms of {step.list([g])} cannot cancel here, and do not all vanish.",),
        (f"Any bound holds, such as {step.result}, which is above that of any zero in space.",),
    )


def _same(step: ProvedStep) -> Words:
    return Words(
        "As before",
        ("Other names of the variables make these the germs of an earlier cell.",),
        (f"So at each zero of the cell {step.result}.",),
    )


def _point(step: ProvedStep) -> Words:
    return Words(
        "A single point",
        (f"All variables are 0. What is left is one germ ({step.labels[0]}).",),
    )


FIBRE_WORDS = on_page(
    "fibres",
    {
        "subtract": _subtract,
        "contract": _contract,
        "normalise": _normalise,
        "slide": _slide,
        "rotate": _rotate,
        "branch": _branch,
        "solve": _solve,
        "cover": _cover,
        "change": _change,
        "fields": _fields,
        "absent": _absent,
        "same": _same,
        "point": _point,
    },
)
