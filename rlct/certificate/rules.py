"""All rules of a certificate by name: each turns a statement into bounds or raises."""

from __future__ import annotations

from rlct.certificate.leaves import LEAVES
from rlct.certificate.linear_change import linear_substitution
from rlct.certificate.newton import newton_bounds
from rlct.certificate.polyhedra import polyhedra
from rlct.certificate.reductions import REDUCTIONS
from rlct.certificate.resolution import PLAIN_RULES
from rlct.certificate.statement import Rule
from rlct.certificate.transverse import transverse

__all__ = ["RULES"]

RULES: dict[str, Rule] = {
    **REDUCTIONS,
    **LEAVES,
    "newton": newton_bounds,
    "polyhedra": polyhedra,
    "transverse": transverse,
    "linear": linear_substitution,
    **PLAIN_RULES,
}
