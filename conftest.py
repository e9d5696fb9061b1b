"""What all tests need: Ctrl-C, whole lines, one thread each, no doctests of missing extras."""

import gc
import os
import re
import signal
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "rlct"
collect_ignore = (
    []
    if find_spec("torch")
    else [
        str(path)
        for room in ("sampling", "answers")
        for path in (PACKAGE / room).rglob("*.py")
        if re.search(r">>> .*\btorch\b", path.read_text("utf-8"))
    ]
)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts background commands like this, and children inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # every worker has a core, and more threads get in their way

os.environ.pop("COLUMNS", None)  # a shell may export the width of its terminal


@pytest.fixture(autouse=True)
def engine_alone(request, monkeypatch):
    """Where theorems are compared with the engine, no theorem answers in its place."""
    if {"engine", "models", "theorems"} & set(request.path.parts[-3:-1]):
        monkeypatch.setattr("rlct.answers.renamed_ideal.renamed_theorem", lambda problem: None)


@pytest.fixture
def forge():
    """Change answers of a store as somebody does who knows how their digests are made."""
    import sqlite3

    from rlct.sweep.store import digest_of

    def change(path, statement, *values, seal=True):
        with sqlite3.connect(path) as store:
            assert store.execute(f"UPDATE answers SET {statement}", values).rowcount == 1
            rows = store.execute("SELECT * FROM answers").fetchall() if seal else []
            for key, question, _, *columns, _ in (row[1:] for row in rows):
                sealed = (digest_of((key, question, *columns)), key)
                store.execute("UPDATE answers SET digest = ? WHERE key = ?", sealed)
        store.close()

    return change


@pytest.fixture
def seconds_so_far():
    """Count the seconds of a test without a collection of garbage that the tests before left."""
    gc.freeze()
    return time.process_time


def pytest_collection():
    """Thousands of tests are collected, and none of them is garbage: this takes a third less."""
    gc.disable()


def pytest_collection_finish():
    """Collect garbage again, but of the tests that run."""
    gc.freeze()
    gc.enable()


def pytest_ignore_collect(collection_path, config):
    """Of the light tests collect nothing else: what other files import may be missing."""
    if config.option.markexpr.startswith("light") and collection_path.suffix == ".py":
        return "pytest.mark.light" not in collection_path.read_text("utf-8") or None
    return None


def pytest_terminal_summary(terminalreporter):
    """Say what was left out, which points in a row of dots would not."""
    skipped = terminalreporter.stats.get("skipped", [])
    if number := sum("tests/browser/" in report.nodeid for report in skipped):
        line = f"NOT TESTED: {number} tests of pages in a real browser; make test_browser runs them"
        terminalreporter.write_line(line)
