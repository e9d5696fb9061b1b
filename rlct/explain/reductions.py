"""Wordings of the rules that lead from a germ to simpler ones."""

from __future__ import annotations

from fractions import Fraction

from rlct.explain.proved_step import (
    ProvedStep,
    StepWording,
    Words,
    joined_items,
    monomial_text,
    quoted_names,
)

__all__ = ["REDUCTION_WORDS", "added_pairs", "bracketed_base", "least_of_factors", "pairs_of"]

_SUM_SOURCES = ("watanabe2009", "aoyagi2025")
_MOST_OPERATIONS = 6  # that are written out


def squares(step: ProvedStep) -> Words:
    """K = Σ c·g², c > 0."""
    items = [(Fraction(c), step.poly(g)) for c, g in step.data["squares"]]
    parts = [f"{'' if c == 1 else f'{c}*'}{bracketed_base(g)}^2" for c, g in items]
    square_sum = " + ".join(parts[:8]) + (" + …" if len(parts) > 8 else "")
    return Words(
        "Sum of squares",
        (
            f"`K = {square_sum}`, so its pair is that of the ideal {step.child()}, for which "
            "`K = Σ f^2`.",
        ),
        page="conventions",
        why=(
            "Positive constants in a sum of squares change `K` only by a bounded factor, and "
            "comparable functions have the same pair: `K₁ ≤ C·K₂` gives more volume to `{K₁ < t}`.",
        ),
    )


def bracketed_base(text: str) -> str:
    """The base of a power.

    >>> bracketed_base("x"), bracketed_base("x - y")
    ('x', '(x - y)')
    """
    return text if text.isidentifier() else f"({text})"


def modulus(step: ProvedStep) -> Words:
    """K = |g| = (g²)^½."""
    return Words(
        "Square root",
        (f"`|K| = (K^2)^(1/2)`, and `K^2` is that of the ideal {step.child()}.",),
        (f"{step.pair(0)} for `K^2`, so for its square root `λ` doubles: {step.result}.",),
        page="conventions",
        why=(_OF_POWERS,),
    )


_OF_POWERS = "`{K^m < t} = {K < t^(1/m)}`: for a power `K^m`, `λ` is divided by `m`, and `θ` stays."


def positive(step: ProvedStep) -> Words:
    """Terms that cannot cancel."""
    return Words(
        "Terms that cannot cancel",
        (
            f"In {step.list(step.generators[:4])} terms cannot cancel near the point, so `K` is "
            "comparable with the sum of the squares of these terms, and the pair is that of the "
            f"monomials {step.child()}.",
        ),
        why=(
            "Terms of a generator cannot cancel if all have one sign (coefficients of one sign and "
            "exponents congruent modulo 2), or if one of them divides all others; multiples of "
            "monomials that are already bounded may be dropped first.",
        ),
    )


def simplify(step: ProvedStep) -> Words:
    """Elementary operations."""
    rows = []
    for op in step.data["operations"]:
        if "divide" in op:
            rows.append(f"`f{op['divide'] + 1}` is divided by the unit `{step.poly(op['by'])}`")
        elif "multiply" in op:
            rows.append(
                f"`f{op['multiply'] + 1}` is multiplied by the unit `{step.poly(op['by'])}`"
            )
        elif "reduce" in op:
            rows.append(
                f"`{step.poly(op['times'])}` times a relation between the parameters is taken "
                f"from `f{op['reduce'] + 1}`"
            )
        else:
            times = step.poly(op["times"])
            factor = "" if times == "1" else f"{bracketed_base(times)}*"
            rows.append(f"`{factor}f{op['subtract'] + 1}` is taken from `f{op['from'] + 1}`")
    return Words(
        "Other generators of the same ideal",
        (
            "Each of these operations can be undone: "
            f"{'; '.join(rows[:_MOST_OPERATIONS])}"
            f"{f'; and {len(rows) - _MOST_OPERATIONS} more' * (len(rows) > _MOST_OPERATIONS)}.",
            f"So the pair is that of {step.child()}.",
        ),
        page="conventions",
        why=(
            "Generators of the same ideal bound each other: each is a combination of the others "
            "with bounded coefficients.",
        ),
    )


def inner(step: ProvedStep) -> Words:
    """A polynomial in one variable as coordinate."""
    name, h = step.names[step.data["variable"]], step.poly(step.data["inner"])
    return Words(
        "A coordinate",
        (
            f"The generators depend on `{name}` through `{h}` alone, which is `{name}` times a "
            f"unit: it is a coordinate, and is called `{name}` from here on. The pair is that of "
            f"{step.child()}.",
        ),
    )


