"""A known component mixed with a free one."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import FEWER_MOMENTS, HEAVY_TAILS, only_open
from rlct.theorems.kit.mixture import WEIGHT_CONCENTRATION
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.working import step

_MOST_COMPONENTS = 12  # components of b in a question for the engine


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    alpha = arguments["concentration"]
    positive = Finding.of("the concentration is positive", alpha > 0, f"α = {alpha}")
    return positive_sizes(arguments, "dimension"), positive


def _value(arguments: Arguments) -> Pair:
    d, alpha = arguments["dimension"], arguments["concentration"]
    lam = step(f"λ = min({alpha}, {d})/2", Fraction(min(alpha, d)) / 2)
    return Pair(lam, step("θ", 1 + (alpha == d)))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a = 0 and any b the loss is at most a multiple of a²."""
    if not only_open(arguments, "scores", "identifiable"):
        return None
    alpha = arguments["concentration"]
    upper = Pair(step(f"λ ≤ {alpha}/2", Fraction(alpha) / 2), 1)
    return TheoremBounds("the weight alone", upper=upper)


def _question(arguments: Arguments) -> object | None:
    d, alpha = arguments["dimension"], arguments["concentration"]
    if d > _MOST_COMPONENTS or alpha < 1:
        return None
    generators = [f"a*b{i}" for i in range(1, d + 1)]
    return pose_question(generators, prior={"a": alpha - 1}, nonneg=["a"])


THEOREM = Theorem(
    id="contaminated-mixture",
    title="Known component mixed with a free one",
    model="(1 − a)·p₀ + a·f(x | b), 0 ≤ a ≤ 1, b of dimension d, when the truth is p₀ = f(x | b₀)",
    where="minimum over all parameters of the truth",
    cites=("kariya2018 (the question; the values are proved on the theory page)",),
    parameters=(
        integer_parameter("dimension", "d, parameters of the free component"),
        WEIGHT_CONCENTRATION,
        Parameter.given(
            "smooth",
            "near b₀ the function b ↦ f(x | b)/p₀(x) is differentiable in L² of p₀",
            fallback_text=HEAVY_TAILS,
        ),
        Parameter.given(
            "scores",
            "its derivatives at b₀ are linearly independent",
            upper=FEWER_MOMENTS,
            fallback_text="λ ≤ α/2",
        ),
        Parameter.given(
            "identifiable",
            "f(x | b) is p₀ at b₀ only, and b is in a compact set",
            upper=FEWER_MOMENTS,
            fallback_text="λ ≤ α/2",
        ),
        Parameter.stated(
            "prior_comparable",
            "b₀ is interior, and the prior is a^(α − 1) times a positive continuous function",
            lower="any bounded multiple",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    instances=(
        known_instance((1, 1), "1/2", 2, by_simulation()),
        known_instance((2, 1), "1/2", 1),
        known_instance((1, 3), "1/2", 1),
        known_instance((2, 2), "1", 2),
    ),
    counterexamples=(
        Counterexample.against("smooth", (1,), ("1", 2), "a*b", prior="a*b"),
        Counterexample.against("scores", (1,), "1/4", "a*b**2", nonneg=("a",)),
        Counterexample.against("identifiable", (1,), "1/4", "a*(b+1)*b**2", nonneg=("a",)),
        Counterexample.against("prior_comparable", (1,), "1/2", "a*b", nonneg=("a",), prior="b**2"),
    ),
)
