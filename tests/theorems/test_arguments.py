"""Arguments of theorems, as values and as text."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.arguments import Truth, text_of


@pytest.mark.parametrize(
    ("name", "texts", "message"),
    [
        ("deep-linear", ["widht=5,3", "rank=1"], "did you mean widths"),
        ("deep-linear", ["q=5,3"], "the arguments are widths, rank"),
        ("deep-linear", ["widths=5,3,5"], "rank is missing: give, say, rank=3"),
        ("deep-linear", ["5,3,5"], "expected name=value"),
        ("deep-linear", ["rank=1", "rank=2"], "given twice"),
        ("deep-linear", ["widths=5,x,5", "rank=1"], "widths must be integers such as 5,3,5"),
        ("deep-linear", ["widths=5,,5", "rank=1"], "widths must be integers"),
        ("deep-linear", ["widths=", "rank=1"], "at least one layer"),
        ("deep-linear", ["widths=5,5", "rank=1.0"], "rank must be an integer"),
        ("deep-linear", ["widths=5,5", "rank=1", "bias=maybe"], "bias must be true or false"),
        ("deep-linear", ["widths=5,5", "rank=" + "9" * 10_000], "rank must be an integer"),
        ("deep-linear", ["widths=" + "5," * 20_000 + "5", "rank=1"], "widths must be integers"),
        ("deep-linear", ["widths=5,5", "rank=1", "interior=perhaps"], "true, false or open"),
        ("normal-crossing", ["exponents=1,1", "prior=1/0,0"], "prior must be"),
        ("normal-crossing", ["exponents=1,1", "prior=1/2/3,0"], "prior must be"),
        ("monomial-ideal", ["exponents=1,a;0,1"], "exponents must be rows of integers"),
    ],
)
def test_bad_text(name: str, texts: list[str], message: str) -> None:
    theorem = get_theorem(name)
    with pytest.raises(InputError, match=message) as error:
        theorem.apply(**theorem.parse(texts))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"widths": "5;3", "rank": 1}, "widths must be"),
        ({"widths": 5, "rank": 1}, "widths must be"),
        ({"widths": [5.0, 3], "rank": 1}, "widths must be"),
        ({"widths": [5, 3], "rank": True}, "rank must be"),
        ({"widths": [5, 3], "rank": None}, "rank must be"),
        ({"widths": [5, 3], "rank": 1, "bias": 1}, "bias must be"),
        ({"width": [5, 3], "rank": 1}, "did you mean widths"),
    ],
)
def test_bad_values(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        get_theorem("deep-linear").apply(**arguments)


def test_values_of_other_libraries() -> None:
    answer = get_theorem("deep-linear").apply(widths=np.array([5, 3, 5]), rank=np.int64(1)).pair
    assert answer == Pair.of(8)
    mixed = get_theorem("normal-crossing").apply(exponents=[2, 1], prior=["1/2", Fraction(0)]).pair
    assert mixed == Pair.of("3/8")


@pytest.mark.parametrize("theorem", all_theorems(), ids=lambda theorem: theorem.id)
def test_text_round_trip(theorem) -> None:
    for instance in theorem.instances:
        bound = theorem.bind(instance.arguments)
        texts = [f"{name}={text_of(value)}" for name, value in bound.items() if value is not None]
        assert theorem.bind(theorem.parse(texts)) == bound


def test_truth_texts() -> None:
    theorem = get_theorem("regular")
    for text, truth in [
        ("true", Truth.GIVEN),
        ("False", Truth.FALSE),
        ("undecided", Truth.OPEN),
    ]:
        assert theorem.parse([f"fisher={text}"])["fisher"] is truth
