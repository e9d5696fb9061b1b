"""Each kernel on a Gaussian, a deep linear network and a quartic, beside a case that it must fail.

Eight chains each; the mean of nβK over chains differs from the exact tempered mean by at most
Student's t at 10⁻⁴: with 18 cases one false alarm in 550 runs of this file.  Kernels are those of
`rlct.sampling.kernels`: one that is added is on trial.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from rlct.sampling.kernels import kernel_class, kernel_names
from rlct.sampling.kernels.barker import BarkerProposal
from rlct.sampling.kernels.hmc import Hmc
from rlct.sampling.kernels.mala import Mala
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.markov_chains.chains import Chains, sample_chains
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget

N_BETA, CHAINS = 100.0, 8
TARGETS = {
    "gaussian": PolynomialTarget([{(2, 0): 1, (0, 2): 2}], squared=False),
    "deep linear": LinearNetworkTarget([2, 1, 2], rank=0),
    "quartic": PolynomialTarget([{(2,): 1}], squared=True),
}


@cache
def exact_mean(name: str) -> tuple[float, float]:
    """E[nβK] and its error: by quadrature, or by exact conditional draws."""
    target = TARGETS[name]
    if isinstance(target, PolynomialTarget):
        return float(density_of_states(target).mean(np.array([N_BETA]))[0]), 1e-4
    run = gibbs(target, np.array([N_BETA]), rng=np.random.default_rng(0), num_draws=4000)
    means = run.draws[0].mean(axis=1)
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))


DRAWS = {"hmc": 800, "nuts": 100, "sgld": 4000}  # where they are not the usual ones of a kernel


def run_of(name: str, target: Any, **options: Any) -> Chains:
    """Chains of a kernel that starts as it likes."""
    if name == "sgld":
        options.setdefault("lr", 1e-4)
    draws = DRAWS.get(name, kernel_class(name).usual_draws)
    return sample_chains(name, target, N_BETA, num_draws=draws, **options)


def langevin(target: Any, **options: Any) -> Chains:
    return run_of("sgld", target, **options)


KERNELS: dict[str, Callable[..., Chains]] = {name: partial(run_of, name) for name in kernel_names()}


def holds(run: Chains, name: str, draws: str = "unbiased") -> bool:
    """Whether the chains agree with the exact mean."""
    values = getattr(run, draws)[0].mean(axis=1)
    exact, error = exact_mean(name)
    noise = float(np.hypot(values.std(ddof=1) / np.sqrt(len(values)), error))
    limit = float(student.isf(0.5e-4, len(values) - 1))
    return abs(float(values.mean()) - exact) <= limit * noise


@pytest.mark.study
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_finds_the_tempered_mean(kernel: str, name: str) -> None:
    if kernel == "nuts":
        pytest.importorskip("mici")
    run = KERNELS[kernel](TARGETS[name], rng=np.random.default_rng(1), num_chains=CHAINS)
    assert holds(run, name)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["mala", "hmc", "barker"])
def test_with_a_milder_test_a_kernel_fails(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the change of the density counts: more proposals that lead up are accepted."""
    cls = {"mala": Mala, "hmc": Hmc, "barker": BarkerProposal}[kernel]
    decide = cls._decide

    def mild(self: Any, change: Any, *places: Any) -> Any:
        # The step adapts to the chance that it would have had.
        chance = np.exp(np.minimum(0.0, np.nan_to_num(change, nan=-np.inf)))
        return decide(self, 0.2 * change, *places)[0], chance

    monkeypatch.setattr(cls, "_decide", mild)
    run = KERNELS[kernel](TARGETS["gaussian"], rng=np.random.default_rng(1), num_chains=CHAINS)
    assert not holds(run, "gaussian")


@pytest.mark.slow
def test_with_noise_of_one_step_alone_sgld_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that makes the sharpest direction a third too wide; with that of two it is right."""
    options: dict[str, Any] = {"rng": np.random.default_rng(1), "num_chains": CHAINS, "lr": 2.5e-3}
    assert holds(langevin(TARGETS["gaussian"], **options), "gaussian")

    rng = np.random.default_rng(2)

    def usual(self: LangevinStep, w: Any, force: Any, noise: Any) -> None:
        """With what comes before the next slopes, independent noise of variance ε."""
        w += 3**0.5 * self.half_root * rng.normal(size=w.shape)
        w -= 0.5 * self.step_size * force

    monkeypatch.setattr(LangevinStep, "finish", usual)
    assert not holds(langevin(TARGETS["gaussian"], **options), "gaussian")
