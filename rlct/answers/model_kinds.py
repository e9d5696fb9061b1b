"""Models at a truth: theorems answer, and the engine where it must or easily can.

Of a Bayesian network districts that have a name of their own are asked as such.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rlct.answers.certified import certified_routes
from rlct.answers.document import box_document
from rlct.answers.kinds import (
    FEW_PARAMETERS,
    EngineAnswer,
    EngineEffort,
    Routes,
    engine_route,
    load_kind,
    routes,
    sampled_form,
    written_problem,
)
from rlct.answers.refused_proof import refusal_note, refusal_reason
from rlct.answers.result import Route, best_bounds
from rlct.answers.routes import theorem_routes
from rlct.errors import InputError
from rlct.models.activations.softmax_experts import SoftmaxExperts
from rlct.models.base import FibreEquations, Model
from rlct.models.latent_variables.bayesian_network import BayesianNetwork
from rlct.models.linear_networks.normalised_layer import NormalisedLayer
from rlct.models.relu_networks.smaller_relu import SmallerRelu
from rlct.pair import Pair
from rlct.system.time_limit import Budget

if TYPE_CHECKING:
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem
    from rlct.sampling.targets.function import FunctionTarget

_BESIDE_SECONDS: Final = 3.0  # seconds at a parameter, before the whole fibre is asked
_LEAST_SECONDS: Final = 3.0  # seconds at a parameter after that
_FIBRE_SHARE: Final = 0.8  # of the user's time for the whole fibre, the rest for one parameter
_MOST_MONOMIALS: Final = 200  # that the engine takes beside a theorem
_MOST_WEIGHTS: Final = 60  # of a model that is sampled itself
_BOX_SIDE: Final = 2  # of the box over which a fibre is asked; any one that holds its deepest point
_ONE_MORE: Final = "the certificate is of equations with one coordinate more: its λ is larger by {}"


@routes.register(Model)
def model_routes(model: Model, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Beside bounds of a theorem the engine has a limited time, and a note says so."""
    is_exact = any(route.exact for route in by_theorems)
    end_time = time.monotonic() + effort.beside(by_theorems)
    problem, notes = written_problem(model, by_theorems)
    over_fibre: Routes | None = None
    if not is_exact:
        over_fibre = _over_fibre(model, problem, by_theorems, effort, end_time)
        lower, upper = best_bounds(over_fibre.routes)
        if lower is not None and lower == upper:
            return over_fibre
        by_theorems = over_fibre.routes
        if effort.timeout is None:
            left = max(end_time - time.monotonic(), _LEAST_SECONDS)
            effort = replace(effort, seconds=left, clock=Budget(left))
    if problem is None or (
        is_exact and len(problem.variables) > FEW_PARAMETERS and not is_monomial(model)
    ):
        if over_fibre is None:
            return Routes(by_theorems, notes=notes)
        return replace(over_fibre, notes=(*notes, *over_fibre.notes))
    limit = effort.beside(by_theorems) if by_theorems else effort.timeout
    where = "" if model.deepest else model.where
    engine = EngineAnswer.of(problem, limit, effort, where)
    if engine.stopped and not is_exact:
        limit = effort.seconds or limit
        notes = (f"the engine was stopped after {limit:.3g} s: more time may give sharper bounds",)
    if where:  # elsewhere on the fibre λ may be smaller
        engine = replace(engine, route=replace(engine.route, lower=None, where=where))
    return certified_routes(
        engine, over_fibre, by_theorems, notes, decides=engine.proof.exact or not is_exact
    )


