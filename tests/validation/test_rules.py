"""The table of rules: an entry that is taken out is out wherever it stands, and comes back."""

import importlib.util
import sys
from pathlib import Path

import pytest

from rlct.engine import rules
from rlct.engine.strategy import prove_problem
from rlct.questions.problem import Problem

VALIDATION = Path(__file__).parents[2] / "validation"


@pytest.fixture(scope="module")
def tool():
    before = list(sys.path)
    sys.path[:0] = [str(VALIDATION / "rules"), str(VALIDATION / "fuzz")]
    spec = importlib.util.spec_from_file_location("rules_run", VALIDATION / "rules" / "run.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["rules_run"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["rules_run"]
    sys.path[:] = before


def used():
    return prove_problem(Problem.ideal(["x+y*z", "y-z**2"])).rules()


def test_an_entry_that_is_out(tool):
    before = rules.GERM_RULES
    assert "leaves.smooth_ideal" in tool.entries()
    assert all(map(callable, map(tool.function_of, tool.entries())))
    assert "smooth" in used()
    with tool.instead("leaves.smooth_ideal", None):
        assert "smooth" not in used()
        assert len(rules.GERM_RULES) == len(before) - 1
    assert before == rules.GERM_RULES
    assert "smooth" in used()


def test_what_an_entry_gave_is_counted(tool):
    watched = tool.Watched()
    with tool.instead("leaves.smooth_ideal", watched.around("leaves.smooth_ideal")):
        used()
    assert watched.gave["leaves.smooth_ideal"] == 1
    problem = Problem.ideal(["x+y*z", "y-z**2"])
    asked = tool.Question("test", "two coordinates", problem)
    row = tool.without(["leaves.smooth_ideal"], [(asked, tool.ask(asked, 5))], 5)
    assert (row["asked"], row["lost"], row["wrong"]) == (1, [], [])


def test_a_lost_and_a_wrong_answer_are_told(tool, monkeypatch):
    problem = Problem.ideal(["x**2-y**3", "z**2"])
    asked = tool.Question("test", "cusp", problem)
    before = tool.ask(asked, 5)
    monkeypatch.setattr(tool, "ask", lambda *_: tool.Answer(None, frozenset(), 0.0))
    assert tool.without([], [(asked, before)], 5)["lost"] == ["test: cusp"]
    monkeypatch.setattr(tool, "ask", lambda *_: tool.Answer("λ = 1, θ = 1", frozenset(), 0.0))
    assert tool.without([], [(asked, before)], 5)["wrong"] == [f"cusp: {before.pair}, λ = 1, θ = 1"]
