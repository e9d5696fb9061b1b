"""Intervals that are wide by default are tried once more, and Ctrl-C keeps the first of them."""

import pytest

from rlct.reference import get
from rlct.sampling.linear import LinearNetworkTarget
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.run import WIDE, estimate
from rlct.sampling.tempering import temper

PRODUCT = get("linear-1-1-1-1-r0").target()  # θ = 3, and with 40 draws θ is open


def runs(target, **options):
    """The estimate, and how many ladders were climbed for it."""
    begun = []

    def progress(fraction, text):
        if not begun or fraction < begun[-1][-1]:
            begun.append([])
        begun[-1].append(fraction)

    return estimate(target, seed=100, progress=progress, **options), len(begun)


def share(found):
    """Half-width of the interval over λ̂."""
    return (found.interval[1] - found.interval[0]) / (2 * found.lam)


def test_a_wide_interval_is_tried_once_more(tmp_path) -> None:
    once, one = runs(PRODUCT, checkpoint=tmp_path / "once.npz")
    found, two = runs(PRODUCT)
    assert (one, two) == (1, 2)
    assert share(found) < share(once)
    assert share(once) > WIDE
    assert found.interval[0] < 0.5 < found.interval[1]
    assert not found.warnings


@pytest.mark.parametrize(
    ("target", "options"),
    [
        (PRODUCT, {"theta": 3}),
        (PRODUCT, {"effort": 0.5}),
        (LinearNetworkTarget([2, 2, 2], 2), {}),
        (LinearNetworkTarget([4, 3, 4], 0), {}),
    ],
    ids=["θ is given", "draws are given", "regular, narrow", "too many parameters"],
)
def test_other_intervals_are_not(target, options) -> None:
    assert runs(target, **options)[1] == 1


def test_the_last_effort_goes_as_far_as_k_resolves(monkeypatch) -> None:
    """(w₁w₂)² + (w₃w₄)²: with ladders to 10¹⁵ θ = 1, 2 and 3 differ by a twentieth in λ."""
    asked = []

    def cheap(target, *, particles, top, **options):
        asked.append((particles, top))
        if len(asked) % 2 == 0:
            raise KeyboardInterrupt
        return temper(target, particles=20, top=1e8, **options)

    monkeypatch.setattr("rlct.sampling.run.temper", cheap)
    target = PolynomialTarget([{(1, 1, 0, 0): 1}, {(0, 0, 1, 1): 1}], squared=True)
    estimate(target, seed=100)
    estimate(target, seed=100, top=1e16)
    assert asked == [(160, 1e15), (640, 1e30), (160, 1e16), (640, 1e16)]


def test_ctrl_c_in_the_second_ladder_keeps_the_answer_of_the_first(tmp_path) -> None:
    once = estimate(PRODUCT, seed=100, checkpoint=tmp_path / "once.npz")
    for last in (0.2, 0.9):
        begun = []

        def stopping(fraction, text, last=last, begun=begun):
            begun.append(fraction)
            if len(begun) > 1 and begun.count(1.0) and last <= fraction < 1.0:
                raise KeyboardInterrupt

        found = estimate(PRODUCT, seed=100, progress=stopping)
        assert (found.lam, found.interval) == (once.lam, once.interval)
        assert found.interrupted
