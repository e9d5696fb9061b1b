"""Settings tried on a linear network of like size, whose tempered mean is known."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rlct.errors import DivergedError, InputError
from rlct.sampling.checks import check_seed
from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_class
from rlct.sampling.local.finite_n import TemperedMean, tempered_mean
from rlct.sampling.local.length import recommended_method
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.settings import check_localization, check_n_beta
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import DataTarget

# Chains are the same however many there are, and many of them show a smaller bias; of many
# parameters a few chains do.
MOST_CHAINS, FEWEST_CHAINS, ALL_WEIGHTS = 48, 8, 5000  # the last over the number of parameters
LARGEST_TWIN = 20_000  # parameters of a twin, whose exact draws take eigenvalues of whole layers
ALLOWED_BIAS = 0.1  # of the mean: bias and two standard errors of it together
NARROW_ERROR = ALLOWED_BIAS / 8  # a standard error of the bias that more draws need not lower
DRAW_FACTORS = (1, 4, 16)  # until they decide that: of few parameters many draws are needed
_SGLD_SETTINGS: tuple[dict[str, Any], ...] = (
    {"method": "sgld"},
    {"method": "sgld", "num_draws": 8000},
    {"method": "sgld", "num_draws": 8000, "batch_size": 1024},
)


@dataclass(frozen=True)
class Trial:
    """One configuration on the twin.

    Parameters
    ----------
    settings : dict
        Options of `rlct.llc`.
    estimate : Estimate or None
        None if a chain diverged.
    seconds : float
    bias, error : float
        λ̂ − E[nβK] relative to E[nβK], with its standard error.
    """

    settings: dict[str, Any]
    estimate: Estimate | None
    seconds: float
    bias: float
    error: float

    @property
    def sound(self) -> bool:
        """Whether bias and two standard errors of it stay below a tenth together."""
        return self.estimate is not None and abs(self.bias) + 2 * self.error < ALLOWED_BIAS

    @property
    def undecided(self) -> bool:
        """Whether the bias may be below a tenth and may be above it."""
        return abs(abs(self.bias) - ALLOWED_BIAS) <= 2 * self.error < math.inf

    def __str__(self) -> str:
        name = " ".join(f"{key}={value}" for key, value in self.settings.items())
        if self.estimate is None:
            return f"{name}: diverged"
        verdict = "sound" if self.sound else "undecided" if self.undecided else "not sound"
        return f"{name}: {self.bias:+.1%} ± {self.error:.1%} in {self.seconds:.1f} s, {verdict}"


@dataclass(frozen=True)
class Calibration:
    """What configurations did on the twin.

    Parameters
    ----------
    widths : tuple of int
    rank : int
        Of the twin.
    samples : int
    n_beta, localization : float
        Those of the target.
    mean : TemperedMean
        E[nβ(L_n(w) − L_n(w₀))] of the twin.
    trials : tuple of Trial
    interrupted : bool
        Whether Ctrl-C ended the search, after these.
    """

    widths: tuple[int, ...]
    rank: int
    samples: int
    n_beta: float
    localization: float
    mean: TemperedMean
    trials: tuple[Trial, ...]
    interrupted: bool = False

    @property
    def settings(self) -> dict[str, Any] | None:
        """Options of the first sound configuration; None if there is none."""
        return next((dict(trial.settings) for trial in self.trials if trial.sound), None)

    def __str__(self) -> str:
        shape = "-".join(map(str, self.widths))
        head = (
            f"linear network {shape} of rank {self.rank}, n = {self.samples}, nβ = "
            f"{self.n_beta:.4g}, γ = {self.localization:g}: E[nβK] = {self.mean.value:.4g}"
        )
        cut = ["interrupted: nothing was tried after these"] if self.interrupted else []
        return "\n".join([head, *map(str, self.trials), *cut])


def twin_of(target: DataTarget, *, seed: int = 0) -> RegressionTarget:
    """Linear network with two layers, about as many parameters and as many samples.

    >>> twin = twin_of(RegressionTarget([7, 9, 7], 2, samples=500))
    >>> twin.widths, twin.rank, twin.samples
    ((10, 6, 10), 3, 500)
    """
    parameters = min(target.dimension, LARGEST_TWIN)
    hidden = max(1, round(math.sqrt(parameters) / 2))
    size = max(2, round(parameters / (2 * hidden)))
    return RegressionTarget(
        [size, hidden, size], hidden // 2, samples=target.samples, sigma=1e3, seed=seed
    )


def calibrate_target(
    target: DataTarget,
    *,
    n_beta: float | None = None,
    localization: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Calibration:
    """Find settings that are right where the answer is known.

    The twin has as many parameters as the target (within a fifth; 4 at least, 20 000 at most), as
    many samples, the same nβ and γ, and a singular point with half of its hidden units unused, or
    with all where it has one (below 9 parameters).  Its tempered mean is known from exact
    conditional draws.  Configurations are tried from the recommended one on until one is
    sound, with up to sixteen times the draws where errors leave that open.  A twin is no proof:
    its curvature and noise are its own.

    n / log n and 1 are the usual nβ and γ.  InputError if γ holds the twin at w₀, or there are
    fewer than three samples; KeyboardInterrupt on Ctrl-C before the first configuration is judged.

    >>> found = calibrate_target(RegressionTarget([4, 2, 4], 1, samples=400), seed=1)
    >>> found.settings
    {'method': 'hmc'}
    """
    check_seed(seed)
    check_localization(localization)
    if n_beta is not None:
        check_n_beta(n_beta, target)
    if target.samples < 3:
        raise InputError("n / log n needs at least three samples")
    used_n_beta = target.samples / math.log(target.samples) if n_beta is None else float(n_beta)
    linear_twin = twin_of(target, seed=seed)
    mean = tempered_mean(
        linear_twin, used_n_beta, localization=localization, seed=seed, progress=progress
    )
    if not mean.value > 3.0 * mean.error:
        raise InputError(
            f"E[nβK] of the twin is {mean.value:.2g} ± {mean.error:.2g}, which leaves nothing to "
            "measure: lower localization, or raise n_beta"
        )
    estimate = partial(
        estimate_llc,
        linear_twin,
        n_beta=used_n_beta,
        localization=localization,
        num_chains=min(MOST_CHAINS, max(FEWEST_CHAINS, ALL_WEIGHTS // linear_twin.dimension)),
        seed=seed,
        progress=progress,
    )
    first = ({"method": "hmc"},) if recommended_method(target, 8) == "hmc" else ()
    last_trials: list[Trial] = []
    was_interrupted = False
    for settings in (*first, *_SGLD_SETTINGS):
        if "batch_size" in settings and settings["batch_size"] > target.samples:
            continue
        setting_trials: list[Trial] = []
        try:
            for factor in DRAW_FACTORS:
                trial = _trial_on_twin(estimate, mean, settings, factor)
                setting_trials.append(trial)
                if not trial.undecided or trial.error < NARROW_ERROR:
                    break
        except KeyboardInterrupt:
            was_interrupted = True
            if not last_trials and not setting_trials:
                raise
        last_trials += setting_trials[-1:]
        if was_interrupted or last_trials[-1].sound:
            break
    return Calibration(
        linear_twin.widths,
        linear_twin.rank,
        linear_twin.samples,
        used_n_beta,
        localization,
        mean,
        tuple(last_trials),
        was_interrupted,
    )


def _trial_on_twin(
    estimate: Callable[..., Estimate], mean: TemperedMean, llc_options: dict[str, Any], factor: int
) -> Trial:
    started_at = time.perf_counter()
    longer_run = {}
    if factor > 1:
        default_draws = llc_options.get(
            "num_draws", kernel_class(llc_options["method"]).usual_draws
        )
        # What the burn-in leaves of a bias stays as it is.
        longer_run = {"num_draws": factor * default_draws, "num_burnin": default_draws}
    try:
        twin_estimate = estimate(**(llc_options | longer_run))
    except DivergedError:
        return Trial(llc_options, None, time.perf_counter() - started_at, math.nan, math.inf)
    if twin_estimate.interrupted:
        raise KeyboardInterrupt
    error = math.hypot(twin_estimate.errors["chains"], mean.error) / abs(mean.value)
    bias = (twin_estimate.lam - mean.value) / abs(mean.value)
    return Trial(llc_options, twin_estimate, time.perf_counter() - started_at, bias, error)
