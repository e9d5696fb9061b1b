"""The loop of a sweep: what is not yet answered is asked, and written as soon as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from rlct.errors import InputError
from rlct.sweep.grid import Grid
from rlct.sweep.linear import linear_batch
from rlct.sweep.store import DamagedError, Store, StoredAnswer, key_of
from rlct.system.interrupts import deferred_interrupt

_BATCH_SIZE: Final = 20_000  # questions answered as one array
_ROUND_SECONDS: Final = 2  # seconds without an answer after which a pool is checked

Words = list[str]


class QuestionAsker(Protocol):
    """Turns the words of a question into its canonical form and its answer."""

    def question(self, words: Words) -> tuple[str, float | None]:
        """Return the canonical form and the time limit, or raise `InputError`."""

    def answer(self, words: Words) -> StoredAnswer:
        """Answer it; must be importable by other processes."""


class Pool(Protocol):
    """Processes that answer."""

    #: Questions under way at a time.
    width: int

    def submit(self, work: Callable[[Words], StoredAnswer], words: Words) -> Future[StoredAnswer]:
        """Begin a question."""

    def renew(self) -> None:
        """Start again after a process has died."""

    def check(self) -> None:
        """Called while nothing is answered; raises `InputError` if nothing will be."""


@dataclass
class _Task:
    """A question under way, and the numbers that ask it."""

    question: str
    words: Words
    numbers: list[int] = field(default_factory=list)


def run_sweep(
    grid: Grid,
    store: Store,
    question_asker: QuestionAsker,
    pool: Pool | None = None,
    progress: Callable[[int, int], object] = lambda done, count: None,
) -> SweepCounts:
    """Answer what a store does not hold yet.

    ``pool`` is asked, or this process; ``progress`` is called with the numbers of questions done
    and asked.  At Ctrl-C every finished answer is saved.
    """
    number = store.sweep(grid.identity, grid.count)
    changed_keys = {key for _, key in store.changed(number)}
    for key in changed_keys:
        store.doubt(key)
    done = store.done(number, grid.count)
    open_numbers = (k for k in range(grid.count) if not done[k])
    sweep_run = _Run(
        grid, store, question_asker, number, lambda n: progress(n, grid.count), sum(done)
    )
    batch = linear_batch(grid)
    # The engine takes Ctrl-C for the end of one question.
    with deferred_interrupt(0) as stop_requests:
        if batch is not None:
            for numbers in _chunks(open_numbers, _BATCH_SIZE):
                store.record(number, batch.answers(numbers))
                again = sum(map(grid.repeats, numbers))
                sweep_run.count(len(numbers), len(numbers) - again, again)
        elif pool is None:
            sweep_run.alone(open_numbers, stop_requests)
        else:
            sweep_run.together(open_numbers, pool)
    return SweepCounts(sweep_run.answered, sweep_run.repeated, len(changed_keys))


class SweepCounts(NamedTuple):
    """What became of the questions that had no answer before a run."""

    answered: int
    #: Other points of the grid that ask the same as one of them.
    repeated: int
    #: Answers that were not as they had been written, and are asked anew.
    changed: int


@dataclass
class _Run:
    grid: Grid
    store: Store
    asker: QuestionAsker
    sweep: int
    progress: Callable[[int], object]
    done: int
    answered: int = 0
    repeated: int = 0
    under_way: dict[bytes, _Task] = field(default_factory=dict)
    fresh: set[bytes] = field(default_factory=set)

    def count(self, numbers: int, answered: int = 0, repeated: int = 0) -> None:
        self.done += numbers
        self.answered += answered
        self.repeated += repeated
        self.progress(self.done)

    def tasks(self, open_numbers: Iterator[int]) -> Iterator[bytes]:
        """Yield keys of questions that must be asked; settle the others."""
        for number in open_numbers:
            words = self.grid.words(number)
            try:
                question, timeout = self.asker.question(words)
            except InputError as error:
                text = " ".join(words)
                refused = StoredAnswer("refused", message=str(error)).row()
                key = key_of(text)
                self.store.record(self.sweep, [(number, key, text, refused)])
                self.count(1, key not in self.fresh, key in self.fresh)
                self.fresh.add(key)
                continue
            key = key_of(question)
            known = self.known(key)
            if known is not None and known.settles(timeout):
                self.store.link(self.sweep, number, key)
                self.count(1, repeated=key in self.fresh)
            elif key in self.under_way:
                self.under_way[key].numbers.append(number)
            else:
                self.under_way[key] = _Task(question, words, [number])
                yield key

    def known(self, key: bytes) -> StoredAnswer | None:
        """What the store holds; what is damaged there makes room for a new answer."""
        try:
            return self.store.find(key)
        except DamagedError:
            self.store.doubt(key)
            return None

    def write(self, key: bytes, answer: StoredAnswer) -> None:
        task = self.under_way.pop(key)
        row = answer.row()
        self.store.record(self.sweep, [(n, key, task.question, row) for n in task.numbers])
        self.fresh.add(key)
        self.count(len(task.numbers), 1, len(task.numbers) - 1)

    def alone(self, missing: Iterator[int], stop_requests: list[int]) -> None:
        for key in self.tasks(missing):
            answer = self.asker.answer(self.under_way[key].words)
            if stop_requests:
                # The engine turns Ctrl-C into the bounds so far: no answer to store.
                raise KeyboardInterrupt
            self.write(key, answer)

    def together(self, open_numbers: Iterator[int], pool: Pool) -> None:
        queue = self.tasks(open_numbers)
        futures: dict[Future[StoredAnswer], bytes] = {}
        suspect_keys: list[bytes] = []
        while True:
            # After a process has died each question that it may have had is asked alone.
            room = 1 if suspect_keys else pool.width
            while len(futures) < room:
                key = suspect_keys.pop() if suspect_keys else next(queue, None)
                if key is None:
                    break
                futures[pool.submit(self.asker.answer, self.under_way[key].words)] = key
                room = 1 if suspect_keys else room
            if not futures:
                return
            asked_alone = len(futures) == 1
            finished, _ = wait(futures, _ROUND_SECONDS, return_when=FIRST_COMPLETED)
            if not finished:
                pool.check()
            pool_broken = False
            for future in finished:
                key = futures.pop(future)
                try:
                    error = future.exception()
                except CancelledError:
                    gone = "the scheduler gave up; finished answers are saved"
                    raise InputError(f"{gone}; run the same command again to resume") from None
                if isinstance(error, BrokenExecutor) and not asked_alone:
                    suspect_keys.append(key)
                    pool_broken = True
                elif error is not None:
                    pool_broken |= isinstance(error, BrokenExecutor)
                    why = f"the process that answered died: {error}"
                    self.write(key, StoredAnswer("failed", message=" ".join(why.split())[:500]))
                else:
                    self.write(key, future.result())
            if pool_broken:
                suspect_keys += futures.values()
                futures.clear()
                pool.renew()


def _chunks(numbers: Iterator[int], size: int) -> Iterator[list[int]]:
    from itertools import islice

    while chunk := list(islice(numbers, size)):
        yield chunk
