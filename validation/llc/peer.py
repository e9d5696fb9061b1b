"""Runs of devinterp 2 on one network, in a Python that has it: called by `run.py`.

The file that is named holds the network, its data and the settings of every run; what is printed
is one line of JSON for each.
"""

import json
import sys
import time
import warnings
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import torch
from networks import NETWORK_BUILDERS, each_loss
from torch import nn


class Numbers(torch.utils.data.Dataset[Any]):
    """Rows of the data by their numbers: devinterp knows sequences of tokens alone."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> dict[str, torch.Tensor]:
        if not 0 <= i < self.count:
            raise IndexError(i)
        return {"input_ids": torch.tensor([i, 0])}


def main() -> None:
    """All runs, one after another."""
    torch.set_num_threads(1)
    held = torch.load(sys.argv[1], weights_only=True)
    net = NETWORK_BUILDERS[held["network"]](*held["arguments"])
    x, y = held["x"], held["y"]

    def loss_of(model: nn.Module, numbers: torch.Tensor) -> torch.Tensor:
        rows = numbers[:, 0]
        return each_loss(model(x[rows]), y[rows])[:, None]

    from devinterp.slt.llc import llc  # type: ignore[import-not-found]

    for run in held["runs"]:
        net.load_state_dict(held["states"][run.pop("state", 0)])
        with torch.no_grad():
            start = float(each_loss(net(x), y).mean())
        began = time.process_time()
        with redirect_stderr(StringIO()), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sampled = llc(net, Numbers(len(x)), {}, loss_fn=loss_of, device="cpu", **run)
            seconds = time.process_time() - began
        trace = sampled.loss_trace.values  # chain, step
        kept = trace[:, run.get("num_burnin_steps", 0) :]
        after = run["n_beta"] * (kept.mean(axis=1) - start)
        said = [str(w.message) for w in caught if "Chain failed" in str(w.message)]
        row = {
            "returned": float(sampled.llc_mean),
            "returned_std": float(sampled.llc_std),
            "after_burnin": float(after.mean()),
            "after_burnin_error": float(after.std(ddof=1) / len(after) ** 0.5),
            "seconds": round(seconds, 2),
            "failed": said,
            "settings": run,
        }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
