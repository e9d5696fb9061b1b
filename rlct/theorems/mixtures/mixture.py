"""Finite mixtures with weights on the simplex, components identifiable to second order."""

from fractions import Fraction

from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import FEWER_MOMENTS
from rlct.theorems.kit.mixture import (
    MIXTURE_LINKS,
    TWO_VARIANCES,
    coinciding_components,
    mixture_fields,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import integer_parameter, known_instance

THEOREM = Theorem(
    id="mixture",
    title="Finite mixture on the simplex",
    model="p(x) = Σ_h a_h f(x | b_h), a on the simplex with a Dirichlet(α) prior, b_h in R^d",
    cites=(
        "sato2019 (d = 1; every d is proved on the theory page)",
        "rousseau2011 (the thresholds of α)",
    ),
    **mixture_fields(
        lambda arguments: arguments["dimension"],
        sizes=(
            integer_parameter("dimension", "d, number of parameters of a component", default=1),
        ),
        given=(
            Parameter.given(
                "identifiable",
                "for every polynomial of degree ≤ 2r in b there is a function of x, square "
                "integrable under the truth, whose mean under f(x | b) is that polynomial",
                upper=FEWER_MOMENTS,
            ),
        ),
    ),
    **MIXTURE_LINKS,
    instances=(
        known_instance((2, 1, 1, 1), "3/4", 1, by_simulation()),
        known_instance((4, 1, 1, 1), "5/4", 1),
        known_instance((2, 1, 2, 1), "3/2", 2),
        known_instance((3, 1, 2, 1), "2", 3),
        known_instance((2, 1, 3, 1), "2", 1),
        known_instance((2, 1, 1, Fraction(1, 4)), "5/8", 1),
        known_instance((2, 2, 1, 1), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against("identifiable", (2, 1, 1), "1/2", "b + a*(c - b)", nonneg=("a",)),
        Counterexample.against("identifiable", (2, 1, 2), ("3/2", 3), TWO_VARIANCES, nonneg=("a",)),
        vanishing_mixture_prior(dimension=1),
        coinciding_components(1, dimension=1),
    ),
)
