"""Wordings of the rules that lead from a germ to simpler ones."""

from fractions import Fraction

from rlct.certificate.numbers.arithmetic import Poly
from rlct.explain.proved_step import (
    ProvedStep,
    Words,
    joined_items,
    monomial_text,
    quoted_names,
    shortened_polynomial,
    words_for,
)

_SUM_SOURCES = ("watanabe2009", "aoyagi2025")
_MOST_OPERATIONS = 6  # that are written out


@words_for("squares")
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


@words_for("simplify")
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


@words_for("sum")
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


@words_for("product")
def common_factor(step: ProvedStep) -> Words:
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
            why=(_OF_PRODUCTS,),
        )
    return product(step)


@words_for("eliminate")
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
        )
    substituted = f"Where it vanishes, the other generators become {step.child()}, without `{x}`."
    return Words(
        "Linear generator",
        (*text, substituted),
        (f"The sum rule adds `1/2` to `λ`, and `θ` stays: {step.pair(0)} becomes {step.result}.",),
    )


@words_for("transverse")
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
        sources=("rossi1963", "watanabe2009"),
        why=(
            "If a field `X` with `X(0) ≠ 0` takes generators to combinations of themselves, its "
            "flow carries the slice where a variable is 0 to a whole neighbourhood, and the ideal "
            "depends on the other coordinates alone.",
        ),
    )
