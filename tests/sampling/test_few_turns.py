"""Ladders of high powers that rounding ends before the first pole stands alone."""

import pytest

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.estimate import Estimate
from rlct.sampling.ladders.closer import estimate_near
from rlct.sampling.ladders.run import estimate
from rlct.sampling.targets.polynomial import PolynomialTarget

TOLD = "poles are not told apart"


@pytest.mark.slow
def test_a_ladder_that_ends_too_soon_is_told() -> None:
    """λ = 1/40 beside a cusp, whose zeros rounding hides; control: λ = 1/4 in monomials."""
    found = estimate(target_of(rlct.poly("(x**2-y**3)**2*z**40")), method="tempering", effort=0.2)
    assert TOLD in found.warnings[-1]
    assert "rounding hides K" in found.warnings[-1]
    control = estimate(target_of(rlct.poly("x**2*y**4")), method="tempering", effort=0.2)
    assert not any(TOLD in words for words in control.warnings)
    short = estimate(target_of(rlct.poly("x**20*y**22")), method="tempering", effort=0.1, top=1e20)
    assert "raise top" in short.warnings[-1]


@pytest.mark.slow
def test_boxes_of_such_ladders_are_not_compared(monkeypatch) -> None:
    """x(x − 1/4)²: the smaller box is the better one, unless its ladder or the first is short."""

    def run(short) -> Estimate:
        monkeypatch.setattr(
            "rlct.sampling.ladders.closer.few_turns",
            lambda target, *_: "few" if short(target) else "",
        )
        powers = {(1,): 0.0625, (2,): -0.5, (3,): 1.0}
        return estimate_near(
            lambda radius: PolynomialTarget([powers], squared=True, radius=radius), 0.5
        )

    whole = run(lambda target: False)
    assert abs(whole.lam - 0.5) < 0.01
    first = run(lambda target: target.radius == 0.5)
    assert first.lam < 0.4
    assert not any("zero" in words for words in first.warnings)
    second = run(lambda target: target.radius < 0.5)
    assert second.lam == first.lam
    assert "other zeros were not ruled out" in second.warnings[-1]


@pytest.mark.study
@pytest.mark.usefixtures("few_draws")
def test_ladders_are_long_where_theta_may_be_large() -> None:
    """A product of 12 squares: λ = 1/2, θ = 12.  Ladders to nβ = 10³² missed λ in five of seven."""
    problem = rlct.poly("*".join(f"x{i}**2" for i in range(12)))
    found = estimate(target_of(problem), seed=5)
    assert found.interval[0] < 0.5 < found.interval[1]
    assert found.theta_interval[1] == 12
    assert not found.warnings
    short = estimate(target_of(problem), seed=5, top=1e17)
    assert "θ, which may be" in short.warnings[-1]
    assert "λ̂ may be too small; raise top" in short.warnings[-1]
    control = estimate(target_of(rlct.poly("x**2*y**2*z**2*(u**2+v**2)")), effort=0.5, top=1e17)
    assert not any("beside θ" in words for words in control.warnings)
