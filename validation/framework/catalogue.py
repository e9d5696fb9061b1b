"""Where experiments and the list of tables and figures are found."""

import difflib
import importlib
import importlib.util
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlct.errors import InputError
from validation.audit.sources import AUDITED_SOURCES
from validation.framework.experiment import Experiment

__all__ = ["SOURCE_TITLES", "Entry", "Place", "all_entries", "chosen", "places"]


#: What experiments are from: the sources by number, and the literature.
SOURCE_TITLES = {**AUDITED_SOURCES, "lit": "Tables of the literature."}


@dataclass(frozen=True)
class Place:
    """A table or figure of a source."""

    #: Source, hyphen, place.
    id: str
    #: What the source calls it.
    where: str
    #: What it shows, in other words than the source's.
    claim: str
    #: Why no experiment reruns it, if so.
    note: str = ""

    @property
    def source(self) -> str:
        """Number of the source, or ``"lit"``."""
        return self.id[:3]


@dataclass(frozen=True)
class Entry:
    """An experiment and the file that holds it."""

    experiment: Experiment
    path: Path

    def beside(self, suffix: str) -> Path:
        """Return the file of its results with this suffix."""
        return self.path.with_suffix(suffix)


@cache
def places(root: Path) -> dict[str, Place]:
    """Return every table and figure of the sources, by id, in their order."""
    held = tomllib.loads((root / "places.toml").read_text(encoding="utf-8"))["place"]
    return {one["id"]: Place(**one) for one in held}


@cache
def all_entries(root: Path) -> dict[str, Entry]:
    """Return every experiment, by id, source by source."""
    entries: dict[str, Entry] = {}
    for path in sorted((root / "experiments").glob("*/*.py")):
        if path.name.startswith("_"):
            continue
        experiment = load(path)
        if experiment.id in entries:
            raise RuntimeError(f"two experiments have the id {experiment.id}")
        entries[experiment.id] = Entry(experiment, path)
    return dict(sorted(entries.items(), key=lambda item: item[1].experiment.source))


@cache
def load(path: Path) -> Experiment:
    """Import the experiment in a file ``…/validation/experiments/<folder>/<name>.py``."""
    name = ".".join([*path.parts[-4:-1], path.stem])
    experiment = getattr(importlib.import_module(name), "EXPERIMENT", None)
    if not isinstance(experiment, Experiment):
        raise RuntimeError(f"{path} has no EXPERIMENT")
    return experiment


def chosen(root: Path, names: Sequence[str]) -> list[Entry]:
    """Return the experiments with these ids, places or sources; all of them if there are none.

    A name that is none of these is refused, and the message names the nearest.
    """
    entries = all_entries(root)
    if not names:
        return list(entries.values())
    chosen_entries: dict[str, Entry] = {}
    for name in names:
        fits = {
            id: entry
            for id, entry in entries.items()
            if name in (id, entry.experiment.source, *entry.experiment.places)
        }
        if not fits:
            raise InputError(_unknown(root, name))
        chosen_entries |= fits
    return list(chosen_entries.values())


def _unknown(root: Path, name: str) -> str:
    place = places(root).get(name)
    if place is not None:
        return f"no experiment reruns {place.where} of {place.source} yet"
    known = dict.fromkeys([*all_entries(root), *places(root)])  # some are both
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.3)
    shown = name if len(name) <= 40 else name[:40] + "…"
    hint = f"; nearest: {', '.join(near)}" if near else "; see 'rlct validate --list'"
    return f"no experiment {shown!r}{hint}"
