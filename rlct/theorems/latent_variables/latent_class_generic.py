"""Latent classes at a generic truth: tables that fill the dimension of the model."""

from rlct.models.kit.table_rank import table_rank
from rlct.models.kit.tensor_dimension import tensor_bounds
from rlct.models.latent_variables.latent_class import LatentClass
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.general_truth import HiddenParts, rank_at
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    known_instance,
    model_links,
    model_of,
)
from rlct.theorems.latent_variables.latent_class_bound import CLASS_PARAMETERS, class_findings


def _rank_reached(arguments: Arguments) -> int:
    """Rank less the one of the sum of all cells."""
    rank = table_rank(model_of(LatentClass, {**arguments, "classes": arguments["true"]}))
    return max(rank - 1, 0)


def _largest(arguments: Arguments) -> tuple[int, str]:
    # Tables of every sum have one dimension more than those of probabilities.
    dimension, why = min(tensor_bounds(arguments["classes"], arguments["categories"]))
    return dimension - 1, why


def _marginals(arguments: Arguments) -> tuple[int, str]:
    sizes = arguments["categories"]
    return sum(sizes) - len(sizes), "the marginal distributions"


_TRUE_CLASSES = HiddenParts("classes", class_findings, _rank_reached, _largest, _marginals)

THEOREM = Theorem(
    id="latent-class-generic",
    title="Latent class model at a generic truth",
    model="H hidden classes, categorical features with m_i categories, r generic true classes",
    where="minimum over all parameters of a generic true distribution, which are all alike",
    cites=("abo2009segre", "strassen1983"),
    parameters=(
        *CLASS_PARAMETERS,
        Parameter.stated(
            "generic",
            "the true classes are generic, with positive weights and probabilities",
            fallback_text="d/2 ≤ λ",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_TRUE_CLASSES.findings,
    value=_TRUE_CLASSES.value,
    fallback=_TRUE_CLASSES.fallback,
    **model_links(LatentClass, ("classes", "true", "categories")),
    rank=lambda arguments: rank_at(model_of(LatentClass, arguments)),
    instances=(
        known_instance((1, 1, (3, 2)), "3/2", 1, BY_RANK),
        known_instance((2, 2, (2, 2)), "3/2", 1, BY_RANK, by_simulation(), engine=False),
        known_instance((2, 2, (2, 2, 2)), "7/2", 1, BY_RANK, engine=False),
        known_instance((2, 2, (3, 3)), "7/2", 1, BY_RANK, engine=False),
        known_instance((3, 3, (2, 2, 2, 2)), "13/2", 1, BY_RANK, engine=False),
        known_instance((4, 4, (3, 3, 3)), "25/2", 1, BY_RANK, engine=False),
        known_instance((4, 3, (2, 2, 2)), "7/2", 1, BY_RANK, engine=False),
        known_instance((5, 5, (3, 4, 4)), "43/2", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against("generic", (2, 2, (2, 2, 2)), "2", "p; q; r; a*b*c; a*b*d; a*c*d"),
        squared_prior((1, 1, (2, 2)), "interior", "p q"),
    ),
)
