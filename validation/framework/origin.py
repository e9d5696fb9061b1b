"""What the digits of results depend on: versions and processor."""

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

import rlct

__all__ = ["processor", "versions"]

_MAIN_PACKAGES = ("numpy", "scipy", "sympy")


def versions(needs: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions that results depend on."""
    held = {"rlct": rlct.__version__, "python": platform.python_version()}
    for name in dict.fromkeys([*_MAIN_PACKAGES, *needs]):
        try:
            held[name] = version(name)
        except PackageNotFoundError:
            continue
    return held


def processor() -> str:
    """Return the processor, and what numpy uses of it: they decide the last digits of sums."""
    name = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):  # another system, or one that does not say
        pass
    found = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    parts = dict.fromkeys([platform.machine(), " ".join(name.split()), *found[-1:]])
    return ", ".join(filter(None, parts))
