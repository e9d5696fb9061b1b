"""Runs of devinterp's sampler, in its own environment; JSON in and out.  See langevin.py.

What is imported from here does not need devinterp.
"""

import json
import sys
import time
import warnings
from contextlib import redirect_stderr
from io import StringIO

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


class Quadratic(nn.Module):
    """z ↦ z²."""

    def forward(self, z):
        """Square every coordinate."""
        return z * z


class Monomial(nn.Module):
    """u ↦ x·y²·u, near x = y = 0."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(2))

    def forward(self, u):
        """Multiply by the monomial."""
        return self.w[0] * self.w[1] ** 2 * u


class Pairs(torch.utils.data.Dataset):
    """Inputs under the name the sampler expects."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"input_ids": self.x[i], "y": self.y[i]}


def module_of(layers, quadratic):
    """A network in single precision, with z² between its layers if so asked."""
    parts = []
    for k, weight in enumerate(layers):
        linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
        with torch.no_grad():
            linear.weight[:] = torch.as_tensor(weight)
        parts += [Quadratic(), linear] if k and quadratic else [linear]
    return nn.Sequential(*parts)


def run_chain(model, x, y, evaluate, settings, chain, note):
    """One chain; ``note`` is called with the losses of every step."""
    from devinterp.optim import SGLD
    from devinterp.slt.sampler import sample_single_chain

    with redirect_stderr(StringIO()):
        sample_single_chain(
            model,
            Pairs(x, y),
            evaluate,
            {name: None for name, _ in model.named_parameters()},
            num_draws=settings["draws"],
            num_burnin_steps=settings["burnin"],
            sampling_method=SGLD,
            sampling_method_kwargs=settings["sgld"],
            chain=chain,
            seed=settings.get("seed", 0) + chain,
            dataloader_seed=settings.get("seed", 0) + chain,
            batch_size=settings["batch"],
            micro_callback=note,
        )


def run(settings):
    """Read a data file, run the chains, return losses and seconds."""
    held = np.load(settings["data"])
    x, y = (torch.as_tensor(held[name], dtype=torch.float32) for name in ("x", "y"))
    layers = [held[f"layer{k}"] for k in range(held["depth"])]
    model = module_of(layers, settings["quadratic"]) if layers else Monomial()

    def evaluate(module, data):
        gap = module(data["input_ids"]) - data["y"]
        return 0.5 * (gap**2).sum(1), {}

    losses, clocks = [], []
    for chain in range(settings["chains"]):
        own, clock = [], [time.process_time()]

        def note(loss, own=own, clock=clock, **_):
            own.append(float(loss.mean()))
            clock.append(time.process_time())

        run_chain(model, x, y, evaluate, settings, chain, note)
        losses.append(own)
        clocks.append([at - clock[0] for at in clock[1:]])
    with torch.no_grad():
        init = float(evaluate(model, {"input_ids": x, "y": y})[0].mean())
    seconds = sum(clock[-1] for clock in clocks)
    return {"losses": losses, "init": init, "seconds": seconds, "clocks": clocks}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps([run(settings) for settings in json.loads(sys.argv[1])]))
