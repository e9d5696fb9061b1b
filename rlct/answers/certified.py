"""Which of several proofs is the certificate of an answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rlct.answers.kinds import EngineAnswer, Routes
from rlct.answers.result import Route, best_bounds

_NOT_PROVED: Final = "the {} end is not in the certificate: it is proved by {}"


def certified_routes(
    engine: EngineAnswer,
    over_fibre: Routes | None,
    by_theorems: Sequence[Route],
    notes: Sequence[str],
    *,
    decides: bool,
) -> Routes:
    """Add the engine; the certificate has the sharpest bounds, and notes say what is not in it."""
    proved = [r for r in by_theorems if r.certificate is not None and r.lower is not None]
    best = max(proved, key=lambda r: (r.lower, r.upper is not None), default=None)
    if over_fibre is None or best is None or not _as_sharp(best, engine.route):
        all_routes, best = engine.after(by_theorems, decides=decides), engine.route
    else:
        all_routes = engine.after(by_theorems, decides=False, certificate=best.certificate)
        notes = (*notes, *over_fibre.notes)
    lower, upper = best_bounds(all_routes.routes)
    for end, pair, own in (("lower", lower, best.lower), ("upper", upper, best.upper)):
        if pair != own and decides:
            sources = [r.method for r in all_routes.routes if pair in (r.lower, r.upper)]
            notes = (*notes, _NOT_PROVED.format(end, sources[0]))
    return replace(all_routes, notes=(*engine.notes, *notes))


def _as_sharp(route: Route, rival: Route) -> bool:
    """Whether the bounds of a route are no less sharp, the lower one first."""
    if rival.lower is None or route.lower is None or rival.lower != route.lower:
        return rival.lower is None or (route.lower is not None and route.lower > rival.lower)
    return rival.upper is None or (route.upper is not None and route.upper <= rival.upper)
