"""Random derivations from the checker's own rules: what is accepted is true.

The questions have pairs that are known without checker and engine.  Faults that are planted, two of
them of an earlier checker, show that the trial would see them.  `validation/derivations/run.py`
goes on for as long as one likes; its results of 100,000 are looked at here.
"""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import planted
import pytest
from carried_zeros import false_nodes
from derivations import derivations, falsehood, points
from known_pairs import drawn, key, monomial_pair, value

import rlct
from rlct.certificate.rules import RuleScope, rules_about
from rlct.pair import Pair

# What is known


def test_zeros_are_zeros_and_none_is_below_the_least():
    rng = Random(3)
    for known in (drawn(rng) for _ in range(200)):
        assert known.zeros or not known.sharp
        for zero in known.zeros:
            assert not any(value(g, zero.point) for g in known.generators)
            assert all(a <= x <= b for x, (a, b) in zip(zero.point, known.sides, strict=True))
            assert key(zero.pair) >= key(known.least)


@pytest.mark.parametrize(
    ("exponents", "costs", "pair"),
    [
        ([(2, 0), (0, 3)], (1, 1), (Fraction(5, 12), 1)),  # a cusp, Watanabe (2009)
        ([(1, 1)], (1, 1), (Fraction(1, 2), 2)),
        ([(2, 1)], (1, 1), (Fraction(1, 4), 1)),
        ([(1, 1)], (2, 1), (Fraction(1, 2), 1)),
        ([(1, 0), (0, 1)], (1, Fraction(1, 2)), (Fraction(3, 4), 1)),
        ([(1, 1, 0), (0, 1, 1), (1, 0, 1)], (1, 1, 1), (Fraction(3, 4), 1)),
    ],
)
def test_pairs_of_monomials(exponents, costs, pair):
    assert monomial_pair(frozenset(exponents), costs) == pair


@pytest.mark.parametrize("seed", range(8))
def test_what_is_known_is_what_the_engine_finds(seed):
    """The two share no line: a wrong reference would let a false claim pass."""
    rng = Random(seed)
    known = next(k for k in iter(lambda: drawn(rng, 2), None) if k.sharp and k.is_ideal)
    names = "xy"
    texts = ["+".join(f"({c})*x**{m[0]}*y**{m[1]}" for m, c in g.items()) for g in known.generators]
    sides = dict(zip(names, known.sides, strict=True))
    prior = "*".join(f"{x}**({h})" for x, h in zip(names, known.prior, strict=True) if h)
    found = rlct.ideal(texts, over=sides, prior=prior or None)
    lam, theta = known.least
    assert (found.lower, found.upper) <= (lam, lam) <= (found.upper or lam, found.upper or lam)
    assert found.pair is None or found.pair == Pair(lam, theta)


# What is accepted


def trial(seed, count, **options):
    """Claims and bounds of cells that are false, and how many cells were compared."""
    compared, false = 0, []
    for _, known, grower, document, bounds in islice(derivations(seed, **options), count):
        assert rlct.verify(document)
        more, complaints = false_nodes(known, grower.nodes)
        compared += more
        false += [json.dumps(document)] * bool(falsehood(known, bounds) or complaints)
    return compared, false


def test_what_is_accepted_is_true():
    compared, false = trial("quick", 250)
    assert not false
    assert compared > 500


def test_a_hundred_thousand_that_were_accepted_are_true():
    folder = Path(__file__).parents[2] / "validation" / "derivations"
    report = json.loads((folder / "results.json").read_text("utf-8"))
    counts = report["counts"]
    assert counts["accepted"] >= 100_000
    assert (counts["false"], counts.get("refused", 0), report["false"]) == (0, 0, [])
    ends = {"same", "absent", "fields", "independent", "point"}
    assert {*rules_about(RuleScope.CELL), *ends} <= set(report["rules"])


# What would be seen


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["prior", "along"])
def test_an_upper_bound_from_a_leaf_was_false(fault):
    """Faults of the rule `attained`, which the checker no longer has.

    A prior was dropped, or the variable of a slide was taken as the question's.  Of the second, one
    derivation in some thousands is false.
    """
    bounding = (planted.leaf_upper(fault), points)
    claim_at, _, _ = planted.first_false(f"leaf {fault}", 10_000, uppers=bounding)
    assert claim_at


@pytest.mark.slow
def test_without_these_faults_the_upper_bounds_of_leaves_are_true():
    bounding = (planted.leaf_upper(),)
    assert planted.first_false("leaf", 1_000, uppers=bounding) == (None, None, None)


def without(words):
    """The checker without the only condition of a rule that says these words."""
    ((module, number, function, _),) = [item for item in planted.conditions() if item[3] == words]
    return planted.without_condition(module, number), planted.focus_of(function)


@pytest.mark.parametrize("words", planted.SEEN_SOON)
def test_a_condition_that_is_left_out_is_missed(words):
    checker, rule = without(words)
    with checker:
        claim_at, cell_at, _ = planted.first_false(
            "missed", 600, noise=0.2, focus=rule, claims_only=False
        )
    assert claim_at or cell_at


def test_a_checker_is_whole_again_after_a_fault():
    before = dict(rules_about(RuleScope.CELL))
    checker, _ = without("solve: not a root")
    with checker:
        assert before != rules_about(RuleScope.CELL)
    assert before == rules_about(RuleScope.CELL)
