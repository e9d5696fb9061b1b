"""The parts of an answer that the page shows, one after the other; runs in a worker."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rlct.answers.exact import ideal, linear, model, poly
from rlct.answers.quadratic import quadratic
from rlct.answers.relu import relu
from rlct.answers.result import Result
from rlct.certificate.rules import cited_theorems
from rlct.certificate.verify import certificate_text, verify
from rlct.errors import CertificateError, InputError, RoutesDisagreeError
from rlct.pair import Pair
from rlct.questions.arguments import box_of, generators_of, listed_items, point_of, region_of
from rlct.report.picture import render_figure
from rlct.serve.limits import TOO_LARGE, ServeLimits
from rlct.serve.moving import energy_numbers, polygon_numbers, volume_numbers
from rlct.serve.question import PageQuestion, integer, integers, lines, read_address
from rlct.serve.unfolding import cells_html, charts_html
from rlct.system.time_limit import Budget, made_in_time

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

with contextlib.suppress(ImportError):
    # Loaded here and not later, when no file can be written any more: its list of fonts.
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401

Part = tuple[str, dict[str, Any]]
_CONFIRMING_SECONDS = 4.0  # for the engine where a theorem may already have answered
_PART_SHARE = 0.3  # of the engine's time that the processor spends on each other part
_LARGEST_TREE = 400_000  # characters of a tree that unfolds
_LACKS_MODULE = "this question needs {}, which does not load here: ask on the command line"
_LARGEST_CERTIFICATE = 4_000_000  # characters of a certificate that the page hands out


def send_parts(
    query: str, limits: ServeLimits, send: Callable[[str, dict[str, Any]], object]
) -> None:
    """Send the parts of an answer as they come, and a message where they end early.

    ``send`` is given a name and a part; ``"error"``, ``"limit"`` and ``"fault"`` say why there is
    no answer: by the question, by the limits, or by a mistake of the program.
    """
    try:
        for name, part in parts(read_address(query), limits.engine):
            send(name, part)
    except InputError as error:
        send("error", {"message": str(error)})
    except RoutesDisagreeError as error:
        send("fault", {"message": f"internal contradiction: {error}"})
    except MemoryError:
        send("limit", {"message": TOO_LARGE.format(memory=limits.memory)})
    except ModuleNotFoundError as error:  # a browser has not all that an installation has
        send("limit", {"message": _LACKS_MODULE.format(error.name)})
    except Exception as error:  # one question must not look like no answer at all
        text = f"{type(error).__name__}: {error}"[:300]
        send("fault", {"message": f"internal error, please report it: {text}"})


def parts(question: PageQuestion, timeout: float) -> Iterator[Part]:
    """Answer a question.

    ``"answer"`` comes first, then ``"certificate"`` if there is one, ``"argument"``, and pictures
    of polynomial questions, each with a part that is JSON-able.  The engine has ``timeout``
    seconds; text and pictures take their own.  InputError, before anything is yielded, if there is
    no such question.
    """
    result = _ask(question, timeout)
    problem = _at_point(question, result)
    answer = _answer(result, problem)
    yield "answer", answer
    if problem is not None:
        volume = volume_numbers(problem, answer)
        if volume is not None:
            yield "volume", {"numbers": volume}
    seconds = _PART_SHARE * timeout
    if result.certificate is not None:
        yield "certificate", _certificate(result.certificate, seconds)
    yield "argument", _within(seconds, lambda: {"html": result.explain("html")})
    if problem is not None:
        _load_pictures()
        yield "polygon", _within(seconds, lambda: _polygon(problem, result.pair))
        if result.certificate is not None:
            yield "tree", _within(seconds, lambda: _tree(result))
    elif result.certificate is not None and question.form.id != "linear":  # which has no cells
        yield "strata", _within(seconds, lambda: _strata(result))


def _load_pictures() -> None:
    """Load what draws, before the time of a part begins; without numpy nothing is drawn."""
    with contextlib.suppress(ModuleNotFoundError):
        import rlct.answers.blow_up
        import rlct.report.newton_plot
        import rlct.report.tree_plot  # noqa: F401


def _ask(question: PageQuestion, timeout: float) -> Result:
    missing = question.missing()
    if missing:
        raise InputError(f"{missing[0].label} is missing")
    typed_values = question.values
    kind = question.form.id
    if kind in ("poly", "ideal"):
        asked_place: dict[str, Any] = {
            "at": point_of(typed_values.get("at"), "the point"),
            "prior": typed_values.get("prior"),
            "nonneg": listed_items(typed_values.get("nonneg")),
        }
        if "over" in typed_values:
            nonneg = typed_values.get("nonneg")
            asked_place |= region_of(typed_values["over"], nonneg, "the box")
        if kind == "poly":
            return poly(typed_values["K"], **asked_place, timeout=timeout)
        generators = [g for line in lines(typed_values["generators"]) for g in generators_of(line)]
        return ideal(generators, **asked_place, timeout=timeout)
    timeout = min(timeout, _CONFIRMING_SECONDS)
    model_arguments: dict[str, Any] = {}
    for name, text in typed_values.items():
        field = question.form.field(name)
        if field is not None and field.kind in ("integer", "flag"):
            model_arguments[name] = (
                text == "on" if field.kind == "flag" else integer(field.label, text)
            )
        else:
            model_arguments[name] = text
    if kind == "linear":
        model_arguments["widths"] = integers("Widths", typed_values["widths"])
        return linear(**model_arguments, timeout=timeout)
    if kind == "quadratic":
        return quadratic(**model_arguments, timeout=timeout)
    if kind == "relu":
        if "density" in typed_values:
            model_arguments["density"] = box_of(typed_values["density"], "the density")
        return relu(**model_arguments, timeout=timeout)
    return model(kind, **model_arguments, timeout=timeout)


def _at_point(question: PageQuestion, result: Result) -> Problem | None:
    """The question, if it is one about a polynomial or an ideal at a point."""
    if question.form.id not in ("poly", "ideal") or "over" in question.values:
        return None
    problem: Problem = result.question
    return problem


def _answer(result: Result, problem: Problem | None) -> dict[str, Any]:
    lower, upper = result.bounds
    answer_part = {
        "document": result.to_dict(),
        "headline": str(result).partition(" (")[0],
        "lambda": None if result.lam is None else str(result.lam),
        "theta": result.theta,
        "lower": None if lower is None else [str(lower.lam), lower.theta],
        "upper": None if upper is None else [str(upper.lam), upper.theta],
        "titles": [route.title for route in result.routes],
        "regular": _regular(result.question, problem),
    }
    return answer_part | {"energy": energy_numbers(answer_part)}


def _regular(asked: Any, problem: Problem | None) -> list[Any] | None:
    """Number of parameters d and d/2, where the question says it."""
    if problem is not None:
        count: int | None = len(problem.variables)
    else:
        count = getattr(asked, "parameter_count", None)
    return None if count is None else [count, str(Fraction(count, 2))]


def _certificate(certificate: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    text = certificate_text(certificate)
    if len(text) > _LARGEST_CERTIFICATE:
        return {"state": f"has {len(text)} characters: the command line writes it"}
    try:
        check = _within(seconds, lambda: {"done": verify(certificate)})
    except CertificateError as error:
        return {"state": f"invalid: {error}; please report it"}
    state = f"not verified: {check['reason']}" if "reason" in check else "verified by separate code"
    known = {} if "reason" in check else {"taken_as_known": cited_theorems(certificate)}
    return {"text": text + "\n", "state": state, **known}


def _within(seconds: float, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a part, or why there is none; a busy machine takes none of its seconds."""
    try:
        part = made_in_time(make, Budget(None), grace_seconds=seconds)
    except InputError as error:
        return {"reason": str(error)}
    except ModuleNotFoundError as error:
        return {"reason": f"{error.name} does not load here"}
    return part or {"reason": "the page leaves it too little time", "late": True}


