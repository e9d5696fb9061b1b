"""Networks and models: theorems answer, and the engine where it must or easily can."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from rlct.answers.certified import certified_routes
from rlct.answers.document import box_document, network_document, quadratic_document
from rlct.answers.kinds import (
    EngineAnswer,
    EngineEffort,
    Routes,
    engine_route,
    least_of,
    pieces,
    routes,
    sampled_form,
)
from rlct.answers.refused_proof import refusal_note, refusal_reason
from rlct.answers.result import Route
from rlct.answers.routes import theorem_routes
from rlct.errors import InputError
from rlct.models.activations.softmax_experts import SoftmaxExperts
from rlct.models.base import FibreEquations, Model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.models.linear_networks.normalised_layer import NormalisedLayer
from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_chambers import chambers
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.system.time_limit import Budget
from rlct.theorems import get_theorem

if TYPE_CHECKING:
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem
    from rlct.sampling.targets.function import FunctionTarget
    from rlct.sampling.targets.linear import LinearNetworkTarget
    from rlct.sampling.targets.target import Target

__all__ = ["is_monomial", "model_routes", "written_box"]

_BESIDE: Final = 3.0  # seconds at a parameter, before the whole fibre is asked
_LEAST: Final = 3.0  # seconds at a parameter after that
_FIBRE_SHARE: Final = 0.8  # of the user's time for the whole fibre, the rest for one parameter
_SMALL: Final = 10  # parameters of a model up to which the engine is asked as well
_SMALL_POINT: Final = 30  # of a network at given weights
_GENERIC: Final = 1.0  # seconds: what is not settled at once needs the implicit function
_MOST_MONOMIALS: Final = 200  # that the engine takes beside a theorem
_MOST_PARAMETERS: Final = 3000  # of a linear network that is sampled
_MOST_QUADRATIC: Final = 100  # of a quadratic one
_MOST_WEIGHTS: Final = 60  # of a model that is sampled itself
_SIDE: Final = 2  # of the box over which a fibre is asked; any one that holds its deepest point
_LARGER: Final = "the certificate is of equations with one coordinate more: its λ is larger by {}"
_FLAT: Final = "K is 0 on an open set of weights next to the given ones: there is no λ"


@routes.register(Model)
def model_routes(model: Model, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Beside bounds of a theorem the engine has a limited time, and a note says so."""
    is_exact = any(route.exact for route in by_theorems)
    end_time = time.monotonic() + effort.beside(by_theorems)
    problem, notes = _written(model, by_theorems)
    over_fibre: Routes | None = None
    if not is_exact:
        over_fibre = _over_fibre(model, problem, by_theorems, effort, end_time)
        if _agree(over_fibre.routes):
            return over_fibre
        by_theorems = over_fibre.routes
        if effort.timeout is None:
            left = max(end_time - time.monotonic(), _LEAST)
            effort = replace(effort, seconds=left, clock=Budget(left))
    if problem is None or (is_exact and len(problem.variables) > _SMALL and not is_monomial(model)):
        if over_fibre is None:
            return Routes(by_theorems, notes=notes)
        return replace(over_fibre, notes=(*notes, *over_fibre.notes))
    limit = effort.beside(by_theorems) if by_theorems else effort.timeout
    place = "" if model.deepest else model.where
    engine = EngineAnswer.of(problem, limit, effort, place)
    if engine.stopped and not is_exact:
        limit = effort.seconds or limit
        notes = (f"the engine was stopped after {limit:.3g} s: more time may give sharper bounds",)
    if place:  # elsewhere on the fibre λ may be smaller
        engine = replace(engine, route=replace(engine.route, lower=None, place=place))
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
        engine = EngineAnswer.of(problem, min(effort.beside(by_theorems), _BESIDE), effort)
        route = engine_route(engine.proof, model.where)
        at_place = replace(route, lower=None, place=model.where, certificate=engine.certificate)
        by_theorems = [*by_theorems, at_place]
    known_upper = min((r.upper for r in by_theorems if r.upper is not None), default=None)
    proofs, case_documents, notes, search_start = [], [], list[str](), time.process_time()
    for equations in cases:
        asked, extra_half = written_box(equations), Fraction(equations.extra_coordinates, 2)
        aim = None if known_upper is None else Pair(known_upper.lam + extra_half, known_upper.theta)
        limit = max(end_time - time.monotonic(), _LEAST)
        if effort.timeout is not None:
            limit = _FIBRE_SHARE * effort.timeout
        proof = prove_fibre(asked, limit, aim, equations.at if equations.complete else None)
        if proof is None or proof.lower.lam <= extra_half:
            return Routes(by_theorems)
        case_documents.append(box_document(asked, proof))
        if why := refusal_reason(case_documents[-1], effort.clock, search_start):
            return Routes(by_theorems, notes=(refusal_note(proof, why),))
        notes += [_LARGER.format(extra_half)] if extra_half else []
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
    box = {name: (0 if name in equations.nonneg else -_SIDE, _SIDE) for name in names}
    return BoxProblem.of(equations.generators, box, None, is_ideal=True)


