"""Linear, quadratic and ReLU networks: over a fibre, at a generic parameter, at weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from rlct.answers.document import network_document, quadratic_document
from rlct.answers.kinds import (
    FEW_PARAMETERS,
    FEW_WEIGHTS,
    EngineAnswer,
    EngineEffort,
    Routes,
    least_of,
    pieces,
    routes,
    sampled_form,
    written_problem,
)
from rlct.answers.result import Route
from rlct.answers.routes import theorem_routes
from rlct.errors import InputError
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_chambers import chambers
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.theorems import get_theorem

if TYPE_CHECKING:
    from rlct.questions.problem import Problem
    from rlct.sampling.targets.linear import LinearNetworkTarget
    from rlct.sampling.targets.target import Target

_GENERIC_SECONDS: Final = 1.0  # seconds: what is not settled at once needs the implicit function
_MOST_QUADRATIC: Final = 100  # of a quadratic one
_MOST_PARAMETERS: Final = 3000  # of a linear network that is sampled
_FLAT_REASON: Final = "K is 0 on an open set of weights next to the given ones: there is no λ"


@routes.register(LinearNetwork)
def _linear(network: LinearNetwork, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """The theorem has a certificate of its own, and always the answer."""
    first = next(route for route in by_theorems if route.exact)
    assert first.lower is not None
    certificate = network_document(network, first.method.removeprefix("theorem "), first.lower)
    if network.dimension > FEW_PARAMETERS or find_spec("numpy") is None:
        return Routes(by_theorems, certificate)
    limit = min(effort.beside(by_theorems), EngineEffort().beside(by_theorems))
    engine = EngineAnswer.of(network.problem(), limit, effort, "at the deepest parameter")
    return engine.after(by_theorems, decides=False, certificate=certificate)


@sampled_form.register(LinearNetwork)
def _sampled_linear(network: LinearNetwork) -> LinearNetworkTarget:
    from rlct.sampling.targets.linear import LinearNetworkTarget

    if network.dimension > _MOST_PARAMETERS:
        raise InputError(
            f"simulation is limited to {_MOST_PARAMETERS} parameters; this network has "
            f"{network.dimension}"
        )
    return LinearNetworkTarget(network.effective_widths, network.rank, bias=network.bias)


@routes.register(LinearPoint)
def _linear_point(point: LinearPoint, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    if point.parameter_count > FEW_WEIGHTS:
        return Routes(by_theorems)
    engine = EngineAnswer.of(point.problem(), effort.beside(by_theorems), effort)
    certificate = engine.certificate if engine.proof.exact else None
    return Routes([*by_theorems, engine.route], certificate)


@routes.register(QuadraticNetwork)
def _quadratic(
    network: QuadraticNetwork, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    small = network.parameters <= FEW_WEIGHTS
    problem, notes = written_problem(network, by_theorems) if small else (None, ())
    if problem is None:
        return Routes(by_theorems, notes=notes)
    engine = EngineAnswer.of(problem, effort.beside(by_theorems), effort)
    return engine.after(by_theorems, decides=engine.proof.exact)


@routes.register(QuadraticArchitecture)
def _generic(
    asked: QuadraticArchitecture, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    certificate = quadratic_document(asked)
    network = asked.example() if asked.parameters <= FEW_WEIGHTS else None
    problem, notes = written_problem(network, by_theorems) if network else (None, ())
    if problem is None:
        return Routes(by_theorems, certificate, notes)
    limit = _GENERIC_SECONDS if effort.timeout is None else effort.timeout
    engine = EngineAnswer.of(problem, limit, effort, "at small weights of this rank")
    if not engine.proof.exact:  # a bound at one parameter proves nothing at a generic one
        return Routes(by_theorems, certificate)
    return engine.after(by_theorems, decides=False, certificate=certificate)


@sampled_form.register(QuadraticNetwork)
def _sampled_quadratic(network: QuadraticNetwork | None) -> Problem:
    if network is None or network.parameters > _MOST_QUADRATIC:
        raise InputError("this quadratic network is too large to be sampled")
    return network.problem()


sampled_form.register(QuadraticArchitecture, lambda asked: _sampled_quadratic(asked.example()))


@routes.register(ReluNetwork)
def _relu(network: ReluNetwork, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Ask the engine too on data; piece by piece where inputs lie on boundaries."""
    if not by_theorems:
        if network.box is not None:
            raise InputError(f"no unit is active inside the box, and {_FLAT_REASON}")
        raise InputError("no unit is active on any input: K is 0 near the weights")
    settled = any(route.exact for route in by_theorems)
    if network.data is None or (settled and network.parameter_count > FEW_WEIGHTS):
        return Routes(by_theorems)
    if network.on_boundary:
        return _by_pieces(network, by_theorems, effort)
    if not network.groups:
        return Routes(by_theorems)
    engine = EngineAnswer.of(network.problem(), effort.beside(by_theorems), effort)
    certificate = engine.certificate if engine.proof.exact else None
    return Routes([*by_theorems, engine.route], certificate)


