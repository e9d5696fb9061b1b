"""Intervals that are wide by default are tried once more, and Ctrl-C keeps the first of them."""

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.ladders.run import WIDE_INTERVAL, estimate
from rlct.sampling.ladders.tempering import tempering_ladder
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget

PRODUCT = LinearNetworkTarget([2, 2, 1], 0)  # λ = 1, θ = 2, and with 40 draws θ is open


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


@pytest.mark.slow
def test_a_wide_interval_is_tried_once_more(tmp_path) -> None:
    once, one = runs(PRODUCT, checkpoint=tmp_path / "once.npz")
    found, two = runs(PRODUCT)
    assert (one, two) == (1, 2)
    assert share(found) < share(once)
    assert share(once) > WIDE_INTERVAL
    assert found.interval[0] < 1 < found.interval[1]
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


@pytest.mark.slow
def test_the_last_effort_goes_as_far_as_k_resolves(monkeypatch) -> None:
    """(w₁w₂)² + (w₃w₄)²: with ladders to 10¹⁵ θ = 1, 2 and 3 differ by a twentieth in λ."""
    asked = []

    def cheap(target, *, particles, top, **options):
        asked.append((particles, top))
        if len(asked) % 2 == 0:
            raise KeyboardInterrupt
        return tempering_ladder(target, particles=20, top=1e8, **options)

    monkeypatch.setattr("rlct.sampling.ladders.attempts.tempering_ladder", cheap)
    target = PolynomialTarget([{(1, 1, 0, 0): 1}, {(0, 0, 1, 1): 1}], squared=True)
    estimate(target, seed=100)
    estimate(target, seed=100, top=1e16)
    assert asked == [(160, 1e15), (640, 1e30), (160, 1e16), (640, 1e16)]


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mala", "sgld"])
def test_ctrl_c_in_chains_at_many_temperatures_is_said(method) -> None:
    """What was drawn is fitted, and neither passed off as the whole nor begun anew with more."""
    seen = []

    def stopping(fraction, text):
        seen.append(fraction)
        if fraction > 0.7:
            raise KeyboardInterrupt

    found = estimate(PRODUCT, seed=3, method=method, progress=stopping)
    assert found.interrupted
    assert any(words.startswith("interrupted after ") for words in found.warnings)
    assert seen == sorted(seen)


@pytest.mark.slow
def test_an_accuracy_that_quadrature_lacks_is_sought_by_tempering(monkeypatch) -> None:
    """xy: quadrature leaves half a percent of λ open, and Ctrl-C in the ladder keeps that."""
    begun = []

    def stopped(target, **options):
        begun.append(options["particles"])
        raise KeyboardInterrupt

    monkeypatch.setattr("rlct.sampling.ladders.attempts.tempering_ladder", stopped)
    product = PolynomialTarget([{(1, 1): 1}], squared=True)
    enough = estimate(product, accuracy=0.1)
    assert (begun, enough.method, enough.warnings) == ([], "quadrature", ())
    found = estimate(product, accuracy=1e-4)
    assert begun == [40]
    assert (found.interval, found.interrupted) == (enough.interval, True)


@pytest.mark.slow
@pytest.mark.parametrize(("power", "waited"), [(10, True), (400, False)])
def test_a_part_that_rounding_hides_is_not_waited_for(power, waited) -> None:
    """x² + y²⁰ shows y at the end of a longer ladder, x² + y⁸⁰⁰ never: (1/4)⁸⁰⁰ is no float."""
    target = PolynomialTarget([{(1, 0): 1}, {(0, power): 1}], squared=True)
    rng = np.random.default_rng(1)
    ladder = tempering_ladder(target, rng=rng, particles=8, islands=2, top=1e6, spare_length=20.0)
    assert (ladder.late > 0) == waited
    assert ladder.stop[-1] == pytest.approx(20.0)


def test_top_may_be_as_large_as_rounding_allows() -> None:
    """For a linear network with a wide prior that is less than the usual end of a ladder."""
    target = LinearNetworkTarget([1, 1], 1, sigma=1e8)
    assert target.resolution < 1e15
    assert estimate(target, top=target.resolution).method == "tempering"
    with pytest.raises(InputError, match="at least 1e"):
        estimate(target, top=target.resolution / 2)
    with pytest.raises(InputError, match="rounding"):
        estimate(target, top=target.resolution * 2)
