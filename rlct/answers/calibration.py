"""Settings on which λ̂ does not depend, or which are right where λ is known; and λ itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from rlct.answers.estimate import (
    OtherNames,
    check_question,
    inverse_temperature,
    is_module,
    wrong_option,
)
from rlct.errors import InputError
from rlct.system.progress import own_or_late

if TYPE_CHECKING:
    from rlct.sampling.local.calibration import Calibration
    from rlct.sampling.markov_chains.kernel import Kernel
    from rlct.sampling.networks.settings_sweep import SettingsSweep
    from rlct.sampling.targets.target import Target


class SweepOptions(OtherNames, total=False):
    """Options of `calibrate` for a module."""

    n_betas: Sequence[float]
    localization_values: Sequence[float]
    budget: float
    method: str | type[Kernel]


def calibrate(
    question: Target | Any,
    data: Any = None,
    *,
    loss: Any = None,
    n_beta: float | None = None,
    localization: float | None = None,
    seed: int = 0,
    progress: Callable[[float, str], object] | bool | None = None,
    **options: Unpack[SweepOptions],
) -> Calibration | SettingsSweep:
    """Find settings of `llc` on which λ̂ does not depend, or which are right where λ is known.

    A torch module: λ̂ is estimated at several nβ and γ, each with a step that adds little; the
    settings are those of its plateau with the least γ, if there is one, and ``limit`` is λ as nβ
    grows.  A target with data: settings are tried on a linear network of like size, whose tempered
    mean is known.

    Parameters
    ----------
    question : torch.nn.Module or DataTarget
    data, loss
        Of a module, as in `llc`.
    n_beta, localization : float
        The only ones that are tried; of a target n / log n and 1 by default.  ``nbeta`` is
        understood.
    seed : int
    progress : callable or False, optional
        As in `llc`.
    **options
        Of a module: n_betas, localization_values, budget and method, see
        `rlct.sampling.networks.settings_sweep.sweep_settings`.

    Returns
    -------
    Calibration or SettingsSweep
        Prints as one line per configuration; ``settings`` are options for `llc`, or None.

    Raises
    ------
    InputError
        If there are no data, or a setting is not a number of its kind.

    Examples
    --------
    >>> from rlct.sampling.targets.regression import RegressionTarget
    >>> calibrate(RegressionTarget([4, 2, 4], 1, samples=400), seed=1).settings
    {'method': 'hmc'}
    """
    from rlct.sampling.local.calibration import calibrate_target
    from rlct.sampling.targets.target import DataTarget

    n_beta = inverse_temperature(n_beta, options)
    own = SweepOptions.__optional_keys__ if is_module(question) else ()
    for name in options:
        if name not in own:
            raise wrong_option(calibrate, name, own)
    with own_or_late("calibration", progress) as show_progress:
        if is_module(question) and data is not None:
            from rlct.sampling.networks.settings_sweep import sweep_settings

            one_value: dict[str, Any] = dict(options)
            for name, value in (("n_betas", n_beta), ("localization_values", localization)):
                if value is not None:
                    one_value[name] = [value]
            module = cast("Any", question)
            return sweep_settings(
                module, data, loss, seed=seed, progress=show_progress, **one_value
            )
        check_question(question, data, loss)
        target = question
        if not isinstance(target, DataTarget):
            raise InputError("calibration is for losses on data: give a module with data")
        pull = 1.0 if localization is None else localization
        return calibrate_target(
            target, n_beta=n_beta, localization=pull, seed=seed, progress=show_progress
        )
