"""Latent classes at a generic truth: tables that fill the dimension of the model."""

from rlct.models.kit.table_rank import table_rank
from rlct.models.kit.tensor_dimension import tensor_bounds
from rlct.models.latent_variables.latent_class import LatentClass
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, TheoremBounds, by_simulation
from rlct.theorems.kit.general_truth import rank_at, regular_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    known_instance,
    model_links,
    model_of,
)
from rlct.theorems.latent_variables.latent_class_bound import CLASS_PARAMETERS, class_findings
from rlct.theorems.working import note_case


def _rank_found(arguments: Arguments) -> int:
    """Rank at as many random classes as are true, less that of the sum; 0 if it is too large."""
    model = LatentClass(arguments["true"], arguments["true"], arguments["categories"])
    return max(table_rank(model, model.categories) - 1, 0)


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = class_findings(arguments)
    rank_known, evidence = Truth.OPEN, "not computed"
    if all(finding.truth is Truth.TRUE for finding in sizes):
        found, (most, why) = _rank_found(arguments), _largest(arguments)
        rank_known = Truth.TRUE if found == most else Truth.OPEN
        evidence = f"{found or 'not computed'} at random classes, at most {most}: {why}"
    return (
        *sizes,
        Finding("the true classes reach the largest rank of the derivative", rank_known, evidence),
    )


def _largest(arguments: Arguments) -> tuple[int, str]:
    # Tables of every sum have one dimension more than those of probabilities.
    dimension, why = min(tensor_bounds(arguments["classes"], arguments["categories"]))
    return dimension - 1, why


def _value(arguments: Arguments) -> Pair:
    most, why = _largest(arguments)
    note_case(f"rank {most}: {why}")
    return regular_pair(most)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """From below by the rank at random classes; of a special truth, by the marginals."""
    if not only_open(arguments, "generic", "interior"):
        return None
    sizes = arguments["categories"]
    least = sum(sizes) - len(sizes)
    if not arguments["generic"].held:
        return TheoremBounds("the marginal distributions", regular_pair(least))
    lower = regular_pair(max(least, _rank_found(arguments)))
    if not arguments["interior"].held or arguments["true"] < arguments["classes"]:
        return TheoremBounds("rank of the derivative", lower)
    return TheoremBounds("rank of the derivative", lower, regular_pair(_largest(arguments)[0]))


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
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
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
