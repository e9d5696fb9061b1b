"""From a document to a verdict: the question, the ends that its proof gives, and the claim."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from rlct.kernel.algebra import STEP_BUDGET, demand, polys, read
from rlct.kernel.rules import LocalGerm, QPair

MOST_KERNEL_STEPS = 5_000_000  # some seconds


def local_germ(question: Any, source: Any) -> LocalGerm:
    """Move the germ at a point to the origin, and unfold the ends of the domain.

    After x = a ± y^q, where q is even at an end and odd elsewhere, the density |x|^h is
    |y|^(q(h + 1) − 1) if a = 0, and |y|^(q − 1) times a unit otherwise.
    """
    is_box, prior, generators = question.kind == "box", question.prior, polys(question.generators)
    sides = question.sides if is_box else [(0 if wall else None, None) for wall in question.nonneg]
    is_ideal = question.ideal is True if is_box else question.kind == "ideal"
    germ, density = LocalGerm(prior, is_ideal, []), []
    images, rows = germ.axes(), zip(source.point, source.powers, prior, sides, strict=True)
    for i, (a, q, h, (low, high)) in enumerate(rows):
        demand(
            type(a) is Fraction,
            type(q) is int,
            q,
            h > -1,
            low is None or low <= a,
            high is None or a <= high,
        )
        demand((q % 2 == 0) == (a in (low, high)), low is None or low != high)
        power = images[i] ** q
        images[i] = germ.constant(a) + (germ.constant(-1) * power if a == high else power)
        density.append(q * (1 + (0 if a else h)) - 1)
    demand(question.kind in ("K", "ideal", "box"), is_ideal or len(generators) == 1)
    moved = [g.compose(images) for g in generators]
    return germ._replace(prior=density, generators=[g for g in moved if g])


def prove(question: Any, proof: Any) -> tuple[QPair | None, QPair]:
    """Apply the rules at the point of a question; in a box, any point bounds from above."""
    if question.kind == "box":
        return None, local_germ(question, proof).check(proof.of)[1]
    return local_germ(question, question).check(proof)


def written(question: Any) -> str:
    """Write a question as it was read."""
    names, sums = question.variables, []
    demand(len({*names}) == len(names), all(type(x) is str and x.isidentifier() for x in names))
    for g in polys(question.generators):
        terms = [
            [f"({c})", *(f"{x}^{e}" for x, e in zip(names, m, strict=True) if e)]
            for m, c in g.items()
        ]
        sums.append(" + ".join(map("*".join, terms)) or "0")
    is_ideal = question.kind == "ideal" or getattr(question, "ideal", False)
    text = "K = " + "Σ of squares of " * is_ideal + ", ".join(sums)
    for key in ("prior", "nonneg", "sides", "point"):
        row = getattr(question, key, ())
        values = (" to ".join(map(str, x)) if isinstance(x, tuple) else x for x in row)
        text += "; " * bool(row) + ", ".join(
            f"{key} of {x} {v}" for x, v in zip(names, values, strict=False)
        )
    return text


def judge(document: Any, steps: int = MOST_KERNEL_STEPS) -> SimpleNamespace:
    """Check within a budget: a word of docs/kernel.md, the ends (λ, −θ), the question as read."""
    STEP_BUDGET.steps = steps
    words = "refused", "lower end alone", "upper end alone", "both ends", "exact"
    try:
        data = read(document)
        question = written(data.question)
        lower, upper = prove(data.question, data.proof)
        demand(all(theta and type(theta) is int for _, theta in filter(None, data.claim)))
        low, high = (end and (end[0], -end[1]) for end in data.claim)
        is_lower, is_upper = low and lower and lower >= low, high and upper and upper <= high
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return SimpleNamespace(word=words[0], ends=(None, None), question="")
    is_exact = is_lower and is_upper and low == lower == upper == high
    word = words[bool(is_lower) + 2 * bool(is_upper) + bool(is_exact)]
    return SimpleNamespace(word=word, ends=(lower, upper), question=question)
