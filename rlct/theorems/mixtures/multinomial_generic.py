"""Multinomial mixtures at a generic truth with as many components as the model."""

from math import comb

from rlct.models.latent_variables.mixture import Mixture
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.general_truth import rank_at, regular_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.working import note_case, step

#: Parameters of a component, trials and components of which one dimension is missing.
_DEFECTIVE_POWERS = {(2, 4, 5), (3, 4, 9), (4, 4, 14), (4, 3, 7)}


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    k = arguments["categories"]
    return (
        positive_sizes(arguments, "components", "trials"),
        Finding.of("there are at least two categories", k >= 2, f"{k} categories"),
    )


def _value(arguments: Arguments) -> Pair:
    h, n, k = arguments["components"], arguments["trials"], arguments["categories"]
    if n == 1:
        note_case("one trial shows the mean alone")
        return regular_pair(k - 1)
    forms = step("forms of degree n in k variables", comb(n + k - 1, n))
    dimension = min(h * k, forms)
    if n == 2 and h < k:
        dimension = h * k - comb(h, 2)
        note_case("quadratic forms of rank H")
    elif (k - 1, n, h) in _DEFECTIVE_POWERS:
        dimension -= 1
        note_case("defective")
    return regular_pair(step("R, one less than the dimension of the forms", dimension - 1))


def _question(arguments: Arguments) -> Mixture:
    h = arguments["components"]
    return Mixture(h, h, dimension=arguments["categories"] - 1, trials=arguments["trials"])


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, Mixture) or question.true != question.components:
        return None
    if question.trials is None or question.trials >= 2 * question.true:
        return None  # then no truth is special: binomial-mixture and multinomial-mixture
    return {
        "components": question.components,
        "trials": question.trials,
        "categories": question.dimension + 1,
    }


THEOREM = Theorem(
    id="multinomial-generic",
    title="Multinomial mixture at a generic truth",
    model="Σ_h a_h Multinomial(n, b_h), H components with k categories; the truth has H too",
    where="minimum over all parameters of a generic true distribution, which are all alike",
    cites=("alexander1995 (the dimension)",),
    parameters=(
        integer_parameter("components", "H, number of components of the model and of the truth"),
        integer_parameter("categories", "k, number of categories, at least 2"),
        integer_parameter("trials", "n, number of trials"),
        Parameter.stated(
            "generic",
            "the true components are generic, with positive weights and probabilities",
            fallback_text="nothing: components that coincide show fewer coordinates",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    rank=lambda arguments: rank_at(_question(arguments)),
    recognise=_recognise,
    instances=(
        known_instance((1, 3, 2), "1", 1, BY_RANK),
        known_instance((2, 2, 3), "3/2", 1, BY_RANK, by_simulation()),
        known_instance((2, 3, 2), "2", 1, BY_RANK, engine=False),
        known_instance((3, 3, 2), "5/2", 1, BY_RANK, engine=False),
        known_instance((5, 3, 4), "13/2", 1, BY_RANK, engine=False),
        known_instance((7, 5, 3), "33/2", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against("generic", (2, 2, 3), "3/4", "b + a*c; a*c**2"),
        squared_prior((1, 2, 1), "interior", "p"),
    ),
)
