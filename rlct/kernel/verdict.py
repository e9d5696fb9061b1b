"""From a document to a verdict: the question, the ends that its proof gives, and the claim."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from rlct.kernel.algebra import STEP_BUDGET, combine, constant, demand, identity, polys, qpoly, read
from rlct.kernel.rules import LocalGerm, QPair

MOST_KERNEL_STEPS = 5_000_000  # some seconds


def local_germ(question: Any, source: Any) -> LocalGerm:
    """Move the germ at a point to the origin, and unfold the ends of the domain.

    After x = a ± y^q, where q is even at an end and odd elsewhere, the density |x|^h is
    |y|^(q(h + 1) − 1) if a = 0, and |y|^(q − 1) times a unit otherwise.
    """
    walls = [(0 if wall else None, None) for wall in getattr(question, "nonneg", ())]
    sides, axes = question.sides if question.kind == "box" else walls, identity(len(question.prior))
    images, density = [], []
    rows = zip(source.point, source.powers, question.prior, sides, axes, strict=True)
    for a, q, h, (low, high), axis in rows:
        demand(type(a) is Fraction, type(q) is int, q, h > -1, low is None or low != high)
        demand(low is None or low <= a, high is None or a <= high)
        demand((a in (low, high)) == (q % 2 == 0))
        power = qpoly({tuple(q * e for e in axis): -1 if a == high else 1})
        images.append(power + constant(len(axis), a))
        density.append(q * (1 + (0 if a else h)) - 1)
    moved = [moved for g in polys(question.generators) if (moved := g.compose(images))]
    demand(moved)  # K = 0 has no λ
    return LocalGerm(density, moved)


def is_ideal(question: Any) -> bool:
    """Whether K is the sum of the squares of generators, not one polynomial."""
    demand(question.kind in ("K", "ideal", "box"))
    return bool(question.ideal if question.kind == "box" else question.kind == "ideal")


def prove(question: Any, proof: Any) -> tuple[QPair | None, QPair]:
    """Prove ends at the point of a question; in a box, any point bounds from above.

    K = Σ c r² with c > 0 lies between multiples of Σ r².
    """
    is_box = question.kind == "box"
    germ, of = local_germ(question, proof if is_box else question), proof.of if is_box else proof
    if not is_ideal(question):
        roots, numbers = polys(of.roots), [constant(len(germ.prior), c) for c in of.numbers]
        demand(of.rule == "squares", all(c > 0 for c in of.numbers))
        demand(germ.generators == [combine(numbers, [r * r for r in roots])])
        germ, of = LocalGerm(germ.prior, roots), of.of
    lower, upper = germ.check(of)
    return None if is_box else lower, upper


def written(question: Any) -> str:
    """Write a question as it was read; a kind has its fields and no others."""
    of_kind = {"sides", "ideal"} if question.kind == "box" else {"nonneg", "point", "powers"}
    demand({*vars(question)} == {"kind", "variables", "generators", "prior", *of_kind})
    names, sums = question.variables, []
    demand(len({*names}) == len(names), all(type(x) is str and x.isidentifier() for x in names))
    for g in polys(question.generators):
        powers = ["".join(f"*{x}^{e}" for x, e in zip(names, m, strict=True) if e) for m in g]
        terms = (f"({c}){power}" for c, power in zip(g.values(), powers, strict=True))
        sums.append(" + ".join(terms) or "0")
    demand(is_ideal(question) or len(sums) == 1)
    parts = ["K = " + "Σ of squares of " * is_ideal(question) + ", ".join(sums)]
    for key in ("prior", "nonneg", "sides", "point"):
        row = getattr(question, key, ())
        texts = [" to ".join(map(str, x)) if isinstance(x, tuple) else x for x in row]
        parts += [f"{key} {x} = {text}" for x, text in zip(names, texts, strict=bool(row))]
    return "; ".join(parts)


def judge(document: Any, steps: int = MOST_KERNEL_STEPS) -> SimpleNamespace:
    """Check within a budget: a word of docs/kernel.md, the ends (λ, −θ), the question as read."""
    STEP_BUDGET.steps = steps
    words = "refused", "lower end alone", "upper end alone", "both ends", "exact"
    try:
        data = read(document)
        question, (lower, upper) = written(data.question), prove(data.question, data.proof)
        demand(all(theta and type(theta) is int for _, theta in filter(None, data.claim)))
        low, high = (end and (end[0], -end[1]) for end in data.claim)
        is_lower, is_upper = bool(low and lower and lower >= low), bool(high and upper <= high)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return SimpleNamespace(word=words[0], ends=(None, None), question="")
    is_exact = is_lower and is_upper and low == lower == upper == high
    word = words[is_lower + 2 * is_upper + is_exact]
    return SimpleNamespace(word=word, ends=(lower, upper), question=question)
