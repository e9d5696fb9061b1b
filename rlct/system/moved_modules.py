"""Module paths that the documents of earlier versions named: they import still, and warn."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # of typing, which takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

__all__ = ["NEW_PATHS", "add_old_paths"]

#: By the old path; ``rlct.evidence`` stands for its modules, too.
NEW_PATHS = {
    "rlct.api": "rlct.answers.exact",
    "rlct.budget": "rlct.answers.error_budget",
    "rlct.checking": "rlct.answers.check",
    "rlct.evidence": "rlct.criteria",
    "rlct.plots": "rlct.report.plots",
    "rlct.polynomial": "rlct.algebra.polynomial",
    "rlct.problem": "rlct.questions.problem",
    "rlct.reference": "rlct.benchmark",
    "rlct.result": "rlct.answers.result",
    "rlct.sampling.calibration": "rlct.sampling.local.calibration",
    "rlct.sampling.facts": "rlct.sampling.local.facts",
    "rlct.sampling.finite_n": "rlct.sampling.local.finite_n",
    "rlct.sampling.gibbs": "rlct.sampling.markov_chains.gibbs",
    "rlct.sampling.ladder": "rlct.sampling.ladders.ladder",
    "rlct.sampling.linear": "rlct.sampling.targets.linear",
    "rlct.sampling.llc": "rlct.sampling.local.llc",
    "rlct.sampling.mixture": "rlct.sampling.targets.mixture",
    "rlct.sampling.network": "rlct.sampling.targets.network",
    "rlct.sampling.polynomial": "rlct.sampling.targets.polynomial",
    "rlct.sampling.regression": "rlct.sampling.targets.regression",
    "rlct.simulation": "rlct.answers.estimate",
    "rlct.squares": "rlct.algebra.positivity.squares",
    "rlct.table": "rlct.answers.table",
    "rlct.targets": "rlct.answers.targets",
}


def new_path(name: str) -> str | None:
    """Where a module of an old path lies now.

    >>> new_path("rlct.evidence.waic"), new_path("rlct.engine")
    ('rlct.criteria.waic', None)
    """
    if name in NEW_PATHS:
        return NEW_PATHS[name]
    parent, _, last = name.rpartition(".")
    return f"{NEW_PATHS[parent]}.{last}" if parent in NEW_PATHS else None


class _MovedModules:
    """Finds a module by its old path, after all others have failed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        known = new_path(name) is not None
        return ModuleSpec(name, self, is_package=True) if known else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make the module."""

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        moved = import_module(new_path(name) or name)
        warnings.warn(f"{name} is {moved.__name__} now", DeprecationWarning, stacklevel=2)
        module.__dict__.update({k: v for k, v in vars(moved).items() if not k.startswith("__")})


def add_old_paths() -> None:
    """Let old paths be found; once is enough."""
    if not any(isinstance(finder, _MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(_MovedModules())
