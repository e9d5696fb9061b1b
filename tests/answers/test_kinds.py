"""One way from a question to its routes: a kind registers what is done with it."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

import rlct
from rlct.answers.check import check
from rlct.answers.kinds import Routes, load_kind, pieces, routes, sampled_form
from rlct.answers.result import Route
from rlct.errors import InputError
from rlct.models import all_models
from rlct.models.relu_networks.relu import EXAMPLE_NETWORKS
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.questions.box_problem import BoxProblem


@dataclass(frozen=True)
class Power:
    """K = |x|^(2k), whose λ is 1/(2k): a kind of question that rlct does not know."""

    k: int
    where = "at 0"

    def problem(self):
        return rlct.Problem.poly(f"x**{2 * self.k}")


@pytest.fixture
def known():
    """Teach rlct the kind for one test."""

    def answered(asked, by_theorems, effort):
        pair = rlct.Pair(rlct.poly(f"x**{2 * asked.k}").lam, 1)
        return Routes([*by_theorems, Route("by hand", pair, pair)], notes=(f"{effort.seconds}",))

    load_kind(Power(1))
    unknown = routes.dispatch(object)
    routes.register(Power, answered)
    yield
    routes.register(Power, unknown)  # singledispatch has no way to forget


def test_a_new_kind_is_answered_compared_and_checked_where_it_registers(known):
    """No ladder anywhere has to know it."""
    result = rlct.solve(Power(2), timeout=7)
    assert (str(result.lam), result.method, result.where) == ("1/4", "by hand", "at 0")
    assert result.notes == ("7.0",)
    assert [str(row.lower.lam) for row in rlct.compare([Power(2), Power(3)]).rows] == ["1/4", "1/6"]
    assert check(Power(2)).verdict == "agrees"
    assert pieces(Power(2))[0].generators == rlct.Problem.poly("x**4").generators


def test_what_is_not_registered_is_no_question():
    with pytest.raises(InputError, match="Power is no question: give Problem"):
        rlct.solve(Power(2))


def test_every_kind_has_routes():
    network = rlct.ReluNetwork(**EXAMPLE_NETWORKS["two-units-data"])
    dense = rlct.ReluNetwork(**EXAMPLE_NETWORKS["two-units-density"])
    architecture = rlct.quadratic(inputs=2, units=2, outputs=1).question
    questions = [
        rlct.Problem.poly("x**2"),
        BoxProblem.of(["x**2"], {"x": (-1, 1)}, is_ideal=False),
        rlct.LinearNetwork((2, 2), 1),
        rlct.LinearPoint((((1,),),)),
        architecture,
        architecture.sample(),
        network,
        ReluFibre(dense),
        ReluDataFibre(network),
    ]
    for kind in [*map(type, questions), *all_models()]:
        load_kind(next((q for q in questions if type(q) is kind), object()))
        assert routes.dispatch(kind) is not routes.dispatch(object), kind
    for question in questions:
        assert rlct.solve(question, timeout=1).routes, question


def test_a_box_is_a_question_like_any_other():
    """Before, only rlct.poly(over=…) had a way to the engine."""
    box = BoxProblem.of(["(x*y*(x-1))**2"], {"x": (-2, 2), "y": (-2, 2)}, is_ideal=False)
    given = rlct.poly("(x*y*(x-1))**2", over={"x": (-2, 2), "y": (-2, 2)})
    assert rlct.solve(box).to_dict() == given.to_dict()
    assert str(rlct.solve(box).pair) == "λ = 1/2, θ = 2"
    assert rlct.verify(rlct.solve(box).certificate)
    load_kind(box)
    with pytest.raises(InputError, match="over a box is not available"):
        sampled_form(box)


@pytest.mark.parametrize(
    ("ask", "absent"),
    [
        ("rlct.poly('x**2')", "rlct.answers.model_kinds"),
        ("rlct.linear([50, 30, 50], 1)", "rlct.answers.polynomial_kinds"),
    ],
)
def test_a_question_loads_its_own_kind_alone(ask, absent):
    code = f"import sys, rlct; {ask}; print({absent!r} in sys.modules)"
    words = [sys.executable, "-c", code]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "False\n"
