"""The commands ``rlct check`` and ``rlct sample``: simulation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.simulation import one_temperature
from rlct.errors import InputError
from rlct.sampling.kernels import kernel_names

if TYPE_CHECKING:
    from rlct.answers.result import Result

_KIND_TITLES = {
    "poly": "a polynomial K >= 0 near one of its zeros",
    "ideal": "K = f1**2 + f2**2 + … near a common zero",
    "linear": "a deep linear network at a true map",
    "theorem": "the question that a theorem of the catalogue answers",
    "model": "a model at a truth, in all its parameters",
}
_KIND_EXAMPLES = {
    ("check", "poly"): [
        'rlct check poly "x**2*y**4"',
        'rlct check poly "x**2*y**4" --claim 1/2',
        'rlct check poly "x**2*y**2" --plot ladder.svg',
    ],
    ("check", "ideal"): ["rlct check ideal x*y z*w"],
    ("check", "linear"): ["rlct check linear 2 1 2 --rank 1"],
    ("check", "model"): [
        "rlct check model rbm --visible 2 --hidden 1",
    ],
    ("check", "theorem"): ["rlct check theorem normal-crossing exponents=1,2 prior=0,1"],
    ("sample", "poly"): [
        'rlct sample poly "x**2*y**4" --seed 1',
        'rlct sample poly "x**2*y**4" --method splitting --plot volumes.svg',
        'rlct sample poly "x**2*y**2" --n-beta 16000 --method mala --chains',
    ],
    ("sample", "ideal"): ["rlct sample ideal x*y z"],
    ("sample", "linear"): ["rlct sample linear 2 1 2 --rank 1 --n-beta 1e4"],
    ("sample", "theorem"): ["rlct sample theorem normal-crossing exponents=1,2 prior=0,1"],
}
_METHOD_NAMES = ("quadrature", "tempering", "gibbs", "splitting", "mala", "sgld")


def register(subparsers: Any) -> None:
    """Add the commands to the subparsers of ``rlct``."""
    check = subparsers.add_parser(
        "check",
        help="compare theory with simulation, or put a claimed λ on trial",
        description="Compare the exact answer with a simulation of the same question, beside a "
        "planted wrong value that the same data must reject; or put a value of yours on trial. "
        "Exit code 0 if it agrees, 1 if it is refuted, 3 if it is inconclusive.",
        examples=['rlct check poly "x**2*y**2" --claim 1/2,2'],
    )
    sample = subparsers.add_parser(
        "sample",
        help="estimate λ and θ by simulation",
        description="Estimate λ and θ without any theory, from a ladder of temperatures or by "
        "quadrature; with --n-beta run chains at one temperature, as practitioners do.",
        examples=['rlct sample poly "x**2*y**4" --seed 1'],
    )
    for command, parser in (("check", check), ("sample", sample)):
        models = [("model", _add_model)] if command == "check" else []
        kind_parsers = parser.add_subparsers(
            metavar="|".join(["poly|ideal|linear|theorem", *dict(models)]), required=True
        )
        for name, add_question in (
            ("poly", common.add_poly),
            ("ideal", common.add_ideal),
            ("linear", common.add_linear),
            ("theorem", _add_theorem),
            *models,
        ):
            kind_parser = kind_parsers.add_parser(
                name,
                help=_KIND_TITLES[name],
                description=f"{'Check' if command == 'check' else 'Sample'} {_KIND_TITLES[name]}.",
                examples=_KIND_EXAMPLES[command, name],
            )
            add_question(kind_parser)
            if command == "check":
                _add_claim(kind_parser)
                kind_parser.set_defaults(run=_check_model if name == "model" else _check)
            else:
                _add_sampling(kind_parser)
                _add_run(kind_parser, tuple(dict.fromkeys((*_METHOD_NAMES, *kernel_names()))))


def _add_claim(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--claim", metavar="L[,T]", help="a λ of yours, or λ,θ, to test")
    _add_run(parser, _METHOD_NAMES)


def _add_run(parser: argparse.ArgumentParser, methods: Sequence[str]) -> None:
    parser.add_argument("--seed", type=int, default=0, help="default 0")
    parser.add_argument(
        "--method",
        choices=methods,
        metavar="METHOD",
        help=f"one of {', '.join(methods)}; chosen by dimension by default",
    )
    common.add_plot(parser, "draw the ladder of nβ, or the chains at one nβ")
    common.add_sampling_timeout(parser, "the simulation ends and says what it has")
    common.add_json(parser)


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_sample)
    one_temperature.add_options(parser)
    parser.add_argument(
        "--accuracy",
        type=float,
        metavar="A",
        help="target half-width of the interval, relative to λ (default: one run; with up to 10 "
        "parameters and no --checkpoint it aims at 0.02)",
    )
    parser.add_argument(
        "--top",
        type=float,
        metavar="NB",
        help="largest nβ of the ladder (default: chosen automatically, 1e15 to 1e30 or more)",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE.npz",
        help="save progress to this file every 30 s and on Ctrl-C; run the same command again to "
        "resume; only a single ladder is run",
    )


def _add_theorem(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="as printed by 'rlct theorem list'")
    parser.add_argument(
        "values", nargs="*", metavar="NAME=VALUE", help="for example widths=5,3,5 rank=1"
    )
    parser.set_defaults(kind="theorem")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="MODEL",
        help="as after 'rlct model', such as 'naive-bayes --features 3'",
    )
    parser.set_defaults(kind="model")


def _question(options: argparse.Namespace) -> Any:
    if options.timeout is not None:
        from rlct.sampling.markov_chains.diagnostics import array_stats

        array_stats()  # takes seconds to load, which the end of a run does not have
    if options.kind == "theorem":
        return _theorem_question(options)
    if options.kind == "model":
        asked_options = common.question_options(["model", *options.words], "check")
        return asked_options.ask(asked_options)
    return common.network_of(options) if options.kind == "linear" else common.problem_of(options)


def _theorem_question(options: argparse.Namespace) -> Any:
    """What a theorem is about at these arguments, whatever its formula says."""
    from rlct.theorems import get_theorem

    if options.id == "eval" and options.values:  # as 'rlct reference list' says how it is asked
        options.id, *options.values = options.values
    theorem = get_theorem(options.id)
    arguments = theorem.bind(theorem.parse(options.values))
    false = [f for f in theorem.findings(**arguments) if f.truth.value == "false"]
    if false:
        raise InputError(f"{theorem.id}: not so here: {false[0].statement} ({false[0].evidence})")
    question = theorem.question(arguments)
    if question is None:
        raise InputError(f"{theorem.id} has no question at these arguments that can be sampled")
    return question


def _answer(options: argparse.Namespace, question: Any) -> Result:
    """Say what theory proves: for a theorem, what its formula says."""
    from rlct.answers.exact import solve, theorem
    from rlct.theorems import get_theorem

    if options.kind == "theorem":
        return theorem(options.id, **get_theorem(options.id).parse(options.values))
    return solve(question)


def _check(options: argparse.Namespace) -> int:
    question = _question(options)
    files.check_plot(options.plot)
    from rlct.answers.check import check
    from rlct.benchmark.prediction import means_by_poles
    from rlct.report.text import comparison_text
    from rlct.system.progress import progress_bar

    if options.claim is None:
        result = _answer(options, question)
        if result.pair is None:
            return _nothing_to_check(result, options.json)
        question = result
    with progress_bar("simulation") as show:
        comparison = check(
            question, options.claim, seed=options.seed, method=options.method, progress=show
        )
    by_poles = "" if options.json else means_by_poles(question, comparison.estimate)
    common.print_answer(options, comparison, comparison_text(comparison, by_poles))
    files.write_plot(options.plot, comparison.plot, question)
    return common.verdict_code(comparison)


def _check_model(options: argparse.Namespace) -> int:
    """Read the options of the check among the words of the model."""
    options.words = common.take_options(options, _add_claim)
    with common.in_time(options.timeout, options):
        return _check(options)


def _nothing_to_check(result: Result, as_json: bool) -> int:
    """Report that theory has only bounds, which is what exit code 3 means."""
    reason = "theory has only bounds here: name a value with --claim"
    if as_json:
        common.print_json({**result.to_dict(), "verdict": "inconclusive", "reason": reason})
    else:
        from rlct.report.text import answer_lines

        common.print_text(answer_lines(result))
        common.print_text(f"{'Verdict':13}inconclusive: {reason}")
    return 3


def _sample(options: argparse.Namespace) -> int:
    alone = one_temperature.asked_for(options)
    question = _question(options)
    files.check_plot(options.plot)
    if alone:
        return one_temperature.sample(options, question)
    from rlct.answers.estimate import llc
    from rlct.benchmark.prediction import means_by_poles
    from rlct.report.text import error_origins
    from rlct.system.progress import progress_bar

    with progress_bar("simulation") as show:
        estimate = llc(
            question,
            seed=options.seed,
            method=options.method,
            accuracy=options.accuracy,
            top=options.top,
            checkpoint=options.checkpoint,
            progress=show,
        )
    estimate = common.warn_of_end(estimate)
    text = f"{estimate.headline}\n{error_origins(estimate)}"
    if by_poles := "" if options.json else means_by_poles(question, estimate):
        text += f"\nmean of nβK by the poles of ζ: {by_poles}"
    common.print_answer(options, estimate, text)
    files.write_plot(options.plot, estimate.plot, question)
    return common.sampled_code(estimate)
