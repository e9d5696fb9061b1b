"""What runs over grids share: processes, one writer for each store, progress."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.sweep.grid import Grid


def add_jobs(parser: Any) -> None:
    """Add ``--jobs`` to a parser or a group of its options."""
    parser.add_argument(
        "--jobs",
        type=_count_jobs,
        default=1,
        metavar="N",
        help="processes of this machine (default 1; all: one per processor)",
    )


def _count_jobs(text: str) -> int:
    """Read a number of processes, or ``all``."""
    if text == "all":
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1024):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is neither 'all' nor from 1 to 1024")
    return int(text)


def try_first(grid: Grid, asker: Any, path: str) -> None:
    """Refuse a question that is wrong for every value, before anything is written."""
    try:
        asker.question(grid.words(0))
    except InputError as error:
        first_error = error
    else:
        return
    if grid.count > 1:
        for number in range(1, min(grid.count, 1000)):
            try:
                asker.question(grid.words(number))
            except InputError:
                continue
            return
    raise InputError(f"{path}: {' '.join(grid.words(0))[:80]!r}: {first_error}")


@contextmanager
def single_writer(store: Path) -> Iterator[None]:
    """Keep a second sweep from asking the same questions meanwhile."""
    try:
        import fcntl
    except ImportError:  # no Unix
        yield
        return
    lock = store.with_name(f"{store.name}-lock")
    try:
        lock_file = lock.open("w")
    except OSError as error:
        raise InputError(f"cannot write beside {store}: {error.strerror}") from None
    with lock_file as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another sweep is writing to {store}: let it finish") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def sweep_pool(jobs: int, scheduler: str | None = None) -> Any:
    """Where questions are asked, as a context."""
    from rlct.sweep.pools import DaskCluster, LocalProcesses

    if scheduler is not None:
        return DaskCluster(scheduler)
    return LocalProcesses(jobs) if jobs > 1 else nullcontext()


@contextmanager
def sweep_progress(name: str = "sweep") -> Iterator[Callable[[int, int], None]]:
    """Show how many questions are done."""
    from rlct.system.progress import progress_bar

    began = time.monotonic()
    with progress_bar(name) as bar:
        yield lambda done, count: bar(
            done / count, f"{done} of {count}, {time.monotonic() - began:.0f} s"
        )


def warn_of_changes(store: Path, count: int) -> None:
    """Say that answers were not as they had been written."""
    if count:
        many = "answer was" if count == 1 else "answers were"
        sys.stderr.write(
            f"rlct: warning: {count} {many} changed in {store} after writing, and asked anew\n"
        )
