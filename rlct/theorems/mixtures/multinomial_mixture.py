"""Multinomial mixture."""

from rlct.models.latent_variables.mixture import Mixture
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.mixture import (
    coinciding_components,
    enough_trials,
    mixture_fields,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_of


def _sizes(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        Finding.of(
            "there are at least two categories",
            arguments["categories"] >= 2,
            f"{arguments['categories']} categories",
        ),
        enough_trials(arguments),
    )


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, Mixture) or question.signed:
        return None
    if question.trials is None or question.trials < 2 * question.true:
        return None
    names = ("components", "true", "trials", "concentration")
    sizes = {name: getattr(question, name) for name in names}
    return {**sizes, "categories": question.dimension + 1}


THEOREM = Theorem(
    id="multinomial-mixture",
    title="Multinomial mixture",
    model=(
        "Σ_h a_h Multinomial(n, b_h) with k categories, a on the simplex with a Dirichlet(α) prior"
    ),
    cites=("watanabe2022 (the question; the value is proved on the theory page of mixture)",),
    **mixture_fields(
        lambda arguments: arguments["categories"] - 1,
        sizes=(
            integer_parameter("categories", "k, number of categories, at least 2"),
            integer_parameter("trials", "n, number of trials"),
        ),
        further=_sizes,
    ),
    question=lambda given: model_of(Mixture, {**given, "dimension": given["categories"] - 1}),
    recognise=_recognise,
    instances=(
        known_instance((2, 1, 2, 2, 1), "3/4", 1),
        known_instance((2, 1, 3, 2, 1), "3/2", 2, by_simulation()),
        known_instance((3, 1, 3, 2, 1), "2", 3),
        known_instance((2, 1, 4, 2, 1), "2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "at least 2r trials", (2, 1, 3, 1), "1", "b + a*(c - b); d + a*(e - d)", nonneg=("a",)
        ),
        vanishing_mixture_prior(categories=2, trials=2),
        coinciding_components(1, categories=2, trials=4),
    ),
)
