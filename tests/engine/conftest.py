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
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=time.process_time))
    monkeypatch.setattr(budget, "signal", SimpleNamespace(**signals))
