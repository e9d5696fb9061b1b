"""Which rule of the engine is used, how often, and what is lost without it.

    python validation/rules/run.py --report validation/rules/results.json
    python validation/rules/run.py --only adapt.complete_powers linear.linear_coordinates

An entry is a function of ``rlct/engine`` that may give a step or a proof.  All questions are
asked once with every entry watched.  Where an entry never gave anything, the engine does the
same without it; the other questions are asked again with the entry taken out, alone, and with
all entries of ``--together`` taken out.  Lost is what is no longer exact; a pair that differs
ends the command with exit code 1.  Limits are processor seconds.
"""

import argparse
import functools
import importlib
import pkgutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from questions import QUESTION_SOURCES, Question, questions

import rlct.engine
from rlct.engine import rules

from sums import processor_time  # isort: skip
from validation.records import commit, provenance, write_json

ENGINE_COMMIT = commit()
#: Entries that give neither a step nor a proof.
FURTHER_ENTRIES = ("wanted.undecided_coefficient",)


def engine_modules() -> dict[str, ModuleType]:
    """The modules of the engine by the last part of their names."""
    found = pkgutil.walk_packages(rlct.engine.__path__, "rlct.engine.")
    return {m.name.rpartition(".")[2]: importlib.import_module(m.name) for m in found}


ENGINE_MODULES = engine_modules()


def entries() -> list[str]:
    """Public functions of the engine that give a step, a proof or nothing."""
    names = list(FURTHER_ENTRIES)
    for short, module in ENGINE_MODULES.items():
        for name, function in vars(module).items():
            if name.startswith("_") or getattr(function, "__module__", "") != module.__name__:
                continue
            says = str(getattr(function, "__annotations__", {}).get("return", ""))
            if "None" in says and any(kind in says for kind in ("Step", "Proof", "LiteralCell")):
                names.append(f"{short}.{name}")
    return sorted(names)


def function_of(entry: str) -> Callable[..., Any]:
    """The function that an entry names."""
    module, name = entry.split(".")
    found: Callable[..., Any] = getattr(ENGINE_MODULES[module], name)
    return found


@contextmanager
def instead(entry: str, new: Callable[..., Any] | None) -> Iterator[None]:
    """Put another function in the place of an entry; None takes it out."""
    old, saved = function_of(entry), []
    for module in ENGINE_MODULES.values():
        for name, value in list(vars(module).items()):
            there: Any
            if value is old:
                there = new or (lambda *_, **__: None)
            elif isinstance(value, tuple) and any(item is old for item in value):
                there = tuple(new if i is old else i for i in value if i is not old or new)
            elif module is rules and name == "GERM_RULES":
                there = tuple(
                    replace(rule, apply=new) if new and rule.apply is old else rule
                    for rule in rules.GERM_RULES
                    if new or rule.apply is not old
                )
            else:
                continue
            saved.append((module, name, value))
            setattr(module, name, there)
    try:
        yield
    finally:
        for module, name, value in saved:
            setattr(module, name, value)


@dataclass
class Watched:
    """What the entries gave while one question was asked."""

    gave: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)

    def around(self, entry: str) -> Callable[..., Any]:
        """The function of an entry, counted."""
        function = function_of(entry)

        @functools.wraps(function)
        def counted(*args: Any, **options: Any) -> Any:
            began = time.process_time()
            try:
                outcome = function(*args, **options)
            finally:
                self.seconds[entry] += time.process_time() - began
            self.gave[entry] += outcome is not None
            return outcome

        return counted


@dataclass
class Answer:
    """What the engine proved, and in which processor time."""

    pair: str | None
    rules: frozenset[str]
    seconds: float


def ask(question: Question, timeout: float) -> Answer:
    """Ask the engine; an error is no answer."""
    began = time.process_time()
    try:
        proof = question.prove(timeout)
    except Exception as error:
        return Answer(None, frozenset([type(error).__name__]), time.process_time() - began)
    pair = str(proof.lower) if proof.exact else None
    return Answer(pair, frozenset(proof.rules()), time.process_time() - began)


def without(
    taken: Iterable[str], asked: list[tuple[Question, Answer]], timeout: float
) -> dict[str, Any]:
    """Ask the questions again without some entries."""
    lost, wrong, seconds = [], [], 0.0
    with ExitStack() as stack:
        for entry in taken:
            stack.enter_context(instead(entry, None))
        for question, before in asked:
            after = ask(question, timeout)
            seconds += after.seconds
            if after.pair is None:
                lost.append(f"{question.source}: {question.text}")
            elif after.pair != before.pair:
                wrong.append(f"{question.text}: {before.pair}, {after.pair}")
    return {
        "asked": len(asked),
        "lost": lost,
        "wrong": wrong,
        "seconds": [round(sum(b.seconds for _, b in asked), 1), round(seconds, 1)],
    }


def main() -> int:
    """Ask, print and keep the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=60, help="questions of every source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", type=float, default=2.0, help="seconds of a question")
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds without an entry")
    parser.add_argument("--only", nargs="*", help="entries taken out; default: all")
    parser.add_argument("--together", nargs="*", default=[], help="entries taken out at once")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    processor_time()
    names = entries()
    rows: list[tuple[Question, Answer, Watched]] = []
    counts = {source: [0, 0] for source in QUESTION_SOURCES}
    for source, group in groupby(questions(options.each, options.seed), lambda q: q.source):
        for question in group:
            watched = Watched()
            with ExitStack() as stack:
                for entry in names:
                    stack.enter_context(instead(entry, watched.around(entry)))
                answer = ask(question, options.quick)
            counts[source][0] += 1
            if answer.pair is not None:
                counts[source][1] += 1
                rows.append((question, answer, watched))
        asked, exact = counts[source]
        print(f"{source:10s} {exact} of {asked} exact within {options.quick:g} s", flush=True)
    rules = Counter(rule for _, answer, _ in rows for rule in answer.rules)
    print(", ".join(f"{rule} {count}" for rule, count in rules.most_common()), flush=True)

    def using(taken: Iterable[str]) -> list[tuple[Question, Answer]]:
        return [(q, a) for q, a, w in rows if any(w.gave[entry] for entry in taken)]

    together = None
    if options.together:
        together = without(options.together, using(options.together), options.timeout)
        print("together:", {**together, "lost": len(together["lost"])}, flush=True)
        print(*(f"    {text}" for text in [*together["lost"], *together["wrong"]]), sep="\n")
        together["entries"] = options.together
    table = {}
    for entry in names if options.only is None else options.only:
        row = without([entry], using([entry]), options.timeout)
        row["own seconds"] = round(sum(w.seconds[entry] for _, _, w in rows), 1)
        table[entry] = row
        print(
            f"{entry:32s} gave in {row['asked']:4d}, lost {len(row['lost']):3d}, wrong "
            f"{len(row['wrong'])}, seconds {row['seconds']}, in it {row['own seconds']}",
            flush=True,
        )
        print(*(f"    {text}" for text in [*row["lost"][:4], *row["wrong"]]), sep="\n")
    if options.report:
        report = {
            "provenance": provenance([{"engine": ENGINE_COMMIT}] * len(rows)),
            "sources": counts,
            "seconds": round(sum(answer.seconds for _, answer, _ in rows), 1),
            "rules": dict(rules.most_common()),
            "entries": table,
            "together": together,
        }
        write_json(options.report, report)
    return int(any(row["wrong"] for row in [*table.values(), together or {"wrong": []}]))


if __name__ == "__main__":
    raise SystemExit(main())
