"""The file of a run on a torch network, from which a killed one goes on."""

from __future__ import annotations

import json
import time
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains import checkpoint

__all__ = ["RunFile"]


class RunFile:
    """The state of a run in an ``.npz`` file, replaced atomically."""

    def __init__(self, path: str | Path, run: Any) -> None:
        self.path = checkpoint.check_file(path)
        no_part = ("memory", "level", "errors")  # of what the chains do
        named = {k: v for k, v in asdict(run.settings).items() if k not in no_part}
        named["method"] = run.settings.kernel.name
        start = [run.start_mean, float(run.loss.centre.double().square().sum()), run.loss.moving]
        if run.loss.mask is not None:
            start.append(zlib.crc32(run.loss.mask.bool().cpu().numpy()))
        self.key = json.dumps([named, start])
        self.saved_at = time.monotonic()

    def load(self, run: Any) -> None:
        """Go on where the file ends, if there is one."""
        if not self.path.exists():
            return
        content = checkpoint.read_archive(self.path, "a checkpoint")
        if "key" not in content:
            raise checkpoint.unreadable_archive(self.path, "a checkpoint")
        if str(content["key"]) != self.key:
            raise InputError(
                f"{self.path} holds a run with other settings, weights or data: name another file "
                "or remove it"
            )
        run.loop.restore({k[5:]: v for k, v in content.items() if k.startswith("loop_")})
        for name, values in run.traces.arrays().items():
            values[...] = content[f"trace_{name}"]
        run.probe_losses = list(content["probe_losses"])
        run.seconds = float(content["seconds"])

    def save(self, run: Any, *, now: bool) -> None:
        """Write the file if it is time to, or ``now``."""
        if not now and time.monotonic() - self.saved_at < checkpoint.SECONDS_BETWEEN_SAVES:
            return
        content = {f"loop_{name}": values for name, values in run.loop.state().items()}
        content |= {f"trace_{name}": values for name, values in run.traces.arrays().items()}
        seconds = time.perf_counter() - run.started_at
        content |= {"probe_losses": np.array(run.probe_losses), "seconds": np.array(seconds)}
        checkpoint.write_archive(self.path, {"key": np.array(self.key), **content})
        self.saved_at = time.monotonic()
