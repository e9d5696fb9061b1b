"""Run the tests of graphics cards where there is none, on a device that refuses what a card does.

Run from the root of the repository, with torch, pytest, ninja and a C++ compiler::

    python validation/device/run.py
"""

import os
import sys
import tempfile
import types
from pathlib import Path

import pytest
import torch
from torch.utils.cpp_extension import load

PROGRAM_NAME = "card"
DEVICE_FOLDER = Path(__file__).resolve().parent
DEVICE_TESTS = DEVICE_FOLDER.parents[1] / "tests" / "torch" / "test_device.py"


def register(folder: str) -> None:
    """Compile the device and make it known to torch under its name."""
    load(
        "card",
        [str(DEVICE_FOLDER / "card.cpp")],
        build_directory=folder,
        extra_cflags=["-O1", "-w"],
    )
    torch.utils.rename_privateuse1_backend(PROGRAM_NAME)
    module = types.ModuleType(f"torch.{PROGRAM_NAME}")
    module.is_available = lambda: True  # type: ignore[attr-defined]
    module.current_device = lambda: 0  # type: ignore[attr-defined]
    module.device_count = lambda: 1  # type: ignore[attr-defined]
    module._is_in_bad_fork = lambda: False  # type: ignore[attr-defined]
    module.manual_seed_all = lambda seed: None  # type: ignore[attr-defined]
    torch._register_device_module(PROGRAM_NAME, module)
    torch.utils.generate_methods_for_privateuse1_backend()


def refuses() -> bool:
    """Whether tensors of two devices are refused, as on a card; else the tests show nothing."""
    try:
        torch.ones(2, device=PROGRAM_NAME) + torch.ones(2)
    except RuntimeError:
        return True
    return False


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        register(folder)
        if not refuses():
            sys.exit("the device adds tensors of two devices: it is no stand-in for a card")
        os.environ["RLCT_CARD"] = PROGRAM_NAME
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(DEVICE_TESTS)]))