def _over_fibre(
    model: Model,
    problem: Problem | None,
    by_theorems: Sequence[Route],
    effort: EngineEffort,
    end_time: float,
) -> Routes:
    """Bound the pair at all parameters of the truth, if the model writes them out, in time.

    Its equations are asked over a box; without walls, and with those at 0 alone, the bound from
    below holds for all real values (``theory/fibres.md``).
    """
    try:
        cases = model.whole_fibre()
    except InputError:
        return Routes(by_theorems)
    from rlct.engine.boxes.box import prove_fibre  # imports sympy

    if cases and problem is not None and not all(equations.complete for equations in cases):
        # A zero of the equations may be no parameter: the pair at one that is has to do.
        engine = EngineAnswer.of(problem, min(effort.beside(by_theorems), _BESIDE_SECONDS), effort)
        route = engine_route(engine.proof, model.where)
        at_place = replace(route, lower=None, where=model.where, certificate=engine.certificate)
        by_theorems = [*by_theorems, at_place]
    _, known_upper = best_bounds(by_theorems)
    proofs, case_documents, notes, search_start = [], [], list[str](), time.process_time()
    for equations in cases:
        asked, extra_half = written_box(equations), Fraction(equations.extra_coordinates, 2)
        aim = None if known_upper is None else Pair(known_upper.lam + extra_half, known_upper.theta)
        limit = max(end_time - time.monotonic(), _LEAST_SECONDS)
        if effort.timeout is not None:
            limit = _FIBRE_SHARE * effort.timeout
        proof = prove_fibre(asked, limit, aim, equations.at if equations.complete else None)
        if proof is None or proof.lower.lam <= extra_half:
            return Routes(by_theorems)
        case_documents.append(box_document(asked, proof))
        if why := refusal_reason(case_documents[-1], effort.clock, search_start):
            return Routes(by_theorems, notes=(refusal_note(proof, why),))
        notes += [_ONE_MORE.format(extra_half)] if extra_half else []
        upper = proof.upper if equations.complete else None
        proofs.append(
            replace(proof, lower=Pair(proof.lower.lam - extra_half, proof.lower.theta), upper=upper)
        )
    if not proofs:
        return Routes(by_theorems)
    least = min(range(len(proofs)), key=lambda k: proofs[k].lower)
    route = engine_route(proofs[least], "at all parameters of the truth")
    uppers = [proof.upper for proof in proofs if proof.upper is not None]
    document = case_documents[least]
    route = replace(route, upper=min(uppers, default=None), certificate=document)
    return Routes([route, *by_theorems], document, notes)


def written_box(equations: FibreEquations) -> BoxProblem:
    """A box around 0, or at 0 where variables take no other values."""
    from rlct.questions.box_problem import BoxProblem  # imports sympy
    from rlct.questions.reading import read_polynomials

    names, _, _ = read_polynomials(list(equations.generators))
    box = {name: (0 if name in equations.nonneg else -_BOX_SIDE, _BOX_SIDE) for name in names}
    return BoxProblem.of(equations.generators, box, None, is_ideal=True)


def is_monomial(model: Model) -> bool:
    """Whether a model is an ideal of monomials, so that asking the engine costs next to nothing."""
    try:
        asked = model.polynomials()
    except InputError:
        return False
    if asked.at or len(asked.generators) > _MOST_MONOMIALS:
        return False
    return not any(sign in text for text in asked.generators for sign in "+-(")


@sampled_form.register(NormalisedLayer)
@sampled_form.register(SoftmaxExperts)
@sampled_form.register(SmallerRelu)
def _sampled_function(model: NormalisedLayer | SoftmaxExperts | SmallerRelu) -> FunctionTarget:
    """The model itself, at a generic truth or that of a random smaller network."""
    from rlct.sampling.targets.function import FunctionTarget

    if isinstance(model, SmallerRelu):
        shape, make = model.shape, model.true_weights
        count, inputs = shape.weight_count, shape.positions * shape.channels[0]
    else:
        count, inputs, make = model.parameter_count, model.inputs, lambda: None
    if count > _MOST_WEIGHTS:
        raise InputError(
            f"simulation is limited to {_MOST_WEIGHTS} weights here; this model has {count}"
        )
    return FunctionTarget(model.values, count, inputs, truth=make())


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
    lower, upper = best_bounds(known_routes)
    best = next(route for route in known_routes if route.lower == lower)
    return replace(best, lower=lower, upper=upper)


def _of_district(part: BayesianNetwork, effort: EngineEffort) -> Routes:
    """Ask the model of another name that a district is, or the district itself."""
    model = part.known_model
    if model is None:
        return model_routes(part, theorem_routes(part, effort.clock), effort)
    load_kind(model)
    return routes(model, theorem_routes(model, effort.clock), effort)
