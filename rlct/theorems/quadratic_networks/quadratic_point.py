"""Quadratic networks at any parameter: bounds, often exact, from the rank and the units."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.quadratic import QUADRATIC_MODEL
from rlct.theorems.kit.sizes import bounded_instance, by_building
from rlct.theorems.working import step

if TYPE_CHECKING:
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
    from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

_MOST_GROUP = 12  # order of the group, whose square counts the inputs


def _law(arguments: Arguments) -> QuadraticFeatures:
    from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

    bias, centred = arguments["bias"], arguments["centred"]
    if arguments["modulus"] is not None:
        return QuadraticFeatures.modular(arguments["modulus"], bias, centred)
    if arguments["data"] is not None:
        return QuadraticFeatures.dataset(arguments["data"], bias, centred)
    hidden = arguments["hidden"]
    return QuadraticFeatures.density((len(hidden[0]) if hidden else 0) - bias, bias)


def _network(arguments: Arguments) -> QuadraticNetwork:
    names = ("hidden", "outer", "bias", "data", "modulus", "centred")
    return _build(tuple(arguments[name] for name in names))


@lru_cache(maxsize=64)
def _build(values: tuple[Any, ...]) -> QuadraticNetwork:
    """Remember networks with their ranks: findings and values ask for the same one."""
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork

    names = ("hidden", "outer", "bias", "data", "modulus", "centred")
    arguments = dict(zip(names, values, strict=True))
    return QuadraticNetwork(arguments["hidden"], arguments["outer"], _law(arguments))


def _shown(arguments: Arguments) -> str:
    network = _network(arguments)
    return f"{network.units} units, rank {network.rank} of the derivative"


def _value(arguments: Arguments) -> TheoremBounds:
    network = _network(arguments)
    single = _single(network)
    if single is not None:
        return TheoremBounds("one unit", single, single)
    rank = network.rank
    lower = Pair(step(f"λ ≥ {rank}/2", Fraction(rank, 2)), 1) if rank else None
    upper, rule, expression = min(_upper(network, rank))
    step(f"λ ≤ {expression}", upper)
    low = "rank of the derivative ≤ 2λ; " if rank else ""
    return TheoremBounds(f"{low}upper: {rule}", lower, Pair(upper, 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Inputs with a density see all that can be seen."""
    if not only_open(arguments, "features"):
        return None
    most = {**arguments, "data": None, "modulus": None, "centred": False}
    return TheoremBounds(FEWER_INPUTS, upper=_value(most).upper)


def _single(network: QuadraticNetwork) -> Pair | None:
    """The pair of one unit without biases; None for any other network."""
    law, p, d = network.law, network.outputs, network.law.dimension
    if network.units != 1 or law.bias or law.centred or law.group > _MOST_GROUP:
        return None
    step("rank of the inputs", d)
    if not any(network.reduced[0]):
        if any(network.vector(0)):
            return Pair(step(f"λ = {d}/4", Fraction(d, 4)), 1)
        lam = step(f"λ = min({p}/2, {d}/4)", min(Fraction(p, 2), Fraction(d, 4)))
        return Pair(lam, step("θ", 2 if 2 * p == d else 1))
    if not any(network.vector(0)):
        return Pair(step(f"λ = {p}/2", Fraction(p, 2)), 1)
    a = step("rank of the inputs that the unit sees", _seen(network))
    text = f"λ = ({a} + {p} − 1)/2 + ({d} − {a})/4"
    return Pair(step(text, Fraction(a + p - 1, 2) + Fraction(d - a, 4)), 1)


def _seen(network: QuadraticNetwork) -> int:
    """Rank of the inputs at which the first unit is not 0."""
    from itertools import product

    from rlct.algebra.exact_rank import matrix_rank

    input_law, w = network.law, network.hidden[0]
    points = input_law.points
    if input_law.group:
        size = range(input_law.group)
        points = tuple(
            tuple(Fraction(i in (a, input_law.group + b)) for i in range(2 * input_law.group))
            for a, b in product(size, size)
        )
    if points is None:
        return input_law.dimension
    return int(matrix_rank([x for x in points if sum(s * t for s, t in zip(x, w, strict=True))]))


