"""Entry point of the command line."""

from __future__ import annotations

import os
import sys

import rlct
from rlct.cli.failing import write_error
from rlct.errors import (
    CertificateError,
    InputError,
    OnlyBoundsError,
    OutOfTimeError,
    RoutesDisagreeError,
)

TYPE_CHECKING = False  # of typing, which takes longer to load than to print the version
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        return write_error("cannot write the answer: the output is closed", 2)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Answers contain λ and θ whatever the locale says.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Threads of numpy cost more to start than matrices of this size gain by them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words, options, exit_code = sys.argv[1:] if arguments is None else list(arguments), None, 0
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    try:
        if words in (["--version"], ["-v"], ["-V"]):  # needs no parser
            print(f"rlct {rlct.__version__}")
        else:
            from rlct.cli.commands import build_parser

            options = build_parser().parse_args(words)
            exit_code = run_parsed(options)
        sys.stdout.flush()
    except OnlyBoundsError as error:
        from rlct.cli.common import report_undecided

        return report_undecided(options, "evidence", f"{error}: name a value, as in 3/2,1")
    except InputError as error:
        from rlct.cli.suggest import next_command

        return write_error(f"{error}{next_command(error, words)}", 2)
    except CertificateError as error:
        return write_error(f"invalid certificate: {error}", 1)
    except RoutesDisagreeError as error:
        return write_error(f"internal contradiction: {error}", 1)
    except OutOfTimeError as end:
        return write_error(f"--timeout was over {str(end) or 'before all was done'}", 3)
    except KeyboardInterrupt as stop:
        return write_error(_interrupted(str(stop), options), 130)
    except ImportError as problem:
        # Ctrl-C while a library is loaded reaches us as what its initialisation made of it.
        if not _follows_interrupt(problem):
            raise
        return write_error(_interrupted("", options), 130)
    except BrokenPipeError:
        # The reader went away (rlct … | head): end quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return write_error(f"cannot write the answer: {error.strerror or error}", 2)
    return exit_code


def run_parsed(options: Any) -> int:
    """Run a parsed command, within its time if that is one for all that it does."""
    import signal

    from rlct.cli.common import in_time

    if getattr(signal.getsignal(signal.SIGINT), "__name__", "") == "_leave":
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with in_time(options.timeout if getattr(options, "whole", False) else None, options):
        return int(options.run(options))


def _follows_interrupt(problem: BaseException | None) -> bool:
    while problem is not None and not isinstance(problem, KeyboardInterrupt):
        problem = problem.__cause__ or problem.__context__
    return problem is not None


def _interrupted(where: str, options: object) -> str:
    """Say what Ctrl-C leaves; chains say ``where`` it struck if they return nothing."""
    words = f"interrupted {where}".rstrip()
    checkpoint_file = getattr(options, "checkpoint", None)
    if checkpoint_file and os.path.exists(checkpoint_file):
        return (
            f"{words}; progress is saved in {checkpoint_file}; run the same command again to resume"
        )
    if not where:
        return words
    words += ", so nothing is saved"
    could_save = hasattr(options, "checkpoint") and not checkpoint_file
    return f"{words}; with --checkpoint FILE.npz a run can be resumed" if could_save else words


if __name__ == "__main__":
    sys.exit(main())
