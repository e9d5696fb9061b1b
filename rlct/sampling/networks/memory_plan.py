"""How many chains and samples share a call: what a cache or the memory holds, by measured bytes."""

import os
from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch

CACHE_BYTES = 2**24  # chains of one call may touch on a processor; of validation/bench/llc.py
WEIGHT_VECTORS = 5  # beside those of the chains: slopes, noise, w − w*, its pull, a product
BESIDE_CHAINS = 2  # vectors of weights of the copied module, and as one row
UNRECORDED_FACTOR = 2  # times the bytes of a sample, until operations of torch.func are recorded
MEMORY_SHARE = 0.5  # of the memory that is free, where none is named


@dataclass(frozen=True)
class MemoryPlan:
    """Sizes of the calls of a run."""

    #: All chains, and those that share a call.
    chains: int
    chains_together: int
    #: Whether chains share operations.  It follows from module, batch and device alone, so that, at
    #: one step, a chain is the same, bit by bit, as long as its batch is taken at once.
    vectorized: bool
    #: Samples of a batch, and of them those that share a call.
    batch_size: int
    rows_together: int
    #: What the run holds beside module and data, at most.
    bytes_needed: float


def plan_memory(
    loss: NetworkLoss,
    chains: int,
    batch_size: int,
    memory: float | None = None,
    chain_vectors: int = 1,
) -> MemoryPlan:
    """Find sizes of calls that stay below ``memory`` bytes, by default half of what is free.

    Each chain holds so many vectors of weights.

    >>> import torch
    >>> data = torch.zeros(100, 3), torch.zeros(100, 2)
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), data)
    >>> plan = plan_memory(loss, chains=4, batch_size=50)
    >>> plan.chains_together, plan.rows_together
    (4, 50)
    """
    size = loss.centre.element_size()
    vector = size * loss.dimension
    own_vectors = chains * chain_vectors + BESIDE_CHAINS
    chain_bytes = vector * own_vectors + 2 * size * len(loss.samples)
    limit = MEMORY_SHARE * _free_bytes(loss) if memory is None else float(memory)
    sample_bytes = loss.bytes_per_sample
    shared_calls = not loss.function.one_by_one
    call_bytes = WEIGHT_VECTORS * vector + batch_size * loss.samples.row_bytes
    least_together = 1
    if loss.device.type == "cpu":
        shared_calls &= 2 * (call_bytes + batch_size * sample_bytes) <= CACHE_BYTES
        least_together = 2 if shared_calls else 1  # chains that share operations never are alone
    held_bytes = sample_bytes * (UNRECORDED_FACTOR if least_together > 1 else 1)
    free_bytes = limit - chain_bytes
    if free_bytes < least_together * (call_bytes + held_bytes):
        needed = chain_bytes + least_together * (call_bytes + held_bytes)
        raise InputError(
            f"{chains} chains of {loss.dimension} weights need {needed / 2**30:.3g} GiB, and "
            f"memory allows {limit / 2**30:.3g}: name fewer chains or more memory"
        )
    most_rows = (free_bytes / least_together - call_bytes) // held_bytes
    rows = int(min(batch_size, most_rows))
    per_chain = call_bytes + rows * held_bytes
    most_chains = free_bytes // per_chain
    if loss.device.type == "cpu":
        most_chains = min(most_chains, CACHE_BYTES // (call_bytes + rows * sample_bytes))
    most = int(np.clip(most_chains, least_together, chains)) if shared_calls else 1
    together = -(-chains // -(-chains // most))  # as even as may be
    return MemoryPlan(
        chains, together, shared_calls, batch_size, rows, chain_bytes + together * per_chain
    )


def _free_bytes(loss: NetworkLoss) -> float:
    if loss.device.type == "cuda":
        return float(import_torch().cuda.mem_get_info(loss.device)[0])
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):  # no such question on this system
        return float(2**33)
