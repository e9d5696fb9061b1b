"""Wordings of the rules that lead from a germ to simpler ones."""

from __future__ import annotations

from fractions import Fraction

from rlct.certificate.arithmetic import Poly
from rlct.explain.told import (
    Told,
    Wording,
    Words,
    listing,
    monomial_text,
    quoted,
    shown,
)

__all__ = ["REDUCTIONS", "bracketed", "pairs_of"]

_SUM = ("watanabe2009", "aoyagi2025")
_MOST_OPERATIONS = 6


def squares(told: Told) -> Words:
    """K = Σ c·g², c > 0."""
    items = [(Fraction(c), told.poly(g)) for c, g in told.data["squares"]]
    parts = [f"{'' if c == 1 else f'{c}*'}{bracketed(g)}^2" for c, g in items]
    whole = " + ".join(parts[:8]) + (" + …" if len(parts) > 8 else "")
    return Words(
        "Sum of squares",
        (
            f"`K = {whole}`, so its pair is that of the ideal {told.child()}, for which "
            "`K = Σ f^2`.",
        ),
        page="conventions",
        why=(
            "Positive constants in a sum of squares change `K` only by a bounded factor, and "
            "comparable functions have the same pair: `K₁ ≤ C·K₂` gives more volume to `{K₁ < t}`.",
        ),
    )


def bracketed(text: str) -> str:
    """The base of a power.

    >>> bracketed("x"), bracketed("x - y")
    ('x', '(x - y)')
    """
    return text if text.isidentifier() else f"({text})"


def modulus(told: Told) -> Words:
    """K = |g| = (g²)^½."""
    return Words(
        "Square root",
        (f"`|K| = (K^2)^(1/2)`, and `K^2` is that of the ideal {told.child()}.",),
        (f"{told.pair(0)} for `K^2`, so for its square root `λ` doubles: {told.result}.",),
        page="conventions",
        why=(_POWER,),
    )


_POWER = "`{K^m < t} = {K < t^(1/m)}`: for a power `K^m`, `λ` is divided by `m`, and `θ` stays."


def positive(told: Told) -> Words:
    """Terms that cannot cancel."""
    return Words(
        "Terms that cannot cancel",
        (
            f"In {told.list(told.generators[:4])} terms cannot cancel near the point, so `K` is "
            "comparable with the sum of the squares of these terms, and the pair is that of the "
            f"monomials {told.child()}.",
        ),
        why=(
            "Terms of a generator cannot cancel if all have one sign (coefficients of one sign and "
            "exponents congruent modulo 2), or if one of them divides all others; multiples of "
            "monomials that are already bounded may be dropped first.",
        ),
    )


def simplify(told: Told) -> Words:
    """Elementary operations."""
    rows = []
    for op in told.data["operations"]:
        if "divide" in op:
            rows.append(f"`f{op['divide'] + 1}` is divided by the unit `{told.poly(op['by'])}`")
        elif "multiply" in op:
            rows.append(
                f"`f{op['multiply'] + 1}` is multiplied by the unit `{told.poly(op['by'])}`"
            )
        elif "reduce" in op:
            rows.append(
                f"`{told.poly(op['times'])}` times a relation between the parameters is taken "
                f"from `f{op['reduce'] + 1}`"
            )
        else:
            times = told.poly(op["times"])
            factor = "" if times == "1" else f"{bracketed(times)}*"
            rows.append(f"`{factor}f{op['subtract'] + 1}` is taken from `f{op['from'] + 1}`")
    return Words(
        "Other generators of the same ideal",
        (
            "Each of these operations can be undone: "
            f"{'; '.join(rows[:_MOST_OPERATIONS])}"
            f"{f'; and {len(rows) - _MOST_OPERATIONS} more' * (len(rows) > _MOST_OPERATIONS)}.",
            f"So the pair is that of {told.child()}.",
        ),
        page="conventions",
        why=(
            "Generators of the same ideal bound each other: each is a combination of the others "
            "with bounded coefficients.",
        ),
    )


