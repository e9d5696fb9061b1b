"""Example G.3 of Cullen et al. in general: inputs on the unit sphere."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Parameter
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, TheoremBounds, by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, only_open
from rlct.theorems.kit.quadratic import HIDDEN_WITH_BIAS, vanishing_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.quadratic_networks.quadratic_single import independent_units
from rlct.theorems.working import step

if TYPE_CHECKING:
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork


def _dimension(d: int, units: int) -> int:
    """Dimension of the quadratic functions of these units, with a constant."""
    return units * (2 * d - units + 1) // 2 + units + 1


def _value(arguments: Arguments) -> Pair:
    d, K = len(arguments["hidden"][0]) - 1, len(arguments["hidden"])
    D = step(f"D = {K}·(2·{d} − {K} + 1)/2 + {K} + 1", _dimension(d, K))
    # Only a form of full rank can move along |x|² − 1, which vanishes on the sphere.
    text = f"({D} − 1)/2" if d == K else f"{D}/2"
    return Pair(step(f"λ = {text}", Fraction(D - (d == K), 2)), 1)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Inputs with a density see all that can be seen: D/2."""
    if not only_open(arguments, "sphere"):
        return None
    d, units = len(arguments["hidden"][0]) - 1, len(arguments["hidden"])
    return TheoremBounds(FEWER_INPUTS, upper=Pair(Fraction(_dimension(d, units), 2), 1))


def _network(arguments: Arguments) -> QuadraticNetwork:
    """The network on rational points of the sphere, enough to stand for all of it."""
    from itertools import product

    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
    from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

    d = len(arguments["hidden"][0]) - 1
    points = []
    for slope in product((-1, 0, 1, 2), repeat=d - 1):
        if sum(map(abs, slope)) > 4:
            continue
        size = sum(t * t for t in slope)
        # Stereographic projection from a pole.
        points.append([*(Fraction(2 * t, size + 1) for t in slope), Fraction(size - 1, size + 1)])
    points.append([Fraction(0)] * (d - 1) + [Fraction(1)])
    law = QuadraticFeatures.dataset(points, bias=True)
    assert law.count == (d + 1) * (d + 2) // 2 - 1
    return QuadraticNetwork(arguments["hidden"], arguments["outer"], law)


_ONE_UNIT = (((1, 0, 0),), ((1,),))

THEOREM = Theorem(
    id="quadratic-sphere",
    title="Quadratic network with biases on the sphere",
    model="y = Σ_j v_j (w_j·x + b_j)² + c + Gaussian noise, |x| = 1",
    where="at the given weights, for any c",
    cites=("cullen2026, example G.3 and proposition G.4 (d = 4, K = 2)",),
    parameters=(
        HIDDEN_WITH_BIAS,
        OUTER_WEIGHTS,
        Parameter.given(
            "sphere",
            "the inputs have a positive density on the unit sphere",
            fallback_text="λ ≤ the value for inputs with a density",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=independent_units,
    value=_value,
    fallback=_fallback,
    rank=lambda arguments: _network(arguments).rank,
    question=_network,
    instances=(
        Instance((((1, 0, 0, 0, 0), (0, 1, 0, 0, 0)), ((1, 2),)), Pair.of(5), (BY_RANK,)),
        Instance(_ONE_UNIT, Pair.of(2), (BY_ENGINE, BY_RANK, by_simulation())),
        known_instance((((1, 0, 1), (0, 1, 2)), ((1, -3),)), "5/2", 1, BY_RANK),
        Instance((((1, 0),), ((1,),)), Pair.of(1), (BY_ENGINE, BY_RANK)),
    ),
    counterexamples=(
        Counterexample.against(
            "sphere", (((1, 0, 1), (0, 1, 2)), ((1, -3),)), "3", "a; b; c; d; e; f"
        ),
        Counterexample.against(
            "linearly independent", (((0, 0, 1),), ((1,),)), "3/2", confirmed=(BY_ENGINE, BY_RANK)
        ),
        Counterexample.against(
            "no v_j vanishes", (((1, 0, 0),), ((0,),)), "1", confirmed=(BY_ENGINE, BY_RANK)
        ),
        Counterexample.against(
            "there is one output", (((1, 0, 0),), ((1,), (1,))), "3", confirmed=(BY_ENGINE, BY_RANK)
        ),
        vanishing_prior(_ONE_UNIT, 4),
    ),
)
