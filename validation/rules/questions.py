"""Questions for the engine: those of the repository, and hidden or moved ones drawn at random."""

import ast
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy

from rlct.benchmark.problem import all_problems
from rlct.engine.boxes.box import prove_box
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem
from rlct.theorems import all_theorems

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "validation" / "fuzz")]

import hidden  # noqa: E402
import space_questions  # noqa: E402

_VARIABLE_COUNTS = (3, 4)


@dataclass(frozen=True)
class Question:
    """What is asked, where it comes from, and how it reads."""

    source: str
    text: str
    problem: Problem | BoxProblem

    def prove(self, timeout: float) -> Any:
        """The engine's proof."""
        if isinstance(self.problem, BoxProblem):
            return prove_box(self.problem, timeout)[0]
        return prove_problem(self.problem, timeout)


def questions(each: int, seed: int) -> list[Question]:
    """At most so many of every source, none twice; those that are refused are left out."""
    rng = random.Random(seed)
    asked: list[Question] = []
    seen = set()
    for source, draw in QUESTION_SOURCES.items():
        drawn = list(draw(rng))
        count = 0
        for text, build in rng.sample(drawn, len(drawn)):
            if count >= each or text in seen:
                continue
            seen.add(text)
            try:
                asked.append(Question(source, text, build()))
            except InputError:
                continue
            count += 1
    return asked


Drawn = Iterator[tuple[str, Any]]


def _asked(kind: str, inputs: Any, options: dict[str, Any]) -> tuple[str, Any]:
    """The text of a question of `rlct.poly` or `rlct.ideal`, and what builds it."""
    options = {name: value for name, value in options.items() if value and name != "timeout"}
    given = ", ".join([repr(inputs), *(f"{name}={value!r}" for name, value in options.items())])

    def build() -> Problem | BoxProblem:
        if "over" in options:
            inputs_of = [inputs] if kind == "poly" else inputs
            sides, prior = options["over"], options.get("prior")
            return BoxProblem.of(inputs_of, sides, prior, is_ideal=kind == "ideal")
        built: Problem = getattr(Problem, kind)(inputs, **options)
        return built

    return f"{kind}({given})", build


def _cases(rng: random.Random) -> Drawn:
    """``tests/data/cases.json`` and the problems of the reference set."""
    cases = json.loads((ROOT / "tests" / "data" / "cases.json").read_text(encoding="utf-8"))
    for case in cases["cases"]:
        given = case["input"]
        inputs = given.get("gens", given.get("K"))
        if case["kind"] == "malformed" or inputs is None:
            continue
        names = given["vars"]
        options = {"prior": given.get("prior_abs_exponents")}
        if "box" in given:
            options["over"] = {n: tuple(side) for n, side in zip(names, given["box"], strict=True)}
        elif "point" in given:
            options["at"] = dict(zip(names, given["point"], strict=True))
        yield _asked("ideal" if "gens" in given else "poly", inputs, options)
    for problem in all_problems():
        ask = dict(problem.ask)
        for kind in ("poly", "ideal"):
            if kind in ask and "copies" not in ask:
                yield _asked(kind, ask.pop(kind), ask)


def _corpus(rng: random.Random) -> Drawn:
    """The questions whose certificates the tests forge."""
    from certificate.corpus import QUESTIONS  # type: ignore[import-not-found]

    for kind, inputs, options in QUESTIONS.values():
        if kind in ("poly", "ideal"):
            yield _asked(kind, inputs[0] if kind == "poly" else inputs, options)


def _tests(rng: random.Random) -> Drawn:
    """Every call of `poly` and `ideal` in tests whose arguments are written out."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) != 1:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if name not in ("poly", "ideal"):
                continue
            try:
                inputs = ast.literal_eval(node.args[0])
                options = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
            except ValueError:
                continue
            if set(options) <= {"at", "prior", "nonneg", "over", "timeout"}:
                yield _asked(name, inputs, options)


def _theorems(rng: random.Random) -> Drawn:
    """The polynomial questions of theorems: networks and models among them."""
    from rlct.answers.confirm_theorem import _polynomials

    for theorem in all_theorems():
        for number, case in enumerate(theorem.instances):

            def build(theorem: Any = theorem, case: Any = case) -> Problem:
                asked = theorem.question(theorem.bind(case.arguments))
                if asked is None:
                    raise InputError("no question")
                return _polynomials(theorem, asked)[0]

            yield f"{theorem.id}, instance {number}", build


def _hidden(rng: random.Random) -> Drawn:
    """Known forms in other coordinates, of ``validation/fuzz/hidden.py``."""
    for n in _VARIABLE_COUNTS:
        for kind in hidden.CHANGE_KINDS:
            for _, generators in hidden.draw(kind, n, 25, rng.randrange(10**6)):
                yield _asked("ideal", generators, {})


def _space(rng: random.Random) -> Iterator[list[str]]:
    for n in _VARIABLE_COUNTS:
        for kind in space_questions.QUESTION_KINDS:
            yield from space_questions.draw(kind, n, 8, rng.randrange(10**6))


def _sums(rng: random.Random) -> Drawn:
    """Random sums of squares, of ``validation/fuzz/space_questions.py``, as ideals and as K."""
    for generators in _space(rng):
        if rng.random() < 0.5:
            yield _asked("ideal", generators, {})
        else:
            yield _asked("poly", " + ".join(f"({g})**2" for g in generators), {})


def _walls(rng: random.Random) -> Drawn:
    """The same with a prior and with variables that are not negative."""
    for generators in _space(rng):
        prior = {rng.choice("xyz"): rng.choice(["1", "2", "-1/2"])}
        yield _asked("ideal", generators, {"prior": prior, "nonneg": [rng.choice("xyz")]})


def _points(rng: random.Random) -> Drawn:
    """The same at irrational points: x² − 2 is a coordinate at √2; or √2 as a constant."""
    x = sympy.Symbol("x")
    for generators in _space(rng):
        moved = [str(sympy.expand(sympy.sympify(g).subs(x, x**2 - 2))) for g in generators]
        if rng.random() < 0.5:
            yield _asked("ideal", moved, {"at": {"x": "sqrt(2)"}})
        else:
            scaled = [g.replace("y", "(s*y)") for g in generators]
            yield _asked("ideal", [*scaled, "s**2-2"], {"at": {"s": "sqrt(2)"}})


def _boxes(rng: random.Random) -> Drawn:
    """The same over boxes, in three variables and in the plane."""
    for generators in _space(rng):
        names = sorted({c for g in generators for c in g if c in hidden.VARIABLE_LETTERS})
        if len(names) == 3:
            sides = {n: rng.choice([(-1, 1), (0, 1), (-1, 2)]) for n in names}
            yield _asked("ideal", generators, {"over": sides})
            flat = [g.replace("z", rng.choice("xy")) for g in generators]
            yield _asked("ideal", flat, {"over": {n: sides[n] for n in names[:2]}})


QUESTION_SOURCES = {
    "cases": _cases,
    "corpus": _corpus,
    "tests": _tests,
    "theorems": _theorems,
    "hidden": _hidden,
    "sums": _sums,
    "walls": _walls,
    "points": _points,
    "boxes": _boxes,
}
