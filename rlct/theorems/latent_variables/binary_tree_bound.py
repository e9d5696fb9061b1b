"""Binary latent trees whose true leaves are independent."""

from fractions import Fraction

from rlct.models.latent_variables.binary_tree import BinaryTree
from rlct.models.latent_variables.forest import edges_of, nodes_of
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.sizes import (
    bounded_instance,
    by_building,
    integer_parameter,
    model_links,
    model_of,
)
from rlct.theorems.working import step


def _shown(arguments: Arguments) -> str:
    tree = model_of(BinaryTree, arguments)
    return f"{len(tree.constant)} hidden nodes constant, cost {tree.cost}"


def _value(arguments: Arguments) -> TheoremBounds:
    tree = model_of(BinaryTree, arguments)
    upper = Pair((tree.leaves + tree.cost) / 2, 1)
    step(f"λ ≥ {tree.leaves}/2", Fraction(tree.leaves, 2))
    step("least cost of the hidden nodes", tree.cost)
    step(f"λ ≤ ({tree.leaves} + {tree.cost})/2", upper.lam)
    rule = "hidden nodes constant or edges 0; lower: the means of the leaves"
    return TheoremBounds(rule, Pair(Fraction(tree.leaves, 2), 1), upper)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a mean 0 or 1, with edges 0 or hidden nodes constant: the distance to the first power."""
    if not only_open(arguments, "positive"):
        return None
    n, nodes = arguments["leaves"], len(nodes_of(edges_of(arguments["edges"])))
    count = step(f"λ ≤ {n} + min({n}, {nodes - n})", n + min(n, nodes - n))
    return TheoremBounds(FIRST_POWER, upper=Pair(count, 1))


THEOREM = Theorem(
    id="binary-tree-bound",
    title="Binary latent tree, independent leaves",
    model="general Markov model on a tree of binary variables, n leaves observed and independent",
    where="minimum over all parameters of the true distribution",
    cites=(
        "zwiernik2011 (the models; the bound is proved on the theory page)",
        "rusakov2005 (stars)",
    ),
    parameters=(
        integer_parameter("leaves", "n, number of observed nodes; they are 1 to n"),
        Parameter("edges", Kind.TEXT, "edges of the tree, such as 1-4,2-4,3-4"),
        integer_parameter("root", "a hidden node, where the parameters start"),
        Parameter.given(
            "positive",
            "the true means are not 0 or 1",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ n + the smaller of n and the number of hidden nodes",
        ),
        Parameter.stated(
            "interior",
            "the prior of all conditional probabilities is positive and continuous, up to 0 and 1",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=by_building(
        "the edges form a tree with n observed leaves, rooted at a hidden node", _shown
    ),
    value=_value,
    fallback=_fallback,
    **model_links(BinaryTree),
    kind="bound",
    instances=(
        bounded_instance((2, "1-3,2-3", 3), "1", "3/2", ("3/2", 3), by_simulation()),
        bounded_instance((3, "1-4,2-4,3-4", 4), "3/2", "2", "2", by_simulation()),
        bounded_instance((4, "1-5,2-5,5-6,3-6,4-6", 5), "2", "3", None),
        bounded_instance((3, "1-4,4-5,2-5,3-5", 4), "3/2", "9/4", None),
        bounded_instance((3, "1-4,4-5,2-5,3-5", 5), "3/2", "2", None),
    ),
    counterexamples=(
        Counterexample.against(
            "interior", (2, "1-3,2-3", 3), ("5/2", 3), "u; v; t*a*b", prior="t**2*a**2*b**2"
        ),
        Counterexample.against(
            "positive",
            (2, "1-3,2-3", 3),
            "3",
            "x; y; t*a; t*b",
            nonneg=("x", "y", "t", "a", "b"),
            prior="x*y*t*a*b",
        ),
    ),
)
