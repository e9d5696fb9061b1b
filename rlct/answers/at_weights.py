"""Answers at given weights of linear and ReLU networks, and over the fibre of the latter."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rlct.answers.document import problem_document
from rlct.answers.result import Result, Route
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems import get

if TYPE_CHECKING:
    from rlct.models.linear_point import LinearPoint
    from rlct.models.relu import ReluNetwork
    from rlct.models.relu_data_fibre import ReluDataFibre
    from rlct.models.relu_fibre import ReluFibre
    from rlct.questions.problem import Problem

__all__ = [
    "engine_seconds",
    "least_of",
    "solve_linear_point",
    "solve_relu",
    "solve_relu_data_fibre",
    "solve_relu_fibre",
]

_SMALL: Final = 30  # parameters up to which the engine is asked as well
_BESIDE: Final = 3.0  # seconds for the engine beside a theorem that has the answer
_ALONE: Final = 15.0  # where none has it
_FLAT: Final = "K is 0 on an open set of weights next to the given ones: there is no λ"


def engine_seconds(timeout: float | None, proved: bool) -> float:
    """Seconds for the engine on a network, unless the user says how many."""
    if timeout is not None:
        return timeout
    return _BESIDE if proved else _ALONE


def solve_linear_point(point: LinearPoint, routes: list[Route], timeout: float | None) -> Result:
    """Ask the engine too if the network is small."""
    if point.parameter_count > _SMALL:
        return Result.of(routes, point.where, None, point)
    proved = any(route.exact for route in routes)
    from rlct.engine.sources import sources_of
    from rlct.engine.strategy import prove

    problem = point.problem()
    proof = prove(problem, engine_seconds(timeout, proved))
    method = f"engine: {', '.join(proof.rules())}"
    engine = Route(method, proof.lower, proof.upper, sources_of(proof))
    certificate = problem_document(problem, proof) if proof.exact else None
    return Result.of([*routes, engine], point.where, certificate, point)


def solve_relu(
    network: ReluNetwork,
    routes: list[Route],
    timeout: float | None,
    progress: Callable[[int], object] | None,
) -> Result:
    """Ask the engine too; piece by piece where inputs lie on boundaries.

    Raises
    ------
    InputError
        If K is 0 on an open set next to the weights.
    """
    if not routes:
        if network.box is not None:
            raise InputError(f"no unit is active inside the box, and {_FLAT}")
        raise InputError("no unit is active on any input: K is 0 near the weights")
    proved = any(route.exact for route in routes)
    if network.data is None or (proved and network.parameter_count > _SMALL):
        return Result.of(routes, network.where, None, network)
    if network.on_boundary:
        return _solve_pieces(network, routes, engine_seconds(timeout, proved), progress)
    if not network.groups:
        return Result.of(routes, network.where, None, network)
    from rlct.engine.sources import sources_of
    from rlct.engine.strategy import prove

    problem = network.problem()
    proof = prove(problem, engine_seconds(timeout, proved), progress)
    engine = Route(
        f"engine: {', '.join(proof.rules())}", proof.lower, proof.upper, sources_of(proof)
    )
    certificate = problem_document(problem, proof) if proof.exact else None
    return Result.of([*routes, engine], network.where, certificate, network)


def _solve_pieces(
    network: ReluNetwork,
    routes: list[Route],
    limit: float,
    progress: Callable[[int], object] | None,
) -> Result:
    from rlct.models.relu_chambers import chambers

    assert network.data is not None
    x = ", ".join(map(str, network.data[network.on_boundary[0]]))
    count = len(network.on_boundary)
    which = f"the input ({x}) lies" if count == 1 else f"{count} inputs, such as ({x}), lie"
    note = f"{which} on a boundary of a hidden unit, where K is a polynomial only piece by piece"
    try:
        pieces = chambers(network)
    except InputError as error:
        return Result.of(routes, network.where, None, network, (f"{note}; {error}: only bounds",))
    asked = [piece for piece in pieces if piece is not None]
    if len(asked) < len(pieces):
        raise InputError(_FLAT)
    engine = least_of(asked, limit, progress)
    return Result.of([engine, *routes], network.where, None, network, (note,))


def least_of(
    pieces: Sequence[Problem], limit: float, progress: Callable[[int], object] | None = None
) -> Route:
    """Let the engine find the least pair of several pieces, in `limit` seconds altogether."""
    from rlct.engine.sources import sources_of
    from rlct.engine.strategy import prove

    ends = time.monotonic() + limit
    proofs = []
    for k, piece in enumerate(pieces):
        share = max(ends - time.monotonic(), 0) / (len(pieces) - k)
        proofs.append(prove(piece, share, progress))
    uppers = [proof.upper for proof in proofs if proof.upper is not None]
    rules = ", ".join(dict.fromkeys(rule for proof in proofs for rule in proof.rules()))
    sources = dict.fromkeys(source for proof in proofs for source in sources_of(proof))
    return Route(
        f"engine, the least of {len(pieces)} pieces: {rules}",
        min(proof.lower for proof in proofs),
        min(uppers, default=None),
        tuple(sources),
    )


def solve_relu_fibre(asked: ReluFibre, routes: list[Route], local: list[Route]) -> Result:
    """Bound the minimum where no theorem settles it: λ at the given weights, and the bends.

    Raises
    ------
    InputError
        If there are fewer units than the function needs.
    """
    if len(asked.bends) > asked.size:
        raise InputError(f"the function has {len(asked.bends)} bends, more than {asked.size} units")
    if asked.constant and asked.network.bias and not asked.network.output_bias:
        raise InputError("the function is 0 on the box: K is 0 near some of its parameters")
    known = asked.minimal
    single = asked.network.outputs == 1 and known is not None and known.units > asked.size
    if single or (asked.decided and known is None and len(asked.bends) == asked.size):
        raise InputError(
            f"the function has {len(asked.bends)} bends, and {asked.size} units cannot make up the "
            "affine function that is left"
        )
    if not routes:
        routes = _at_weights(asked, local)
        if asked.equations:
            lower = Pair(Fraction(asked.equations, 2), 1)
            routes.append(
                Route("bends and what is left need units", lower, None, get("relu-fibre").sources)
            )
    if not routes:
        raise InputError("nothing is known about the parameters of this function")
    return Result.of(routes, asked.where, None, asked)


def solve_relu_data_fibre(asked: ReluDataFibre, routes: list[Route], local: list[Route]) -> Result:
    """Add what is known at the given weights where the theorem does not settle the minimum.

    Raises
    ------
    InputError
        If no parameter of the model has the values.
    """
    if asked.search.complete and asked.search.least is None:
        raise InputError(f"no network with {asked.size} units has these values on the data")
    if not any(route.exact for route in routes):
        routes = [*routes, *_at_weights(asked, local)]
    if not routes:
        raise InputError("nothing is known: too many ways in which units can see the data")
    return Result.of(routes, asked.where, None, asked)


def _at_weights(asked: ReluFibre | ReluDataFibre, local: list[Route]) -> list[Route]:
    """Upper bounds at the given weights, if the model has as many units."""
    return [
        Route(f"{route.method}, at the given weights", None, route.upper, route.sources)
        for route in local
        if route.upper is not None and asked.size >= asked.network.units
    ]
