"""Three-layer ReLU networks when the inputs have a density: boundaries can be moved apart."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_RANK, by_simulation, no_confirmation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance, met_at
from rlct.theorems.relu_networks.relu_units import (
    HIDDEN_BIAS,
    INPUT_BOX,
    INPUT_DENSITY,
    OUTPUT_BIAS,
    RELU_HIDDEN,
    RELU_MODEL,
    after_shapes,
    by_groups,
    by_units,
    density_rank,
    group_pair,
    on_other_inputs,
    relu_network,
)
from rlct.theorems.working import step

if TYPE_CHECKING:
    from rlct.models.relu_networks.relu_regions import Regions


def _regions(arguments: Arguments) -> Regions:
    from rlct.models.relu_networks.relu_regions import regions

    return regions(relu_network(arguments))


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    box_regions = _regions(arguments)
    shown = (
        f"{len(box_regions.boundaries)} boundaries cross the box, "
        f"{len(box_regions.everywhere)} units are positive on all of it, "
        f"{len(box_regions.edge)} vanish on its walls only or everywhere"
    )
    statement = "K vanishes on no open set of weights next to the given ones"
    return (Finding.of(statement, box_regions.learns, shown),)


def _value(arguments: Arguments) -> TheoremBounds:
    network, box_regions = relu_network(arguments), _regions(arguments)
    exact = _exact(network, box_regions)
    if exact is not None:
        step(f"altogether λ = {exact.lam}", exact.lam)
        return TheoremBounds("boundaries moved apart cost |t|³", exact, exact)
    lower, rule = _lower(network)
    upper = by_units(network)
    if lower is not None:
        step(f"λ ≥ {lower.lam}", lower.lam)
    step(f"λ ≤ {upper.lam}", upper.lam)
    return TheoremBounds(f"{rule}; upper: units one by one", lower, upper)


def _exact(network: ReluNetwork, box_regions: Regions) -> Pair | None:
    """Return the pair if the proof of ``theory/relu-density.md`` covers the network."""
    free_constant = network.output_bias and network.bias
    if (
        box_regions.edge
        or box_regions.two_sided + (bool(box_regions.everywhere) or free_constant) > 1
    ):
        return None
    p, free_inputs = network.outputs, network.width - 1
    summand_pairs = [Pair(Fraction(p, 2), 1)] * network.output_bias
    for boundary in box_regions.boundaries:
        units = len(boundary.jumps)
        # A single unit has nothing to be moved apart from.
        if units > 1 and free_inputs and (not boundary.full() or boundary.may_cancel()):
            return None
        if units == 1 and not any(boundary.jumps[0]):
            summand_pairs.append(Pair(Fraction(p, 2), 1))
            continue
        squares = p * sum(map(bool, boundary.sides)) + free_inputs * sum(boundary.ranks())
        cubes = free_inputs * (units - sum(boundary.ranks()))
        lam = Fraction(squares, 2) + Fraction(cubes, 3)
        step(f"boundary of {units} unit{'s' * (units > 1)}: {squares}/2 + {cubes}/3", lam)
        summand_pairs.append(Pair(lam, 1))
    if box_regions.everywhere:
        # Output biases take the constants of the units that are positive everywhere.
        group = network.group(
            box_regions.everywhere, _basis(network.width)[: network.width - free_constant]
        )
        summand_pairs.append(group_pair(group, p))
    return Pair.sum(summand_pairs)


def _basis(size: int) -> list[list[Fraction]]:
    return [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]


def _lower(network: ReluNetwork) -> tuple[Pair | None, str]:
    """Bound λ by what finitely many inputs in the box see."""
    from rlct.models.relu_networks.relu_regions import on_sampled_inputs

    try:
        sampled_network = on_sampled_inputs(network)
    except InputError:  # a unit that is 0 everywhere has a boundary everywhere
        if network.output_bias:
            return Pair(Fraction(network.outputs, 2), 1), "output biases"
        return None, "no lower bound"
    rank, wanted = sampled_network.told_apart
    grouped = by_groups(sampled_network)
    if rank == wanted and grouped is not None:
        return grouped, "λ is at least that of finitely many inputs"
    sampled_rank = sampled_network.rank
    rule = "rank of the derivative on finitely many inputs ≤ 2λ"
    return (Pair(Fraction(sampled_rank, 2), 1), rule) if sampled_rank else (None, "no lower bound")


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluNetwork) or question.box is None:
        return None
    names = ("hidden", "outer", "box", "bias", "output_bias")
    arguments = {name: getattr(question, name) for name in names}
    held = all(finding.truth is Truth.TRUE for finding in _findings(arguments))
    return arguments if held else None


_LINE_BOX = ((-1, 1),)
_TWO_UNITS = (((1, 0), (1, 0)), (("1/2", "1/2"),), _LINE_BOX)
_ONE_UNIT = (((1, 0),), ((1,),), _LINE_BOX)


THEOREM = Theorem(
    id="relu-density",
    title="Three-layer ReLU network on inputs with a density",
    model=RELU_MODEL,
    where="at the given weights",
    cites=(
        "seyoum2025, theorem 6, corrected for densities",
        "murfet2020, example A.4 (K is not analytic)",
    ),
    parameters=(
        RELU_HIDDEN,
        OUTER_WEIGHTS,
        INPUT_BOX,
        HIDDEN_BIAS,
        OUTPUT_BIAS,
        INPUT_DENSITY,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=on_other_inputs,
    question=relu_network,
    recognise=_recognise,
    rank=lambda arguments: density_rank(relu_network(arguments)),
    kind="bound",
    instances=(
        Instance(_TWO_UNITS, Pair.of("4/3"), (by_simulation(),), met_at("4/3")),
        Instance(_ONE_UNIT, Pair.of(1), (BY_RANK, by_simulation(1)), met_at("1")),
        bounded_instance(
            (((1, 0), (1, -1)), ((1, -2),), ((-1, 2),)), "2", "2", "2", BY_RANK, engine=False
        ),
        Instance(
            (((1, 0, 0), (-2, 0, 0)), ((1, 3), (0, 1)), ((-1, 1), (-1, 1))),
            Pair.of(4),
            (BY_RANK,),
            met_at("4"),
        ),
        Instance(
            (((1, 0), (1, 0), (1, 0)), ((1, 1, 1),), _LINE_BOX),
            Pair.of("5/3"),
            (by_simulation(),),
            met_at("5/3"),
        ),
        Instance(
            (((1, 0),), ((1,),), ((0, 1),)), Pair.of(1), (BY_RANK, by_simulation(1)), met_at("1")
        ),
        Instance(
            (((1, 0), (1, 0)), ((1, -1),), _LINE_BOX),
            None,
            (no_confirmation("the boundaries can move together, and nobody knows the value"),),
            TheoremBounds("", Pair.of(1), Pair.of(2)),
        ),
    ),
    counterexamples=(
        Counterexample.against("density", _TWO_UNITS, "1", "u; v"),
        squared_prior(_ONE_UNIT, "prior_positive", "u v"),
    ),
)
