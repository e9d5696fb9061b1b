"""Levels that a population has passed, in a file, from which a ladder resumes after a stop."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rlct.sampling.arrays import Arrays
from rlct.sampling.markov_chains.checkpoint import RunFile, probed_losses
from rlct.sampling.markov_chains.moves import ParticlePopulation
from rlct.sampling.targets.target import Floats, Target


class Levels:
    """Rows of numbers, one for each level, beside the population as the last level left it.

    Ctrl-C may come at any moment: what is written is the end of the last level, never its middle.

    Nothing is written without a path (.npz).  ``rng`` is that of the run, before its first draw;
    settings identify the run besides target and seed, by name.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> levels = Levels(
    ...     None, PolynomialTarget([{(1,): 1}], squared=True), np.random.default_rng(0), {}
    ... )
    >>> levels.rows
    []
    """

    def __init__(
        self,
        path: str | Path | None,
        target: Target,
        rng: np.random.Generator,
        settings: Mapping[str, Any],
    ) -> None:
        self._random = on = Arrays(rng)
        self._file = None
        if path is not None:
            identity = {**settings, "seed": on.state()}
            self._file = RunFile(path, identity, probed_losses(target, on))
        self._last: dict[str, Any] = {}
        self.rows: list[tuple[Any, ...]] = []

    def load(self, population: ParticlePopulation) -> None:
        """Take rows, population and random numbers from the file, if there is one."""
        if not self._file:
            return
        with self._file.read() as file_content:
            if file_content is not None:
                columns = (file_content[f"column{k}"] for k in range(int(file_content["columns"])))
                self.rows = list(zip(*columns, strict=True))
                population.w, population.divergence = file_content["w"], file_content["divergence"]
                population.log_prior = file_content["log_prior"]
                self._random.restore(json.loads(str(file_content["random"])))

    def add(self, population: ParticlePopulation, *row: Floats | float) -> None:
        """Note the end of a level, and write it if it is time to."""
        self.rows.append(row)
        if not self._file:
            return
        self._last = {
            "random": np.array(json.dumps(self._random.state())),
            "w": population.w.copy(),
            "divergence": population.divergence.copy(),
            "log_prior": population.log_prior.copy(),
            "rows": len(self.rows),
        }
        if self._file.due:
            self.save()

    def save(self) -> None:
        """Write the end of the last level."""
        if self._file and self._last:
            columns = list(zip(*self.rows[: self._last["rows"]], strict=True))
            file_columns = {f"column{k}": np.array(column) for k, column in enumerate(columns)}
            self._file.write({**self._last, **file_columns, "columns": len(columns)})
            self._last = {}
