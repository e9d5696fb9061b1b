"""Closed forms: one theorem per file, discovered.

A module of this package that defines ``THEOREM`` is a theorem; adding one edits no other file.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

from rlct.errors import InputError
from rlct.theorems.base import Theorem
from rlct.theorems.index import THEOREMS

__all__ = ["all_theorems", "get", "recognising"]


@cache
def all_theorems() -> tuple[Theorem, ...]:
    """Return every theorem, ordered by id.

    Raises
    ------
    RuntimeError
        If two files claim the same id.
    """
    found: dict[str, Theorem] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.ispkg:
            continue  # helpers shared by theorem files
        theorem = getattr(importlib.import_module(f"{__name__}.{info.name}"), "THEOREM", None)
        if theorem is None:
            continue
        if theorem.id in found:
            raise RuntimeError(f"two theorem files have the id {theorem.id}")
        found[theorem.id] = theorem
    return tuple(found[name] for name in sorted(found))


def _load(module: str) -> Theorem:
    found: Theorem = importlib.import_module(f"{__name__}.{module}").THEOREM
    return found


def get(name: str) -> Theorem:
    """Return the theorem with an id.

    Raises
    ------
    InputError
        If there is none; the message names the nearest ids.

    Examples
    --------
    >>> get("deep-linear").apply(widths=[784, 128, 64, 10], rank=10).pair
    Pair(3920, 1)
    """
    if name in THEOREMS:
        return _load(THEOREMS[name][0])
    theorems = {theorem.id: theorem for theorem in all_theorems()}
    if name in theorems:  # that is not in the table yet
        return theorems[name]
    name = str(name)
    near = difflib.get_close_matches(name, theorems, n=3, cutoff=0.4)
    shown = name if len(name) <= 40 else name[:40] + "…"
    which = "nearest" if near else "there are"
    raise InputError(f"no theorem {shown!r}; {which}: {', '.join(near or theorems)}")


def recognising(question: object) -> list[Theorem]:
    """Return the theorems that may answer a question, ordered by id; no other file is loaded.

    Examples
    --------
    >>> from rlct.models.linear import LinearNetwork
    >>> [theorem.id for theorem in recognising(LinearNetwork((5, 3, 5), 1))]
    ['deep-linear', 'deep-linear-rank-paths', 'reduced-rank-regression']
    """
    kinds = {kind.__name__ for kind in type(question).__mro__}
    return [_load(module) for module, asked in THEOREMS.values() if kinds & {*asked}]