def _by_pieces(network: ReluNetwork, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    assert network.data is not None
    x = ", ".join(map(str, network.data[network.on_boundary[0]]))
    count = len(network.on_boundary)
    which = f"the input ({x}) lies" if count == 1 else f"{count} inputs, such as ({x}), lie"
    note = f"{which} on a boundary of a hidden unit, where K is a polynomial only piece by piece"
    try:
        cut = pieces(network)
    except InputError as error:
        return Routes(by_theorems, notes=(f"{note}; {error}: only bounds",))
    asked = [piece for piece in cut if piece is not None]
    if len(asked) < len(cut):
        raise InputError(_FLAT_REASON)
    engine = least_of(asked, effort.beside(by_theorems), effort)
    return Routes([engine, *by_theorems], notes=(note,))


pieces.register(ReluNetwork, lambda net: chambers(net) if net.on_boundary else [net.problem()])


@sampled_form.register(ReluNetwork)
def _sampled_relu(asked: ReluNetwork) -> Problem | Target:
    """The model itself where K is no polynomial: with a density, or inputs on boundaries."""
    if asked.box is None and not asked.on_boundary:
        return asked.problem()
    from rlct.sampling.targets.relu import ReluTarget  # imports numpy

    return ReluTarget(
        asked.hidden,
        asked.outer,
        asked.box or (),
        data=asked.data,
        bias=asked.bias,
        output_bias=asked.output_bias,
    )


@routes.register(ReluFibre)
def _relu_fibre(fibre: ReluFibre, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Bound the minimum where no theorem settles it: λ at the given weights, and its kinks."""
    kinks, minimal = len(fibre.kinks), fibre.minimal
    if kinks > fibre.size:
        raise InputError(f"the function has {kinks} kinks, more than {fibre.size} units")
    if fibre.constant and fibre.network.bias and not fibre.network.output_bias:
        raise InputError("the function is 0 on the box: K is 0 near some of its parameters")
    single = fibre.network.outputs == 1 and minimal is not None and minimal.units > fibre.size
    if single or (fibre.decided and minimal is None and kinks == fibre.size):
        raise InputError(
            f"the function has {kinks} kinks, and {fibre.size} units cannot make up the affine "
            "function that is left"
        )
    if by_theorems:
        return Routes(by_theorems)
    fibre_routes = _at_weights(fibre)
    if fibre.equations:
        lower = Pair(Fraction(fibre.equations, 2), 1)
        sources = get_theorem("relu-fibre").sources
        fibre_routes.append(Route("kinks and the affine part need units", lower, None, sources))
    if not fibre_routes:
        raise InputError("nothing is known about the parameters of this function")
    return Routes(fibre_routes)


@routes.register(ReluDataFibre)
def _relu_data_fibre(
    asked: ReluDataFibre, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    """Add what is known at the given weights where the theorem does not settle the minimum."""
    if asked.search.complete and asked.search.least is None:
        raise InputError(f"no network with {asked.size} units has these values on the data")
    settled = any(route.exact for route in by_theorems)
    found = [*by_theorems, *([] if settled else _at_weights(asked))]
    if not found:
        raise InputError("nothing is known: too many ways in which units can see the data")
    return Routes(found)


@sampled_form.register(ReluFibre)
@sampled_form.register(ReluDataFibre)
def _sampled_fibre(asked: ReluFibre | ReluDataFibre) -> Problem | Target:
    """Where λ is least, if such a parameter is known; else the given weights."""
    example = asked.example() or (asked.network if asked.size == asked.network.units else None)
    if example is None:
        raise InputError("no parameter of so many units is known, to sample near it")
    return _sampled_relu(example)


def _at_weights(asked: ReluFibre | ReluDataFibre) -> list[Route]:
    """Upper bounds at the given weights, if the model has as many units."""
    return [
        Route(f"{route.method}, at the given weights", None, route.upper, route.sources)
        for route in theorem_routes(asked.network)
        if route.upper is not None and asked.size >= asked.network.units
    ]
