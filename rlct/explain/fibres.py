"""Wordings of the rules for the zeros in a cell."""

from rlct.explain.proved_step import ProvedStep, Words, joined_items, words_for


def _scaling(step: ProvedStep) -> str:
    weights = zip(step.names, step.data["weights"], strict=True)
    return joined_items(f"`t^{w}*{name}`" if w != 1 else f"`t*{name}`" for name, w in weights if w)


def least_below(step: ProvedStep) -> tuple[str, ...]:
    """What the cells below give together, if there are several."""
    rows = [
        f"{label} gives {step.pair(k)}"
        for k, label in enumerate(step.labels)
        if step.children[k].rule != "absent"
    ]
    return (f"{'; '.join(rows[:12])}. So at each zero here {step.result}.",) if rows[1:] else ()


@words_for("contract")
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


@words_for("normalise")
def _normalise(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    signs = "" if "signs" in step.data else " or `-1`"
    return Words(
        "A variable scaled to one",
        (
            f"`{name}` is not 0 here: the scaling to {_scaling(step)} makes it `1`{signs}, and `K` "
            "is a unit times a function of the others.",
        ),
        least_below(step),
    )


@words_for("solve")
def _solve(step: ProvedStep) -> Words:
    name = step.names[step.data["variable"]]
    roots = joined_items(f"`{name} = {a}`" for a in step.data["roots"])
    return Words(
        "Roots",
        (f"One of the equations involves only `{name}` here, so at a zero {roots}.",),
        least_below(step),
    )
