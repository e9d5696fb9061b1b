"""Which sampler, and how many chains, draws and samples in a batch: what minutes allow."""

from typing import Any

from rlct.sampling.kernels import kernel_class
from rlct.sampling.targets.effort import data_work
from rlct.sampling.targets.target import DataTarget, Target

USUAL_BATCH, LEAST_BATCH = 256, 32
MOST_WORK = 1e12  # of all gradients of a run: a few minutes
SECONDS_WORK = 5e10  # of those that measure the curvature first, or of descents
LEAST_SHARE = 0.25  # of the usual draws, however long they take
# Samples with which 32 gradients on all data lead as far along a flat direction as free diffusion
# on mini-batches does in as much work, √(0.4 n) of its steps.
FEW_SAMPLES = 2500
LONGEST_WORK = 2.5  # times that work, for fewer trajectories instead of mini-batches
CHEAP_WORK = 2e7  # of one gradient of all chains on all data, which costs next to nothing
MOST_CHAINS = 64  # of hmc on small data


def recommended_method(target: DataTarget, num_chains: int) -> str:
    """Trajectories on all data where they are cheap, or fill flat directions sooner than batches.

    On a tanh network of 4381 parameters and 1500 samples λ̂ was 34.4 [33.1, 35.7] after 68 seconds
    of trajectories, and 40 [31, 49] after 97 of mini-batches, with R-hat 1.28.
    """
    work = _work("hmc", target, num_chains)
    few = target.samples <= FEW_SAMPLES and LEAST_SHARE * work <= LONGEST_WORK * MOST_WORK
    return "hmc" if work <= MOST_WORK or few else "sgld"


def recommended_chains(method: Any, target: Target) -> int:
    """As many chains of hmc as cost next to nothing.

    A chain that has come far into an arm of a·b·x stays there for long: eight chains of a hundred
    draws miss E[nβL] by a quarter, and say a tenth.

    >>> import numpy as np
    >>> from rlct.sampling.targets.network import NetworkTarget
    >>> data = [NetworkTarget([[[0.0]]], *np.ones((2, n, 1))) for n in (10, 10_000, 10**6)]
    >>> [recommended_chains("hmc", target) for target in data]
    [64, 46, 8]
    """
    usual = kernel_class(method).usual_chains
    if method == "hmc" and isinstance(target, DataTarget):
        return max(usual, min(MOST_CHAINS, int(CHEAP_WORK / data_work(target))) // 2 * 2)
    return usual


def recommended_batch(target: DataTarget, num_chains: int) -> int:
    """Samples of a batch, fewer where gradients are costly: the step keeps its noise small.

    On a transformer of 9515 parameters 16 chains of 2000 draws with 32 samples, in one minute, had
    an effective size of 97; 8 of 500 with 256, in as long, had 9.

    >>> import numpy as np
    >>> from rlct.sampling.targets.network import NetworkTarget
    >>> data = [NetworkTarget([np.zeros((d, d))], *np.ones((2, 999, d))) for d in (3, 150, 999)]
    >>> [recommended_batch(target, 16) for target in data]
    [256, 212, 32]
    """
    steps = 2 * kernel_class("sgld").usual_draws * num_chains
    return min(target.samples, affordable_batch(data_work(target) / target.samples, steps))


def affordable_batch(sample_work: float, steps: int, most_work: float = MOST_WORK) -> int:
    """Samples of a batch with which so many steps take no more work; 32 at least, 256 at most.

    What batches add grows as ε/B: of as many gradients more steps never reach less.

    >>> [affordable_batch(sample_work, 12_000) for sample_work in (1e5, 1e6, 1e7)]
    [256, 83, 32]
    """
    return int(min(max(most_work / (steps * sample_work), LEAST_BATCH), USUAL_BATCH))


def recommended_draws(method: Any, target: Target, num_chains: int) -> int:
    """Draws of each chain, and as many steps before them: fewer where they took too long.

    >>> import numpy as np
    >>> from rlct.sampling.targets.network import NetworkTarget
    >>> wide = NetworkTarget([np.zeros((3000, 3000))], np.ones((256, 3000)), np.ones((256, 3000)))
    >>> recommended_draws("sgld", wide, 16), recommended_draws("sgld", wide, 2)
    (500, 500)
    """
    kernel = kernel_class(method)
    work = _work(method, target, num_chains, LEAST_BATCH if kernel.on_batches else None)
    share = MOST_WORK / max(work, MOST_WORK)
    return int(kernel.usual_draws * max(share, LEAST_SHARE))


def _work(method: Any, target: Target, num_chains: int, batch: int | None = None) -> float:
    """Of all gradients of a usual run, on mini-batches or on all data."""
    if not isinstance(target, DataTarget):
        return 0.0
    share = 1.0 if batch is None else min(1.0, batch / target.samples)
    kernel = kernel_class(method)
    draws = 2 * kernel.usual_draws * num_chains
    return draws * kernel.gradients_per_draw * share * data_work(target)
