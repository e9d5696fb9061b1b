"""An experiment: what a source claims to have seen, how it is rerun, and what comes of it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from rlct.audit.row import Fact

__all__ = ["AbsentError", "Data", "Experiment", "Finding", "Rows", "Suite", "Verdict"]

Data = Mapping[str, Any]
Rows = Sequence[Data]
Suite = str  # "quick" or "full"

_PACKAGES = {"sklearn": "scikit-learn"}  # modules that are not called as what is installed


class AbsentError(Exception):
    """A unit asks for something that is not here, such as a data set; what to do about it."""


class Verdict(Enum):
    """What became of a source's claim.  A refuted one is a finding, not a failure of ours."""

    CONFIRMED = "confirmed"
    DIFFERS = "differs"
    REFUTED = "refuted"


@dataclass(frozen=True)
class Finding:
    """What an experiment says of one table or figure.

    Parameters
    ----------
    place : str
        The id of the table or figure.
    verdict : Verdict
        The published one, on the source's claim.  ``DIFFERS``: right in kind, other in numbers or
        in a part; ``why`` says which.
    ours : str
        Our value, in a line.
    facts : sequence of Fact
        What this run found, beside what the theory says and what the source prints.
    why : str
        Why ours and the source's differ, or why they agree.
    scale : str
        In what the run is smaller than the source's.
    """

    place: str
    verdict: Verdict
    ours: str
    facts: Sequence[Fact]
    why: str = ""
    scale: str = ""

    @property
    def reproduces(self) -> bool:
        """Whether this run bears out the published verdict.

        Every fact must hold, its control be rejected; nothing may contradict what is printed if
        the claim is confirmed, and something must if it is not.

        Examples
        --------
        >>> from rlct.audit.row import exact
        >>> Finding("p", Verdict.REFUTED, "4", [exact("2 + 2", 4, 4, printed=5)]).reproduces
        True
        >>> Finding("p", Verdict.CONFIRMED, "4", [exact("2 + 2", 4, 4, printed=5)]).reproduces
        False
        >>> Finding("p", Verdict.DIFFERS, "4", [exact("2 + 2", 4, 4)]).reproduces
        False
        """
        contradicted = any(fact.refutes for fact in self.facts)
        fits = contradicted == (self.verdict is not Verdict.CONFIRMED)
        return fits and bool(self.facts) and all(fact.holds for fact in self.facts)


@dataclass(frozen=True)
class Experiment:
    """One experiment, as data and four functions.

    Parameters
    ----------
    id : str
        Name on the command line.
    source : str
        Number of the source, such as ``"003"``.
    title : str
    places : tuple of str
        Tables and figures it speaks of; ``judge`` has a finding for each in the full suite.
    quick, full : mapping
        Settings of the two suites, JSON objects.
    units : callable
        ``units(settings)`` yields JSON objects, each an independent piece of work.
    run : callable
        ``run(settings, unit, rng)`` computes one; returns a JSON object.
    judge : callable
        ``judge(settings, rows)`` yields findings; a row is ``{**unit, **result}``.
    draw : callable, optional
        ``draw(settings, rows, figure)`` fills a matplotlib figure.
    size : (float, float)
        Of the figure, in inches.
    seed : int
        Of the generators that ``run`` is given, one for each unit.
    version : int
        To be bumped when ``run`` returns something else for the same settings.
    needs : tuple of str
        Modules of extras without which it cannot run.
    """

    id: str
    source: str
    title: str
    places: tuple[str, ...]
    quick: Data
    full: Data
    units: Callable[[Data], Iterable[Data]]
    run: Callable[[Data, Data, np.random.Generator], Data]
    judge: Callable[[Data, Rows], Iterable[Finding]]
    draw: Callable[[Data, Rows, Any], None] | None = None
    size: tuple[float, float] = (7.0, 4.2)
    seed: int = 0
    version: int = 1
    needs: tuple[str, ...] = ()

    def settings(self, suite: Suite) -> Data:
        """Return the settings of a suite."""
        return self.full if suite == "full" else self.quick

    def command(self, suite: Suite) -> str:
        """Return the line that reruns it."""
        return f"rlct validate {self.id}" + (" --suite full" if suite == "full" else "")

    @property
    def missing(self) -> str:
        """What is not installed, as a sentence; empty if nothing is."""
        absent = [
            _PACKAGES.get(name, name)
            for name in self.needs
            if importlib.util.find_spec(name) is None
        ]
        return f"needs {', '.join(absent)}: pip install {' '.join(absent)}" if absent else ""
