"""Time limits: they end the work, and never leave a module half loaded."""

import gc
import importlib
import signal
import sys
import time

import pytest

from rlct.engine.budget import Budget, OutOfTimeError, time_limit

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")


def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_the_limit_ends_the_work_and_leaves_no_timer():
    began = time.monotonic()
    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        work(5)
    assert time.monotonic() - began < 2
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with time_limit(None, Budget(None)):
        work(0.01)


def test_the_limit_waits_for_an_import(tmp_path, monkeypatch):
    source = "import time\ntime.sleep(0.3)\nLOADED = True\n"
    (tmp_path / "takes_a_while.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def load():
        importlib.import_module("takes_a_while")
        work(5)

    with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
        load()
    assert sys.modules.pop("takes_a_while").LOADED


def test_budget():
    assert not Budget(None).spent
    assert Budget(0).spent
    budget = Budget(60)
    assert not budget.spent
    budget.stop()
    assert budget.spent


def test_the_limit_waits_for_the_garbage_collector():
    """An exception in a callback of the collector is lost, and pytest takes it for an error."""
    ended = []

    def callback(phase, info):
        work(0.15)
        ended.append(phase)

    def collect():
        gc.collect()
        work(5)

    gc.callbacks.append(callback)
    try:
        with pytest.raises(OutOfTimeError), time_limit(0.05, Budget(None)):
            collect()
    finally:
        gc.callbacks.remove(callback)
    assert ended[:2] == ["start", "stop"]
