"""A run on a torch network before its first step: memory, the loss at w*, what is around it."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from rlct.errors import InputError
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.networks.chain_ranks import ChainRanks
from rlct.sampling.networks.memory_plan import plan_memory
from rlct.sampling.networks.network_run import NetworkRun
from rlct.sampling.networks.start_point import look_around
from rlct.sampling.networks.step_choice import unfilled_share, with_found_step

KERNEL_VECTORS = 12  # of a chain with a test: places, forces, momenta, and these of a proposal
PRECONDITIONED_VECTORS = 3  # of a chain with squares of slopes and scaling
WHOLE_BATCH = 1024  # samples of a call, where gradients are on all data
MOST_UNFILLED = 0.05  # of nβL, by curvatures at w*, that a tenth of the steps may leave out
SCALED_STEPS = (
    "each weight has steps of its own size, by its mean squared slope: a tenth as many equal ones "
    "would leave out {:.0%} of λ̂, by the curvatures at w* (precondition=False takes these)"
)


def prepare_network_run(loss: NetworkLoss, asked_settings: RunSettings) -> NetworkRun:
    """Measure memory, the loss at w* and what is around it, and put the chains there."""
    ranks, samples = ChainRanks(asked_settings.num_chains), len(loss.samples)
    vectors = KERNEL_VECTORS
    if asked_settings.kernel.on_batches:
        vectors = PRECONDITIONED_VECTORS if asked_settings.precondition else 1
    planned = partial(
        plan_memory,
        loss,
        len(ranks.numbers),
        asked_settings.batch_size or min(samples, WHOLE_BATCH),
        asked_settings.memory,
    )
    memory_plan = planned(vectors)
    rows_together, most_rows = memory_plan.rows_together, None
    if asked_settings.memory is not None:
        most_rows = max(1, rows_together * memory_plan.chains_together // memory_plan.chains)
    start_losses, start_point = loss.start_losses(rows_together)[0], None
    target = ModuleTarget.of(
        loss,
        weight_decay=asked_settings.weight_decay,
        start=start_losses,
        most_rows=most_rows,
    )
    if not asked_settings.kernel.on_batches:
        target.check()
    else:
        steps = asked_settings.num_burnin + asked_settings.num_draws
        work = steps * asked_settings.gradients(samples)
        start_point = look_around(loss, start_losses, work, asked_settings.seed, rows_together)
    settings, remarks = with_found_step(asked_settings, start_point), []
    if start_point is not None and settings.watched and settings.precondition is None:
        absent_share = unfilled_share(settings, start_point)
        if absent_share > MOST_UNFILLED:
            with suppress(InputError):  # of memory, for which plain steps need less
                memory_plan = planned(PRECONDITIONED_VECTORS)
                settings = replace(settings, precondition=True)
                remarks = [SCALED_STEPS.format(min(absent_share, 1.0))]
    run = NetworkRun(target, settings, memory_plan, start_point, ranks)
    run.remarks += remarks
    return run
