"""All rules for germs: each module of the folders below that has ``RULES`` is found."""

import importlib
import pkgutil
from types import ModuleType
from typing import Final

from rlct.engine import germs, newton_polyhedra, reductions
from rlct.engine.germs.rule import GermRule, in_order


def _modules(*folders: ModuleType) -> list[ModuleType]:
    return [
        importlib.import_module(f"{folder.__name__}.{info.name}")
        for folder in folders
        for info in pkgutil.iter_modules(folder.__path__)
    ]


#: In the order in which they are tried.
GERM_RULES: Final[tuple[GermRule, ...]] = in_order(
    rule
    for module in _modules(germs, newton_polyhedra, reductions)
    for rule in getattr(module, "RULES", ())
)
