"""Make the oracle importable (the suite runs with importlib import mode); a clock for limits."""

import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from rlct.system import time_limit as budget

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def processor_time(monkeypatch):
    """Time limits count processor seconds: what they leave room for does not hang on the load."""
    signals = dict(vars(signal), SIGALRM=signal.SIGPROF, ITIMER_REAL=signal.ITIMER_PROF)
    clocks = dict(vars(time), monotonic=time.process_time)
    monkeypatch.setattr(budget, "time", SimpleNamespace(**clocks))
    monkeypatch.setattr(budget, "signal", SimpleNamespace(**signals))


@pytest.fixture(autouse=True)
def _own_clock(request):
    """Every answer here is one of its own time, but where the time itself is tested."""
    if request.path.name != "test_budget.py" and hasattr(signal, "setitimer"):
        request.getfixturevalue("processor_time")
