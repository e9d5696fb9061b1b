"""All rules of a certificate by name: each turns a statement into bounds or raises."""

from __future__ import annotations

from rlct.certificate.arrangement import arrangement_rule
from rlct.certificate.discriminant import discriminant_rule
from rlct.certificate.independent import independent_rule
from rlct.certificate.leaves import LEAF_RULES
from rlct.certificate.linear_change import linear_rule
from rlct.certificate.minors import minors_rule
from rlct.certificate.newton import newton_rule
from rlct.certificate.polyhedra import factor_polyhedra_rule, polyhedra_rule
from rlct.certificate.reductions import REDUCTION_RULES
from rlct.certificate.resolution import PLAIN_RULES
from rlct.certificate.statement import Rule
from rlct.certificate.transverse import transverse_rule

__all__ = ["RULES"]

RULES: dict[str, Rule] = {
    **REDUCTION_RULES,
    **LEAF_RULES,
    "arrangement": arrangement_rule,
    "minors": minors_rule,
    "discriminant": discriminant_rule,
    "independent": independent_rule,
    "newton": newton_rule,
    "polyhedra": polyhedra_rule,
    "factor-polyhedra": factor_polyhedra_rule,
    "transverse": transverse_rule,
    "linear": linear_rule,
    **PLAIN_RULES,
}
