"""From a document to a verdict: the question, the ends that its proof gives, and the claim."""

from fractions import Fraction
from typing import Any, NamedTuple

from rlct.kernel.algebra import STEP_BUDGET, demand, naturals, polys, rational
from rlct.kernel.rules import Ends, QPair, by_size, prove

MOST_KERNEL_STEPS = 5_000_000  # some seconds


class Verdict(NamedTuple):
    """A word, the ends that are proved, and the question that was read.

    "exact": a lower and an upper end are proved, and both are the claim.  "both ends", "lower end
    alone", "upper end alone": the claimed bounds follow.  "refused": nothing does.
    """

    word: str
    ends: Ends
    question: str


def judge(document: Any, steps: int = MOST_KERNEL_STEPS) -> Verdict:
    """Check a document within a budget of steps."""
    STEP_BUDGET.steps = steps
    try:
        question = written(document["question"])
        lower, upper = prove(document["question"], document["proof"])
        low, high = (end and _pair(*end) for end in document["claim"])
        is_lower = bool(lower and low and by_size(lower) >= by_size(low))
        is_upper = bool(upper and high and by_size(upper) <= by_size(high))
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return Verdict("refused", (None, None), "")
    words = {(True, False): "lower end alone", (False, True): "upper end alone"}
    word = words.get((is_lower, is_upper), "both ends" if is_lower else "refused")
    word = "exact" if is_lower and is_upper and low == lower == upper == high else word
    return Verdict(word, (lower, upper), question)


def _pair(lam: Any, theta: Any) -> QPair:
    demand(theta)
    return rational(lam), naturals([theta])[0]


def written(question: Any) -> str:
    """Write a question as it was read."""
    names = question["variables"]
    demand(len({*names}) == len(names), all(type(x) is str and x.isidentifier() for x in names))

    def term(m: tuple[int, ...], c: Fraction) -> str:
        powers = (f"{x}^{e}" for x, e in zip(names, m, strict=True) if e)
        return "*".join([f"({c})", *powers])

    sums = [" + ".join(term(m, c) for m, c in g.items()) for g in polys(question["generators"])]
    is_ideal = question["kind"] == "ideal" or question.get("ideal")
    parts = ["K = " + "Σ of squares of " * bool(is_ideal) + ", ".join(g or "0" for g in sums)]
    rows = [question.get(key, ()) for key in ("prior", "point", "sides", "nonneg")]
    prior, point, sides, walls = (list(zip(names, row, strict=bool(row))) for row in rows)
    parts += [f"density |{x}|^{h}" for x, h in prior if rational(h)]
    parts += [f"{x} = {a}" for x, a in point] + [f"{x} in [{', '.join(s)}]" for x, s in sides]
    return "; ".join(parts + [f"{x} ≥ 0" for x, wall in walls if wall])
