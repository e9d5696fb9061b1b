"""The command ``rlct serve``: a page to try things on, in the browser of this machine."""

import argparse
import signal
from typing import Any

from rlct.cli import common
from rlct.errors import InputError

_WEB_PORT = 8765  # of this machine, where the page is by default
_DEFAULT_SECONDS = 20.0  # for one question
_DEFAULT_MEMORY = 1024  # MiB for one question


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "serve",
        help="a web page to ask questions on, for this machine only",
        description="Serve a page on 127.0.0.1, which no other machine can reach, until Ctrl-C. "
        "Every question has a process of its own with a limit of time and memory.",
        examples=["rlct serve --open", "rlct serve --port 0"],
    )
    parser.add_argument(
        "--port", type=int, default=_WEB_PORT, help=f"0 for any that is free (default {_WEB_PORT})"
    )
    parser.add_argument("--host", "--bind", action=_OnlyHere, help=argparse.SUPPRESS)
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    common.add_timeout(
        parser, f"seconds that one question may take (default {_DEFAULT_SECONDS:g})", is_whole=False
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=_DEFAULT_MEMORY,
        metavar="MIB",
        help=f"memory that one question may take (default {_DEFAULT_MEMORY})",
    )
    parser.set_defaults(run=_run)


class _OnlyHere(argparse.Action):
    """Say why there is no such option."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        parser.error(
            "the page is for this machine only, at 127.0.0.1: there is no --host; from elsewhere "
            f"use ssh -L {_WEB_PORT}:127.0.0.1:{_WEB_PORT} MACHINE"
        )


def _run(options: argparse.Namespace) -> int:
    from rlct.serve.limits import ServeLimits
    from rlct.serve.server import Server

    if not 64 <= options.memory <= 1_000_000:
        raise InputError(f"--memory {options.memory} is not between 64 and 1000000 MiB")
    limits = ServeLimits(seconds=options.timeout or _DEFAULT_SECONDS, memory=options.memory)
    with Server(options.port, limits) as server:
        print(f"{server.url} (Ctrl-C ends it)", flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(server.url)
        # Whoever ends the command in another way wants its processes to end as well.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
