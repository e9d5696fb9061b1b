"""Losses of samples at draws of a local posterior: influences, susceptibilities, ν and WAIC."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.local import chain_covariances as pooled
from rlct.sampling.local.fluctuation import unbiased_fluctuation, variance_of_sums
from rlct.sampling.targets.target import Floats
from rlct.system.files import replace_file, write_whole


@dataclass(frozen=True, eq=False)
class SampleLosses:
    """ℓ_z(w) − ℓ_z(w*) at draws of p ∝ exp(−nβ L(w) − γ|w − w*|²/2), L the mean of ℓ_z over z.

    InputError if shapes do not fit, or a number is not finite; of ``losses``, when it is read.

    A covariance is the mean over chains of that about the chain's own means, and that of the means
    of chains: without bias however slowly they move if all sample one posterior, which R-hat tells;
    see `chain_covariances`.  devinterp 2.0.1 stacks K chains, which leaves out 1/K of the second
    part.  ``errors=True`` gives standard errors in place of values, by a jackknife over chains;
    they are infinite for fewer than three.

    >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)  # ℓ₂ = 2ℓ₁
    >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).covariance().tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """

    #: Shape (chains, draws, samples).  In nats.  A memory map will do: it is read in blocks of
    #: samples.
    losses: Floats
    #: Shape (samples,).  ℓ_z(w*), which only WAIC needs.
    start: Floats
    n_beta: float
    #: n of the data of which these samples are all or a random part, the same at every draw.  Of a
    #: part, L is estimated by the mean of the part.
    samples_total: int
    #: Shape (samples,).  Which samples of the data they are, from 0 to n − 1.
    rows: NDArray[np.integer[Any]]

    def __post_init__(self) -> None:
        for name in ("losses", "start", "rows"):
            object.__setattr__(self, name, np.asarray(getattr(self, name)))
        shape, kind = self.losses.shape, self.losses.dtype.kind
        if len(shape) != 3 or not self.losses.size or kind not in "fiu":
            raise InputError(f"losses must be real, of shape (chains, draws, samples), not {shape}")
        if shape[0] * shape[1] < 2:
            raise InputError("one draw of one chain has no covariance: give more draws or chains")
        if self.start.shape != shape[2:] or not np.isfinite(self.start).all():
            raise InputError(f"start must hold one finite number for each of {shape[2]} samples")
        if not 0 < self.n_beta < math.inf:
            raise InputError(f"n_beta must be a positive number, not {self.n_beta}")
        whole = self.rows.dtype.kind in "iu" and self.rows.shape == shape[2:]
        if not whole or len(np.unique(self.rows)) < shape[2]:
            raise InputError(f"rows must hold {shape[2]} different whole numbers, one a sample")
        if self.rows.min() < 0 or self.rows.max() >= self.samples_total:
            raise InputError(f"rows must lie below samples_total, {self.samples_total}, and from 0")

    def mean_loss(self) -> Floats:
        """L − L(w*) at each draw, of the given samples, in nats, shape (chains, draws).

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).mean_loss()[0].tolist()
        [0.0, 3.0]
        """
        total: Floats = np.zeros(self.losses.shape[:2])
        for _, block in pooled.column_blocks(self.losses):
            total = total + block.sum(axis=2)
        return np.asarray(total / self.losses.shape[2])

    def tempered_mean(self) -> tuple[float, float]:
        """nβ(E[L] − L(w*)) of these samples, and its standard error by the scatter of chains.

        Of samples that were only looked at it is that of another loss over the posterior of the
        data, as transfer is judged; λ̂ with both on other data is that of a run on those.

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).tempered_mean()
        (3.0, 0.0)
        """
        means = self.n_beta * self.mean_loss().mean(axis=1)
        error = float(means.std(ddof=1) / len(means) ** 0.5) if len(means) > 1 else math.inf
        return float(means.mean()), error

    def covariance(self, *, errors: bool = False) -> Floats:
        """Cov(ℓ_z, ℓ_z') in nats², shape (samples, samples); or standard errors.

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).covariance(errors=True).tolist()
        [[0.0, 0.0], [0.0, 0.0]]
        """
        return pooled.cross_covariances(self.losses, errors=errors)

    def influence(
        self, observable: Floats | None = None, *, normalized: bool = False, errors: bool = False
    ) -> Floats:
        """Bayesian influence of each sample on an observable φ, −Cov(ℓ_z, φ) = ∂E[φ]/∂β_z.

        β_z is the weight of sample z, now nβ/n: positive where more of z raises E[φ].  Of φ there
        may be k, shape (chains, draws, k) in place of (chains, draws); by default it is the loss of
        each sample.  The answer, shape (samples,), (samples, k) or (samples, samples), is in nats
        times the unit of φ; ``normalized`` it is −Corr(ℓ_z, φ), from −1 to 1, NaN where one of the
        two does not vary.  Source: arXiv:2509.26544; devinterp 2.0.1 returns +Corr or +Cov, of
        stacked chains.

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> losses = SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2))
        >>> losses.influence().tolist(), losses.influence(-draws[..., 1], normalized=True).tolist()
        ([[-1.0, -2.0], [-2.0, -4.0]], [1.0, 1.0])
        """
        values = None if observable is None else self._columns(observable)
        found = pooled.cross_covariances(self.losses, values, normalized=normalized, errors=errors)
        one_column = observable is not None and np.ndim(observable) == 2
        return (found if errors else -found)[:, 0 if one_column else slice(None)]

    def susceptibility(self, observable: Floats | None = None, *, errors: bool = False) -> Floats:
        """χ_z = −Cov(φ, ℓ_z − L), summing to 0: how E[φ] moves as data shift from all to z.

        With h(ℓ_z − L) added to L it is (1/nβ) ∂E[φ]/∂h at h = 0; others leave nβ in.  φ, shape
        (chains, draws) or (chains, draws, k), is L − L(w*) by default; the answer, shape (samples,)
        or (samples, k), is in nats times its unit.  Source: arXiv:2504.18274; where only some
        weights move, both means here are of their own posterior, and `full_susceptibility` has
        another.

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).susceptibility().tolist()
        [0.75, -0.75]
        """
        level = self.mean_loss()
        given = level if observable is None else observable
        columns = self._columns(given)
        found = pooled.cross_covariances(self.losses, columns, level=level, errors=errors)
        return (found if errors else -found)[:, 0 if np.ndim(given) == 2 else slice(None)]

    def singular_fluctuation(self) -> tuple[float, float]:
        """ν = (β/2) Σ_z Var ℓ_z over all n samples, β = nβ/n, and its standard error.

        It is nβ/2 times the mean variance of the given samples, in nats.  The error is that of
        `unbiased_fluctuation`, infinite for one chain; not that of taking a part of n.  Source:
        Watanabe (2010), Journal of Machine Learning Research 11:3571–3594.

        >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
        >>> SampleLosses(draws, np.zeros(2), 2.0, 2, np.arange(2)).singular_fluctuation()
        (2.5, 0.0)
        """
        chains, draws, samples = self.losses.shape
        sums = np.full((3, chains, samples), float(draws))
        for part, block in pooled.column_blocks(self.losses):
            gap = block - block.mean(axis=(0, 1))  # sums of squares lose no digits then
            sums[1:, :, part] = gap.sum(axis=1), (gap**2).sum(axis=1)
        found = unbiased_fluctuation(tuple(sums))
        value, error = (variance_of_sums(sums)[0], math.inf) if found is None else found[:2]
        return 0.5 * self.n_beta / samples * value, 0.5 * self.n_beta / samples * error

    def waic(self) -> tuple[float, float]:
        """WAIC = mean over z of −log E[exp(−ℓ_z)] + β Var ℓ_z, β = nβ/n, and its standard error.

        In nats per sample, an estimate of the Bayes generalisation loss of this posterior, at this
        β, if ℓ_z = −log p(z|w).  The error is over chains, without the scatter over data.  For
        −(start + losses) and β `rlct.criteria.waic` has the same, Var being of stacked chains.
        Watanabe (2010), Journal of Machine Learning Research 11:3571–3594.

        >>> draws = np.array([[[0.0], [math.log(3)]]] * 3)              # E exp(−ℓ) = 2/3
        >>> found = SampleLosses(draws, np.zeros(1), 1.0, 1, np.arange(1)).waic()[0]
        >>> math.isclose(found, -math.log(2 / 3) + (math.log(3) / 2) ** 2)
        True
        """
        chains, draws, samples = self.losses.shape
        terms: Floats = np.zeros(1 + chains if chains > 2 else 1)
        for part, block in pooled.column_blocks(self.losses):
            logs = np.logaddexp.reduce(-block, axis=1) - math.log(draws)
            groups = [logs, *(np.delete(logs, c, axis=0) for c in range(len(terms) - 1))]
            means = [np.logaddexp.reduce(g, axis=0) - math.log(len(g)) for g in groups]
            penalty = self.n_beta / self.samples_total * pooled.chain_variances(block, errors=True)
            terms = terms + (self.start[part] - np.array(means) + penalty).sum(axis=1)
        return float(terms[0] / samples), float(pooled.jackknife_error(terms / samples))

    def save(self, path: str | Path) -> None:
        """Write losses to ``path``, an ``.npy``, and all else to the ``.json`` beside it.

        >>> import tempfile
        >>> losses = SampleLosses(np.eye(2)[None], np.zeros(2), 2.0, 9, np.array([4, 7]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     losses.save(Path(folder, "losses.npy"))
        ...     SampleLosses.load(Path(folder, "losses.npy")).rows.tolist()
        [4, 7]
        """
        facts = {"n_beta": float(self.n_beta), "samples_total": int(self.samples_total)}
        facts |= {"start": self.start.tolist(), "rows": self.rows.tolist()}
        try:
            with replace_file(_array_path(path)) as file:
                np.save(file, self.losses, allow_pickle=False)
            write_whole(_array_path(path).with_suffix(".json"), json.dumps(facts).encode())
        except OSError as problem:
            raise InputError(f"cannot write {path}: {problem.strerror}") from None

    @classmethod
    def load(cls, path: str | Path) -> SampleLosses:
        """What :meth:`save` wrote; losses are mapped and not read into memory."""
        place = _array_path(path)
        try:
            facts = json.loads(place.with_suffix(".json").read_text("utf-8"))
            return cls(np.load(place, mmap_mode="r", allow_pickle=False), **facts)
        except OSError as problem:
            raise InputError(f"cannot read {problem.filename}: {problem.strerror}") from None
        except (ValueError, TypeError, EOFError) as problem:
            why = problem if isinstance(problem, InputError) else "a file is damaged or another's"
            raise InputError(f"{path} and its .json hold no losses of samples: {why}") from None

    def _columns(self, observable: Floats) -> Floats:
        given, (chains, draws, _) = np.asarray(observable), self.losses.shape
        if given.ndim not in (2, 3) or given.shape[:2] != (chains, draws) or not given.size:
            shapes = f"({chains}, {draws}) or ({chains}, {draws}, k)"
            raise InputError(f"an observable has the shape {shapes}, as draws, not {given.shape}")
        return given.reshape(chains, draws, -1)


def flatten_tokens(
    losses: Floats, start: Floats, n_beta: float, samples_total: int, rows: NDArray[np.integer[Any]]
) -> SampleLosses:
    """Tokens as samples of their own: token t of T of sample z becomes sample z·T + t of n·T.

    nβ stays, since L is the mean over tokens; a token weighs β/T.  Results have one axis for
    ``.reshape(samples, tokens)``.  For losses of sequences, take means over the tokens instead.
    Shapes are (chains, draws, samples, tokens) of losses, (samples, tokens) of ``start``; other
    arguments are those of :class:`SampleLosses`, of sequences.

    >>> draws = np.random.default_rng(0).normal(size=(4, 50, 2, 3))
    >>> tokens = flatten_tokens(draws, np.zeros((2, 3)), 9.0, 8, np.array([1, 5]))
    >>> tokens.rows.tolist(), tokens.susceptibility().reshape(2, 3).shape
    ([3, 4, 5, 15, 16, 17], (2, 3))
    """
    losses, start, rows = np.asarray(losses), np.asarray(start), np.asarray(rows)
    if losses.ndim != 4 or start.shape != losses.shape[2:] or rows.shape != losses.shape[2:3]:
        raise InputError(
            "losses of tokens need the shape (chains, draws, samples, tokens), start that of the "
            f"last two and rows of samples, not {losses.shape}, {start.shape} and {rows.shape}"
        )
    size = losses.shape[3]
    flat, tokens = losses.reshape(*losses.shape[:2], -1), rows[:, None] * size + np.arange(size)
    return SampleLosses(flat, start.reshape(-1), n_beta, samples_total * size, tokens.reshape(-1))


def _array_path(path: str | Path) -> Path:
    if Path(path).suffix != ".npy":
        raise InputError(f"losses are kept in a file that ends in .npy, not {str(path)[-40:]!r}")
    return Path(path)
