"""Bounds that need no search: an end from above for every answer at a parameter."""

from fractions import Fraction

import pytest

import rlct
from rlct.answers import routes
from rlct.answers.kinds import Routes
from rlct.answers.plain_bounds import with_upper_end
from rlct.answers.result import Route
from rlct.models.latent_variables.mixture import Mixture
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem

#: Where λ is Σ (1 + h)/m itself, by the integral over a ball or a simplex.
REACHED = [
    (["x**2 + y**2"], {}, "1"),
    (["x**2 + y**2"], {"prior": "x"}, "3/2"),
    (["x**4 + y**4"], {"prior": "y**(-1/2)"}, "3/8"),
    (["x + y**2"], {"nonneg": ["x"], "prior": "x**(-1/2)"}, "1"),
    (["x + y"], {"nonneg": ["x", "y"]}, "2"),
    (["x + y**2"], {"nonneg": ["x"], "prior": "x"}, "5/2"),
    (["(x - 1)**2"], {"at": {"x": 1}, "prior": "x**3"}, "1/2"),
    (["(x**2 - 2)**4"], {"at": {"x": "root(t^2-2, 1..2)"}}, "1/4"),
]
#: Where it is smaller; the truth is that of the engine.
BELOW = [
    (["x**2*y**4"], {}),
    (["(x**2 - y**3)**2"], {"prior": "y"}),
    (["x*y + z**3"], {"nonneg": ["x", "y", "z"]}),
    (["(x - y**2)**2 + x**6"], {}),
]


@pytest.mark.parametrize(("K", "options", "upper"), REACHED)
def test_the_order_of_K_bounds_from_above_and_is_reached(K, options, upper):
    (route,) = with_upper_end(Problem.poly(*K, **options), [])
    assert (route.lower, route.upper) == (None, Pair.of(upper))
    assert rlct.poly(*K, **options).pair == Pair.of(upper)


@pytest.mark.parametrize(("K", "options"), BELOW)
def test_the_order_of_K_is_never_below_the_truth(K, options):
    (route,) = with_upper_end(Problem.poly(*K, **options), [])
    assert route.upper > rlct.poly(*K, **options).pair


def test_an_ideal_has_twice_the_order_of_its_lowest_generator():
    (route,) = with_upper_end(Problem.ideal(["x**3", "y**2*z", "z**5"]), [])
    assert route.upper == Pair.of("3/6")
    assert route.method == "order 6 of K at the point"


def test_walls_have_the_weight_that_bounds_best():
    square = with_upper_end(Problem.ideal(["x + y"], nonneg=["x"]), [])
    assert square[0].upper == Pair.of(1)  # with weight 2 it would be 3/2
    (plain,) = with_upper_end(Problem.poly("x + y**2", nonneg=["x"]), [])
    assert plain.upper == Pair.of("3/2")  # and with weight 1 here 2
    assert plain.method == "order 2 of K at the point, of weight 2 in what is ≥ 0"


def test_an_end_from_above_stays_as_it_is():
    problem = Problem.poly("x**2 + y**2")
    given = [Route("rule", None, Pair.of(7))]
    assert with_upper_end(problem, given) is given
    below = Route("rule", Pair.of("1/2"), None)
    kept, _ = with_upper_end(problem, [Route("nothing", None, None), below])
    assert kept is below


def network(units):
    one = Fraction(1)
    return ReluNetwork(((one,),) * units, ((one,) * units,), None, ((-one, one),), False, False)


def test_what_may_have_no_parameter_of_the_truth_has_no_end():
    given = [Route("rule", Pair.of("1/2"), None)]
    assert len(with_upper_end(ReluFibre(network(2), 2), given)) == 2
    assert with_upper_end(ReluFibre(network(2), 1), given) is given
    # A prior of a model may be 0 or infinite at its truth, and K of the first order.
    assert with_upper_end(Mixture(components=3, true=1), given) is given


def test_a_question_that_is_stopped_at_once_has_an_end(monkeypatch):
    monkeypatch.setattr(routes, "theorem_routes", lambda question, clock: [])
    monkeypatch.setattr(routes, "routes", lambda question, known, effort: Routes(known))
    polynomial = rlct.poly("(x - y)**4 + x**6", timeout=5)
    assert (polynomial.lower, polynomial.upper, polynomial.status) == (0, Fraction(1, 2), "bounds")
    assert str(polynomial).startswith("0 < λ ≤ 1/2 (bounds; at the origin; order 4 of K")
    weights = {"hidden": [[1.0, 0.1], [0.3, 1.0]], "outer": [[1, 1], [1, 0]]}
    near = rlct.quadratic(weights=weights, timeout=5)
    assert near.upper == Fraction(8, 2)
    assert near.routes[-1].method.startswith("theorem parameter-count-bound")
    whole = rlct.poly("(x-1)**2", over={"x": (0, 3)}, timeout=5)
    assert whole.upper == Fraction(1, 2)
    assert not any(note.startswith("no zero of K") for note in whole.notes)
    without = rlct.poly("(7*x-5)**2 + y**2", over=(-1, 1), timeout=5)
    assert without.upper is None  # no simple zero, though it has one
    assert str(without).startswith("0 < λ (bounds; minimum over the box")
    assert without.notes[-1].startswith("no zero of K was found among simple points of the box")


def test_the_lower_end_is_0_where_a_model_may_be_constant():
    """Without a polynomial K may be 0 next to the truth, as where no ReLU is active."""
    network_answer = rlct.model("network", parameters=7)
    assert str(network_answer).startswith("0 ≤ λ ≤ 7/2 (bounds if")
    assert network_answer.explain().startswith("0 ≤ λ ≤ 7/2")
    dead = rlct.theorem(
        "relu-bound", hidden=[[0]], outer=[[1]], data=[[1], [-1]], bias=False, weights="open"
    )
    assert str(dead).startswith("0 ≤ λ ≤ 1 (bounds")


@pytest.mark.parametrize(
    ("K", "prior", "upper"),
    [
        ("(x - 1)**2 + (x*y - 1)**4", None, "1"),
        ("x + 2*y + y**2*x", None, "2"),  # of the first order at 0, where it changes sign
        ("x**2 + y**2", "x", "3/2"),
        ("(x - 1)**2 + (y - 1)**2", "x", "1"),  # the prior is a unit at (1, 1)
    ],
)
def test_a_box_with_a_simple_zero_has_an_end(K, prior, upper):
    (route,) = with_upper_end(BoxProblem.of([K], (0, 2), prior, is_ideal=False), [])
    assert route.upper == Pair.of(upper)
    exact = rlct.poly(K, over=(0, 2), prior=prior)
    assert exact.upper <= route.upper.lam
