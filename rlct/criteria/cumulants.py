"""Posterior cumulants of log p, and what they make of the losses of learning theory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws
from rlct.criteria.statistic import FloatArray, Statistic

__all__ = ["Cumulants", "cumulants"]

_FEWEST_DRAWS = 10  # draws that make an error: with fewer, root-mean-square z is about 1.2 to 2


@dataclass(frozen=True)
class Cumulants:
    """Averages Y_k over observations of the posterior cumulants of log p(X_i|w), k = 1, …, 4.

    With F(α) = (1/n) Σ log E_w p(X_i|w)^α = Σ_k α^k Y_k/k! every loss is a value of F. Each
    method gives the sum up to the third cumulant, and the term of the fourth, whose size says
    whether the series can be believed.

    Parameters
    ----------
    Y : tuple of Statistic
        Y₁, Y₂, Y₃, Y₄. Y_k = O_p(n^{−k/2}) for k ≥ 2. The errors of the higher ones come from
        eighth powers (of Y₄) and sixth ones (of Y₃), which a few draws in the tail decide: where
        that is so, they are often too small, most where the value is, and a warning says so.
    beta : float
        Inverse temperature of the posterior.
    """

    Y: tuple[Statistic, ...]
    beta: float

    def _series(self, *coefficients: float) -> tuple[float, float]:
        terms = [c * y.value for c, y in zip(coefficients, self.Y, strict=True)]
        return sum(terms[:3]), terms[3]

    def bayes_loss(self) -> tuple[float, float]:
        """−F(1): the training loss, or the generalisation loss of held-out observations."""
        return self._series(-1.0, -1 / 2, -1 / 6, -1 / 24)

    def waic(self) -> tuple[float, float]:
        """−F(1) + βY₂ = −Y₁ + (2β−1)/2·Y₂ − Y₃/6 − …."""
        return self._series(-1.0, self.beta - 1 / 2, -1 / 6, -1 / 24)

    def loo(self) -> tuple[float, float]:
        """F(−β) − F(1−β) = −Y₁ + (2β−1)/2·Y₂ − (3β²−3β+1)/6·Y₃ + …."""
        b = self.beta
        third = (b**3 + (1 - b) ** 3) / 6
        return self._series(-1.0, b - 1 / 2, -third, (b**4 - (1 - b) ** 4) / 24)

    def to_dict(self) -> dict[str, Any]:
        """Cumulants and expansions, ready for JSON."""
        expansions = {"bayes_loss": self.bayes_loss(), "waic": self.waic(), "loo": self.loo()}
        return {
            "schema": "rlct/1",
            "kind": "cumulants",
            "beta": self.beta,
            "cumulants": [{"value": y.value, "error": y.error} for y in self.Y],
            **{k: {"value": v, "fourth_term": t} for k, (v, t) in expansions.items()},
            "warnings": list(dict.fromkeys(words for y in self.Y for words in y.warnings)),
        }


def cumulants(log_likelihood: Any, *, beta: float = 1.0, log_masses: Any = None) -> Cumulants:
    """Estimate the averaged posterior cumulants of log p.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, n) or (draws, n)
        log p(X_i|w) at posterior draws; of the training data, or of held-out ones.
    beta : float
        Inverse temperature of the posterior.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.

    Returns
    -------
    Cumulants

    Raises
    ------
    InputError
        If the log-likelihood has the wrong shape or an entry that is not finite.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594. The expansions
    need cumulants of log p; with those of −log p every odd sign turns.

    Examples
    --------
    −2 log p exponential of rate 1: κ_k = (−1/2)^k (k−1)!.

    >>> t = np.arange(0.005, 60, 0.01)
    >>> found = cumulants(-t[:, None] / 2, log_masses=-t)
    >>> [round(y.value, 3) for y in found.Y]
    [-0.5, 0.25, -0.25, 0.375]
    """
    draws = Draws(log_likelihood, beta, log_masses)

    def terms(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        mean = draws.masses @ block
        c = block - mean
        second, third, fourth = (draws.masses @ c**k for k in (2, 3, 4))
        influences = [
            c,
            c**2 - second,
            c**3 - third - 3 * second * c,
            c**4 - fourth - 4 * third * c - 6 * second * (c**2 - second),
        ]
        values = [mean, second, third, fourth - 3 * second**2]
        return np.stack(values), np.stack([influence.sum(axis=1) for influence in influences])

    values, influence = draws.collect(terms)
    return Cumulants(
        tuple(
            draws.statistic(
                f"cumulant-{k}", one, influences, warnings=_distrust(draws, k, influences)
            )
            for k, (one, influences) in enumerate(zip(values, influence, strict=True), 1)
        ),
        draws.beta,
    )


def _distrust(draws: Draws, order: int, influence: FloatArray) -> tuple[str, ...]:
    """Words where few draws make the variance that the error comes from: (Σ I²)² / Σ I⁴ of them."""
    top = np.abs(influence).max()
    if draws.exact or top == 0:
        return ()
    squares = (influence / top) ** 2
    rests = float(squares.sum() ** 2 / (squares @ squares))
    if rests >= _FEWEST_DRAWS:
        return ()
    return (f"the error of cumulant {order} rests on about {rests:.0f} draws: it may be too small",)
