"""Wordings of blow-ups, changes of coordinates, and families over exceptional divisors."""

from __future__ import annotations

from rlct.certificate.family import GermFamily
from rlct.explain.reductions import pairs_of
from rlct.explain.told import Told, Wording, Words, quoted

__all__ = ["BLOWUPS"]

_HIRONAKA = ("hironaka1964", "watanabe2009")


def blowup(told: Told) -> Words:
    """Weighted blow-up of a coordinate subspace."""
    weights = told.data["weights"]
    centre = [n for n, w in zip(told.names, weights, strict=False) if w]
    plain = all(w <= 1 for w in weights)
    shown = ", ".join(f"{n}: {w}" for n, w in zip(told.names, weights, strict=False) if w)
    with_weights = "" if plain else f" with the weights `{shown}`"
    power = sum(weights) - 1
    text = [
        f"Blow up `{' = '.join(centre)} = 0`{with_weights}. In each chart the Jacobian is a "
        f"constant times `s^{power}`, with `s = 0` the divisor, and multiplies the prior."
    ]
    if told.data.get("symmetries"):
        text.append(
            "Permutations of the variables leave the ideal and the prior as they are; one chart "
            "stands for all that they exchange."
        )
    return Words(
        "Blow-up",
        tuple(text),
        (_least(told),),
        page="blowups",
        sources=_HIRONAKA,
        why=(
            "A blow-up is an isomorphism off its centre, so the pair is the least of the pairs at "
            "the points above it; the charts cover these.",
            "In a chart a polynomial that is not 0 at the points in question is a unit: near each "
            "of them it lies between positive constants, up to sign, so a factor that is one "
            "changes no pair and may be left out.",
        ),
    )


def _least(told: Told) -> str:
    found = pairs_of(told)
    return f"{found}. The least of them is the pair: {told.result}."


def coordinate(told: Told) -> Words:
    """The coordinate a·x + r in place of x."""
    return Words(
        "Another coordinate",
        (
            f"Take `{told.children[0].chart}` as a coordinate in place of "
            f"`{told.names[told.data['variable']]}`: it is linear in it with a coefficient that is "
            "not 0 at the point, and the prior does not involve it. The pair stays.",
            f"The ideal becomes {told.child()}.",
        ),
        page="blowups",
    )


def compose(told: Told) -> Words:
    """Generators G(b), where the coordinate b takes the place of a variable."""
    return Words(
        "A coordinate that occurs as a whole",
        (
            f"The generators involve `{told.names[told.data['variable']]}` only through "
            f"`{told.children[0].chart}`, whose differential is not 0 at the point: it is a "
            f"coordinate, and the ideal is {told.child()}.",
        ),
        page="blowups",
    )


def forget(told: Told) -> Words:
    """No generator involves a parameter."""
    parameters = told.names[told.locals :]
    return Words(
        "The same germ all along the divisor",
        (
            f"The generators do not involve {quoted(parameters)}: the germ "
            f"{told.child()} is the same at all these points."
            if parameters
            else f"No parameter is left: the germ is {told.child()}.",
        ),
        page="blowups",
    )


def fix(told: Told) -> Words:
    """Free parameters are fixed."""
    free = told.node.parameters
    return Words(
        "One point of the divisor at a time",
        (f"Hold {quoted(free)} fixed, at any value{_kept(told)}.",),
        page="blowups",
        why=(
            "Where the prior of a parameter is positive, bounds that hold near each of its values "
            "hold after integration over it.",
        ),
    )


def _kept(told: Told) -> str:
    """The polynomials that were found not to vanish."""
    statement = told.node.statement
    units = statement.units if isinstance(statement, GermFamily) else ()
    if not units:
        return ""
    return f" where the unit{'s' * (len(units) > 1)} {told.list(units)} " + (
        "are not 0" if len(units) > 1 else "is not 0"
    )


def stratify(told: Told) -> Words:
    """Points where a polynomial vanishes, and those where it does not."""
    zeros = told.data["zeros"]
    g = told.poly(told.data["by"])
    first = f"{told.labels[0][:1].upper()}{told.labels[0][1:]}: `{g} ≠ 0`, a unit from there on"
    if "none" in zeros:
        rest = "it is a sum of squares, one of them of a number, up to sign, so it has no zero"
    elif "symmetric" in zeros:
        rest = "a permutation of the variables takes its zeros to points that were looked at above"
    elif zeros.get("smooth") is True:
        rest = f"{told.labels[1]}: its zeros, which are smooth"
    elif zeros.get("open") is True:
        rest = f"{told.labels[1]}: its zeros, which are left with a bound"
    elif "adjoin" in zeros:
        name = told.names[zeros["adjoin"]]
        rest = (
            f"{told.labels[1]}: its zeros, where `{name}` is a simple root `α` of it, an algebraic "
            f"function of the other parameters, and `{name} - α` is small"
        )
    else:
        name = told.names[zeros["solve"]]
        within = ""
        if "within" in zeros:
            factor = told.poly(zeros["within"]["factor"])
            within = f" (it is a sum of squares, so its zeros are zeros of `{factor}`)"
        rest = (
            f"{told.labels[1]}: its zeros{within}, where it is linear in `{name}` and takes the "
            "place of this coordinate"
        )
    return Words(
        "Points of the divisor, sorted",
        (f"Sort the points by `{g}`. {first}; {rest}.",),
        (_least(told),),
        page="blowups",
        sources=("watanabe2009", "basu2006"),
    )


BLOWUPS: dict[str, Wording] = {
    "blowup": blowup,
    "coordinate": coordinate,
    "compose": compose,
    "forget": forget,
    "fix": fix,
    "stratify": stratify,
}
