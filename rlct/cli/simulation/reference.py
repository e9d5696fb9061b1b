"""The commands ``rlct reference list``, ``export``, ``score`` and ``mean``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.simulation import tempered
from rlct.report.words import counted_noun

if TYPE_CHECKING:
    from rlct.benchmark.problem import ReferenceProblem
    from rlct.benchmark.score import ScoreReport

_ANSWERS_HELP = """FILE is one JSON object, by id of the problem: a number, or an object with
  lambda    the estimate (required)
  interval  [low, high], and level, its probability (0.95)
  error     a standard error
  theta     the estimated multiplicity
  n_beta    of an estimate at one temperature: it is compared with the tempered mean, too
or a list of such objects, one for each run; the output of 'rlct sample --json' is such an object.
Or FILE is a list of such objects, each with the id of its problem.

example: {"xy2": {"lambda": 0.26, "interval": [0.24, 0.28]}, "xy": [0.41, 0.43]}"""


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "reference",
        help="targets with known λ, θ and tempered means: score other samplers",
        description="Targets with proved λ and θ and with tempered means, to score samplers.",
        examples=["rlct reference list", "rlct reference score answers.json"],
    )
    commands = group.add_subparsers(metavar="COMMAND", required=True)
    listing = commands.add_parser(
        "list",
        help="list the problems",
        description="List the problems with dimension, λ, θ and how they are asked.",
        examples=["rlct reference list"],
    )
    common.add_json(listing)
    listing.set_defaults(run=_list)
    export_parser = commands.add_parser(
        "export",
        help="write the whole set as one JSON object",
        description="Write generators, box, prior, λ, θ and tempered means, so that a program "
        "without rlct can sample the problems.",
        examples=["rlct reference export --out problems.json"],
    )
    export_parser.add_argument(
        "--out", type=files.file_name, metavar="FILE", help="a file instead of standard output"
    )
    export_parser.set_defaults(run=_export)
    score_parser = commands.add_parser(
        "score",
        help="score the answers of a sampler",
        description="Score the answers of a sampler on the problems of the reference set.",
        epilog=_ANSWERS_HELP,
        examples=["rlct reference score answers.json"],
    )
    score_parser.add_argument("file", metavar="FILE", help="answers, or - to read them from stdin")
    common.add_json(score_parser)
    score_parser.set_defaults(run=_score)
    tempered.add_mean(commands)


def _list(options: argparse.Namespace) -> int:
    from rlct.benchmark.problem import all_problems

    if options.json:
        rows = [_row(problem) for problem in all_problems()]
        common.print_json({"schema": "rlct/1", "kind": "reference-list", "problems": rows})
        return 0
    width = max(len(problem.id) for problem in all_problems())
    common.print_text(f"{'id':{width}}  {'d':>5}  {'λ':>7}  θ  asked")
    for p in all_problems():
        common.print_text(
            f"{p.id:{width}}  {p.dimension:5}  {p.pair.lam!s:>7}  {p.pair.theta}  {_asked(p)}"
        )
    return 0


def _row(problem: ReferenceProblem) -> dict[str, Any]:
    return {
        "id": problem.id,
        "dimension": problem.dimension,
        "lambda": str(problem.pair.lam),
        "theta": problem.pair.theta,
        "asked": dict(problem.ask),
        "proof": problem.proof,
        "n_beta": [mean.n_beta for mean in problem.means],
    }


def _asked(problem: ReferenceProblem) -> str:
    """Write the question as it would be typed after ``rlct``."""
    question_words = problem.ask
    if "theorem" in question_words:
        values = " ".join(f"{name}={value}" for name, value in question_words["arguments"].items())
        return f"theorem eval {question_words['theorem']} {values}"
    words = [f'poly "{question_words["poly"]}"'] if "poly" in question_words else ["ideal"]
    words += [f'"{generator}"' for generator in question_words.get("ideal", ())]
    if "prior" in question_words:
        words.append(f'--prior "{question_words["prior"]}"')
    if "nonneg" in question_words:
        words.append(f"--nonneg {','.join(question_words['nonneg'])}")
    if "copies" in question_words:
        words.append(f"({question_words['copies']} copies)")
    return " ".join(words)


def _export(options: argparse.Namespace) -> int:
    from rlct.benchmark.document import export_problems

    text = json.dumps(
        export_problems(), ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False
    )
    if options.out is None:
        print(text)
    else:
        files.write_text(options.out, text + "\n")
    return 0


def _score(options: argparse.Namespace) -> int:
    from rlct.benchmark.score import score_answers

    report = score_answers(files.read_text(options.file))
    for remark in report.remarks:
        sys.stderr.write(f"rlct: warning: {remark}\n")
    if options.json:
        common.print_json(report.to_dict())
    else:
        _print(report)
    return 0


def _percent(share: float) -> str:
    return f"{100 * share:+.1f}%" if abs(share) < 100 else f"{100 * share:+.1e}%"


def _print(report: ScoreReport) -> None:
    width = max(len(s.problem.id) for s in report.scores)
    common.print_text(f"{'id':{width}}  {'λ':>7}  {'estimate':>9}   error      z  holds λ")
    for s in report.scores:
        z = "" if s.z is None else f"{s.z:+.2f}"
        holds_lam = {None: "", True: "yes", False: "no"}[s.covered]
        line = (
            f"{s.problem.id:{width}}  {s.problem.pair.lam!s:>7}  {s.answer.lam:9.4g}"
            f"  {_percent(s.relative):>7}  {z:>6}  {holds_lam}"
        )
        if s.tempered is not None:
            mean, beside = s.tempered.mean, s.tempered.z
            line += f"  mean {mean.mean:.6g} ± {mean.error:.2g}, sampler {s.sampler:+.4g}"
            line += "" if beside is None else f" (z {beside:+.2f})"
            line += f", finite nβ {s.finite:+.4g}"
        common.print_text(line.rstrip())
    report_json = report.to_dict()
    common.print_text(
        f"{counted_noun(report_json['answers'], 'answer')} on "
        f"{counted_noun(report_json['problems'], 'problem')}, {len(report.missing)} without an "
        "answer"
    )
    line = f"median error {100 * report_json['median_error']:.2g}%"
    if report_json["median_error_small"] is not None:
        small_error = 100 * report_json["median_error_small"]
        line += f", {small_error:.2g}% up to {report_json['small']} parameters"
    common.print_text(line)
    for level_rate in report_json["coverage"]:
        common.print_text(_rate(level_rate, "λ"))
    if report_json["thetas"]:
        common.print_text(f"θ right in {report_json['thetas_right']} of {report_json['thetas']}")
    common.print_text(
        f"loss {report_json['loss']:.3g} (interval score over 2λ, |error|/λ without an interval)"
    )
    runs = report_json["one_temperature"]
    if runs is not None:
        z = "" if runs["rms_z"] is None else f", rms z {runs['rms_z']:.2f}"
        common.print_text(
            f"at one nβ, against the tempered mean: {counted_noun(runs['answers'], 'answer')}, "
            f"median error {100 * runs['median_error']:.2g}%{z}, loss {runs['loss']:.3g}"
        )
        for level_rate in runs["coverage"]:
            common.print_text(_rate(level_rate, "the tempered mean"))


def _rate(rate: dict[str, Any], quantity: str) -> str:
    low, high = rate["rate_interval"]
    shared = ""
    if rate["effective"] < 0.95 * rate["intervals"]:
        shared = (
            f"; runs share errors of means and count as {rate['effective']:.1f} independent ones"
        )
    return (
        f"{rate['covered']} of {rate['intervals']} intervals of level {100 * rate['level']:.6g}% "
        f"hold {quantity} (rate {100 * low:.0f}% to {100 * high:.0f}% with 95% confidence{shared})"
    )
