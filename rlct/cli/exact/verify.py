"""The command ``rlct verify``."""

import argparse
from collections.abc import Mapping
from typing import Any

from rlct.cli import common, files
from rlct.errors import TooLargeError


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "verify",
        help="replay a certificate with separate code",
        description="Replay a certificate with arithmetic of its own and print the statement that "
        "it proves. Exit code 1 if a step does not hold.",
        examples=["rlct poly x**2*y**4 --certificate c.json && rlct verify c.json"],
    )
    parser.add_argument("file", metavar="FILE", help="written by --certificate, or - for stdin")
    parser.add_argument(
        "--kernel", action="store_true", help="check the proof by the kernel, too, as far as it can"
    )
    common.add_timeout(parser, "give up after S seconds (exit code 3)")
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.certificate.rules import cited_theorems
    from rlct.certificate.verify import replay_certificate
    from rlct.report.question import in_words
    from rlct.system.progress import work_counter
    from rlct.system.time_limit import Budget, made_in_time

    document, clock = files.read_certificate(options.file), Budget(options.timeout)
    with work_counter("steps", "ends it", is_silent=options.json):
        shown = made_in_time(
            lambda: (replay_certificate(document), _shows_sign(document)),
            Budget(clock.seconds_left),
        )
    if shown is None:
        reason = f"not checked to the end within {options.timeout:g} s"
        return common.report_undecided(options, "verification", reason, valid=None)
    (replayed, sign_is_shown), claim = shown, document["claim"]
    # A proof is one about |K|, and not each shows that K itself is at least 0.
    sign = "" if sign_is_shown else " for |K|; K >= 0 is not proved here"
    by_rule = cited_theorems(document)
    poles: dict[str, list[str]] = {}
    for z, done in replayed:
        poles.setdefault("poles_replayed" if done else "poles_not_replayed", []).append(str(z))
    by_kernel = _ask_kernel(document, clock.seconds_left) if options.kernel else None
    if options.json:
        answer = {"schema": "rlct/1", "kind": "verification", "valid": True, **claim}
        of_rules = {"taken_as_known": by_rule} if by_rule else {}
        of_kernel = {"kernel": by_kernel[0]} if by_kernel else {}
        common.print_json(
            {**answer, "nonnegative": sign_is_shown, **of_rules, **of_kernel, **poles}
        )
        return 0
    if claim["status"] == "exact":
        common.print_text(f"valid: λ = {claim['lambda']}, θ = {claim['theta']}{sign}")
    else:
        top = "" if claim["upper"] is None else f" ≤ {claim['upper']}"
        value = f"λ = {claim['lambda']}, θ open"
        common.print_text(
            "valid: " + (value if claim["lambda"] else f"{claim['lower']} ≤ λ{top}") + sign
        )
    common.print_text(f"of {in_words(document['question'])}")
    for name, numbers in poles.items():
        common.print_text(f"{name.replace('_', ' ')}: {', '.join(numbers)}")
    for rule, text in by_rule.items():
        common.print_text(f"taken as known: {text}; rule {rule}")
    if by_kernel:
        common.print_text(f"kernel: {by_kernel[0]}")
    if by_kernel and by_kernel[1]:
        common.print_text(f"kernel read {by_kernel[1]}")
    return 0


def _ask_kernel(document: Mapping[str, Any], timeout: float | None) -> tuple[str, str]:
    from rlct.system.time_limit import Budget, made_in_time
    from rlct.witness.export import ask_kernel

    answer = made_in_time(lambda: ask_kernel(document), Budget(timeout))
    return answer or ("not covered: out of time", "")


def _shows_sign(document: Mapping[str, Any]) -> bool:
    """Whether the proof shows K ≥ 0, as far as a budget of its own tells."""
    from rlct.certificate import cost
    from rlct.certificate.sign import shows_sign
    from rlct.certificate.walls import without_walls

    try:
        with cost.budget():
            return shows_sign({**document, "question": without_walls(document["question"])})
    except TooLargeError:
        return False
