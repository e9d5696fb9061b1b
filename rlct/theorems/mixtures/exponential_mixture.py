"""Mixture of exponential laws."""

from rlct.theorems.base import Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.mixture import (
    coinciding_components,
    mixture_fields,
    one_parameter_question,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import known_instance

THEOREM = Theorem(
    id="exponential-mixture",
    title="Mixture of exponential laws",
    model="Σ_h a_h exp(−x/b_h)/b_h on x > 0, a on the simplex with a Dirichlet(α) prior",
    cites=(
        "sato2019 (the singularity; that exponential laws have it is shown on the theory page)",
    ),
    **mixture_fields(),
    question=one_parameter_question,
    instances=(
        known_instance((2, 1, 1), "3/4", 1, by_simulation()),
        known_instance((3, 1, 1), "1", 1),
        known_instance((3, 2, 1), "7/4", 1),
    ),
    counterexamples=(
        vanishing_mixture_prior(),
        coinciding_components(1),
    ),
)
