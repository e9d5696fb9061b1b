"""All rules of a certificate by name: each turns a statement into bounds or raises."""

from __future__ import annotations

from rlct.certificate.families.resolution import PLAIN_RULES
from rlct.certificate.germs.arrangement import arrangement_rule
from rlct.certificate.germs.discriminant import discriminant_rule
from rlct.certificate.germs.independent import independent_rule
from rlct.certificate.germs.leaves import LEAF_RULES
from rlct.certificate.germs.linear_change import linear_rule
from rlct.certificate.germs.minors import minors_rule
from rlct.certificate.germs.newton import newton_rule
from rlct.certificate.germs.polyhedra import factor_polyhedra_rule, polyhedra_rule
from rlct.certificate.germs.reductions import REDUCTION_RULES
from rlct.certificate.germs.transverse import transverse_rule
from rlct.certificate.statement import Rule

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
