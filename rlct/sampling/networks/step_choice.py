"""Which step a run begins with, and whether each weight has steps of its own size."""

from dataclasses import replace

from rlct.errors import InputError
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.networks.start_point import StartPoint

STEP_STIFFNESS = 0.4  # of ε(nβh + γ), h the sharpest curvature: its variance is then 10 % too large
EXCESS_ALLOWED = 0.1  # of λ̂, to which the burn-in lowers what the step adds
LEAST_FILLED = 1e-3  # of nβL, that is believed of chains which have just begun


def fitting_step(stiffness: float) -> float:
    """ε of chains whose stiffest direction has this precision nβh + γ."""
    return STEP_STIFFNESS / stiffness


def step_by_excess(
    step_size: float, fitting: float, excess: float, losses: float, filled_share: float
) -> float:
    """The fitting step, or less where the present one adds more than a tenth to λ̂.

    ``excess`` and ``losses`` are means over draws: nβL and what of it the step adds.
    """
    drawn_loss = losses / max(filled_share, LEAST_FILLED) - excess
    share = excess / max(abs(drawn_loss), 1e-12)  # below 0 off a minimum
    if share > 0:
        fitting = min(fitting, step_size * max(EXCESS_ALLOWED / share, 0.1))
    return float(fitting)


def unfilled_share(settings: RunSettings, start: StartPoint) -> float:
    """What share of nβL a tenth of so many plain steps would leave out, by curvatures at w*."""
    assert settings.lr is not None
    curvatures = start.density.curvatures(settings.n_beta, settings.pull)
    lacking = curvatures.lacking(0.05 * settings.lr, settings.num_burnin, settings.num_draws)
    return lacking / max(curvatures.regular, 1e-12)


def with_found_step(settings: RunSettings, start: StartPoint | None) -> RunSettings:
    """The settings with a step by the curvature at w*, where none is named."""
    if settings.lr is not None or start is None:
        return settings
    stiff = settings.n_beta * start.curvature + settings.pull
    if not stiff > 0:
        raise InputError(
            "the loss is flat at w* and nothing confines the chains: name localization or lr"
        )
    return replace(settings, lr=fitting_step(stiff), watched=True)
