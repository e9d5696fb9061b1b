"""Gaussian latent forests at a true sub-forest."""

from fractions import Fraction

from rlct.models.latent_variables.forest import Edge, LatentForest, degree_of, edges_of, nodes_of
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, half_dimension, only_open
from rlct.theorems.kit.sizes import by_building, integer_parameter, known_instance, model_links
from rlct.theorems.working import step


def _shown(arguments: Arguments) -> str:
    LatentForest(arguments["leaves"], arguments["edges"], arguments["true_edges"])
    return f"{len(edges_of(arguments['edges']))} edges"


def _value(arguments: Arguments) -> Pair:
    n = arguments["leaves"]
    edges, true = edges_of(arguments["edges"]), edges_of(arguments["true_edges"])
    anchored = {*range(1, n + 1), *nodes_of(true)}
    # A hidden node of degree two in the truth joins two edges that only their product shows.
    joined = sum(node > n and degree_of(node, true) == 2 for node in nodes_of(true))
    dimension = n + len(true) - joined
    ends = sum(node in anchored for edge in edges if edge not in true for node in edge)
    lam = step(f"λ = {dimension}/2 + {ends}/4", Fraction(dimension, 2) + Fraction(ends, 4))
    chained = _chained(edges, anchored)
    return Pair(lam, step(f"θ = 1 + {chained}", 1 + chained))


def _chained(edges: tuple[Edge, ...], anchored: set[int]) -> int:
    """Nodes of degree two outside `anchored` whose chain of such nodes has an end in `anchored`."""
    chain = {n for n in nodes_of(edges) if n not in anchored and degree_of(n, edges) == 2}
    neighbours: dict[int, list[int]] = {node: [] for node in chain}
    for one, two in edges:
        for node, other in ((one, two), (two, one)):
            if node in chain:
                neighbours[node].append(other)
    # A chain between two hubs has weight 0 in every optimum: none of it can be moved.
    reached = {node for node in chain if anchored.intersection(neighbours[node])}
    pending = list(reached)
    while pending:
        new = chain.intersection(neighbours[pending.pop()]) - reached
        reached |= new
        pending += new
    return len(reached)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Variances are coordinates at any truth; half the number of parameters from above."""
    if not only_open(arguments, "generic", "interior"):
        return None
    n, edge_count = arguments["leaves"], len(edges_of(arguments["edges"]))
    lower = TheoremBounds("variances", Pair(step(f"λ ≥ {n}/2", Fraction(n, 2)), 1))
    above = half_dimension(n + edge_count) if only_open(arguments, "generic") else None
    return sharper_bounds(lower, above)


_TREE_EDGES = "1-6,2-6,6-7,7-8,3-7,4-8,5-8"
# 5 lies between the hubs 6 and 7; then 6 between the hubs 7 and 8, and 5 between 1 and 7.
_CHAIN_EDGES = "1-6,2-6,3-7,4-7,5-6,5-7"
_CHAIN_AT_LEAF = "1-5,5-7,2-7,6-7,6-8,3-8,4-8"

THEOREM = Theorem(
    id="gaussian-latent-forest",
    title="Gaussian latent forest",
    model="Gaussian variables on a forest F, leaves 1 … n observed; the truth is generic in F₀ ⊂ F",
    where="minimum over all parameters of the true distribution",
    cites=("drton2017forest",),
    parameters=(
        integer_parameter("leaves", "n, number of observed nodes; they are 1 to n"),
        Parameter("edges", Kind.TEXT, "edges of F"),
        Parameter("true_edges", Kind.TEXT, "edges of F₀", ""),
        Parameter.given(
            "generic",
            "the correlations along the true edges are not 0 or ±1",
            fallback_text="n/2 ≤ λ ≤ half the number of leaves and edges",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=by_building("the edges form a forest with a sub-forest", _shown),
    value=_value,
    fallback=_fallback,
    decided=lambda arguments: {} if arguments["true_edges"] else {"generic": "no true edge"},
    **model_links(LatentForest),
    instances=(
        known_instance((5, _TREE_EDGES, ""), "15/4", 1),
        known_instance((5, _TREE_EDGES, "3-7,4-8,5-8,7-8"), "19/4", 1),
        known_instance((5, "1-6,6-7,7-8,5-8", ""), "3", 4),
        known_instance((5, "1-6,2-6,7-8,3-7,4-8", "1-6,2-6"), "7/2", 3),
        known_instance((4, _CHAIN_EDGES, ""), "3", 1),
        known_instance((4, _CHAIN_AT_LEAF, ""), "3", 2),
        known_instance((3, "1-4,2-4,3-4", ""), "9/4", 1, by_simulation()),
        known_instance((3, "1-4,2-4,3-4", "1-4,2-4"), "5/2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "interior", (2, "1-3,2-3"), ("5/2", 2), "v; w; a*b", prior="a**2*b**2"
        ),
        Counterexample.against(
            "generic",
            (3, "1-4,2-4,3-4", "1-4,2-4,3-4"),
            "5/2",
            "u; v; w; a + b + a*b; (1 + a)*c; (1 + b)*c",
        ),
    ),
)
