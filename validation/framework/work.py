"""Carry out the units of experiments, several at a time, and keep each when it is done."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlct.system.workers import end_workers, start_workers
from validation.framework.catalogue import Entry, load
from validation.framework.experiment import AbsentError, Data, Suite
from validation.framework.store import Store, generator, key

__all__ = ["Done", "carry_out", "told"]

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass
class Done:
    """What became of the units of one experiment."""

    #: ``{**unit, **result}``, in the order of the units, without those that failed.
    rows: list[dict[str, Any]] = field(default_factory=list)
    #: Of processor time, this time or earlier.
    seconds: float = 0.0
    #: One for each unit that failed.
    errors: list[str] = field(default_factory=list)
    #: One for each unit that asks for something that is not here, such as a data set.
    absent: list[str] = field(default_factory=list)
    #: Units that are of an earlier recording.
    taken_over: int = 0


@dataclass(frozen=True)
class _Task:
    path: Path
    settings: Data
    unit: Data
    folder: Path

    def __call__(self) -> dict[str, Any]:
        experiment = load(self.path)
        began = time.process_time()  # other work on the machine does not count
        rng = generator(experiment, self.unit)
        result = experiment.run(self.settings, self.unit, rng)
        seconds = time.process_time() - began
        # The worker writes: what is finished stays if the main process is killed.
        return Store(self.folder).save(key(experiment, self.settings, self.unit), result, seconds)


def _work(task: _Task) -> dict[str, Any]:
    return task()


def carry_out(
    entries: Sequence[Entry], suite: Suite, jobs: int, store: Store, say: Callable[[str], None]
) -> dict[str, Done]:
    """Carry out what is not in the store yet, and return it by id of the experiment.

    With more than one process (``jobs``) each has one thread of linear algebra, unless the
    environment says otherwise.  ``say`` is told in a line of every unit that is finished.  After
    Ctrl-C, which is raised again, what was finished is in the store.
    """
    held: dict[tuple[str, int], dict[str, Any] | str] = {}
    tasks: dict[tuple[str, int], _Task] = {}
    units: dict[str, list[Data]] = {}
    for entry in entries:
        experiment = entry.experiment
        settings = experiment.settings(suite)
        units[experiment.id] = list(experiment.units(settings))
        for index, unit in enumerate(units[experiment.id]):
            finished = store.load(key(experiment, settings, unit))
            if finished is None:
                task = _Task(entry.path, settings, unit, store.folder)
                tasks[experiment.id, index] = task
            else:
                held[experiment.id, index] = finished
    if held:
        say(f"{len(held)} of {len(held) + len(tasks)} pieces of work were finished earlier")
    count = 0

    def note(task_key: tuple[str, int], outcome: dict[str, Any] | str) -> None:
        nonlocal count
        count += 1
        held[task_key] = outcome
        took = outcome if isinstance(outcome, str) else f"{outcome['seconds']:.1f} s"
        shown = ", ".join(f"{name} {value}" for name, value in tasks[task_key].unit.items())
        say(f"[{count}/{len(tasks)}] {task_key[0]} ({shown[:60]}): {took}")

    _in_processes(tasks, jobs, note)
    done = {id: Done() for id in units}
    for id, own in units.items():
        for index, unit in enumerate(own):
            outcome = held[id, index]
            if isinstance(outcome, _Absent):
                done[id].absent.append(outcome)
            elif isinstance(outcome, str):
                done[id].errors.append(outcome)
            else:
                done[id].rows.append({**unit, **outcome["result"]})
                done[id].seconds += outcome["seconds"]
                done[id].taken_over += outcome.get("taken_over", False)
    return done


class _Absent(str):
    """What is not here, and what to do about it."""

    __slots__ = ()


_Tasks = dict[tuple[str, int], _Task]
_Note = Callable[[tuple[str, int], dict[str, Any] | str], None]


def told(problem: BaseException) -> str:
    """Return an error in a line."""
    return f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"


def _outcome(problem: BaseException) -> str:
    return _Absent(problem) if isinstance(problem, AbsentError) else told(problem)


def _in_processes(tasks: _Tasks, jobs: int, note: _Note) -> None:
    """Use other processes; one that is killed takes its own piece of work along, and no other."""
    own = [name for name in _THREAD_VARIABLES if name not in os.environ and jobs > 1]
    os.environ.update(dict.fromkeys(own, "1"))  # read by the libraries of new processes
    try:
        while tasks:
            lost = _round(tasks, min(jobs, len(tasks)), note)
            if len(lost) == len(tasks):  # which of them is to blame shows when each is alone
                for task_key, task in lost.items():
                    if _round({task_key: task}, 1, note):
                        note(task_key, "its process was killed, for want of memory perhaps")
                return
            tasks = lost
    finally:
        for name in own:
            del os.environ[name]


def _round(tasks: _Tasks, jobs: int, note: _Note) -> _Tasks:
    """Carry out tasks until a process is killed; return what was lost."""
    pool = start_workers(jobs)
    lost: _Tasks = {}
    try:
        waiting = {pool.submit(_work, task): task_key for task_key, task in tasks.items()}
        for future in as_completed(waiting):
            problem, task_key = future.exception(), waiting[future]
            if isinstance(problem, BrokenProcessPool):
                lost[task_key] = tasks[task_key]
            else:
                note(task_key, future.result() if problem is None else _outcome(problem))
        pool.shutdown()
    except BaseException:
        end_workers(pool)
        raise
    return lost
