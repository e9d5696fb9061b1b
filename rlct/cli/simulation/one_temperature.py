"""``rlct sample … --n-beta``: chains at one nβ, as practitioners run them."""

import argparse
from contextlib import suppress
from typing import Any

from rlct.cli import common, files
from rlct.errors import DivergedError, InputError
from rlct.sampling.kernels import kernel_class, kernel_names

_STOPPED_WARNING = "interrupted: the exact mean at this nβ is not known, nor which error is whose"
_OF_CHAINS = {
    "localization": (float, "G", "γ of a pull γ|w − w₀|²/2 towards the point (default 0)"),
    "num_chains": (int, "N", "chains"),
    "num_draws": (int, "N", "draws of each chain"),
    "num_burnin": (int, "N", "steps before the draws"),
    "lr": (float, "E", "step size of sgld"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run at one nβ."""
    group = parser.add_argument_group(
        "one temperature", "chains at one nβ: their mean depends on nβ and is not λ"
    )
    group.add_argument("--n-beta", type=float, metavar="NB", help="nβ; the options below need it")
    for name, (kind, metavar, text) in _OF_CHAINS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}", type=kind, metavar=metavar, default=None, help=text
        )
    group.add_argument("--chains", action="store_true", help="a line for each chain")


def asked_for(options: argparse.Namespace) -> bool:
    """Whether the run is one at a single nβ; refuses its options without nβ."""
    if options.n_beta is not None:
        if options.method is not None and options.method not in kernel_names():
            raise InputError(f"at one nβ choose a method among {', '.join(kernel_names())}")
        for name, value in (("top", options.top), ("accuracy", options.accuracy)):
            if value is not None:
                raise InputError(f"--{name} is of a ladder: leave out --n-beta, or --{name}")
        return True
    given = [n for n in _OF_CHAINS if getattr(options, n) is not None]
    if given or options.chains:
        name = given[0].replace("_", "-") if given else "chains"
        raise InputError(f"--{name} belongs to a run at one nβ: add --n-beta")
    if options.method in kernel_names() and not kernel_class(options.method).ladder_draws:
        raise InputError(f"{options.method} runs at one nβ: add --n-beta")
    return False


def sample(options: argparse.Namespace, question: Any) -> int:
    """Run the chains and print λ̂ with its three errors."""
    from rlct.answers.error_budget import error_budget
    from rlct.answers.estimate import llc
    from rlct.benchmark.prediction import means_by_poles
    from rlct.system.progress import progress_bar

    chain_options = {n: getattr(options, n) for n in _OF_CHAINS if getattr(options, n) is not None}
    try:
        with progress_bar("simulation") as show_progress:
            chain_estimate = llc(
                question,
                n_beta=options.n_beta,
                seed=options.seed,
                method=options.method,
                checkpoint=options.checkpoint,
                progress=show_progress,
                **chain_options,
            )
        budget = None
        if not chain_estimate.interrupted:  # nobody waits for the exact mean
            with suppress(KeyboardInterrupt), progress_bar("exact mean") as show_progress:
                budget = error_budget(question, chain_estimate, progress=show_progress)
        if budget is None:
            chain_estimate = chain_estimate.warn(_STOPPED_WARNING)
    except DivergedError as problem:
        raise InputError(str(problem)) from None
    chain_estimate = common.warn_of_end(chain_estimate)
    if options.json:
        common.print_json({**chain_estimate.to_dict(), "budget": budget and budget.to_dict()})
    else:
        common.print_text(chain_estimate.headline)
        if budget is not None:
            common.print_text(budget)
            if by_poles := means_by_poles(question, chain_estimate):
                common.print_text(f"Poles        E[nβK] = {by_poles}")
        if options.chains:
            common.print_text(chain_estimate.table())
        common.print_warnings(chain_estimate.warnings)
    # After the answer, which a full disk does not take away.
    files.write_plot(options.plot, chain_estimate.plot, question)
    return common.sampled_code(chain_estimate)
