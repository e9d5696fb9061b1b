"""Models at a generic truth, where ranks decide: their certificates are of random parameters."""

from collections.abc import Sequence
from dataclasses import replace

from rlct.answers.document import class_document, factor_document
from rlct.answers.kinds import EngineEffort, Routes, routes
from rlct.answers.model_kinds import model_routes
from rlct.answers.result import Route
from rlct.models.generic.generic_map import GenericMap
from rlct.models.latent_variables.factor_analysis import FactorAnalysis
from rlct.models.latent_variables.latent_class import LatentClass


@routes.register(FactorAnalysis)
def _factor_analysis(
    model: FactorAnalysis, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    """The theorem always has the answer; one parameter that need not be deepest adds nothing."""
    first = next(route for route in by_theorems if route.exact)
    assert first.lower is not None
    certificate = factor_document(model, first.lower)
    if not model.deepest:
        return Routes(by_theorems, certificate)
    found = model_routes(model, by_theorems, effort)
    return replace(found, certificate=found.certificate or certificate)


@routes.register(LatentClass)
def _latent_class(model: LatentClass, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Where the rank at random classes decides, it is a certificate."""
    exact = next((route.lower for route in by_theorems if route.exact), None)
    if exact is None or model.deepest:
        return model_routes(model, by_theorems, effort)
    return Routes(by_theorems, class_document(model, exact))


@routes.register(GenericMap)
def _generic_map(asked: GenericMap, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """The rank decides; one weight of the fibre would add nothing."""
    return Routes(by_theorems)
