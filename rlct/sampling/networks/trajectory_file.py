"""A trajectory in a file, as far as it is done: its estimates, and means of their chains."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.local.facts import Run
from rlct.sampling.markov_chains.checkpoint import (
    check_file,
    read_archive,
    unreadable_archive,
    write_archive,
)
from rlct.sampling.targets.target import Floats

SAME_LOSSES = 1e-4  # of losses, relative: single precision repeats itself to 1e-6 on other machines


@dataclass
class DoneCheckpoints:
    """What is done of a trajectory."""

    #: ε of all runs, once it is found.
    step_size: float | None
    estimates: list[Estimate] = field(default_factory=list)
    #: Shape (chains,).
    chain_means: list[Floats] = field(default_factory=list)


class TrajectoryFile:
    """An ``.npz`` file that is replaced as a whole after each checkpoint.

    The key identifies the trajectory, by name; a loss function is recognised by some losses,
    probed.
    """

    def __init__(self, path: str | Path, key: Mapping[str, Any], probed: Floats) -> None:
        self.path, self.key, self.probed = check_file(path), json.loads(json.dumps(key)), probed

    def load(self, done_part: DoneCheckpoints) -> None:
        """Take up what the file holds, if there is one.

        InputError if it holds another trajectory, or none.
        """
        if not self.path.exists():
            return
        content = read_archive(self.path, "a trajectory")
        try:
            key = json.loads(str(content["key"]))
            estimates = [_restored(fields) for fields in json.loads(str(content["estimates"]))]
            step_size, chain_means = float(content["step_size"]), list(content["chain_means"])
            alike = np.allclose(content["probed"], self.probed, rtol=SAME_LOSSES, atol=SAME_LOSSES)
        except Exception:  # another archive holds whatever it likes
            raise unreadable_archive(self.path, "a trajectory") from None
        others = [name for name, value in self.key.items() if key.get(name) != value]
        if others or not alike:
            raise InputError(
                f"{self.path} holds a trajectory with another {', '.join(others) or 'loss'}: name "
                "another file or remove it"
            )
        done_part.step_size, done_part.estimates, done_part.chain_means = (
            step_size,
            estimates,
            chain_means,
        )

    def save(self, done: DoneCheckpoints) -> None:
        """Replace the file."""
        fields = [asdict(estimate) for estimate in done.estimates]
        content = {
            "key": np.array(json.dumps(self.key)),
            "probed": self.probed,
            "step_size": np.array(done.step_size),
            "estimates": np.array(json.dumps(fields)),
            "chain_means": np.array(done.chain_means),
        }
        write_archive(self.path, content)


def without_draws(estimate: Estimate) -> Estimate:
    """The numbers of an estimate alone.

    >>> estimate = Estimate(1.0, (0.5, 1.5), 0.95, None, None, 0.2, 7.0, None, None, 1.0, 0, "sgld")
    >>> without_draws(estimate) == estimate
    True
    """
    return replace(estimate, chains=None, sample_losses=None)


def _restored(fields: dict[str, Any]) -> Estimate:
    """An estimate without draws from its fields, as JSON has them."""

    def plain(held: Mapping[str, Any]) -> dict[str, Any]:
        return {k: tuple(v) if isinstance(v, list) else v for k, v in held.items()}

    run = fields.pop("run")
    if run is not None:
        run = Run(**plain({name: v for name, v in run.items() if name not in ("data", "filling")}))
    return Estimate(**plain(fields), run=run)
