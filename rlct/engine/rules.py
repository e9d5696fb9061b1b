"""All rules for germs: those that the modules of the folders below state."""

import importlib
import pkgutil
from typing import Final

from rlct.engine import germs, newton_polyhedra, reductions
from rlct.engine.germs.rule import STATED_RULES, GermRule, SignTrait, in_order
from rlct.proof.tree import Proof

_WATANABE_BOOK = "Watanabe, Algebraic Geometry and Statistical Learning Theory, CUP (2009)"

for _folder in (germs, newton_polyhedra, reductions):
    for _info in pkgutil.iter_modules(_folder.__path__):
        importlib.import_module(f"{_folder.__name__}.{_info.name}")

#: In the order in which they are tried.
GERM_RULES: Final[tuple[GermRule, ...]] = in_order(
    rule for rule in STATED_RULES.values() if rule.after is not None
)


def sources_of(proof: Proof) -> tuple[str, ...]:
    """Citations for the rules of a proof; every rule is also proved in the theory pages."""
    rules = [STATED_RULES[name] for name in proof.rules() if name in STATED_RULES]
    return tuple(dict.fromkeys([*(s for rule in rules for s in rule.sources), _WATANABE_BOOK]))


def sign_of(proof: Proof) -> SignTrait:
    """What a proof shows of the sign of K."""
    rule = STATED_RULES.get(proof.rule)
    return rule.sign_of(proof, sign_of) if rule else SignTrait.OPEN