def total(step: ProvedStep) -> Words:
    """Sum rule."""
    parts = [
        f"{step.child(k)} in {quoted_names(child.names[: _locals(child)])} ({label})"
        for k, (child, label) in enumerate(zip(step.children, step.labels, strict=True))
    ]
    return Words(
        "Sum rule",
        (f"No variable is shared between the parts {joined_items(parts)}.",),
        (added_pairs(step),),
        page="conventions",
        sources=_SUM_SOURCES,
        why=(
            "For `K = K₁ + K₂` in separate variables the integral of `exp(-n·K)` is a product of "
            "terms `n^(-λ)·(log n)^(θ-1)`: the `λ` add, and `θ = θ₁ + θ₂ - 1`.",
        ),
    )


def _locals(node: object) -> int | None:
    statement = getattr(node, "statement", None)
    return getattr(statement, "locals", None)


def pairs_of(step: ProvedStep) -> str:
    """What the steps below gave."""
    pair_texts = [f"{label} gives {step.pair(k)}" for k, label in enumerate(step.labels)]
    remainder = f"; and {len(pair_texts) - 12} more" if len(pair_texts) > 12 else ""
    return "; ".join(pair_texts[:12]) + remainder


def added_pairs(step: ProvedStep) -> str:
    """How the pairs of the parts are added."""
    pair_texts = pairs_of(step)
    if not step.settled:
        return f"Bounds add as pairs do ({pair_texts}): {step.result}."
    thetas = " + ".join(str(child.lower.theta) for child in step.children)
    extra = len(step.children) - 1
    rule = f"`θ = {thetas} - {extra} = {step.node.lower.theta}`" if extra else "`θ` stays"
    return (
        f"{pair_texts}. Thresholds add, {step.combined('+')}, and powers of `log n` multiply, "
        f"{rule}."
    )


def product(step: ProvedStep) -> Words:
    """Product rule."""
    parts = [f"{step.child(k)} ({label})" for k, label in enumerate(step.labels)]
    return Words(
        "Product rule",
        (
            f"The generators are products of factors with separate variables, {joined_items(parts)}"
            ", up to a factor that is not 0 at the point.",
        ),
        (least_of_factors(step),),
        page="conventions",
        why=(_OF_PRODUCTS,),
    )


_OF_PRODUCTS = (
    "For a product in separate variables the zeta function is a product: the smaller `λ` counts, "
    "and the orders `θ` of the factors that reach it add."
)


def least_of_factors(step: ProvedStep) -> str:
    """How the pairs of the factors are compared."""
    pair_texts = pairs_of(step)
    if not step.settled:
        return f"The smallest pole decides ({pair_texts}): {step.result}."
    lams = ", ".join(str(child.lower.lam) for child in step.children)
    lam = step.node.lower.lam
    count = [str(c.lower.theta) for c in step.children if c.lower.lam == lam]
    return f"{pair_texts}. So `λ = min({lams}) = {lam}`, `θ = {' + '.join(count)}" + (
        f" = {step.node.lower.theta}`." if len(count) > 1 else "`."
    )


def power(step: ProvedStep) -> Words:
    """Power rule."""
    m = step.data["exponent"]
    return Words(
        "Power rule",
        (
            f"The generator is a constant or unit times the power `({step.poly(step.data['root'])})"
            f"^{m}`.",
        ),
        (f"`λ` is divided by `{m}`: {step.pair(0)} becomes {step.result}.",),
        page="conventions",
        why=(_OF_POWERS,),
    )


def common(step: ProvedStep) -> Words:
    """Product rule of a family: a common monomial."""
    low = step.data.get("factor")
    if isinstance(low, list) and low and all(type(e) is int for e in low):
        m = monomial_text(low, step.names[: len(low)])
        return Words(
            "Common monomial",
            (
                f"All generators have the factor `{m}`, in variables that the other factors "
                "do not involve.",
            ),
            (least_of_factors(step),),
            page="conventions",
            why=(_OF_PRODUCTS,),
        )
    return product(step)


REDUCTION_WORDS: dict[str, StepWording] = {
    "squares": squares,
    "modulus": modulus,
    "positive": positive,
    "simplify": simplify,
    "inner": inner,
    "sum": total,
    "product": common,
    "power": power,
}
