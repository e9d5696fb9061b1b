"""CP decomposition when as many terms are true as the model has, with independent factors."""

from rlct.models.factorisations.cp import CpDecomposition
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.general_truth import any_truth, rank_at, regular_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    dims, H = arguments["dims"], arguments["terms"]
    return (
        Finding.of("there are at least two dimensions", len(dims) >= 2, f"dims {dims}"),
        positive_sizes(arguments, "terms"),
        Finding.of(
            "no dimension is less than the number of terms", min(dims, default=0) >= H, f"terms {H}"
        ),
    )


def _dimension(arguments: Arguments) -> int:
    dims, H = arguments["dims"], arguments["terms"]
    if len(dims) == 2:
        return int(H * (sum(dims) - H))
    return int(H * (sum(dims) - len(dims) + 1))


def _value(arguments: Arguments) -> Pair:
    return regular_pair(_dimension(arguments))


def _question(arguments: Arguments) -> CpDecomposition:
    return CpDecomposition(arguments["dims"], arguments["terms"], arguments["terms"])


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, CpDecomposition) or question.nonneg:
        return None
    if question.true != question.terms:
        return None
    return {"dims": question.dims, "terms": question.terms}


THEOREM = Theorem(
    id="cp-independent",
    title="CP decomposition with independent true factors",
    model="tensor Σ_h a_h ⊗ b_h ⊗ … + Gaussian noise, H terms, all of them true",
    where="minimum over all parameters of the true tensor, which are all alike",
    cites=("kruskal1977", "sidiropoulos2000"),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "dimensions of the tensor"),
        integer_parameter("terms", "H, number of terms, all of them true"),
        Parameter.given(
            "independent",
            "the true factors are linearly independent in every mode",
            fallback_text="1/2 ≤ λ ≤ the value",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=any_truth(
        "independent",
        _dimension,
        "terms one by one, those that vanish at 0",
        lambda arguments: len(arguments["dims"]),
    ),
    question=_question,
    rank=lambda arguments: rank_at(_question(arguments)),
    recognise=_recognise,
    instances=(
        known_instance(((2, 2, 2), 1), "2", 1, BY_RANK, by_simulation()),
        known_instance(((2, 2, 2), 2), "4", 1, BY_RANK),
        known_instance(((3, 3, 3), 2), "7", 1, BY_RANK),
        known_instance(((2, 3), 2), "3", 1, BY_RANK),
        known_instance(((3, 3, 4, 5), 3), "18", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against("independent", ((1, 1), 1), ("1/2", 2), "a*b"),
        Counterexample.against(
            "no dimension is less", ((1, 1, 1), 2), "1/2", "(1+a)*(1+b)*(1+c) + d*e*f - 1"
        ),
        squared_prior(((1, 1), 1), "interior", "a"),
    ),
)