def _agree(found_routes: Sequence[Route]) -> bool:
    """Whether the routes together determine the pair."""
    lowers = [route.lower for route in found_routes if route.lower is not None]
    uppers = [route.upper for route in found_routes if route.upper is not None]
    return bool(lowers) and bool(uppers) and max(lowers) == min(uppers)


def is_monomial(model: Model) -> bool:
    """Whether a model is an ideal of monomials, so that asking the engine costs next to nothing."""
    try:
        asked = model.polynomials()
    except InputError:
        return False
    if asked.at or len(asked.generators) > _MOST_MONOMIALS:
        return False
    return not any(sign in text for text in asked.generators for sign in "+-(")


def _written(question: Any, by_theorems: Sequence[Route]) -> tuple[Problem | None, tuple[str, ...]]:
    """Write a question out for the engine; where theorems answer, None and a note on why not."""
    try:
        return question.problem(), ()
    except InputError as error:
        if not by_theorems:
            raise
        return None, (f"the engine was not asked: {error}",)


@routes.register(LinearNetwork)
def _linear(network: LinearNetwork, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """The theorem has a certificate of its own, and always the answer."""
    first = next(route for route in by_theorems if route.exact)
    assert first.lower is not None
    certificate = network_document(network, first.method.removeprefix("theorem "), first.lower)
    if network.dimension > _SMALL or find_spec("numpy") is None:
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
    if point.parameter_count > _SMALL_POINT:
        return Routes(by_theorems)
    engine = EngineAnswer.of(point.problem(), effort.beside(by_theorems), effort)
    certificate = engine.certificate if engine.proof.exact else None
    return Routes([*by_theorems, engine.route], certificate)


@routes.register(QuadraticNetwork)
def _quadratic(
    network: QuadraticNetwork, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    small = network.parameters <= _SMALL_POINT
    problem, notes = _written(network, by_theorems) if small else (None, ())
    if problem is None:
        return Routes(by_theorems, notes=notes)
    engine = EngineAnswer.of(problem, effort.beside(by_theorems), effort)
    return engine.after(by_theorems, decides=engine.proof.exact)


@routes.register(QuadraticArchitecture)
def _generic(
    asked: QuadraticArchitecture, by_theorems: Sequence[Route], effort: EngineEffort
) -> Routes:
    certificate = quadratic_document(asked)
    network = asked.example() if asked.parameters <= _SMALL_POINT else None
    problem, notes = _written(network, by_theorems) if network else (None, ())
    if problem is None:
        return Routes(by_theorems, certificate, notes)
    limit = _GENERIC if effort.timeout is None else effort.timeout
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
            raise InputError(f"no unit is active inside the box, and {_FLAT}")
        raise InputError("no unit is active on any input: K is 0 near the weights")
    settled = any(route.exact for route in by_theorems)
    if network.data is None or (settled and network.parameter_count > _SMALL_POINT):
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
        raise InputError(_FLAT)
    engine = least_of(asked, effort.beside(by_theorems), effort)
    return Routes([engine, *by_theorems], notes=(note,))


pieces.register(ReluNetwork, lambda net: chambers(net) if net.on_boundary else [net.problem()])


@sampled_form.register(NormalisedLayer)
@sampled_form.register(SoftmaxExperts)
def _sampled_function(model: NormalisedLayer | SoftmaxExperts) -> FunctionTarget:
    """The model itself: it has no polynomials."""
    from rlct.sampling.targets.function import FunctionTarget

    if model.parameter_count > _MOST_WEIGHTS:
        raise InputError(
            f"simulation is limited to {_MOST_WEIGHTS} weights here; this model has "
            f"{model.parameter_count}"
        )
    outputs = model.units if isinstance(model, NormalisedLayer) else model.outputs
    return FunctionTarget(model.values, model.parameter_count, model.inputs, outputs)


@sampled_form.register(ReluNetwork)
def _sampled_relu(asked: ReluNetwork) -> Problem | Target:
    if asked.box is None:
        return asked.problem()
    from rlct.sampling.targets.relu import ReluDensityTarget  # imports numpy

    if len(asked.box) != 1:
        raise InputError("simulation with a density is for one input only")
    low, high = asked.box[0]
    return ReluDensityTarget(
        [[float(value) for value in row] for row in asked.hidden],
        [[float(value) for value in row] for row in asked.outer],
        (float(low), float(high)),
        bias=asked.bias,
        output_bias=asked.output_bias,
    )


@routes.register(ReluFibre)
def _relu_fibre(
    fibre_question: ReluFibre, by_theorems: Sequence[Route], engine_effort: EngineEffort
) -> Routes:
    """Bound the minimum where no theorem settles it: λ at the given weights, and its kinks."""
    if len(fibre_question.kinks) > fibre_question.size:
        raise InputError(
            f"the function has {len(fibre_question.kinks)} kinks, more than "
            f"{fibre_question.size} units"
        )
    if (
        fibre_question.constant
        and fibre_question.network.bias
        and not fibre_question.network.output_bias
    ):
        raise InputError("the function is 0 on the box: K is 0 near some of its parameters")
    known = fibre_question.minimal
    single = (
        fibre_question.network.outputs == 1
        and known is not None
        and known.units > fibre_question.size
    )
    if single or (
        fibre_question.decided
        and known is None
        and len(fibre_question.kinks) == fibre_question.size
    ):
        raise InputError(
            f"the function has {len(fibre_question.kinks)} kinks, and {fibre_question.size} "
            "units cannot make up the affine function that is left"
        )
    if by_theorems:
        return Routes(by_theorems)
    fibre_routes = _at_weights(fibre_question)
    if fibre_question.equations:
        lower, sources = (
            Pair(Fraction(fibre_question.equations, 2), 1),
            get_theorem("relu-fibre").sources,
        )
        fibre_routes.append(Route("kinks and the affine part need units", lower, None, sources))
    if not fibre_routes:
        raise InputError("nothing is known about the parameters of this function")
    return Routes(fibre_routes)


@sampled_form.register(ReluFibre)
def _sampled_fibre(asked: ReluFibre) -> Problem | Target:
    example = asked.example()
    if example is None:
        raise InputError("no parameter with inactive spare units is known, to sample near it")
    return _sampled_relu(example)


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


@sampled_form.register(ReluDataFibre)
def _sampled_data_fibre(asked: ReluDataFibre) -> Problem:
    example = asked.example()
    if example is None:
        raise InputError("no parameter is known where λ is least, to sample near it")
    return example.problem()


def _at_weights(asked: ReluFibre | ReluDataFibre) -> list[Route]:
    """Upper bounds at the given weights, if the model has as many units."""
    return [
        Route(f"{route.method}, at the given weights", None, route.upper, route.sources)
        for route in theorem_routes(asked.network)
        if route.upper is not None and asked.size >= asked.network.units
    ]
