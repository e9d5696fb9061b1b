"""A polynomial or an ideal, at a point and over a box: the engine always answers."""

import time
from collections.abc import Sequence
from typing import Final

from rlct.answers.document import box_document
from rlct.answers.kinds import (
    EngineAnswer,
    EngineEffort,
    Routes,
    engine_route,
    pieces,
    routes,
    sampled_form,
)
from rlct.answers.refused_proof import refusal_note, refusal_reason
from rlct.answers.result import Route
from rlct.engine.nonnegative import nonnegativity_notes
from rlct.errors import InputError
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem

sampled_form.register(Problem, lambda problem: problem)
pieces.register(Problem, lambda problem: [problem])


_CERTIFICATE_SECONDS: Final = 10.0  # for the engine where a theorem has the pair
_ZEROS_SECONDS: Final = 2.0  # for bounds at zeros, where the checker refuses the proof over a box


@routes.register(Problem)
def _at_point(problem: Problem, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    settled = any(route.exact for route in by_theorems)
    limit = effort.timeout
    if settled:
        limit = _CERTIFICATE_SECONDS if limit is None else min(limit, _CERTIFICATE_SECONDS)
    engine = EngineAnswer.of(problem, limit, effort)
    notes = (*engine.notes, *nonnegativity_notes(problem, engine.proof))
    if problem.walls is not None and problem.walls.coordinates:
        notes = (*notes, f"germs and poles are in {problem.walls.coordinates}")
    if engine.stopped and not settled:
        notes = (*notes, f"stopped after {effort.seconds:g} s: more time may give sharper bounds")
    if settled and not engine.proof.exact:
        notes = (*notes, "the certificate proves only the bounds of the engine, not the theorem")
    return Routes([engine.route, *by_theorems], engine.certificate, notes)


@routes.register(BoxProblem)
def _over_box(problem: BoxProblem, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    from rlct.engine.boxes.box import bounds_by_zeros, prove_box

    search_start = time.process_time()
    proof, notes = prove_box(problem, effort.seconds, effort.clock)
    proof = effort.joined(proof)
    document = box_document(problem, proof)
    if problem.walls is not None and not proof.exact:
        notes = (*notes, f"germs are in {problem.walls.coordinates}")
    if why := refusal_reason(document, effort.clock, search_start):
        notes = (refusal_note(proof, why),)
        proof = effort.joined(bounds_by_zeros(problem, _ZEROS_SECONDS))
        document = box_document(problem, proof)
    return Routes([engine_route(proof), *by_theorems], document, notes)


@sampled_form.register(BoxProblem)
def _sampled_box(problem: BoxProblem) -> Problem:
    raise InputError("simulation over a box is not available: ask at a point")
