"""Naive Bayes with two hidden classes and binary features."""

from fractions import Fraction

from rlct.models.latent_variables.binary_tree import BinaryTree
from rlct.models.latent_variables.naive_bayes import NaiveBayes
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    n, d = arguments["features"], arguments["dependent"]
    return (
        positive_sizes(arguments, "features"),
        Finding.of(
            "the number of dependent features is 0 or from 2 to n",
            d == 0 or 2 <= d <= n,
            f"dependent {d}, features {n}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    n, d = step("n", arguments["features"]), arguments["dependent"]
    if d >= 3:
        return Pair(step(f"λ = (2·{n} + 1)/2", Fraction(2 * n + 1, 2)), 1)
    if d == 2:
        return Pair(step(f"λ = (2·{n} − 1)/2", Fraction(2 * n - 1, 2)), 1)
    if n == 1:
        return Pair(step("λ = 1/2", Fraction(1, 2)), 1)
    lam = step(f"λ = ({n} + 1)/2", Fraction(n + 1, 2))
    return Pair(lam, step("θ", 3 if n == 2 else 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a probability 0 or 1: the distance to the first power, one class empty if it can be."""
    if not only_open(arguments, "positive"):
        return None
    n, d = arguments["features"], arguments["dependent"]
    count = step(f"λ ≤ 2·{n} + 1" if d else f"λ ≤ {n} + 1", (2 * n if d else n) + 1)
    return TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1))


_MODEL_LINKS = model_links(NaiveBayes)


def _recognise(question: object) -> Arguments | None:
    if isinstance(question, BinaryTree) and len(question.parents) == question.leaves + 1:
        return {"features": question.leaves, "dependent": 0}  # a star
    recognised: Arguments | None = _MODEL_LINKS["recognise"](question)
    return recognised


THEOREM = Theorem(
    id="naive-bayes",
    title="Naive Bayes, two hidden classes",
    model="n binary features, independent given a hidden binary class",
    where="minimum over all parameters of the true distribution",
    cites=("rusakov2005",),
    parameters=(
        integer_parameter("features", "n, number of features"),
        integer_parameter(
            "dependent", "number of mutually dependent features of the truth", default=0
        ),
        Parameter.given(
            "positive",
            "all true probabilities of features are strictly between 0 and 1",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ n + 1, or 2n + 1 if features are dependent",
        ),
        Parameter.stated(
            "interior",
            "the prior is positive and continuous on all class weights, 0 and 1 included, and "
            "near the true feature probabilities",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_MODEL_LINKS["question"],
    recognise=_recognise,
    instances=(
        known_instance((1, 0), "1/2", 1),
        known_instance((2, 0), "3/2", 3, by_simulation()),
        known_instance((3, 0), "2", 1),
        known_instance((4, 0), "5/2", 1),
        known_instance((2, 2), "3/2", 1),
        known_instance((3, 2), "5/2", 1),
        known_instance((3, 3), "7/2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "interior",
            (3, 0),
            "9/4",
            (
                "(1/2 + a)*u + (1/2 - a)*x",
                "(1/2 + a)*v + (1/2 - a)*y",
                "(1/2 + a)*w + (1/2 - a)*z",
                "(1/2 + a)*u*v + (1/2 - a)*x*y",
                "(1/2 + a)*u*w + (1/2 - a)*x*z",
                "(1/2 + a)*v*w + (1/2 - a)*y*z",
            ),
        ),
        Counterexample.against(
            "positive", (1, 0), ("2", 2), "a*y; z", nonneg=("a", "y", "z"), prior="a*y*z"
        ),
    ),
)
