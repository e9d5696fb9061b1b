"""A sampled estimate of (λ, θ) that carries its own uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlct.sampling.chains import Chains

__all__ = ["Estimate"]


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
    details : mapping
        Method-dependent numbers for plots and reports.
    errors : mapping
        Standard errors by origin, as far as they are known: ``monte_carlo``, ``sampler`` (the
        kernel's bias), ``finite_n`` (distance from the limit nβ → ∞), ``data`` (scatter over
        data sets).
    nu : (float, float) or None
        Singular fluctuation ν with its standard error, on data.
    chains : Chains or None
        The draws of a run at one nβ.
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
    details: Mapping[str, Any] = field(default_factory=dict)
    errors: Mapping[str, float] = field(default_factory=dict)
    nu: tuple[float, float] | None = None
    chains: Chains | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Fields of the ``estimate`` answer, schema ``rlct/1``, ready for JSON."""
        return {
            "schema": "rlct/1",
            "kind": "estimate",
            "lambda": self.lam,
            "interval": list(self.interval),
            "level": self.level,
            "theta": self.theta,
            "theta_interval": None if self.theta_interval is None else list(self.theta_interval),
            "ess": self.ess,
            "rhat": self.rhat,
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
            "method": self.method,
            "errors": dict(self.errors),
            "nu": None if self.nu is None else list(self.nu),
        }

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
            from rlct.report.ladder_plot import draw as draw_ladder

            return draw_ladder(self)
        from rlct.report.run import draw

        return draw(self)

    def to_datatree(self) -> Any:
        """The draws or the ladder as an xarray DataTree, see `rlct.report.datatree.to_datatree`."""
        from rlct.report.datatree import to_datatree

        return to_datatree(self)

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped before it was done."""
        return any(words.startswith("interrupted") for words in self.warnings)

    @property
    def headline(self) -> str:
        """What was estimated, in one line: λ, or the mean at one nβ, which is not λ."""
        low, high = self.interval
        span = f"≈ {self.lam:.4g} [{low:.4g}, {high:.4g}] at {self.level:.0%}"
        if "n_beta" in self.details:
            loss = "nβ(L − L(w*))" if self.details.get("samples") else "nβK"
            n_beta = self.details["n_beta"]
            radius = self.details.get("radius")
            box = "" if radius is None else f" within {radius:g} of the point"
            return f"λ̂ {span}, the mean of {loss} at nβ = {n_beta:.5g}{box} ({self.method})"
        theta = "" if self.theta is None else f", θ = {self.theta}"
        return f"λ {span}{theta} ({self.method})"

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"warning: {words}" for words in self.warnings)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Rich form for notebooks: numbers, diagnostics and warnings."""
        from rlct.report.notebook import estimate_html

        return estimate_html(self)
