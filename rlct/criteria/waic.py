"""WAIC: the training loss plus the functional variance, at any inverse temperature."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlct.criteria.draws import Draws, log_mean
from rlct.criteria.statistic import FloatArray, Statistic
from rlct.system.options import explain_options

__all__ = ["waic"]

_LARGEST_VARIANCE = 0.4  # Vehtari, Gelman and Gabry (2017)


@explain_options
def waic(log_likelihood: Any, *, beta: float = 1.0, log_masses: Any = None) -> Statistic:
    """Widely applicable information criterion, an estimate of the Bayes generalisation loss.

    WAIC = Bt + (β/n) V, with the Bayes training loss Bt = −(1/n) Σ log E_w p(X_i|w) and the
    functional variance V = Σ Var_w log p(X_i|w) of the posterior at inverse temperature β.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, n) or (draws, n)
        log p(X_i|w) at posterior draws.
    beta : float
        Inverse temperature of the posterior.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.

    Returns
    -------
    Statistic
        A loss per observation: smaller is better; ``elpd`` is −n times it, the ``elpd_waic`` of
        others, and 2n times it their deviance scale. ``details`` has ``training_loss``,
        ``gibbs_training_loss``, ``functional_variance`` and ``effective_parameters``, β times it.

    Raises
    ------
    InputError
        If the log-likelihood has the wrong shape or an entry that is not finite.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594.
    E WAIC = E Bg-loss + o(1/n), in regular and singular models. The warning about variances
    above 0.4 is that of Vehtari, Gelman and Gabry (2017).

    Examples
    --------
    N(w, 1) with one observation 0 and posterior N(0, 1): Bt = ½ log 4π, V = ½.

    >>> w = np.linspace(-9, 9, 2001)
    >>> found = waic(-(w[:, None] ** 2 + np.log(2 * np.pi)) / 2, log_masses=-(w**2) / 2)
    >>> abs(found.value - (np.log(4 * np.pi) / 2 + 0.5)) < 1e-12
    np.True_
    """
    draws = Draws(log_likelihood, beta, log_masses)

    def terms(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        predictive, moved = log_mean(draws, block, 1.0)
        mean = draws.masses @ block
        square = (block - mean) ** 2
        variance = draws.masses @ square
        waic_terms = draws.beta * variance - predictive
        influences = (draws.beta * (square - variance) - moved).sum(axis=1)
        return np.stack([waic_terms, -predictive, -mean, variance]), influences

    (waic_terms, training_losses, gibbs_losses, variance), influences = draws.collect(terms)
    large = int((draws.beta**2 * variance > _LARGEST_VARIANCE).sum())
    warnings: tuple[str, ...] = ()
    if large:
        warnings = (
            f"{large} of {draws.n} observations have a posterior variance of log p above "
            f"{_LARGEST_VARIANCE}/β²: WAIC and leave-one-out may differ there",
        )
    return draws.statistic(
        "waic",
        waic_terms,
        influences,
        warnings=warnings,
        details={
            "beta": draws.beta,
            "observations": draws.n,
            "training_loss": float(training_losses.mean()),
            "gibbs_training_loss": float(gibbs_losses.mean()),
            "functional_variance": float(variance.sum()),
            "effective_parameters": draws.beta * float(variance.sum()),
        },
    )
