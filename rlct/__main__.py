"""``rlct`` and ``python -m rlct``."""

import _signal as signal  # type: ignore[import-not-found]  # signal itself loads more first
import os
import sys

__all__ = ["run_program"]


def run_program() -> int:
    """Run the command line.

    Until a command runs, and after it has, Ctrl-C has nothing to save and nobody to tell.
    """
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, _leave)
    from rlct.cli.main import main as run_line

    exit_code = run_line()
    if hears:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return exit_code


def _leave(signum: int, frame: object) -> None:
    os.write(2, b"rlct: error: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(run_program())
