"""Linear networks of any depth at given weights: rank of the derivative, codimension."""

from fractions import Fraction
from itertools import pairwise

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, SECOND_MOMENT
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance, by_building
from rlct.theorems.linear_networks.deep_linear import deep_linear_pair
from rlct.theorems.working import step


def _network(arguments: Arguments) -> LinearPoint:
    widths, entries = arguments["widths"], list(arguments["weights"])
    if len(widths) < 2 or min(widths) < 1:
        raise InputError("a linear network has at least two positive widths")
    count = sum(a * b for a, b in pairwise(widths))
    if len(entries) != count:
        raise InputError(f"these widths need {count} weights, not {len(entries)}")
    layers = []
    for columns, rows in pairwise(widths):
        layers.append(tuple(tuple(entries[i * columns : (i + 1) * columns]) for i in range(rows)))
        del entries[: rows * columns]
    return LinearPoint(tuple(layers))


def _shown(arguments: Arguments) -> str:
    ranks = sorted(_network(arguments).ranks.items())
    return "ranks between layers of units " + ", ".join(f"{i}–{j}: {r}" for (i, j), r in ranks)


def _value(arguments: Arguments) -> TheoremBounds:
    network = _network(arguments)
    rank, product = step("R", network.rank), network.ranks[0, network.depth]
    deepest = deep_linear_pair(network.widths, product)
    if not any(arguments["weights"]):
        step(f"λ = {deepest.lam}", deepest.lam)
        return TheoremBounds("the deepest weights", deepest, deepest)
    lower = max(Pair(Fraction(rank, 2), 1), deepest) if rank else deepest
    step(f"λ ≥ max({rank}/2, {deepest.lam})", lower.lam)
    codimension = step("C", network.codimension)
    upper = Pair(step(f"λ ≤ {codimension}/2", Fraction(codimension, 2)), 1)
    low = "rank of the derivative ≤ 2λ" if lower.lam > deepest.lam else "the deepest weights"
    return TheoremBounds(f"{low}; 2λ ≤ codimension of the fibre", lower, upper)


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, LinearPoint):
        return None
    weights = tuple(x for layer in question.layers for row in layer for x in row)
    return {"widths": question.widths, "weights": weights}


THEOREM = Theorem(
    id="linear-point-bound",
    title="Linear network of any depth at any weights, bounds",
    model="y = A_L⋯A_1 x + Gaussian noise near given weights",
    where="at the given weights",
    cites=("lehalleur2024 (λ = C/2 at the deepest weights)", "abeasis1985"),
    parameters=(
        Parameter("widths", Kind.INTEGERS, "layer widths from input to output"),
        Parameter("weights", Kind.FRACTIONS, "entries of A_1, …, A_L, row by row"),
        SECOND_MOMENT,
        PRIOR_POSITIVE,
    ),
    hypotheses=by_building("the weights are those of a linear network", _shown),
    value=_value,
    question=_network,
    recognise=_recognise,
    rank=lambda arguments: matrix_rank(_network(arguments).jacobian),
    kind="bound",
    instances=(
        bounded_instance(((1, 1, 1, 1), (1, 2, 3)), "1/2", "1/2", "1/2", BY_RANK),
        bounded_instance(((1, 1, 1, 1), (0, 1, 0)), ("1/2", 3), "1/2", ("1/2", 2), by_simulation()),
        bounded_instance(
            ((2, 2, 2, 2), (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)), ("3/2", 3), "3/2", ("3/2", 3)
        ),
        bounded_instance(((1, 1, 1, 1), (0, 0, 0)), ("1/2", 3), ("1/2", 3), ("1/2", 3)),
        bounded_instance(((1, 2, 2, 1), (1, 0, 1, 0, 0, 1, 0, 1)), "1/2", "1/2", "1/2", BY_RANK),
    ),
    counterexamples=(
        Counterexample.against("second_moment", ((2, 1), (0, 0)), "1/2", "a"),
        squared_prior(((1, 1), (1,)), "prior_positive", "u"),
    ),
)
