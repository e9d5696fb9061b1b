"""Bayesian networks: special cases, sums over districts, bounds against the engine, mistakes."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
import sympy

import rlct
from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.answers.kinds import EngineEffort
from rlct.answers.model_kinds import model_routes
from rlct.answers.proved_claim import how_proved
from rlct.errors import InputError
from rlct.models.latent_variables.bayesian_network import BayesianNetwork
from rlct.system.time_limit import Budget
from rlct.theorems import get_theorem
from rlct.theorems.kit.general_truth import rank_at
from rlct.theorems.latent_variables.smaller_network import table_derivative

THEOREM = get_theorem("bayesian-network-bound")


def asked(arrows: str, hidden: str = "h", **more: str) -> rlct.Result:
    return rlct.model("bayesian-network", arrows=arrows, hidden=hidden, **more)


def by_engine(network: BayesianNetwork, seconds: float) -> tuple[rlct.Pair | None, ...]:
    """Bounds without theorems and without models of other names."""
    effort = EngineEffort(seconds, clock=Budget(seconds))
    routes = model_routes(network, [], effort).routes
    lowers = [route.lower for route in routes if route.lower is not None]
    uppers = [route.upper for route in routes if route.upper is not None]
    return max(lowers, default=None), min(uppers, default=None)


@pytest.mark.parametrize(
    ("arrows", "more", "name", "sizes"),
    [
        ("h->x, h->y", {}, "naive-bayes", {"features": 2}),
        ("h->x, h->y, h->z, h->w", {"truth": "independent"}, "naive-bayes", {"features": 4}),
        (
            "h->x, h->y, h->z",
            {"truth": "h=1/3 2/3; x=1/3 2/3, 1/4 3/4; y=1/2 1/2, 1/5 4/5"},
            "naive-bayes",
            {"features": 3, "dependent": 2},
        ),
        (
            "h->x, h->y",
            {"states": "x=3"},
            "latent-class",
            {"classes": 2, "true": 1, "categories": (3, 2)},
        ),
        (
            "h->x, h->y, h->z",
            {"states": "h=3", "truth": "generic", "true_states": "h=2"},
            "latent-class",
            {"classes": 3, "true": 2, "categories": (2, 2, 2)},
        ),
        (
            "h->x",
            {"states": "h=3, x=3, a=4", "arrows": "a->h, h->x", "inputs": "a"},
            "lda",
            {"words": 3, "topics": 3, "documents": 4},
        ),
        (
            "g->h, h->x, h->y, g->z",
            {"hidden": "g,h"},
            "binary-tree",
            {"leaves": 3, "edges": "4-3,4-5,5-1,5-2", "root": 4},
        ),
    ],
)
def test_a_network_with_a_name_of_its_own_has_that_answer(
    arrows: str, more: dict[str, str], name: str, sizes: dict[str, object]
) -> None:
    one = rlct.model("bayesian-network", **{"arrows": arrows, "hidden": "h", **more})
    other = rlct.model(name, **sizes)
    assert (one.lower, one.upper, one.theta) == (other.lower, other.upper, other.theta)
    if one.status == "exact" and one.certificate:
        assert how_proved(one.question, one.to_dict(), one.certificate) != "false"


@pytest.mark.parametrize(
    ("arrows", "more", "pair"),
    [
        ("h->x, h->y", {}, ("3/2", 3)),
        ("h->x, h->y, h->z", {}, ("2", 1)),
        ("h->x, h->y", {"states": "x=3"}, ("2", 2)),
        ("a->h, h->x", {"inputs": "a"}, ("1", 2)),
    ],
)
def test_the_equations_of_the_network_alone_say_the_same(
    arrows: str, more: dict[str, str], pair: tuple[str, int]
) -> None:
    network = BayesianNetwork(arrows, "h", **more)
    assert network.known_model is not None
    assert by_engine(network, 15) == (rlct.Pair.of(*pair),) * 2


def test_districts_add_up() -> None:
    """Two stars, a chain below one of them, and a node alone."""
    found = asked("h->x, h->y, h->z, x->w, g->u, g->v, k", "h,g")
    parts = [rlct.model("naive-bayes", features=n).pair for n in (3, 2)]
    assert found.pair == rlct.Pair.sum([*parts, rlct.Pair.of("2/2"), rlct.Pair.of("1/2")])


def test_certificates_of_networks_without_another_name() -> None:
    found = asked("a->h, h->x, h->y")
    assert found.pair == rlct.Pair.of("9/4", 1)
    assert rlct.verify(found.certificate)


def test_what_no_observation_sees_is_left_out() -> None:
    assert asked("h->x, h->y, h->g, g->k", "h,g,k").pair == asked("h->x, h->y").pair
    assert asked("a->b->c, a->c, c->h").pair == rlct.Pair.of("7/2", 1)


def test_all_parameters_of_a_truth_are_zeros_of_the_equations() -> None:
    """The states of a hidden node in another order: the same distribution."""
    tables = [
        "h=1/3 2/3; x=1/3 2/3, 1/4 3/4; y=1/2 1/2, 1/5 4/5, 1/6 5/6, 1/7 6/7",
        "h=2/3 1/3; x=1/4 3/4, 1/3 2/3; y=1/6 5/6, 1/7 6/7, 1/2 1/2, 1/5 4/5",
    ]
    one, other = (BayesianNetwork("h->x, h->y, x->y", "h", truth=text) for text in tables)
    mine = dict(one.polynomials().at)
    assert mine != dict(other.polynomials().at)
    for text in other.polynomials().generators:
        assert sympy.sympify(text).subs({name: sympy.Rational(v) for name, v in mine.items()}) == 0


def random_networks(seed: int, count: int) -> list[BayesianNetwork]:
    """Small networks, each with a hidden node in a district of its own."""
    rng, found = Random(seed), list[BayesianNetwork]()
    while len(found) < count:
        names = "abcd"[: rng.randint(3, 4)]
        arrows = [f"{p}->{q}" for p, q in combinations(names, 2) if rng.random() < 0.6]
        hidden = [name for name in names if rng.random() < 0.4]
        if 0 < len(hidden) < len(names) - 1:
            truth = rng.choice(["uniform", "independent"])
            network = BayesianNetwork(", ".join([*arrows, *names]), ",".join(hidden), truth=truth)
            parts = [part for part in network.parts if part.hidden]
            found += [part for part in parts if part.parameter_count <= 9]
    return found[:count]


@pytest.mark.slow
def test_bounds_hold_on_random_networks() -> None:
    """The engine decides most; the upper bound is reached by most of these, and passed by none."""
    reached = decided = 0
    for network in random_networks(seed=5, count=12):
        bounds = THEOREM.formula(**{name: getattr(network, name) for name in FIELDS})
        lower, upper = by_engine(network, 4)
        assert lower is None or lower <= bounds.upper
        assert upper is None or bounds.lower <= upper
        decided += lower == upper
        reached += lower == upper and upper.lam == bounds.upper.lam
    assert decided >= 6
    assert reached >= decided // 2


FIELDS = ("arrows", "hidden", "states", "truth", "true_states", "inputs")


@pytest.mark.parametrize(
    ("arrows", "hidden", "rank"),
    [
        ("a->h, h->x, h->y, h->z", "h", 9),
        ("h->x, h->y, x->y", "h", 3),
        ("h->x, g->x, h->y", "h,g", 3),
    ],
)
def test_a_generic_truth_has_the_exact_rank_of_its_equations(
    arrows: str, hidden: str, rank: int
) -> None:
    network = BayesianNetwork(arrows, hidden, truth="generic")
    assert rank_at(network) == rank
    found = THEOREM.apply(arrows=arrows, hidden=hidden, truth="generic")
    assert found.pair == rlct.Pair(Fraction(rank, 2), 1)


def test_the_way_of_yamazaki_and_watanabe_is_no_better() -> None:
    """Spare states never taken everywhere: the smaller network and their probabilities."""
    for states, true in product((2, 3, 4), (1, 2)):
        more = {"states": f"h={states}", "truth": "generic", "true_states": f"h={true}"}
        bounds = THEOREM.formula(arrows="a->h, h->x, h->y, h->z", hidden="h", **more)
        smaller = 1 + 2 * (true - 1) + 3 * true
        assert bounds.upper.lam <= Fraction(smaller + 2 * (states - true), 2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"arrows": "a->b->c->a"}, "cycle, .*: turn one of them"),
        ({"arrows": "a-"}, "write the graph in quotes"),
        ({"arrows": "a->b, a->b"}, "given twice"),
        ({"arrows": "h->x", "hidden": "g"}, "'g', which is no node: write one of h, x"),
        ({"arrows": "h->x", "hidden": "h,x"}, "every node is hidden"),
        ({"arrows": "h->x", "inputs": "x"}, "must be observed and have no parents"),
        ({"arrows": "h->x", "states": "z=3"}, "'z', which is no node"),
        ({"arrows": "h->x", "states": "h=0"}, "from 1 to 999, not '0': write h=3"),
        ({"arrows": "h->x", "states": "h"}, "from 1 to 999, not ''"),
        ({"arrows": "h->x", "states": "x=1"}, "observed and has 1 state"),
        ({"arrows": "h->x", "truth": "mine"}, "no truth: write uniform, independent, generic"),
        ({"arrows": "h->x", "truth": "x=1/3 1/3"}, "sums to 2/3: write probabilities"),
        ({"arrows": "h->x", "truth": "x=0 1"}, "not positive"),
        ({"arrows": "h->x", "truth": "h=1/2 1/2; h=1/4 3/4"}, "two tables of h: write one"),
        ({"arrows": "h->x", "truth": "x=a b"}, "no row of x"),
        ({"arrows": "h->x", "truth": "x=1/3 1/3 1/3"}, "not the 2 probabilities"),
        ({"arrows": "h->x", "truth": "h=1"}, "h has 2 states and is observed"),
        ({"arrows": "a->x", "truth": "x=1/2 1/2, 1/2 1/2, 1/2 1/2"}, "or 2, separated by commas"),
        ({"arrows": "h->x", "hidden": "h", "true_states": "h=1"}, "not of one that is uniform"),
        (
            {"arrows": "h->x", "hidden": "h", "truth": "generic", "true_states": "h=3"},
            "exceed its 2",
        ),
        ({"arrows": "h->x", "truth": "generic", "true_states": "h=1"}, "which is not hidden"),
    ],
)
def test_mistakes_give_one_line(fields: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        rlct.model("bayesian-network", **fields)
    assert "\n" not in str(error.value)


def test_ranks_of_districts_add_up_to_that_of_the_whole_table() -> None:
    """The derivative of the observed distribution itself, at random tables."""
    rng, several = Random(3), 0
    for _ in range(60):
        names = "abcde"[: rng.randint(3, 5)]
        arrows = [f"{p}->{q}" for p, q in combinations(names, 2) if rng.random() < 0.5]
        hidden = [name for name in names[:-1] if rng.random() < 0.4]
        network = BayesianNetwork(", ".join([*arrows, *names]), ",".join(hidden))
        graph, parts = network.graph, network.parts
        whole = rank_modulo_prime(table_derivative(graph, graph.sizes))
        ranks = [rank_modulo_prime(table_derivative(p.graph, p.graph.sizes)) for p in parts]
        assert whole == sum(ranks)
        several += len(parts) > 1 and any(part.hidden for part in parts)
    assert several > 20
