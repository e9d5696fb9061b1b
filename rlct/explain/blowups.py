"""Wordings of blow-ups, changes of coordinates, and families over exceptional divisors."""

from rlct.certificate.family import GermFamily
from rlct.explain.proved_step import ProvedStep, Words, quoted_names, words_for
from rlct.explain.reductions import pairs_of

_HIRONAKA_SOURCES = ("hironaka1964", "watanabe2009")


@words_for("blowup")
def blowup(step: ProvedStep) -> Words:
    """Weighted blow-up of a coordinate subspace."""
    weights = step.data["weights"]
    centre = [n for n, w in zip(step.names, weights, strict=False) if w]
    plain = all(w <= 1 for w in weights)
    weight_text = ", ".join(f"{n}: {w}" for n, w in zip(step.names, weights, strict=False) if w)
    with_weights = "" if plain else f" with the weights `{weight_text}`"
    power = sum(weights) - 1
    text = [
        f"Blow up `{' = '.join(centre)} = 0`{with_weights}. In each chart the Jacobian is a "
        f"constant times `s^{power}`, with `s = 0` the divisor, and multiplies the prior."
    ]
    if step.data.get("symmetries"):
        text.append(
            "Permutations of the variables leave the ideal and the prior as they are; one chart "
            "stands for all that they exchange."
        )
    return Words(
        "Blow-up",
        tuple(text),
        (_least(step),),
        sources=_HIRONAKA_SOURCES,
        why=(
            "A blow-up is an isomorphism off its centre, so the pair is the least of the pairs at "
            "the points above it; the charts cover these.",
            "In a chart a polynomial that is not 0 at the points in question is a unit: near each "
            "of them it lies between positive constants, up to sign, so a factor that is one "
            "changes no pair and may be left out.",
        ),
    )


def _least(step: ProvedStep) -> str:
    pair_texts = pairs_of(step)
    return f"{pair_texts}. The least of them is the pair: {step.result}."


@words_for("forget")
def forget(step: ProvedStep) -> Words:
    """No generator involves a parameter."""
    parameters = step.names[step.locals :]
    return Words(
        "The same germ all along the divisor",
        (
            f"The generators do not involve {quoted_names(parameters)}: the germ "
            f"{step.child()} is the same at all these points."
            if parameters
            else f"No parameter is left: the germ is {step.child()}.",
        ),
    )


@words_for("fix")
def fix(step: ProvedStep) -> Words:
    """Free parameters are fixed."""
    free = step.node.parameters
    return Words(
        "One point of the divisor at a time",
        (f"Hold {quoted_names(free)} fixed, at any value{_where_nonzero(step)}.",),
        why=(
            "Where the prior of a parameter is positive, bounds that hold near each of its values "
            "hold after integration over it.",
        ),
    )


def _where_nonzero(step: ProvedStep) -> str:
    """The polynomials that were found not to vanish."""
    statement = step.node.statement
    units = statement.units if isinstance(statement, GermFamily) else ()
    if not units:
        return ""
    return f" where the unit{'s' * (len(units) > 1)} {step.list(units)} " + (
        "are not 0" if len(units) > 1 else "is not 0"
    )


@words_for("stratify")
def stratify(step: ProvedStep) -> Words:
    """Points where a polynomial vanishes, and those where it does not."""
    zero_evidence = step.data["zeros"]
    g = step.poly(step.data["by"])
    nonzero_text = (
        f"{step.labels[0][:1].upper()}{step.labels[0][1:]}: `{g} ≠ 0`, a unit from there on"
    )
    if "none" in zero_evidence:
        zeros_text = (
            "it is a sum of squares, one of them of a number, up to sign, so it has no zero"
        )
    elif "symmetric" in zero_evidence:
        zeros_text = (
            "a permutation of the variables takes its zeros to points that are treated above"
        )
    elif zero_evidence.get("smooth") is True:
        zeros_text = f"{step.labels[1]}: its zeros, which are smooth"
    elif zero_evidence.get("open") is True:
        zeros_text = f"{step.labels[1]}: its zeros, which are left with a bound"
    elif "adjoin" in zero_evidence:
        name = step.names[zero_evidence["adjoin"]]
        zeros_text = (
            f"{step.labels[1]}: its zeros, where `{name}` is a simple root `α` of it, an algebraic "
            f"function of the other parameters, and `{name} - α` is small"
        )
    else:
        name = step.names[zero_evidence["solve"]]
        within = ""
        if "within" in zero_evidence:
            factor = step.poly(zero_evidence["within"]["factor"])
            within = f" (it is a sum of squares, so its zeros are zeros of `{factor}`)"
        zeros_text = (
            f"{step.labels[1]}: its zeros{within}, where it is linear in `{name}` and takes the "
            "place of this coordinate"
        )
    return Words(
        "Points of the divisor, sorted",
        (f"Sort the points by `{g}`. {nonzero_text}; {zeros_text}.",),
        (_least(step),),
        sources=("watanabe2009", "basu2006"),
    )
