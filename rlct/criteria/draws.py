"""Pointwise log-likelihoods of a posterior, read in blocks of observations.

Every statistic here is a sum over observations of a function of the posterior of one number,
log p(X_i|w).  Its Monte-Carlo error follows from its influence function: the derivative of the
statistic when a little mass is added at one draw.  Summed over observations this is one series
of numbers, one for each draw, whose mean is 0 and whose autocorrelation arviz-stats knows how
to judge.  So one pass over blocks of observations gives values and errors, and memory stays
bounded whatever the number of observations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from rlct.criteria.inputs import read_reals, temperature
from rlct.criteria.pointwise import log_likelihood_of
from rlct.criteria.statistic import FloatArray, Statistic, mean_error
from rlct.errors import InputError
from rlct.sampling.markov_chains.diagnostics import array_stats

#: From a block ``(draws, m)``: k terms of each observation, ``(k, m)``, and the influence of
#: each draw on the sum over the block of the statistics wanted, ``(draws,)`` or one row for each.
BlockTerms = Callable[[FloatArray], tuple[FloatArray, FloatArray]]

_BLOCK_NUMBERS = 1 << 21  # numbers in a block: 16 MiB
_LARGEST_LOSS = 1e30  # eighth powers can still be summed
_FEWEST_DRAWS = 4  # draws in a chain for an effective sample size


class Draws:
    """Log-likelihoods of every observation at every draw.

    The array, (chains, draws, n) or (draws, n), holds log p(X_i|w) itself at draws w of the
    posterior at inverse temperature ``beta``. It is read in blocks and not copied, so that a memory
    map will do. Of an xarray.DataArray the axes ``chain`` and ``draw`` are found by name; of a
    DataTree, InferenceData or Dataset the log-likelihoods are, with all variables that have some.
    With ``log_masses``, of the shape of the draws, the integration is exact: the draws are nodes
    and these are the logarithms of their posterior masses, up to a constant. Errors of the draws
    are then 0. InputError if the array has another shape, is empty, or has an entry that is masked
    or not finite.
    """

    def __init__(self, log_likelihood: Any, beta: float = 1.0, log_masses: Any = None) -> None:
        log_likelihood = log_likelihood_of(log_likelihood)
        array = read_reals(log_likelihood, "the log-likelihood")
        if array.ndim == 2:
            # The axes chain and draw alone are those of the sum over the observations.
            sums = set(getattr(log_likelihood, "dims", ())) == {"chain", "draw"}
            array = array[..., None] if sums else array[None]
        if array.ndim != 3 or not array.size:
            raise InputError(
                "the log-likelihood needs the shape (chains, draws, n) or (draws, n), "
                f"not {array.shape if array.ndim == 3 else np.shape(log_likelihood)}"
            )
        self.array = array
        self.beta = temperature(beta)
        self.chains, self.draws, self.n = array.shape
        self.count = self.chains * self.draws
        self.exact = log_masses is not None
        if log_masses is None:
            if self.draws < _FEWEST_DRAWS:
                raise InputError(f"{self.draws} draws a chain: at least {_FEWEST_DRAWS} are needed")
            self.log_masses = np.full(self.count, -np.log(self.count))
        else:
            self.log_masses = self._normalised(log_masses)
        #: Masses of the draws, which sum to 1.
        self.masses = np.exp(self.log_masses)

    def _normalised(self, log_masses: Any) -> FloatArray:
        log_weights = read_reals(log_masses, "log_masses").astype(float).reshape(-1)
        if log_weights.size != self.count:
            raise InputError(f"{log_weights.size} masses for {self.count} nodes")
        if np.isnan(log_weights).any() or not np.isfinite(log_weights.max()):
            raise InputError("log_masses must be finite numbers, or −inf where there is no mass")
        top = log_weights.max()
        return np.asarray(log_weights - top - np.log(np.exp(log_weights - top).sum()))

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Observations a block at a time, each ``(draws of all chains, m)``."""
        size = max(1, _BLOCK_NUMBERS // self.count)
        for start in range(0, self.n, size):
            part = slice(start, min(start + size, self.n))
            block_draws = np.asarray(self.array[:, :, part], dtype=float).reshape(self.count, -1)
            good = np.abs(block_draws) < _LARGEST_LOSS  # false for NaN
            if not good.all():
                where = np.argwhere(~good)[0]
                chain, draw = divmod(int(where[0]), self.draws)
                raise InputError(
                    f"log-likelihood {block_draws[tuple(where)]} at chain {chain}, draw {draw}, "
                    f"observation {start + int(where[1])}: all must be finite and below 1e30"
                )
            yield part, block_draws

    @cached_property
    def total(self) -> FloatArray:
        """Log-likelihood of all data at each draw, ``(chains·draws,)``."""
        sums = np.zeros(self.count)
        for _, block in self.blocks():
            sums += block.sum(axis=1)
        return sums

    def collect(self, terms: BlockTerms) -> tuple[FloatArray, FloatArray]:
        """Terms of all observations ``(k, n)``, and the influence summed over them."""
        values: list[FloatArray] = []
        influence: FloatArray = np.zeros(self.count)
        for _, block in self.blocks():
            found, moved = terms(block)
            values.append(found)
            influence = influence + moved
        return np.concatenate(values, axis=-1), influence

    def error(self, influence: FloatArray) -> float:
        """Standard error of a mean of draws with this influence, autocorrelation included."""
        if self.exact or np.ptp(influence) == 0:
            return 0.0
        shaped = influence.reshape(self.chains, self.draws)
        found = array_stats().mcse(shaped, chain_axis=0, draw_axis=1, method="mean")
        return float(found)

    def statistic(
        self,
        name: str,
        pointwise: FloatArray,
        influence: FloatArray,
        *,
        warnings: tuple[str, ...] = (),
        details: Mapping[str, Any] | None = None,
    ) -> Statistic:
        """Put together the mean of terms whose sum has this influence."""
        effective, disagreement, distrust = self.quality
        return Statistic(
            name=name,
            value=float(pointwise.mean()),
            error=self.error(influence / self.n),
            data_error=mean_error(pointwise),
            ess=effective,
            rhat=disagreement,
            warnings=(*distrust, *warnings),
            details=details or {},
            pointwise=pointwise,
        )

    @cached_property
    def quality(self) -> tuple[float | None, float | None, tuple[str, ...]]:
        """Effective sample size and R-hat of the total, and what is wrong with them."""
        from rlct.sampling.markov_chains.diagnostics import ESS_NEEDED, RHAT_ALLOWED, ess, rhat

        if self.exact:
            return None, None, ()
        total = self.total.reshape(self.chains, self.draws)
        # A single chain is compared with itself, one half with the other.
        halves = total[:, : self.draws // 2 * 2].reshape(-1, self.draws // 2)
        effective, disagreement = ess(total), rhat(total if self.chains > 1 else halves)
        complaints = []
        if disagreement > RHAT_ALLOWED:
            complaints.append(
                f"chains disagree: split R-hat {disagreement:.3f} exceeds {RHAT_ALLOWED}"
            )
        if effective < ESS_NEEDED:
            complaints.append(f"effective sample size {effective:.0f} is below {ESS_NEEDED:.0f}")
        return effective, disagreement, tuple(complaints)


def log_mean(draws: Draws, block: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Log of the posterior mean of p^α for each observation, and the influence of each draw.

    ``block`` has log p of some observations, shape (draws, m).  The value, shape (m,), is log E_w
    p(X_i|w)^α; the influence, shape (draws, m), is p^α/E_w p^α − 1, and 0 for exact integration.
    """
    if alpha == 0:
        return np.zeros(block.shape[1]), np.broadcast_to(0.0, block.shape)
    # Masses join before the largest term is taken out: with α < 0 that term lies where the
    # posterior has next to no mass.
    weights = alpha * block + draws.log_masses[:, None]
    top = weights.max(axis=0)
    np.exp(np.subtract(weights, top, out=weights), out=weights)
    total = weights.sum(axis=0)
    value = top + np.log(total)
    if draws.exact:
        return value, np.broadcast_to(0.0, block.shape)
    weights *= draws.count / total
    weights -= 1.0
    return value, weights
