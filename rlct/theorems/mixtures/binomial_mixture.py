"""Binomial mixture."""

from rlct.models.latent_variables.mixture import Mixture
from rlct.theorems.base import Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.mixture import (
    coinciding_components,
    enough_trials,
    mixture_fields,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links

THEOREM = Theorem(
    id="binomial-mixture",
    title="Binomial mixture",
    model=("Σ_h a_h Binomial(n, b_h), a on the simplex with a Dirichlet(α) prior"),
    cites=(
        "yamazaki2003 (two components and one; the general case is proved on the theory page of "
        "mixture)",
    ),
    **mixture_fields(
        sizes=(integer_parameter("trials", "n, number of trials"),),
        further=lambda arguments: (enough_trials(arguments),),
    ),
    **model_links(
        Mixture,
        ("components", "true", "trials", "concentration"),
        fixed={"signed": False, "dimension": 1},
        when=lambda model: model.trials is not None and model.trials >= 2 * model.true,
    ),
    instances=(
        known_instance((2, 1, 2, 1), "3/4", 1, by_simulation()),
        known_instance((3, 1, 3, 1), "1", 1),
        known_instance((3, 1, 2, 1), "1", 1),
        known_instance((2, 2, 4, 1), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "at least 2r trials", (2, 1, 1), "1/2", "b + a*(c - b)", nonneg=("a",)
        ),
        Counterexample.against(
            "at least 2r trials",
            (3, 2, 3),
            "3/2",
            (
                "(1/2 - u - s)*b + (1/2 + u)*(1 + c) + s*d - 1/2",
                "(1/2 - u - s)*b**2 + (1/2 + u)*(1 + c)**2 + s*d**2 - 1/2",
                "(1/2 - u - s)*b**3 + (1/2 + u)*(1 + c)**3 + s*d**3 - 1/2",
            ),
            nonneg=("s",),
        ),
        vanishing_mixture_prior(trials=2),
        coinciding_components(1, trials=4),
    ),
)