def _svg(draw: Callable[[], Any]) -> dict[str, str]:
    try:
        return {"svg": render_figure(draw, "svg").decode("utf-8")}
    except InputError as error:
        return {"reason": str(error)}


def _polygon(problem: Problem, pair: Pair | None) -> dict[str, Any]:
    from rlct.report.newton import describe_polyhedron, polyhedron_text
    from rlct.report.newton_plot import draw_polyhedron, polyhedron_alt

    if len(problem.variables) not in (2, 3):
        raise InputError("a picture needs 2 or 3 variables; rlct newton lists the faces of others")
    polyhedron = describe_polyhedron(problem)
    return {
        **_svg(lambda: draw_polyhedron(polyhedron)),
        "alt": polyhedron_alt(polyhedron),
        "text": polyhedron_text(polyhedron),
        "numbers": polygon_numbers(problem, polyhedron, pair),
        "lambda": polyhedron["lambda_polyhedron"],
    }


def _tree(result: Result) -> dict[str, Any]:
    from rlct.answers.blow_up import BlowUp
    from rlct.report.tree_plot import draw_tree

    blow_up = BlowUp.of(result)
    steps = len(blow_up.graph)
    alt = f"Tree of the proof, {steps} step{'s' * (steps > 1)}; the text below says the same"
    unfolding = charts_html(blow_up)
    return {
        **_svg(lambda: draw_tree(blow_up)),
        "alt": alt,
        "text": str(blow_up),
        "html": unfolding if len(unfolding) <= _LARGEST_TREE else "",
    }


def _strata(result: Result) -> dict[str, Any]:
    from rlct.explain.strata import strata

    found = strata(result)
    unfolding = cells_html(found)
    if len(unfolding) > _LARGEST_TREE:
        raise InputError(f"the tree has {len(found.cells)} cells: the command line prints it")
    return {"html": unfolding}
