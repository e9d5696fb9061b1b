"""What all tests need: Ctrl-C that works, and no doctests of extras that are missing."""

import signal
from importlib.util import find_spec

NEED_TORCH = ("flattening", "linear_module", "module")
collect_ignore = [] if find_spec("torch") else [f"rlct/sampling/{name}.py" for name in NEED_TORCH]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts background commands like this, and children inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
