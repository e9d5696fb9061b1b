"""Leave-one-out cross-validation from one posterior, by plain or Pareto-smoothed weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws, log_mean
from rlct.criteria.statistic import FloatArray, Statistic
from rlct.errors import InputError
from rlct.sampling.markov_chains.diagnostics import array_stats
from rlct.system.options import explain_options

__all__ = ["LOO_METHODS", "LeaveOneOut", "loo"]

LOO_METHODS = ("psis", "importance")

_FEWEST_DRAWS = 100.0  # effective draws of the plain weights of an observation
_CROWDED_OBSERVATIONS = (
    10.0  # observations for each parameter: with eight, root-mean-square z is 1.5
)
_SMOOTHABLE_DRAWS = 25  # draws, of which a fifth are the tail, and five make a tail


@explain_options
def loo(
    log_likelihood: Any, *, beta: float = 1.0, method: str | None = None, log_masses: Any = None
) -> Statistic:
    """Leave-one-out cross-validation loss CvL = −(1/n) Σ log p^{(i)}(X_i).

    Without X_i the posterior at inverse temperature β has the weights p(X_i|w)^{−β}, so that
    p^{(i)}(X_i) = E_w[p(X_i|w)^{1−β}] / E_w[p(X_i|w)^{−β}], exactly.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, n) or (draws, n)
        log p(X_i|w) at posterior draws.
    beta : float
        Inverse temperature of the posterior.
    method : {"psis", "importance"}, optional
        Pareto-smoothed weights, the default for draws, or the weights as they are, the default
        for nodes of exact integration.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.

    Returns
    -------
    Statistic
        A loss per observation; ``elpd`` is −n times it, the ``elpd_loo`` of others. ``details`` has
        ``effective_parameters``, n times what the loss is above that of training, and the
        Pareto k of smoothed weights, or the fewest effective draws of plain ones. Where there
        are few observations for each parameter, a posterior without one of them is much wider,
        the draws that would bear the weight are missing and k does not show it: the loss is then
        too low, by half to two of its errors on average. Fewer than ten observations for each of
        the 2β² Var nL_n effective parameters carry a warning.

    Raises
    ------
    InputError
        If the log-likelihood has the wrong shape or an entry that is not finite, or nodes of
        integration are to be smoothed.

    Notes
    -----
    The identity: Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594.
    Smoothing and the limit of k: Vehtari, A., Simpson, D., Gelman, A., Yao, Y. and
    Gabry, J. (2024), Journal of Machine Learning Research 25(72). The weights are smoothed by
    arviz-stats.

    Examples
    --------
    N(w, 1), flat prior, observations 0 and 2: leaving one out, the other has p = N(2, 2) at 0.

    >>> w = np.linspace(-11, 13, 4001)
    >>> table = -(np.array([0.0, 2.0]) - w[:, None]) ** 2 / 2 - np.log(2 * np.pi) / 2
    >>> found = loo(table, log_masses=table.sum(axis=1))
    >>> abs(found.value - (1 + np.log(4 * np.pi) / 2)) < 1e-12
    np.True_
    """
    draws = Draws(log_likelihood, beta, log_masses)
    way = LeaveOneOut(draws, method)

    def terms(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        loss, moved, trust = way.terms(block)
        predictive, _ = log_mean(draws, block, 1.0)
        return np.stack([loss, trust, loss + predictive]), moved.sum(axis=1)

    (loss, trust, excess), influence = draws.collect(terms)
    warnings, details = way.judge(trust)
    details = {
        "beta": draws.beta,
        "observations": draws.n,
        "effective_parameters": float(excess.sum()),
        **details,
    }
    return draws.statistic("loo", loss, influence, warnings=warnings, details=details)


class LeaveOneOut:
    """Losses of observations that are left out, and how far to trust them.

    InputError if the method does not fit the draws.
    """

    def __init__(self, draws: Draws, method: str | None = None) -> None:
        self.draws = draws
        self.method = method = method or ("importance" if draws.exact else "psis")
        if method not in LOO_METHODS:
            raise InputError(f"method is {' or '.join(LOO_METHODS)}, not {str(method)[:40]!r}")
        if method == "psis" and draws.exact:
            raise InputError("nodes of exact integration have no tail to smooth: use importance")
        if method == "psis" and draws.count < _SMOOTHABLE_DRAWS:
            raise InputError(
                f"{draws.count} draws are too few to smooth, {_SMOOTHABLE_DRAWS} at least: "
                "use importance"
            )

    def terms(self, block: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """−log p^{(i)}(X_i) for a block, its influence ``(draws, m)``, and what `judge` reads.

        The last is Pareto k of smoothed weights, or (Σ weights)²/(S·Σ weights²) of plain ones.
        """
        return self._smoothed(block) if self.method == "psis" else self._plain(block)

    def judge(self, term_trust: FloatArray) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Warnings and details, from the last of the terms of all observations."""
        draws, warnings = self.draws, _crowded(self.draws)
        method_details: dict[str, Any] = {"method": self.method}
        if self.method == "importance":
            if not draws.exact:
                method_details["fewest_effective"] = fewest = float(term_trust.min()) * draws.count
                if fewest < _FEWEST_DRAWS:
                    words = (
                        f"importance weights vary too much: observation {int(term_trust.argmin())} "
                        f"rests on {fewest:.0f} effective draws, fewer than {_FEWEST_DRAWS:.0f}"
                    )
                    warnings = (words, *warnings)
            return warnings, method_details
        limit = min(1.0 - 1.0 / math.log10(draws.count), 0.7)
        high_count = int((term_trust > limit).sum())
        if high_count:
            words = (
                f"{high_count} of {draws.n} observations have Pareto k above {limit:.2f} "
                f"(the largest {term_trust.max():.2f}, observation {int(term_trust.argmax())}): "
                "leave them out and sample again, or use K-fold"
            )
            warnings = (words, *warnings)
        return warnings, method_details | {
            "pareto_k_largest": float(term_trust.max()),
            "pareto_k_high": high_count,
        }

    def _plain(self, block: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        below, moved_below = log_mean(self.draws, block, -self.draws.beta)
        above, moved_above = log_mean(self.draws, block, 1.0 - self.draws.beta)
        effective = 1.0 / (1.0 + (moved_below**2).mean(axis=0))
        return below - above, moved_below - moved_above, effective

    def _smoothed(self, block: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        count, (effective, _, _) = self.draws.count, self.draws.quality
        relative = min(1.0, max(effective or 0.0, 1.0) / count)
        log_weights, k = _smooth(self.draws.beta * block, relative)
        weighted = log_weights + block
        top = weighted.max(axis=0)
        predictive = top + np.log(np.exp(weighted - top).sum(axis=0))
        # A self-normalised mean moves by S·weight·(p/mean − 1).
        moved = count * (np.exp(weighted - predictive) - np.exp(log_weights))
        return -predictive, -moved, k


def _crowded(draws: Draws) -> tuple[str, ...]:
    """Words where few observations share a parameter.

    β² Var nL_n is about λ, d/2 in a regular model; unlike the variances of single observations
    it does not depend on how well they fit.
    """
    if draws.exact:
        return ()
    parameters = 2.0 * draws.beta**2 * float(draws.total.var())
    if draws.n >= _CROWDED_OBSERVATIONS * parameters:
        return ()
    return (
        f"{draws.n} observations for about {parameters:.2g} effective parameters: the loss tends "
        "to be too low, by more than its error says; leave them out and sample, or use K-fold",
    )


def _smooth(log_ratios: FloatArray, relative_efficiency: float) -> tuple[FloatArray, FloatArray]:
    """Smoothed, normalised logarithms of the weights exp(−log_ratios), by column, and k."""
    try:
        # psislw takes log-likelihoods and negates them. It divides by zero in hopeless tails.
        with np.errstate(all="ignore"):
            log_weights, k = array_stats().psislw(log_ratios.T, r_eff=relative_efficiency, axis=-1)
        weights = np.asarray(log_weights).T
        if np.isfinite(weights.max(axis=0)).all() and not np.isnan(k).any():
            return weights, np.asarray(k)
    except ValueError:  # the tail of some column is one repeated number: no distribution fits
        pass
    if log_ratios.shape[1] > 1:
        parts = [_smooth(column[:, None], relative_efficiency) for column in log_ratios.T]
        return np.hstack([w for w, _ in parts]), np.hstack([k for _, k in parts])
    plain = log_ratios.min() - log_ratios
    plain -= np.log(np.exp(plain).sum())
    # Weights that are all equal are right as they are; others have no k to vouch for them.
    return plain, np.array([0.0 if np.ptp(log_ratios) == 0 else np.inf])
