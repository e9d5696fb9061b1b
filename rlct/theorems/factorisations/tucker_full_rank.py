"""Tucker decomposition of a tensor whose multilinear rank is that of the core."""

from math import prod

from rlct.models.factorisations.tucker import TuckerDecomposition
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, ValueConfirmation, by_simulation
from rlct.theorems.kit.general_truth import any_truth, rank_at, regular_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    dims, core_sizes = arguments["dims"], arguments["core"]
    shown_sizes = f"dims {dims}, core {core_sizes}"
    fits = len(dims) == len(core_sizes) >= 2 and min(core_sizes) >= 1
    first = Finding.of("dims and core are equally many sizes, two or more", fits, shown_sizes)
    if not fits:
        return (first,)
    size = prod(core_sizes)
    return (
        first,
        Finding.of(
            "no core dimension exceeds that of the tensor",
            all(j <= i for i, j in zip(dims, core_sizes, strict=True)),
            shown_sizes,
        ),
        Finding.of(
            "a core can have full rank in every mode: none exceeds the product of the others",
            all(j * j <= size for j in core_sizes),
            f"core {core_sizes}",
        ),
    )


def _dimension(arguments: Arguments) -> int:
    dims, core = arguments["dims"], arguments["core"]
    return int(prod(core) + sum(j * (i - j) for i, j in zip(dims, core, strict=True)))


def _value(arguments: Arguments) -> Pair:
    return regular_pair(_dimension(arguments))


def _question(arguments: Arguments) -> TuckerDecomposition | None:
    dims, core = arguments["dims"], arguments["core"]
    return TuckerDecomposition(dims, core, core[0]) if len(set(core)) == 1 else None


def _rank(arguments: Arguments) -> int | None:
    asked = _question(arguments)
    return None if asked is None else rank_at(asked)


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, TuckerDecomposition) or set(question.core) != {question.true}:
        return None
    return {"dims": question.dims, "core": question.core}


def _instance(dims: tuple[int, ...], r: int, lam: str, *ways: ValueConfirmation) -> Instance:
    return Instance((dims, (r,) * len(dims)), Pair.of(lam), ways)


THEOREM = Theorem(
    id="tucker-full-rank",
    title="Tucker decomposition of full multilinear rank",
    model="tensor G ×₁ A₁ ×₂ A₂ … + Gaussian noise; the core is as large as the true rank",
    where="minimum over all parameters of the true tensor, which are all alike",
    cites=("koch2010 (the manifold and its dimension)",),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "I, dimensions of the tensor"),
        Parameter("core", Kind.INTEGERS, "J, dimensions of the core"),
        Parameter.stated(
            "full_rank",
            "the true tensor has the multilinear rank of the core",
            fallback_text="1/2 ≤ λ ≤ the value",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=any_truth(
        "full_rank",
        _dimension,
        "factors of full rank, the core as coordinates",
        lambda arguments: len(arguments["dims"]) + 1,
    ),
    question=_question,
    rank=_rank,
    recognise=_recognise,
    instances=(
        _instance((2, 2, 2), 1, "2", BY_ENGINE, BY_RANK, by_simulation()),
        _instance((2, 2, 2), 2, "4", BY_ENGINE, BY_RANK),
        _instance((3, 3, 3), 2, "7", BY_RANK),
        _instance((3, 4), 2, "5", BY_RANK),
    ),
    counterexamples=(
        Counterexample.against("full_rank", ((1, 1), (1, 1)), ("1/2", 3), "a*b*c"),
        Counterexample.against("a core can have full rank", ((2, 3), (1, 2)), "2", "a; b; c; d"),
        squared_prior(((1, 1), (1, 1)), "interior", "a"),
    ),
)
