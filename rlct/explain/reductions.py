"""Wordings of the rules that lead from a germ to simpler ones."""

from __future__ import annotations

from fractions import Fraction

from rlct.explain.told import (
    Told,
    Wording,
    Words,
    listing,
    monomial_text,
    quoted,
)

__all__ = ["REDUCTIONS", "added", "bracketed", "least_of_factors", "pairs_of"]

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
        (added(told),),
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


def added(told: Told) -> str:
    """How the pairs of the parts are added."""
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
        (least_of_factors(told),),
        page="conventions",
        why=(_PRODUCT,),
    )


_PRODUCT = (
    "For a product in separate variables the zeta function is a product: the smaller `λ` counts, "
    "and the orders `θ` of the factors that reach it add."
)


def least_of_factors(told: Told) -> str:
    """How the pairs of the factors are compared."""
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
            (least_of_factors(told),),
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
}
