"""λ found elsewhere in place of bounds: marked as the user's, and refused where proofs say no."""

from fractions import Fraction

import pytest

import rlct
from rlct.errors import InputError
from rlct.pair import Pair

ITEMS = {1: -2493.437, 2: -2467.406, 3: -2464.651}
FACTS = {"n": 1000, "categories": (2, 2, 2, 2, 2)}


@pytest.mark.parametrize(
    "value", ["7/2", "3.5", Fraction(7, 2), ("7/2", 1), Pair.of("7/2"), "7/2,1"]
)
def test_a_pair_of_the_user_closes_a_cell(value) -> None:
    found = rlct.select(ITEMS, "latent-class", truths={(3, 1): value, (3, 2): 6}, **FACTS)
    assert found.truths[3, 1].lower == found.truths[3, 1].upper == Pair.of("7/2")
    assert all(low == high for low, high in found.probability)
    assert "λ(3|1) = 7/2, λ(3|2) = 6: given by the user, not proved" in found.notes
    methods = {(row["model"], row["truth"]): row["method"] for row in found.to_dict()["truths"]}
    assert methods[3, 1] == methods[3, 2] == "given by the user, not proved"
    assert "user" not in methods[2, 1]
    # The singular BIC of the same table.
    rows = [[(Fraction(5, 2), 1)], [(3, 1), (Fraction(11, 2), 1)]]
    rows.append([(Fraction(7, 2), 1), (6, 1), (Fraction(17, 2), 1)])
    right = rlct.sbic(list(ITEMS.values()), rows, 1000)
    assert [low for low, _ in found.probability] == pytest.approx(right.probability)


def test_what_agrees_with_a_theorem_stays_that_of_the_theorem() -> None:
    found = rlct.select(ITEMS, "latent-class", truths={(2, 1): 3}, **FACTS)
    assert not any("given by the user" in note for note in found.notes)
    assert found == rlct.select(ITEMS, "latent-class", truths={(2, 1): 3}, **FACTS)
    without = rlct.select(ITEMS, "latent-class", **FACTS)
    assert (found.truths, found.notes) == (without.truths, without.notes)


@pytest.mark.parametrize(
    ("truths", "message"),
    [
        ({(2, 1): 4}, r"λ\(2\|1\) = 4 with θ = 1 contradicts theorem .*, which proves 3$"),
        ({(2, 1): (3, 2)}, r"λ\(2\|1\) = 3 with θ = 2 contradicts theorem"),
        ({(3, 1): 4}, "which proves 5/2..7/2 with θ up to 12"),
        ({(3, 1): 2}, "which proves 5/2..7/2"),
        ({(3, 1): (3, 13)}, "which proves 5/2..7/2"),
        ({(3, 1): ("5/2", 2)}, "which proves 5/2..7/2"),
        ({(4, 1): 3}, r"truths has \(4, 1\): there is \(model, truth\) of the sizes"),
        ({(1, 3): 3}, "there is"),
        ({3: 3}, "there is"),
        ({(3, 1): "x"}, "'x' is no λ such as '7/2', nor a pair such as"),
        ({(3, 1): -3}, "λ"),
        ({(3, 1): None}, "None is no λ such as"),
    ],
)
def test_what_proofs_exclude_is_refused(truths, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        rlct.select(ITEMS, "latent-class", truths=truths, **FACTS)
    assert "\n" not in str(caught.value)


def test_a_multiplicity_is_taken_where_the_bounds_allow_it() -> None:
    found = rlct.select(ITEMS, "latent-class", truths={(3, 1): ("7/2", 2)}, **FACTS)
    assert str(found.truths[3, 1]) == "7/2 (2)"
    assert "λ(3|1) = 7/2 (2): given by the user, not proved" in found.notes