def _upper(network: QuadraticNetwork, rank: int) -> list[tuple[Fraction, str, str]]:
    """Upper bounds of λ with their rules and numbers; ``theory/quadratic-point.md`` proves them."""
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture

    input_law, p, m = network.law, network.outputs, network.law.dimension
    bias_lambda = Fraction(p * input_law.constant_rank, 2)
    active_units, idle_lambda = [], Fraction(0)
    for j, w in enumerate(network.reduced):
        v = network.vector(j)
        if any(v) and any(w):
            active_units.append(j)
        elif any(w):
            idle_lambda += Fraction(p, 2)
        else:
            idle_lambda += Fraction(m, 4) if any(v) else min(Fraction(p, 2), Fraction(m, 4))
    each = Fraction(len(active_units) * (m + p - 1), 2)
    one = f"{len(active_units)}·({m} + {p} − 1)/2 + {idle_lambda} + {bias_lambda}"
    upper_bounds = [(each + idle_lambda + bias_lambda, "the units one by one", one)]
    largest = QuadraticArchitecture(network.units, p, input_law).upper[0]
    if rank == largest:
        upper_bounds.append((Fraction(rank, 2), "no parameter has a larger rank", f"{rank}/2"))
    if active_units and idle_lambda:
        part = network.only(active_units)
        if part.rank == QuadraticArchitecture(len(active_units), p, input_law).upper[0]:
            # The active units with the biases are a smooth family here.
            rule, both = (
                "active units together, others one by one",
                f"{part.rank}/2 + {idle_lambda}",
            )
            upper_bounds.append((Fraction(part.rank, 2) + idle_lambda, rule, both))
    return upper_bounds


def _recognise(question: object) -> Arguments | None:
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork

    if not isinstance(question, QuadraticNetwork):
        return None
    law = question.law
    return {
        "hidden": question.hidden,
        "outer": question.outer,
        "bias": law.bias,
        "data": law.points,
        "modulus": law.group or None,
        "centred": law.centred,
    }


_ONE_UNIT = (((1,),), ((1,),))


THEOREM = Theorem(
    id="quadratic-point",
    title="Quadratic network at any parameter",
    model=QUADRATIC_MODEL + "; with biases b_j and c_k too if bias is true",
    where="at the given weights",
    cites=("cullen2026, theorem 5.5, corrected; (d is the rank of the inputs)",),
    parameters=(
        Parameter("hidden", Kind.MATRIX, "true weights, one row per unit, a bias at its end"),
        OUTER_WEIGHTS,
        Parameter("bias", Kind.FLAG, "whether units and outputs have biases", False),
        Parameter("data", Kind.MATRIX, "the inputs, one a row, if they are finitely many", None),
        Parameter("modulus", Kind.INTEGER, "P, if the inputs are all pairs modulo P", None),
        Parameter("centred", Kind.FLAG, "whether outputs are compared up to their mean", False),
        Parameter.given(
            "features",
            "the inputs have a density, or are those of the data, all with weight",
            fallback_text="λ ≤ the upper bound for inputs with a density",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=by_building("the weights are those of a quadratic network on these inputs", _shown),
    value=_value,
    fallback=_fallback,
    rank=lambda arguments: _network(arguments).rank,
    decided=lambda arguments: (
        {"features": "the data"} if arguments["data"] or arguments["modulus"] else {}
    ),
    question=_network,
    recognise=_recognise,
    kind="bound",
    instances=(
        bounded_instance(
            (((1, 0), (1, 1)), ((1, 2),)), "3/2", "3/2", "3/2", BY_RANK, by_simulation()
        ),
        bounded_instance(
            (((1, 0), (0, 0)), ((1, 0), (1, 0))), "3/2", "2", ("2", 3), by_simulation()
        ),
        bounded_instance((((1, 0), (0, 0)), ((1, 1), (1, 0))), "3/2", "2", ("2", 2)),
        bounded_instance((((0,),), ((0,),)), "1/4", "1/4", "1/4", by_simulation()),
        bounded_instance(
            {"hidden": ((0,),), "outer": ((1,),), "data": ((1,),)}, "1/4", "1/4", "1/4"
        ),
        bounded_instance(
            {"hidden": ((1, 0, 0, 0),), "outer": ((1,), (0,)), "modulus": 2}, "7/4", "7/4", "7/4"
        ),
        bounded_instance((((1, 0), (1, 1)), ((1, 0), (1, 0))), "5/2", "5/2", "5/2", BY_RANK),
        bounded_instance(
            {"hidden": ((1, 2, 0, 1), (0, 1, 1, 1)), "outer": ((1, 0), (0, 1)), "modulus": 2},
            "4",
            "4",
            "4",
            BY_RANK,
        ),
    ),
    counterexamples=(
        Counterexample.against("features", (((1, 0),), ((1,),)), "1/2", "(1+v)*(1+a)**2 - 1"),
        squared_prior(_ONE_UNIT, "prior_positive", "u"),
    ),
)
