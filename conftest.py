"""What all tests need: Ctrl-C that works, and no doctests of extras that are missing."""

import signal
from importlib.util import find_spec

NEED_TORCH = ["rlct/sampling/flattening.py", "rlct/sampling/module.py"]
collect_ignore = [] if find_spec("torch") else NEED_TORCH

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts background commands like this, and children inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