def total(told: Told) -> Words:
    """Sum rule."""
    parts = [
        f"{told.child(k)} in {quoted(child.names[: _locals(child)])} ({label})"
        for k, (child, label) in enumerate(zip(told.children, told.labels, strict=True))
    ]
    return Words(
        "Sum rule",
        (f"No variable is shared between the parts {listing(parts)}.",),
        (_added(told),),
        page="conventions",
        sources=_SUM,
        why=(
            "For `K = K₁ + K₂` in separate variables the integral of `exp(-n·K)` is a product of "
            "terms `n^(-λ)·(log n)^(θ-1)`: the `λ` add, and `θ = θ₁ + θ₂ - 1`.",
        ),
    )


def _locals(node: object) -> int | None:
    statement = getattr(node, "statement", None)
    return getattr(statement, "locals", None)


def pairs_of(told: Told) -> str:
    """What the steps below gave."""
    found = [f"{label} gives {told.pair(k)}" for k, label in enumerate(told.labels)]
    more = f"; and {len(found) - 12} more" if len(found) > 12 else ""
    return "; ".join(found[:12]) + more


def _added(told: Told) -> str:
    found = pairs_of(told)
    if not told.settled:
        return f"Bounds add as pairs do ({found}): {told.result}."
    thetas = " + ".join(str(child.lower.theta) for child in told.children)
    extra = len(told.children) - 1
    rule = f"`θ = {thetas} - {extra} = {told.node.lower.theta}`" if extra else "`θ` stays"
    return f"{found}. Thresholds add, {told.combined('+')}, and powers of `log n` multiply, {rule}."


def product(told: Told) -> Words:
    """Product rule."""
    parts = [f"{told.child(k)} ({label})" for k, label in enumerate(told.labels)]
    return Words(
        "Product rule",
        (
            f"The generators are products of factors with separate variables, {listing(parts)}"
            ", up to a factor that is not 0 at the point.",
        ),
        (_least_of_factors(told),),
        page="conventions",
        why=(_PRODUCT,),
    )


_PRODUCT = (
    "For a product in separate variables the zeta function is a product: the smaller `λ` counts, "
    "and the orders `θ` of the factors that reach it add."
)


def _least_of_factors(told: Told) -> str:
    found = pairs_of(told)
    if not told.settled:
        return f"The smallest pole decides ({found}): {told.result}."
    lams = ", ".join(str(child.lower.lam) for child in told.children)
    lam = told.node.lower.lam
    count = [str(c.lower.theta) for c in told.children if c.lower.lam == lam]
    return f"{found}. So `λ = min({lams}) = {lam}`, `θ = {' + '.join(count)}" + (
        f" = {told.node.lower.theta}`." if len(count) > 1 else "`."
    )


def power(told: Told) -> Words:
    """Power rule."""
    m = told.data["exponent"]
    return Words(
        "Power rule",
        (
            f"The generator is a constant or unit times the power `({told.poly(told.data['root'])})"
            f"^{m}`.",
        ),
        (f"`λ` is divided by `{m}`: {told.pair(0)} becomes {told.result}.",),
        page="conventions",
        why=(_POWER,),
    )


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
        (_added(told) if way == "sum" else _least_of_factors(told),),
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


def common(told: Told) -> Words:
    """Product rule of a family: a common monomial."""
    low = told.data.get("factor")
    if isinstance(low, list) and low and all(type(e) is int for e in low):
        m = monomial_text(low, told.names[: len(low)])
        return Words(
            "Common monomial",
            (
                f"All generators have the factor `{m}`, in variables that the rest does not "
                "involve.",
            ),
            (_least_of_factors(told),),
            page="conventions",
            why=(_PRODUCT,),
        )
    return product(told)


REDUCTIONS: dict[str, Wording] = {
    "squares": squares,
    "modulus": modulus,
    "positive": positive,
    "simplify": simplify,
    "sum": total,
    "product": common,
    "power": power,
    "eliminate": eliminate,
    "subideal": subideal,
    "linear": linear,
    "transverse": transverse,
    "enclose": enclose,
    "unit": unit,
    "rational": rational,
}
