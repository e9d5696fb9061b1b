"""What a theorem still proves when a hypothesis that the user vouches for is left open.

The counterexamples are the judges: there the hypothesis is false and the truth is known, so a
bound that is said to hold without the hypothesis must hold there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from rlct.answers.exact import ideal
from rlct.pair import Pair
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.arguments import Kind, Truth
from rlct.theorems.base import AppliedTheorem, Counterexample, Instance, Theorem
from rlct.theorems.evidence import TheoremBounds, claims_contradict


def given(theorem: Theorem) -> list[str]:
    """Names of the hypotheses that the user vouches for."""
    return [p.name for p in theorem.parameters if p.kind is Kind.GIVEN]


def denials() -> Iterator[tuple[Theorem, Counterexample]]:
    """Yield every counterexample that denies a given hypothesis."""
    for theorem in all_theorems():
        for example in theorem.counterexamples:
            if example.hypothesis in given(theorem):
                yield theorem, example


DENIALS = list(denials())


@pytest.mark.parametrize(
    ("theorem", "example"), DENIALS, ids=[f"{t.id}-{e.hypothesis}" for t, e in DENIALS]
)
def test_what_is_left_holds_where_the_hypothesis_fails(
    theorem: Theorem, example: Counterexample
) -> None:
    others = [name for name in given(theorem) if name != example.hypothesis]
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            opened = dict.fromkeys((example.hypothesis, *more), Truth.OPEN)
            answer = theorem.apply(**{**example.arguments, **opened})
            assert answer.pair is None
            if answer.bounds is not None:
                assert not claims_contradict(answer.bounds, example.truth), answer.bounds


def test_the_judges_can_condemn() -> None:
    """Were the other side of each value claimed, most counterexamples would contradict it."""
    judged = condemned = 0
    for theorem, example in DENIALS:
        parameter = next(p for p in theorem.parameters if p.name == example.hypothesis)
        value = theorem.formula(**example.arguments)
        if isinstance(value, Pair) and bool(parameter.lower) != bool(parameter.upper):
            wrong = (
                TheoremBounds("", upper=value)
                if parameter.lower
                else TheoremBounds("", lower=value)
            )
            judged += 1
            condemned += claims_contradict(wrong, example.truth)
    assert judged >= 60
    assert condemned == judged


def opened(theorem: Theorem, names: tuple[str, ...]) -> Iterator[tuple[Instance, AppliedTheorem]]:
    """Yield the instances that vouch for these hypotheses, with the answers without them."""
    for instance in theorem.instances:
        if not set(names) & set(instance.arguments):
            answer = theorem.apply(**instance.arguments, **dict.fromkeys(names, Truth.OPEN))
            yield instance, answer


@pytest.mark.parametrize("theorem", all_theorems(), ids=lambda theorem: theorem.id)
def test_a_bound_is_left_or_the_page_says_why_not(theorem: Theorem) -> None:
    for parameter in theorem.parameters:
        if parameter.kind is not Kind.GIVEN:
            continue
        assert parameter.lower or parameter.upper or parameter.fallback_text, parameter.name
        for instance, answer in opened(theorem, (parameter.name,)):
            value = answer.conditional
            sides = [value] if isinstance(value, Pair) else [value.lower, value.upper]
            kept = sides[0] if parameter.lower else sides[-1]
            nothing = parameter.fallback_text.startswith("nothing") or (
                kept is None and not parameter.fallback_text
            )
            assert (answer.bounds is None) == nothing, (parameter.name, instance.arguments)
            assert answer.bounds is not None or answer.lost


@pytest.mark.parametrize("theorem", all_theorems(), ids=lambda theorem: theorem.id)
def test_what_is_left_holds_where_the_hypotheses_hold(theorem: Theorem) -> None:
    names = given(theorem)
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            for instance, answer in opened(theorem, chosen):
                assert answer.pair is None
                if answer.bounds is not None and instance.pair is not None:
                    assert answer.bounds.hold(instance.pair), (chosen, instance.arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "open_", "generators", "nonneg", "attained"),
    [
        # Two true components are one: a spare one each with a δ².
        (
            "mixture",
            {"components": 3, "true": 3},
            "distinct",
            "v;a*d**2;b*e**2",
            "a;b",
            "lower",
        ),
        # One true component on the boundary: K is comparable with b ≥ 0 itself.
        ("binomial-mixture", {"components": 1, "true": 1, "trials": 2}, "interior", "b", "b", None),
        # All rates 0: b₁ + a₂b₂ + a₃b₃.
        (
            "poisson-mixture",
            {"components": 3, "true": 1},
            "rates",
            "x;u*y;v*z",
            "x;u;y;v;z",
            "upper",
        ),
        # Three leaves that are never 1, near a constant root: x + y + z + t(a + b + c).
        (
            "binary-tree-bound",
            {"leaves": 3, "edges": "1-4,2-4,3-4", "root": 4},
            "positive",
            "x;y;z;t*a;t*b;t*c",
            "x;y;z;t;a;b;c",
            "upper",
        ),
        # Both features never take their second value.
        (
            "latent-class-bound",
            {"classes": 1, "true": 1, "categories": [2, 2]},
            "positive",
            "p;q",
            "p;q",
            "upper",
        ),
        # One document that lacks the second word: a₁ + b a₂ near b = 0.
        (
            "latent-dirichlet-allocation",
            {"words": 2, "topics": 2, "documents": 1},
            "factors",
            "x;y*z",
            "x;y;z",
            "upper",
        ),
        # Two features that are always 0, the second class empty or the same: x + y + t(u + v).
        ("naive-bayes", {"features": 2}, "positive", "x;y;t*u;t*v", "x;y;t;u;v", "upper"),
        # The second symbol never occurs: b₁ + a b₂.
        ("hidden-markov-bound", {"states": 2, "symbols": 2}, "positive", "x;y*z", "x;y;z", "upper"),
        # Each true sentence is the first terminal alone: b₂ + a.
        ("grammar-bound", {"nonterminals": 1, "terminals": 2}, "positive", "x;y", "x;y", "upper"),
    ],
)
def test_truths_on_the_boundary(
    name: str,
    arguments: dict[str, object],
    open_: str,
    generators: str,
    nonneg: str,
    attained: str | None,
) -> None:
    """By the engine: linear in numbers t ≥ 0, so squares of √t under a prior √t each."""
    signs = nonneg.split(";")
    prior = None if open_ == "distinct" else "*".join(signs)
    truth = ideal(generators.split(";"), nonneg=signs, prior=prior).pair
    bounds = get_theorem(name).apply(**arguments, **{open_: Truth.OPEN}).bounds
    assert truth is not None
    assert bounds is not None
    assert bounds.hold(truth)
    if attained is not None:
        assert getattr(bounds, attained).lam == truth.lam


@pytest.mark.parametrize("rank", [0, 1])
def test_concepts_of_any_rank(rank: int) -> None:
    """Two inputs, one tacit and two observed concepts, one output, A₂* of this rank."""
    first = "d*(1 + p) + e*r" if rank else "d*p + e*r"
    generators = ["p", "q", "r", "s", f"a*b + {first}", "a*c + d*q + e*s"]
    truth = ideal(generators).pair
    sizes = {"inputs": 2, "tacit": 1, "observed": 2, "outputs": 1}
    bounds = (
        get_theorem("partial-concept-bottleneck").apply(**sizes, independent="undecided").bounds
    )
    assert truth is not None
    assert bounds is not None
    assert bounds.hold(truth)


@pytest.mark.parametrize(
    ("name", "arguments", "bounds"),
    [
        ("regular", {"dimension": 3, "fisher": "undecided"}, "0 ≤ λ ≤ 3/2 (half the number of p"),
        ("regular", {"dimension": 3, "prior_positive": "undecided"}, "3/2 ≤ λ (any bounded prior"),
        (
            "random-features",
            {"span": 3, "units": 2, "outputs": 4, "density": "undecided", "analytic": "undecided"},
            "0 ≤ λ ≤ 4 (features that span less)",
        ),
        (
            "deep-linear",
            {"widths": [5, 3, 5], "rank": 1, "second_moment": "undecided"},
            "0 ≤ λ ≤ 8 (inputs that see less)",
        ),
        # The inputs might span more than the two dimensions that are claimed.
        (
            "deep-linear",
            {"widths": [5, 3, 5], "rank": 1, "input_rank": 2, "second_moment": "undecided"},
            "0 ≤ λ ≤ 8 (inputs that see less)",
        ),
        (
            "additive-rule",
            {"exponents": [[1], [2]], "disjoint": "undecided"},
            "1/2 ≤ λ (K is at least each part)",
        ),
        (
            "linearised",
            {"features": [[1, 0, 0]], "linear": "undecided"},
            "1/2 ≤ λ ≤ 3/2 (lower: rank of the derivative; upper: half the number of parameters)",
        ),
        (
            "product-rule",
            {"powers": [[1], [2]], "disjoint": "undecided", "prior_positive": "undecided"},
            "1/6 ≤ λ (Hölder's inequality)",
        ),
        (
            "quadratic-generic",
            {"inputs": 2, "units": 2, "outputs": 1, "generic": "undecided"},
            "1/6 ≤ λ ≤ 2 (lower: degree of K; upper: the units one by one)",
        ),
        (
            "deep-linear",
            {
                "widths": [5, 3, 5],
                "rank": 1,
                "bias": True,
                "second_moment": "undecided",
                "interior": "undecided",
            },
            "5/2 ≤ λ (biases of the outputs)",
        ),
    ],
)
def test_known_cases(name: str, arguments: dict[str, object], bounds: str) -> None:
    answer = get_theorem(name).apply(**arguments)
    assert str(answer.bounds).startswith(bounds)
    assert answer.conditional is not None


def test_two_open_hypotheses_that_move_it_either_way_leave_nothing() -> None:
    answer = get_theorem("regular").apply(
        dimension=3, fisher="undecided", prior_positive="undecided"
    )
    assert answer.bounds is None
    assert answer.lost == "none from below without fisher, none from above without prior_positive"
    answer = get_theorem("regular").apply(dimension=3, smooth="undecided")
    assert answer.lost == "K = |w|^a has λ = d/a for every a > 0"


@pytest.mark.parametrize("widths", [(5, 3, 5), (4, 6, 2, 5), (3, 3, 3, 3), (7, 2, 9), (4, 4)])
@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("bias", [False, True])
def test_one_path_of_ranks_bounds_all(widths: tuple[int, ...], rank: int, bias: bool) -> None:
    theorem = get_theorem("deep-linear-rank-paths")
    arguments = theorem.bind({"widths": widths, "rank": rank, "bias": bias})
    bounds, value = theorem.fallback(arguments), theorem.value(arguments)
    assert bounds is not None
    assert isinstance(value, Pair)
    assert bounds.hold(value)


def test_too_many_paths_and_vertices_leave_bounds() -> None:
    wide = get_theorem("deep-linear-rank-paths").apply(widths=[50_000] * 4, rank=3)
    # 3·(100000 − 3)/2, and with it 49997²/2 for the path 49997, 0, 0, 0.
    assert str(wide.bounds) == "299991/2 ≤ λ ≤ 1250000000 (one path of ranks)"
    theorem = get_theorem("monomial-ideal")
    rows = [[i, 401 - i] for i in range(1, 401)]  # one more than the limit with the next
    many = theorem.apply(exponents=[*rows, [401, 1]])
    assert many.pair is None
    # (200, 201) alone: 1/402 from below; equal weights: 2/(2·401) from above.
    assert str(many.bounds) == "1/402 ≤ λ ≤ 1/401 (one monomial; equal weights)"
    for instance in theorem.instances:
        bounds = theorem.fallback(theorem.bind(instance.arguments))
        assert bounds is not None
        assert instance.pair is not None
        assert bounds.hold(instance.pair)
