"""Aoyagi's closed form for linear networks of any depth, with or without biases."""

from collections.abc import Sequence
from fractions import Fraction

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.sizes import known_instance, model_links
from rlct.theorems.linear_networks.linear_network import (
    LINEAR_MINIMUM,
    LINEAR_MODEL,
    LINEAR_PARAMETERS,
    effective_widths,
    linear_findings,
    on_all_inputs,
    plain_statements,
    with_biases,
)
from rlct.theorems.working import joined_terms, note_case, step


def deep_linear_pair(widths: Sequence[int], rank: int) -> Pair:
    """Evaluate Aoyagi's formula for a product of L = ``len(widths) - 1`` matrices.

    That 0 ≤ rank ≤ min(widths) is not checked here.  The pair is that of K = ‖A_L⋯A_1 − true
    product‖² at its deepest zero.

    With the excess widths sorted, f(ℓ) = M_(1) + … + M_(ℓ+1) − ℓ M_(ℓ+1) does not increase, so
    Aoyagi's ℓ is the last one with f(ℓ) > 0: it exists and is unique unless M_(1) = 0.

    Aoyagi, M. (2024), Neural Networks 172:106132; the derivation of the same number from a
    codimension is in ``theory/deep-linear.md``.

    >>> deep_linear_pair([5, 3, 5], 1), deep_linear_pair([10, 10, 10, 10], 5)
    (Pair(8, 1), Pair(46, 3))
    """
    excess_widths = sorted(width - rank for width in widths)
    smooth_lambda = Fraction(rank * (widths[0] + widths[-1] - rank), 2)
    note_case(f"excess widths {joined_terms(excess_widths, ', ')}")
    smooth_text = f"{rank}·({widths[0]} + {widths[-1]} − {rank})/2"
    if excess_widths[0] == 0:
        return Pair(step(f"λ = {smooth_text}", smooth_lambda), 1)
    ell, total = 1, excess_widths[0] + excess_widths[1]
    for next_width in excess_widths[2:]:
        if total - ell * next_width <= 0:
            break
        ell += 1
        total += next_width
    level = -(-total // ell)
    a = total - (level - 1) * ell
    squares = sum(width * width for width in excess_widths[: ell + 1])
    singular = Fraction(level * a + (level - 1) * total - squares, 4)
    step("ℓ", ell)
    step(f"S = {joined_terms(excess_widths[: ell + 1])}", total)
    step(f"M = ⌈{total}/{ell}⌉", level)
    step(f"a = {total} − ({level} − 1)·{ell}", a)
    second = f"({level}·{a} + ({level} − 1)·{total} − {squares})/4"
    lam = step(f"λ = {smooth_text} + {second}", smooth_lambda + singular)
    return Pair(lam, step(f"θ = {a}·({ell} − {a}) + 1", a * (ell - a) + 1))


def _value(arguments: Arguments) -> Pair:
    return with_biases(deep_linear_pair(effective_widths(arguments), arguments["rank"]), arguments)


THEOREM = Theorem(
    id="deep-linear",
    title="Linear network of any depth",
    model=LINEAR_MODEL,
    where=LINEAR_MINIMUM,
    cites=("aoyagi2024", "aoyagi2025"),
    parameters=LINEAR_PARAMETERS,
    hypotheses=linear_findings,
    value=_value,
    fallback=on_all_inputs(_value),
    statements=plain_statements,
    **model_links(LinearNetwork),
    instances=(
        known_instance(((1, 1, 1, 1), 0), "1/2", 3),
        known_instance(((4, 3), 2), "6", 1),
        known_instance(((2, 2, 2), 0), "3/2", 1),
        known_instance(((2, 2, 2), 1), "2", 2, by_simulation()),
        known_instance(((1, 2, 1), 0), "1/2", 1),
        Instance(((1, 1, 1), 0, True), Pair.of("1", 2)),
        Instance({"widths": (2, 2, 2), "rank": 0, "input_rank": 1}, Pair.of("1", 2)),
    ),
    counterexamples=(
        Counterexample.against("second_moment", ((2, 2, 2), 0), ("1", 2), "a*x + b*y; c*x + d*y"),
        Counterexample.against("second_moment", ((1, 1), 0, True), "1/2", "a + b"),
        Counterexample.against("interior", ((1, 1, 1), 0), "1/2", "(1 + a)*b"),
        Counterexample.against(
            "interior",
            ((2, 2, 2), 0),
            ("2", 3),
            "a*p + b*r; a*q + b*s; c*p + d*r; c*q + d*s",
            nonneg=("a", "b", "c", "d", "p", "q", "r", "s"),
        ),
    ),
)
