"""Markov chains, latent classes, binary trees, arrangements: their divergences and searches."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy

import rlct
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.latent_variables.binary_tree import BinaryTree
from rlct.pair import Pair
from rlct.theorems import get_theorem


def words(rows, start, length):
    """Probabilities of all words of a chain."""
    table = {}
    for word in itertools.product(range(len(rows)), repeat=length):
        path = (start, *word)
        table[word] = np.prod([rows[i][j] for i, j in itertools.pairwise(path)])
    return table


def test_the_divergence_of_a_chain_is_squares_and_first_powers() -> None:
    """Ratio of the exact divergence to the comparison of theory/markov-chain.md, at random."""
    rng = np.random.default_rng(5)
    truth = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.0, 1.0, 0.0]])
    exact = words(truth, 0, 4)
    ratios, wrong = [], []
    for exponent in rng.uniform(1, 6, size=300):
        size = 10**-exponent
        moved = truth + size * np.where(truth > 0, rng.normal(size=(3, 3)), 0)
        zeros = np.where(truth > 0, 0, size * rng.uniform(size=(3, 3)))
        moved = moved / moved.sum(1, keepdims=True) * (1 - zeros.sum(1, keepdims=True)) + zeros
        found = words(moved, 0, 4)
        # p log(p/q) − p + q is ≥ 0 for each word, which keeps small divergences exact.
        K = sum(
            q - p + p * -np.log1p((q - p) / p) if p else q
            for p, q in ((p, found[word]) for word, p in exact.items())
        )
        squares = ((moved - truth) ** 2)[truth > 0].sum()
        ratios.append(K / (squares + zeros.sum()))
        wrong.append(K / (squares + (zeros**2).sum()))
    assert max(ratios) / min(ratios) < 100
    assert max(wrong) / min(wrong) > 1000


def test_chains_of_longer_memory() -> None:
    assert rlct.model("markov", symbols=2, support=(2,) * 8).pair == Pair.of(4)
    assert rlct.model("markov", symbols=4, support=(4, 4, 4, 4)).pair == Pair.of(6)
    with pytest.raises(InputError, match="3 of 2 symbols"):
        rlct.model("markov", symbols=2, support=(3, 1))


def test_short_words_do_not_show_the_second_return() -> None:
    """Two transitions: 5/4 by the engine; three are enough for one true chain of two states."""
    found = {
        T: rlct.solve(get_model("markov-mixture")(2, 1, 2, T).problem()).pair for T in (2, 3, 4)
    }
    assert found == {2: Pair.of("5/4"), 3: Pair.of("3/2", 2), 4: Pair.of("3/2", 2)}
    answer = get_theorem("markov-mixture").apply(components=2, true=1, states=2, transitions=3)
    assert not answer.exact
    assert answer.bounds is not None
    assert (answer.bounds.lower, answer.bounds.upper) == (None, Pair.of("3/2", 2))


def test_returns_determine_a_chain() -> None:
    """theory/markov-mixture.md: the chain from its returns of at most three steps."""
    rng = np.random.default_rng(2)
    for k in (3, 4, 5):
        chain = rng.dirichlet(np.ones(k), size=k)
        rest = range(1, k)
        q = np.array([chain[0, i] * chain[i, 0] for i in rest])
        c = np.array([[chain[0, i] * chain[i, j] * chain[j, 0] for j in rest] for i in rest])
        assert max(abs(np.linalg.eigvals(c / q))) < 1
        u = np.linalg.solve(np.eye(k - 1) - c / q, q)
        assert np.allclose(u, chain[0, 1:])
        assert np.allclose(c * u / (u[:, None] * q), chain[1:, 1:])


def test_latent_classes_of_binary_features_are_naive_bayes() -> None:
    for n in range(1, 7):
        two = get_theorem("latent-class-bound").apply(classes=2, true=1, categories=(2,) * n)
        assert two.pair == rlct.theorem("naive-bayes", features=n).pair, n


def test_bounds_of_latent_classes_hold_the_engine() -> None:
    for categories, alpha in itertools.product([(2, 2), (2, 3), (3, 3), (2, 2, 2)], (1, "1/2", 3)):
        sizes = {"classes": 2, "true": 1, "categories": categories, "concentration": alpha}
        result = rlct.model("latent-class", **sizes)
        assert [route.exact for route in result.routes if route.upper] == [True, True], sizes


def cost_by_powers(tree: BinaryTree) -> Fraction:
    """Least power of ε by a search over all nodes at once, without components."""
    hidden = [node for node in tree.parents if node > tree.leaves]
    least = Fraction(10**6)
    for flags in itertools.product((False, True), repeat=len(hidden)):
        constant = dict(zip(hidden, flags, strict=True))
        paid = Fraction(0)
        for node in hidden:
            above = constant.get(tree.parents[node], node == tree.root)
            paid += (1 if above else 2) * constant[node]
        needed = set()
        for one, two in itertools.combinations(range(1, tree.leaves + 1), 2):
            if not any(constant.get(node, False) for node in path(tree, one, two)):
                needed |= {one, two}
        least = min(least, paid + Fraction(len(needed), 2))
    return least


def path(tree: BinaryTree, one: int, two: int) -> list[int]:
    chains = []
    for node in (one, two):
        chain = [node]
        while tree.parents[chain[-1]]:
            chain.append(tree.parents[chain[-1]])
        chains.append(chain)
    common = [node for node in chains[0] if node in chains[1]]
    return [n for chain in chains for n in chain if n not in common] + common[:1]


@pytest.mark.parametrize("seed", range(15))
def test_binary_trees_by_another_search(seed: int) -> None:
    rng = random.Random(seed)
    hidden = rng.randint(1, 4)
    leaves = rng.randint(2 * hidden + 1, 12)
    inner = list(range(leaves + 1, leaves + hidden + 1))
    edges = [(rng.choice(inner[:k]), node) for k, node in enumerate(inner) if k]
    places = inner * 2 + [rng.choice(inner) for _ in range(leaves - 2 * hidden)]
    edges += [(leaf, place) for leaf, place in enumerate(places, start=1)]
    text = ",".join(f"{a}-{b}" for a, b in edges)
    tree = BinaryTree(leaves, text, rng.choice(inner))
    assert tree.cost == cost_by_powers(tree)


def test_many_leaves_below_a_node_make_it_constant() -> None:
    below = ",".join(f"{leaf}-{11 if leaf < 6 else 12}" for leaf in range(1, 11))
    tree = BinaryTree(10, f"{below},11-12", 11)
    assert tree.constant == {11, 12}
    assert tree.cost == 2


def test_a_star_is_a_naive_bayes_model() -> None:
    """The tree's own bounds hold for its exact value, and meet it from above."""
    for leaves, pair in ((2, Pair.of("3/2", 3)), (5, Pair.of(3))):
        edges = ",".join(f"{leaf}-{leaves + 1}" for leaf in range(1, leaves + 1))
        tree = BinaryTree(leaves, edges, leaves + 1)
        assert rlct.solve(tree).pair == pair
        bounds = (
            get_theorem("binary-tree-bound")
            .apply(leaves=leaves, edges=edges, root=leaves + 1)
            .bounds
        )
        assert bounds is not None
        assert bounds.hold(pair)
        assert bounds.upper is not None
        assert bounds.upper.lam == pair.lam
    chain = BinaryTree(4, "1-5,2-5,5-6,3-6,4-6", 5)
    assert get_theorem("naive-bayes").recognise(chain) is None


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"leaves": 2, "edges": "1-3,2-3", "root": 1}, "observed"),
        ({"leaves": 2, "edges": "1-3,2-3,1-2", "root": 3}, "tree"),
        ({"leaves": 2, "edges": "1-3,2-4", "root": 3}, "tree"),
        ({"leaves": 2, "edges": "1-3,2-3,3-4", "root": 3}, "degree 1"),
        ({"leaves": 3, "edges": "1-4,2-4", "root": 4}, "degree 0"),
    ],
)
def test_what_is_no_binary_tree(sizes, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.model("binary-tree", **sizes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_arrangements_by_the_engine(seed: int) -> None:
    rng = random.Random(seed)
    forms = tuple(
        tuple(Fraction(rng.choice((-1, 0, 0, 1, 2))) for _ in range(2 + seed % 2))
        for _ in range(3 + seed % 2)
    )
    forms = tuple(form for form in forms if any(form)) or ((Fraction(1), Fraction(0)),)
    powers = tuple(rng.randint(1, 2) for _ in forms)
    theorem = get_theorem("hyperplane-arrangement")
    arguments = {"forms": forms, "powers": powers}
    engine = rlct.solve(theorem.question(theorem.bind(arguments)), timeout=20)
    assert engine.pair == theorem.apply(**arguments).pair, arguments


@pytest.mark.slow
def test_arrangements_with_too_many_flats_are_refused_at_once() -> None:
    rng = random.Random(1)
    forms = tuple(tuple(rng.randint(-9, 9) for _ in range(6)) for _ in range(40))
    with pytest.raises(InputError, match="more than 1000 flats"):
        get_theorem("hyperplane-arrangement").apply(forms=forms)


def test_arrangements_with_parallel_forms_and_errors() -> None:
    theorem = get_theorem("hyperplane-arrangement")
    assert theorem.apply(forms=((1, 1), (2, 2)), powers=(1, 2)).pair == Pair.of("1/6")
    for arguments, message in [
        ({"forms": ((0, 0),)}, "no form is zero"),
        ({"forms": ((1, 0),), "powers": (0,)}, "positive power"),
        ({"forms": ((1, 0), (0, 1)), "powers": (1,)}, "one positive power"),
        ({"forms": ((1, 0), (1,))}, "same variables"),
    ]:
        with pytest.raises(InputError, match=message):
            theorem.apply(**arguments)


@pytest.mark.slow
def test_partial_bottlenecks_lie_below_the_published_bound() -> None:
    for n, K, L, m in itertools.product((1, 2, 3), (1, 2), (1, 2), (1, 2)):
        if n < L:
            continue
        pair = rlct.theorem(
            "partial-concept-bottleneck", inputs=n, tacit=K, observed=L, outputs=m
        ).pair
        bound = rlct.linear([n, K, m], rank=0).pair + Pair.of(Fraction(L * (n + m), 2))
        assert pair is not None
        assert pair.lam <= bound.lam
        assert pair.lam <= Fraction((K + L) * (n + m), 2)


@pytest.mark.slow
def test_moments_of_two_gaussians_with_free_variances() -> None:
    """theory/location-scale-mixture.md: third and fourth moment, and those after, by sympy."""
    t, a, m, d = sympy.symbols("t a m d")
    q = a * (1 - a)
    moved = (d - (1 - 2 * a) * m**2) / 3  # v2 - v1
    # The common factor that makes the first two moments vanish.
    shift = -a * (m * t + moved * t**2 / 2) - q * m**2 * t**2 / 2
    series = sympy.series(
        (1 - a) * sympy.exp(shift) + a * sympy.exp(shift + m * t + moved * t**2 / 2), t, 0, 7
    ).removeO()
    found = [sympy.expand(series.coeff(t, k) * sympy.factorial(k)) for k in range(7)]
    assert found[:3] == [1, 0, 0]
    assert sympy.expand(found[3] - q * m * d) == 0
    fourth = sympy.expand(found[4] - q * (d**2 - 2 * (1 - q) * m**4) / 3)
    assert sympy.rem(fourth, q * m * d, d) == 0
    for moment in found[5:]:
        quotient, rest = sympy.div(sympy.Poly(moment, a, m, d), sympy.Poly(q, a, m, d))
        assert rest.is_zero
        assert all(i + 2 * j >= 5 for _, i, j in quotient.monoms())


def one_factor(loadings):
    """Generators of Σ − Σ* for one factor, at the given true loadings, moved to the origin."""
    size = len(loadings)
    moved = [f"({value}+l{i})" for i, value in enumerate(loadings)]
    products = [
        f"{moved[i]}*{moved[j]}-{loadings[i] * loadings[j]}"
        for i in range(size)
        for j in range(i + 1, size)
    ]
    return [*(f"d{i}" for i in range(size)), *products]


@pytest.mark.parametrize(
    ("loadings", "lam"),
    [
        ((0, 0, 0), Fraction(9, 4)),
        ((1, 0, 0), Fraction(5, 2)),
        ((1, 1, 0), Fraction(5, 2)),
        ((1, 2, 1), Fraction(3)),
        ((0, 0, 0, 0), Fraction(3)),
        ((1, 0, 0, 0), Fraction(7, 2)),
        ((2, 1, 0, 0), Fraction(7, 2)),
        ((1, 2, 1, 0), Fraction(4)),
    ],
)
def test_one_factor_has_three_strata(loadings, lam):
    """3p/4, (2p − 1)/2 and p, by the engine: the numbers of the likelihood and of the score."""
    answer = rlct.ideal(one_factor(loadings))
    assert (answer.status, answer.lam, answer.theta) == ("exact", lam, 1)


def test_the_divergence_of_the_score_is_a_positive_form():
    a, b, c = sympy.symbols("a b c")
    true = sympy.Matrix([[2, 1], [1, 3]])
    gap = sympy.Matrix([[a, b], [b, c]])
    form = sympy.hessian((gap * true * gap).trace(), (a, b, c))
    assert form.is_positive_definite
    x, y = sympy.symbols("x y")
    moments = {(2, 0): 2, (1, 1): 1, (0, 2): 3}  # of the true Gaussian
    score = (gap * sympy.Matrix([x, y])).dot(gap * sympy.Matrix([x, y]))
    mean = sum(
        coefficient * moments[powers]
        for powers, coefficient in sympy.Poly(score.expand(), x, y).terms()
    )
    assert sympy.expand(mean - (gap * true * gap).trace()) == 0
