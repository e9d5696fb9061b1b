"""An experiment: what a source claims to have seen, how it is rerun, and what comes of it."""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from validation.audit.row import Fact
from validation.framework.claim import Claim, Verdict, combine

__all__ = ["AbsentError", "Data", "Experiment", "Finding", "Rows", "Suite", "experiment", "suites"]

Data = Mapping[str, Any]
Rows = Sequence[Data]
Suite = str  # "quick" or "full"

_FUNCTION_FIELDS = ("units", "run", "judge", "theory", "draw")
#: Sources by the folders of their experiments, whose ids begin with either.
_FOLDER_SOURCES = {
    "survey": "000",
    "singular": "001",
    "grokking": "002",
    "sgd": "003",
    "local_coefficient": "004",
    "literature": "lit",
}
_NAMED_BY_FOLDER = ("grokking", "sgd")
_PACKAGE_NAMES = {"sklearn": "scikit-learn"}  # modules that are not called as what is installed


class AbsentError(Exception):
    """A unit asks for something that is not here, such as a data set; what to do about it."""


@dataclass(frozen=True)
class Finding:
    """What an experiment says of one table or figure."""

    #: The id of the table or figure.
    place_id: str
    #: Our decisive value, in a line that fits into a table.
    ours: str
    #: Claims are parts of what the source says, and make the verdict; facts are of our own theory,
    #: and every run must bear them out.
    checks: Sequence[Claim | Fact]
    #: Why ours and the source's differ, or why they agree.
    why: str = ""
    #: The rest of our values, for the page.
    details: str = ""
    #: In what the run is smaller than the source's.
    scale: str = ""
    #: Why the run is too small, or too different from the source's, to decide, if it is: what is
    #: claimed then holds or fails here, and nothing follows.
    unfit: str = ""

    @property
    def parts(self) -> list[Claim]:
        """The parts of the claim that are judged."""
        return [one for one in self.checks if isinstance(one, Claim)]

    @property
    def facts(self) -> list[Fact]:
        """What our own theory says, and the run must bear out."""
        return [one for one in self.checks if isinstance(one, Fact)]

    @property
    def verdict(self) -> Verdict:
        """What the claims come to.

        Examples
        --------
        >>> from validation.framework.claim import near
        >>> wrong = near("2 + 2", 4, printed=5, tolerance=0.1)
        >>> Finding("p", "4", [wrong]).verdict.value
        'differs'
        >>> Finding("p", "4", [wrong], unfit="other numbers").verdict.value
        'undecided'
        """
        if self.unfit:
            return Verdict.UNDECIDED
        return combine(self.parts)

    @property
    def holds(self) -> bool:
        """Whether every fact of our own holds, and there is something to judge by."""
        return bool(self.checks) and all(fact.holds for fact in self.facts)


@dataclass(frozen=True)
class Experiment:
    """One experiment, as data and four functions."""

    #: Name on the command line.
    id: str
    #: Number of the source, such as ``"003"``.
    source: str
    title: str
    #: Tables and figures it speaks of; ``judge`` has a finding for each in the full suite.
    places: tuple[str, ...]
    #: Settings of the two suites, JSON objects.
    quick: Data
    full: Data
    #: ``units(settings)`` yields JSON objects, each an independent piece of work.
    units: Callable[[Data], Iterable[Data]]
    #: ``run(settings, unit, rng)`` computes one; returns a JSON object.
    run: Callable[[Data, Data, np.random.Generator], Data]
    #: ``judge(settings, rows)`` yields findings; a row is ``{**unit, **result}``.
    judge: Callable[[Data, Rows], Iterable[Finding]]
    #: ``theory(settings, row)`` returns what a row holds without chance, in a moment: λ and θ, and
    #: what else is computed and not measured. Tests hold every recorded row against it.
    theory: Callable[[Data, Data], Data] | None = None
    #: ``draw(settings, rows, figure)`` fills a matplotlib figure.
    draw: Callable[[Data, Rows, Any], None] | None = None
    #: Of the figure, in inches.
    size: tuple[float, float] = (7.0, 4.2)
    #: Of the generators that ``run`` is given, one for each unit.
    seed: int = 0
    #: To be bumped when ``run`` returns something else for the same settings.
    version: int = 1
    #: Modules of extras without which it cannot run.
    needs: tuple[str, ...] = ()
    #: Whether ``judge`` and ``draw`` can do without units whose data are not here.
    partial: bool = False

    def settings(self, suite: Suite) -> Data:
        """Return the settings of a suite."""
        return self.full if suite == "full" else self.quick

    def command(self, suite: Suite) -> str:
        """Return the line that reruns it."""
        return f"rlct validate {self.id}" + (" --suite full" if suite == "full" else "")

    @property
    def about(self) -> str:
        """What is simulated: the text of the module that runs it, without its first line."""
        module = sys.modules.get(self.run.__module__)
        return (inspect.getdoc(module) or "").partition("\n")[2].strip()

    @property
    def missing(self) -> str:
        """What is not installed, as a sentence; empty if nothing is."""
        absent = [
            _PACKAGE_NAMES.get(name, name)
            for name in self.needs
            if importlib.util.find_spec(name) is None
        ]
        return f"needs {', '.join(absent)}: pip install {' '.join(absent)}" if absent else ""


def suites(**settings: Any) -> dict[str, dict[str, Any]]:
    """Return the settings of both suites, as `Experiment` takes them.

    A pair is the value in the quick suite and that in the full one, where None is none; what is no
    pair is the same in both.

    Examples
    --------
    >>> suites(n=100, draws=(20, 1000), sees=(0.5, None))
    {'quick': {'n': 100, 'draws': 20, 'sees': 0.5}, 'full': {'n': 100, 'draws': 1000}}
    """
    pairs = {
        name: value if isinstance(value, tuple) else (value, value)
        for name, value in settings.items()
    }
    return {
        suite: {name: pair[place] for name, pair in pairs.items() if pair[place] is not None}
        for place, suite in enumerate(("quick", "full"))
    }


def experiment(module: str, **fields: Any) -> Experiment:
    """Return the experiment of a module, which defines functions by the names of fields.

    Its folder says which source it is of, and both names make its id where none is given.
    """
    folder, name = module.split(".")[-2:]
    source = _FOLDER_SOURCES[folder]
    start = folder if folder in _NAMED_BY_FOLDER else source
    defined = vars(sys.modules[module])
    functions = {name: defined[name] for name in _FUNCTION_FIELDS if name in defined}
    named = {"id": f"{start}-{name.replace('_', '-')}", "source": source}
    return Experiment(**{**named, **functions, **fields})
