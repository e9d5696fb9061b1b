"""Bayesian networks: districts that have a name of their own are asked as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlct.answers.kinds import EngineEffort, Routes, load_kind, routes
from rlct.answers.model_kinds import model_routes
from rlct.answers.result import Route
from rlct.answers.routes import theorem_routes
from rlct.models.latent_variables.bayesian_network import BayesianNetwork
from rlct.pair import Pair
from rlct.system.time_limit import Budget

__all__: list[str] = []


@routes.register(BayesianNetwork)
def _bayesian_network(
    network: BayesianNetwork, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    """Ask a network without such districts as it is: the engine parts its equations itself."""
    parts = network.parts
    if all(part.known_model is None for part in parts):
        return model_routes(network, by_theorems, effort)
    if len(parts) == 1:
        found = _of_district(parts[0], effort)
        return replace(found, routes=[*found.routes, *by_theorems])
    part_routes = list[Route]()
    for k, part in enumerate(parts):
        share = None if effort.timeout is None else effort.timeout / (len(parts) - k)
        own_effort = replace(effort, seconds=share, clock=Budget(share))
        part_routes.append(_bounds(theorem_routes(part, effort.clock), part, own_effort))
    methods = dict.fromkeys(route.method for route in part_routes)
    total = Route(
        f"sum over {len(parts)} districts: {'; '.join(methods)}",
        Pair.sum(route.lower for route in part_routes if route.lower is not None),
        Pair.sum(route.upper for route in part_routes if route.upper is not None),
        tuple(dict.fromkeys(source for route in part_routes for source in route.sources)),
    )
    return Routes([total, *by_theorems])


def _bounds(by_theorems: Sequence[Route], part: BayesianNetwork, effort: EngineEffort) -> Route:
    """The best bounds of a district, both of which the theorem of these networks gives."""
    known_routes = list(by_theorems)
    if not any(route.exact for route in by_theorems):
        known_routes += _of_district(part, effort).routes
    lower = max(route.lower for route in known_routes if route.lower is not None)
    upper = min(route.upper for route in known_routes if route.upper is not None)
    best = next(route for route in known_routes if route.lower == lower)
    return replace(best, lower=lower, upper=upper)


def _of_district(part: BayesianNetwork, effort: EngineEffort) -> Routes:
    """Ask the model of another name that a district is, or the district itself."""
    known = part.known_model
    if known is None:
        return model_routes(part, theorem_routes(part, effort.clock), effort)
    load_kind(known)
    return routes(known, theorem_routes(known, effort.clock), effort)
