"""λ̂ over the checkpoints of a training run, with errors of differences that share their noise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import t as student

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.networks.checkpoint_states import CheckpointStep
from rlct.sampling.targets.target import Floats
from rlct.sampling.verdict import USABLE_SHARE
from rlct.system.plain import json_values


@dataclass(frozen=True)
class LlcDifference:
    """λ̂ at one checkpoint less λ̂ at another.

    Parameters
    ----------
    before, after : int, float or str
        Their steps.
    value : float
        λ̂ after − λ̂ before.
    error : float
        Standard error by the scatter of differences of chains that have their noise in common.
    interval : (float, float)
        By Student's t with one degree of freedom less than there are chains.
    unpaired_error : float
        What the error were if the noise was not in common.
    """

    before: CheckpointStep
    after: CheckpointStep
    value: float
    error: float
    interval: tuple[float, float]
    unpaired_error: float


@dataclass(frozen=True)
class Trajectory:
    """λ̂ over checkpoints, all by the same settings, noise and mini-batches.

    Chain k has the same batches and the same noise at every checkpoint, so most of the scatter of
    λ̂ cancels in differences.  A paired error is of the difference only: it says nothing of how well
    either λ̂ is known.  And it is of two runs that are equally long: what is missing in both, as
    they are too short, too far from w* or too coarse in their steps, cancels too, so that a small
    error is no evidence that either mean has settled.  The verdicts speak of that.

    Parameters
    ----------
    steps : tuple of int, float or str
    estimates : tuple of Estimate
        Without their draws.
    chain_means : array, shape (checkpoints, chains)
        λ̂ by chain; not a number where a chain diverged.
    settings : mapping
        Of all runs: n_beta, localization, lr, num_chains, num_draws, num_burnin, batch_size, seed,
        level.
    warnings : tuple of str
        Of the whole; what there is to say of one λ̂ is with its estimate.
    """

    steps: tuple[CheckpointStep, ...]
    estimates: tuple[Estimate, ...]
    chain_means: Floats = field(repr=False, compare=False)
    settings: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    def difference(self, before: CheckpointStep, after: CheckpointStep) -> LlcDifference:
        """λ̂ at the second step less that at the first, with its errors.

        Raises
        ------
        InputError
            If there is no such step.
        """
        for step in (before, after):
            if step not in self.steps:
                raise InputError(f"there is no step {step!r} among the checkpoints")
        first, second = (self.chain_means[self.steps.index(step)] for step in (before, after))
        by_chain = second - first
        root = np.sqrt(len(by_chain))
        value, error = float(by_chain.mean()), float(by_chain.std(ddof=1) / root)
        reach = float(student.ppf(0.5 + self.settings["level"] / 2, len(by_chain) - 1)) * error
        unpaired_error = float(np.hypot(first.std(ddof=1), second.std(ddof=1)) / root)
        return LlcDifference(
            before, after, value, error, (value - reach, value + reach), unpaired_error
        )

    @property
    def differences(self) -> tuple[LlcDifference, ...]:
        """From each checkpoint to the next."""
        pairs = zip(self.steps, self.steps[1:], strict=False)
        return tuple(self.difference(*pair) for pair in pairs)

    @property
    def from_first(self) -> tuple[LlcDifference, ...]:
        """From the first checkpoint to each later one."""
        return tuple(self.difference(self.steps[0], step) for step in self.steps[1:])

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Of each checkpoint its verdict, then other causes that may move λ̂ too far."""
        verdict_texts = []
        for estimate in self.estimates:
            effects = {
                name.removeprefix("effect of "): share
                for name, share in estimate.diagnostics.items()
                if name.startswith("effect of ") and share > USABLE_SHARE
            }
            verdict = str(estimate.verdict)
            more = sorted(effects.keys() - {verdict}, key=lambda name: -effects[name])
            verdict_texts.append(", ".join([verdict, *more]))
        return tuple(verdict_texts)

    @property
    def interrupted(self) -> bool:
        """Whether there are checkpoints that were not reached."""
        return any(words.startswith("interrupted") for words in self.warnings)

    @property
    def headline(self) -> str:
        """The settings, in one line."""
        of = self.settings
        steps = f"draws by {self.estimates[0].method}"
        if of["lr"] is not None:
            steps = f"steps of {of['lr']:.2g} on batches of {of['batch_size']}"
        return (
            f"λ̂ at nβ = {of['n_beta']:.5g}, γ = {of['localization']:g}: {of['num_chains']} chains "
            f"of {of['num_burnin']} + {of['num_draws']} {steps}"
        )

    def table(self) -> str:
        """One line a checkpoint: λ̂, what it gained since the one before, errors, verdict."""
        from rlct.report.trajectory import trajectory_table

        return trajectory_table(self)

    def plot(self) -> Any:
        """λ̂ and its difference from the first checkpoint over steps, as a matplotlib figure.

        Raises
        ------
        InputError
            Without the extra ``plot``.
        """
        from rlct.report.trajectory import draw_trajectory

        return draw_trajectory(self)

    def to_datatree(self) -> Any:
        """λ̂ by checkpoint and chain, as an xarray DataTree.

        Raises
        ------
        InputError
            Without the extra ``arviz``.
        """
        from rlct.report.datatree import trajectory_datatree

        return trajectory_datatree(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything but draws, ready for JSON; what is no finite number is None."""
        answer_fields = {
            "kind": "trajectory",
            "steps": self.steps,
            "settings": self.settings,
            "estimates": [estimate.to_dict() for estimate in self.estimates],
            "differences": [vars(one) for one in self.differences],
            "from_first": [vars(one) for one in self.from_first],
            "verdicts": self.verdicts,
            "warnings": self.warnings,
        }
        return dict(json_values(answer_fields))

    def __str__(self) -> str:
        warned = (f"warning: {words}" for words in self.warnings)
        return "\n".join([self.headline, self.table(), *warned])

    __repr__ = __str__
