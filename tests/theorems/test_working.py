"""The numbers on the way to a value: every theorem tells them, and every equation holds."""

import re
from fractions import Fraction
from math import ceil, comb

import pytest

import rlct
from rlct.pair import Pair
from rlct.theorems import all_theorems
from rlct.theorems.base import AppliedTheorem
from rlct.theorems.working import joined_terms, recorded_steps, step

CASES = [
    pytest.param(theorem, instance.arguments, id=f"{theorem.id}-{k}")
    for theorem in all_theorems()
    for k, instance in enumerate(theorem.instances)
]
SIGNS = {"·": "*", "−": "-", "^": "**", "⌈": "ceil(", "⌉": ")"}
NAMES = {
    "min": lambda *x: min(x),
    "max": lambda *x: max(x),
    "C": lambda n, k: comb(int(n), int(k)),
    "ceil": ceil,
}


def evaluated(text):
    """The value of an expression in numbers, or None for words and lists."""
    for sign, code in SIGNS.items():
        text = text.replace(sign, code)
    words = set(re.findall(r"[^\W\d_]+", text))
    if words - set(NAMES) or "…" in text or not re.search(r"\d", text) or "[" in text:
        return None
    text = re.sub(r"\d+", r"Fraction(\g<0>)", text)
    return eval(text, {"Fraction": Fraction, "__builtins__": {}, **NAMES})


def equations(line):
    """The values of what a line says to be equal."""
    expressions = [part for side in re.split(r" [=≤≥] ", line) for part in side.split(": ")]
    values = [evaluated(text.removesuffix(" with the biases")) for text in expressions]
    return [value for value in values if value is not None]


def ends(answer: AppliedTheorem) -> tuple[Fraction | None, Fraction | None]:
    """Bounds of λ."""
    if answer.bounds is None:
        assert answer.pair is not None
        return answer.pair.lam, answer.pair.lam
    pairs = answer.bounds.lower, answer.bounds.upper
    return pairs[0] and pairs[0].lam, pairs[1] and pairs[1].lam


def last(lines, sign):
    """The last value of λ, or of a bound of it, that is told."""
    told = [re.split(rf"λ {sign} ", line, maxsplit=1)[1] for line in lines if f"λ {sign} " in line]
    return equations(told[-1])[-1] if told else None


@pytest.mark.parametrize(("theorem", "arguments"), CASES)
def test_the_numbers_lead_to_the_value(theorem, arguments):
    answer = theorem.apply(**arguments)
    lines = answer.working
    assert lines
    for line in lines:
        assert len(set(equations(line))) <= 1, line
    low, high = ends(answer)
    exact = last(lines, "=")
    assert (exact, exact) == (low, high) or (last(lines, "≥"), last(lines, "≤")) == (low, high)
    # Naming the value is no way to it: an expression is evaluated, or a number named before.
    assert any(len(equations(line)) > 1 for line in lines) or len(lines) > 1, lines
    if answer.pair and answer.pair.theta > 1 and answer.bounds is None:
        told = " ".join(lines)
        assert re.search(rf"(θ|chain of [\w ]+) = .*\b{answer.pair.theta}\b", told), told


def test_a_wrong_number_is_noticed():
    theorem = next(t for t in all_theorems() if t.id == "mixture")
    (*_, line, _) = theorem.apply(components=3, true=1, dimension=2).working
    assert line == "λ = (1 − 1)/2 + 1·2/2 + (3 − 1)·1/2 = 2"
    assert len(set(equations(line))) == 1
    for wrong in (line.replace("·2/2", "·3/2"), line.replace("= 2", "= 3"), line + " = 1"):
        assert len(set(equations(wrong))) > 1


def test_nothing_is_kept_where_nobody_asks():
    assert step("λ = 1/2 + 1/2", Fraction(1)) == 1
    with recorded_steps() as outer:
        with recorded_steps() as inner:
            step("θ", 2)
        step("λ = 1/2", Fraction(1, 2))
    assert (inner, outer) == (["θ = 2"], ["λ = 1/2"])
    assert joined_terms(range(9)) == "0 + 1 + 2 + 3 + … + 8"


def test_they_are_part_of_the_argument():
    said = " ".join(rlct.quadratic(inputs=3, units=4, outputs=2, bias=True).explain().split())
    assert "With these numbers: R, 2 functions of 10 features, = 20; λ = 20/2 = 10." in said
    said = " ".join(rlct.theorem("rbm", visible=4, hidden=4).explain().split())
    assert "λ ≥ min(4·4, 4·(4 − 1))/4 = 3; λ ≤ (2^(4 − 1) − 1)/2 = 7/2" in said


def test_a_fallback_tells_its_numbers_too():
    open_case = rlct.quadratic(inputs=30, outputs=5, units=100, bias=True)
    assert open_case.bounds == (Pair.of("1055/2"), Pair.of(1240))
    assert open_case.routes[0].working == ("λ ≥ 1055/2", "λ ≤ 2480/2 = 1240")
