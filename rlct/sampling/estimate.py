"""A sampled estimate of (λ, θ) that carries its own uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.system.plain import json_values

if TYPE_CHECKING:
    from rlct.sampling.ladders.ladder import Fit, Ladder
    from rlct.sampling.local.facts import Run
    from rlct.sampling.local.sample_losses import SampleLosses
    from rlct.sampling.local.spikes import Spikes
    from rlct.sampling.markov_chains.chains import Chains
    from rlct.sampling.targets.target import Floats


@dataclass(frozen=True)
class Estimate:
    """λ̂ with an interval, and what is needed to repeat and to distrust it.

    Parameters
    ----------
    lam : float
        Estimate of λ.
    interval : (float, float)
        Holds λ with probability ``level``, finite-nβ corrections included.
    level : float
    theta : int or None
        θ when the run settles it (posterior ≥ 0.95), or the θ assumed by a check.
    theta_interval : (int, int) or None
        Smallest range of θ with posterior ≥ ``level``; None when θ was assumed.
    error : float
        Standard error of λ̂, Monte-Carlo and finite-nβ parts together.
    degrees : float
        Degrees of freedom of ``error`` (Student's t); inf for an exact method.
    ess, rhat : float or None
        Diagnostics of nβK at the last level; None for quadrature.
    seconds : float
    seed : int
    method : str
    warnings : tuple of str
        Reasons to distrust the estimate.
    remark : str
        Why another method, or other steps, than the usual ones were used.
    theory : str
        λ by a theorem, where one applies to the module that was sampled.
    errors : mapping
        Standard errors by origin, as far as they are known.  Of a ladder ``monte_carlo``,
        ``sampler`` (what slow moves may hide) and ``finite_n`` (distance from the limit nβ → ∞);
        at one nβ ``chains``, of which ``batches`` are a part, and ``data`` (scatter over data
        sets), where it was asked for.
    nu : (float, float) or None
        Singular fluctuation ν on these data, with its standard error over draws, which has
        ``degrees`` degrees of freedom.  It scatters over data sets besides, which the error does
        not hold.
    error_kind : str
        What the interval at one nβ holds: ``"chains"``, their scatter; ``"batches"``, the noise of
        mini-batches alone; or ``"data"``, that of the chains and the scatter over data sets.
    verdict : str or None
        At one nβ: what may move λ̂ most, one of `rlct.sampling.verdict.VERDICT_CAUSES`; the
        sentence on it is the warning.
    diagnostics : mapping
        Numbers that the verdict rests on, by name.
    sample_losses : SampleLosses or None
        Of a torch network: losses of single samples at some draws, for influences and the like.
    chains, run : Chains, Run or None
        The draws of a run at one nβ, and what else is known of it.
    ladder, fit : Ladder, Fit or None
        The slopes over a ladder of nβ or of volumes, and what is fitted to them.
    """

    lam: float
    interval: tuple[float, float]
    level: float
    theta: int | None
    theta_interval: tuple[int, int] | None
    error: float
    degrees: float
    ess: float | None
    rhat: float | None
    seconds: float
    seed: int
    method: str
    warnings: tuple[str, ...] = ()
    remark: str = ""
    theory: str = ""
    errors: Mapping[str, float] = field(default_factory=dict)
    nu: tuple[float, float] | None = None
    error_kind: str = "chains"
    verdict: str | None = None
    diagnostics: Mapping[str, float] = field(default_factory=dict)
    sample_losses: SampleLosses | None = field(default=None, repr=False, compare=False)
    chains: Chains | None = field(default=None, repr=False, compare=False)
    run: Run | None = None
    ladder: Ladder | None = field(default=None, repr=False, compare=False)
    fit: Fit | None = None

    def to_dict(self) -> dict[str, Any]:
        """Fields of the ``estimate`` answer, schema ``rlct/1``, ready for JSON.

        ``n_beta`` is the nβ whose mean it is, and None for a ladder, which estimates λ.  Of
        ``sgld`` ``excess`` is what was taken off the plain mean, which is ``lambda + excess``.
        What is no finite number, as R-hat of chains that never moved, is None.
        """
        answer_fields = {
            "schema": "rlct/1",
            "kind": "estimate",
            "lambda": self.lam,
            "interval": self.interval,
            "level": self.level,
            "theta": self.theta,
            "theta_interval": self.theta_interval,
            "ess": self.ess,
            "rhat": self.rhat,
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": self.warnings,
            "method": self.method,
            "errors": self.errors,
            "error_kind": None if self.run is None else self.error_kind,
            "excess": None if self.run is None or self.method != "sgld" else self.run.excess,
            "nu": self.nu,
            "n_beta": None if self.run is None else self.run.n_beta,
            "verdict": self.verdict,
            "diagnostics": self.diagnostics,
            "theory": self.theory,
        }
        return dict(json_values(answer_fields))

    def table(self) -> str:
        """How each chain of a run at one nβ fared, or the slopes of a ladder with their fit."""
        if self.chains is None:
            from rlct.report.ladder_table import ladder_table

            return ladder_table(self)
        from rlct.report.run import chain_table

        return chain_table(self)

    def plot(self) -> Any:
        """A run at one nβ by chain, or the ladder of nβ, as a matplotlib figure.

        Raises
        ------
        InputError
            Without the extra ``plot``.
        """
        if self.chains is None:
            from rlct.report.ladder_plot import draw_ladder

            return draw_ladder(self)
        from rlct.report.run import draw_chains

        return draw_chains(self)

    def to_datatree(self) -> Any:
        """The draws or the ladder as an xarray DataTree, see `rlct.report.datatree.to_datatree`."""
        from rlct.report.datatree import to_datatree

        return to_datatree(self)

    @property
    def draws(self) -> Floats:
        """Draws of nβK after the burn-in, shape (chains, draws); InputError for a ladder."""
        found: Floats = self.sampled[0].draws[0]
        return found

    @property
    def unbiased(self) -> Floats:
        """The same less what the sampler adds to their mean, which is λ̂ then."""
        found: Floats = self.sampled[0].unbiased[0]
        return found

    @property
    def sampled(self) -> tuple[Chains, Run]:
        """The chains at one nβ and their run; InputError for a ladder."""
        if self.chains is None or self.run is None:
            raise InputError("a ladder has no draws at one nβ: name n_beta")
        return self.chains, self.run

    @property
    def spikes(self) -> Spikes:
        """64 planted weights of known mean under the steps of a run on mini-batches of a network.

        They say which curvatures such steps fill, heat or round away; `print` groups them.

        Raises
        ------
        InputError
            Of another run.
        """
        from rlct.sampling.local.spikes import run_spikes

        if self.run is None or self.run.spiked is None:
            raise InputError("spikes are of a torch module by method='sgld'")
        return run_spikes(self.run.spiked)

    @property
    def measured(self) -> tuple[Ladder, Fit]:
        """The ladder and its fit; InputError at one nβ."""
        if self.ladder is None or self.fit is None:
            if self.chains is None:
                raise InputError("of this estimate no draws are kept, as in a trajectory: ask llc")
            raise InputError("this estimate has no ladder: leave out n_beta")
        return self.ladder, self.fit

    def at(self, n_beta: float) -> Estimate:
        """The same run at this nβ: that of a K of which a multiple was sampled."""
        chains, run = self.sampled
        bend = run.curvature
        if bend is not None:
            bend *= run.n_beta / n_beta
        return replace(
            self,
            chains=replace(chains, n_beta=np.full(1, n_beta)),
            run=replace(run, n_beta=n_beta, curvature=bend),
        )

    def warn(self, words: str) -> Estimate:
        """Add a reason to distrust it."""
        return replace(self, warnings=(*self.warnings, words))

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped before it was done."""
        return any(words.startswith("interrupted") for words in self.warnings)

    @property
    def interval_text(self) -> str:
        """The interval, or that a run that is too short has none: its chains know too little."""
        if self.verdict == "too short":
            return "so far, too short for an interval"
        low, high = self.interval
        return f"[{low:.4g}, {high:.4g}] at {self.level:.0%}"

    @property
    def headline(self) -> str:
        """What was estimated, in one line: λ, or the mean at one nβ, which is not λ."""
        value_words = f"≈ {self.lam:.4g} {self.interval_text}"
        if self.run is not None:
            loss = "nβ(L − L(w*))" if self.run.samples else "nβK"
            box = "" if self.run.radius is None else f" within {self.run.radius:g} of the point"
            where = f"nβ = {self.run.n_beta:.5g}{box}"
            kinds = {"batches": " by batches alone", "data": " with the scatter over data sets"}
            value_words += kinds.get(self.error_kind, "")
            return f"λ̂ {value_words}, the mean of {loss} at {where} ({self.method})"
        theta = "" if self.theta is None else f", θ = {self.theta}"
        return f"λ {value_words}{theta} ({self.method})"

    def __str__(self) -> str:
        beside = [self.theory, "" if self.run is None else self.remark]
        warnings = [f"warning: {words}" for words in self.warnings]
        return "\n".join([self.headline, *filter(None, beside), *warnings])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Rich form for notebooks: numbers, diagnostics and warnings."""
        from rlct.report.notebook import estimate_html

        return estimate_html(self)


def one_warning(*notes: str) -> tuple[str, ...]:
    """What there is to say of a run at one nβ, in one line; no warning where that is nothing.

    >>> one_warning("", "too short: num_draws=400 would do", "the module trained")
    ('too short: num_draws=400 would do; the module trained',)
    >>> one_warning("", "")
    ()
    """
    said = "; ".join(filter(None, notes))
    return (said,) if said else ()
