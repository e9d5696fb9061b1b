"""Bayesian networks with hidden nodes: what is observed, and the cheapest way to be smaller."""

from fractions import Fraction
from math import prod
from typing import Final

from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.models.latent_variables.bayesian_network import BayesianNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import (
    TheoremBounds,
    by_simulation,
)
from rlct.theorems.kit.given import BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance, by_building, model_links, model_of
from rlct.theorems.latent_variables.smaller_network import (
    cell_count,
    observed_count,
    smaller_ways,
    table_derivative,
)
from rlct.theorems.working import joined_terms, step

_MOST_ENTRIES: Final = 200_000  # of the derivative, which is eliminated in about a second


def _network(arguments: Arguments) -> BayesianNetwork:
    return model_of(BayesianNetwork, arguments)


def _shown(arguments: Arguments) -> str:
    graph = _network(arguments).graph
    return f"{len(graph.parents)} nodes in {len(graph.districts)} districts"


def _generic_rank(part: BayesianNetwork) -> tuple[int, int]:
    """Rank at random true tables, 0 if it is too large; and what no rank of the network exceeds."""
    graph, sizes = part.graph, part.tables.sizes
    largest = min(part.parameter_count, cell_count(graph))
    if part.parameter_count * prod(graph.sizes.values()) > _MOST_ENTRIES:
        return 0, largest
    return rank_modulo_prime(table_derivative(graph, sizes)), largest


def _of_district(part: BayesianNetwork, *, is_generic: bool) -> tuple[Fraction, Fraction]:
    """Bounds of λ of one district."""
    seen, cells = observed_count(part.graph), cell_count(part.graph)
    lower = upper = step(f"λ ≥ {seen}/2", Fraction(seen, 2))
    if seen < cells:
        counts = [
            (way.never_taken, way.conditions, way.first_order)
            for way in smaller_ways(part.graph, part.tables.sizes)
        ]
        W, D, F = min(counts, key=lambda count: 2 * count[0] + count[1] + count[2])
        upper = step(f"λ ≤ ({W} + ({D} + {F})/2)/2", Fraction(2 * W + D + F, 4))
    if is_generic and lower < upper:
        rank, largest = _generic_rank(part)
        if part.tables.sizes == part.graph.sizes or rank == largest:
            lower = max(lower, step(f"λ ≥ {rank}/2", Fraction(rank, 2)))
            upper = min(upper, step(f"λ ≤ {largest}/2", Fraction(largest, 2)))
    return lower, upper


def _bounds(arguments: Arguments, *, is_generic: bool) -> TheoremBounds:
    network = _network(arguments)
    is_generic = is_generic and network.truth.strip() == "generic"
    ends = [_of_district(part, is_generic=is_generic) for part in network.parts]
    lowers, uppers = zip(*ends, strict=True)
    lower = step(f"λ ≥ {joined_terms(lowers)}", sum(lowers, Fraction(0)))
    upper = step(f"λ ≤ {joined_terms(uppers)}", sum(uppers, Fraction(0)))
    rule = "spare states never taken or like true ones; lower: tables of observed nodes"
    return TheoremBounds(rule, Pair(lower, 1), Pair(upper, 1))


def _value(arguments: Arguments) -> TheoremBounds:
    return _bounds(arguments, is_generic=True)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """A truth that may be special; or one with probabilities 0, to the first power."""
    if only_open(arguments, "generic"):
        return _bounds(arguments, is_generic=False)
    if not only_open(arguments, "positive"):
        return None
    parts = _network(arguments).parts
    nodes = [(part, node) for part in parts for node in part.graph.districts[0].observed]
    free_count = sum(part.graph.sizes[node] - 1 for part, node in nodes)
    lower = step(f"λ ≥ {free_count}/2", Fraction(free_count, 2))
    costs = [
        min(
            way.never_taken + way.conditions
            for way in smaller_ways(part.graph, part.tables.sizes)
            if way.is_plain
        )
        for part in parts
    ]
    most = step(f"λ ≤ {joined_terms(costs)}", sum(costs))
    rule = f"lower: distributions of single nodes; upper: {FIRST_POWER}"
    return TheoremBounds(rule, Pair(lower, 1), Pair(most, 1))


THEOREM = Theorem(
    id="bayesian-network-bound",
    title="Bayesian network with hidden nodes",
    model="tables of the nodes of a directed acyclic graph, some of them hidden; a smaller truth",
    where="minimum over all parameters of the true distribution",
    cites=(
        "yamazaki2003bayesian, 592–599 (bounds of this kind; proved on the theory page)",
        "tian2002, 519–527 (districts)",
    ),
    parameters=(
        Parameter("arrows", Kind.TEXT, "arrows of the graph, such as a->h,h->x,h->y"),
        Parameter("hidden", Kind.TEXT, "nodes that are not observed", ""),
        Parameter("states", Kind.TEXT, "numbers of states that are not 2, such as h=3", ""),
        Parameter("truth", Kind.TEXT, "uniform, independent, generic, or tables", "uniform"),
        Parameter("true_states", Kind.TEXT, "states of hidden nodes in a generic truth", ""),
        Parameter("inputs", Kind.TEXT, "observed nodes whose distribution is no parameter", ""),
        Parameter.given(
            "positive",
            "no true probability is 0",
            fallback_text="the distributions of single observed nodes, and the count to the first "
            "power",
        ),
        Parameter.stated(
            "generic",
            "a truth that is called generic is in no set of measure zero",
            fallback_text="the bounds of any truth with as many states",
        ),
        Parameter.stated(
            "interior",
            "the prior of all tables is positive and continuous, up to 0 and 1",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=by_building(
        "the arrows, states and tables form a network, all of whose true tables are > 0", _shown
    ),
    value=_value,
    fallback=_fallback,
    **model_links(BayesianNetwork),
    kind="bound",
    instances=(
        bounded_instance(("h->x,h->y", "h"), "1", "3/2", ("3/2", 3), by_simulation()),
        bounded_instance(("h->x,x->y,h->y", "h"), "3/2", "3/2", "3/2", by_simulation()),
        bounded_instance(("a->h,h->x,h->y", "h"), "3/2", "5/2", "9/4"),
        bounded_instance(("h->x,g->x,h->y,g->y", "h,g"), "1", "2", "3/2"),
        bounded_instance(("a->h,h->x,h->y,a->x", "h"), "2", "5/2", "5/2"),
        bounded_instance(
            {"arrows": "a->h,h->x,h->y", "hidden": "h", "truth": "generic"}, "7/2", "7/2", "7/2"
        ),
        bounded_instance(("a->h,h->x,h->y,h->z", "h", "h=3", "generic", "h=2"), "2", "11/2", None),
    ),
    counterexamples=(
        squared_prior(("x",), "interior", "p"),
        Counterexample.against("positive", ("x",), "1", "y", nonneg=("y",), prior="y"),
        Counterexample.against(
            "generic",
            {"arrows": "h->x,h->y,h->z", "hidden": "h", "truth": "generic"},
            "2",
            "p; q; r; a*b*c; a*b*d; a*c*d",
        ),
    ),
)
