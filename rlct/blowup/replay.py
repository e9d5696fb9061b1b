"""The statement at every step of a proof, rebuilt by the rules of the checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rlct.blowup.coordinates import child_coordinates
from rlct.blowup.writing import polynomial_text
from rlct.certificate.family import GermFamily
from rlct.certificate.rules import CheckedRule, ChildTrait, rules_for
from rlct.certificate.statement import PairBounds, Statement
from rlct.pair import Pair

_LONGEST_EVIDENCE = 60  # characters of a piece of evidence

Germ = Statement | GermFamily


@dataclass(frozen=True)
class Node:
    """One step of a proof with the statement that it is about, None below a rule not known here.

    `names` are those of the variables of the statement, and `chart` is the substitution that leads
    here from the parent, if it is one.
    """

    rule: str
    lower: Pair
    upper: Pair | None
    data: Mapping[str, Any]
    statement: Germ | None
    names: tuple[str, ...]
    chart: str = ""
    children: tuple[Node, ...] = field(default=())

    @property
    def parameters(self) -> tuple[str, ...]:
        """Variables of a family that are not at 0: coordinates along a divisor."""
        family = self.statement
        return self.names[family.locals :] if isinstance(family, GermFamily) else ()

    @property
    def prior(self) -> tuple[Fraction, ...]:
        """Exponents of the prior times the Jacobian, one for each variable."""
        if isinstance(self.statement, GermFamily):
            fixed = (Fraction(0),) * self.statement.fixed
            return (*self.statement.prior, *self.statement.free, *fixed)
        return () if self.statement is None else self.statement.prior

    @property
    def checked_rule(self) -> CheckedRule | None:
        """Its rule, as the checker has it; None where there is none for such a statement."""
        return None if self.statement is None else rules_for(self.statement).get(self.rule)

    @property
    def exact(self) -> bool:
        """Whether the step determines the pair."""
        return self.lower == self.upper

    @property
    def generators(self) -> tuple[str, ...]:
        """The germ as text; K = Σ g², or K = |g|."""
        if self.statement is None:
            return ()
        return tuple(polynomial_text(g, self.names) for g in self.statement.generators)

    @property
    def evidence(self) -> dict[str, str]:
        """What a reader can use of the evidence, each entry cut to a short text."""
        texts = {key: str(self.data[key]) for key in ("exponent", "way") if key in self.data}
        if "root" in self.data:
            terms = {tuple(m): c for c, m in self.data["root"]}
            texts["root"] = polynomial_text(terms, self.names)
        return {
            k: t if len(t) <= _LONGEST_EVIDENCE else f"{t[:_LONGEST_EVIDENCE]}…"
            for k, t in texts.items()
        }


def replay_proof(
    proof: Mapping[str, Any],
    statement: Germ | None,
    names: Sequence[str],
    chart: str = "",
) -> Node:
    """Rebuild the statements of a proof in its JSON form; `chart` led here from the parent.

    CertificateError if a step that has children does not follow.

    >>> proof = {"rule": "squares", "lower": ["1/2", 1], "upper": ["1/2", 1],
    ...          "data": {"squares": [["1", [["1", [1]]]]]},
    ...          "children": [{"rule": "smooth", "lower": ["1/2", 1], "upper": ["1/2", 1]}]}
    >>> node = replay_proof(proof, Statement(({(2,): Fraction(1)},), (Fraction(0),), False), ["x"])
    >>> node.generators, node.children[0].generators
    (('x^2',), ('x',))
    """
    rule, data = proof["rule"], proof.get("data", {})
    proofs = list(proof.get("children", []))
    germs: list[Germ] = []

    def solve(child: Germ) -> PairBounds:
        germs.append(child)
        return recorded_bounds(proofs[len(germs) - 1])

    # Only statements are wanted: the evidence of a leaf may take long, and is for `verify`.
    known_rule = None if statement is None else rules_for(statement).get(rule)
    child_trait = known_rule.child if known_rule else ChildTrait.USUAL
    if ChildTrait.SAME_STATEMENT in child_trait and statement is not None:
        germs = [statement] * len(proofs)
    elif known_rule and proofs:
        known_rule(statement, data, solve)
    children = []
    for index, inner in enumerate(proofs):
        germ = germs[index] if index < len(germs) else None
        moved, text = list[str](), ""
        if germ is not None and statement is not None:
            moved = list(names)
            if ChildTrait.SAME_VARIABLES not in child_trait:
                moved, text = child_coordinates(rule, data, index, moved, statement, germ.width)
        children.append(replay_proof(inner, germ, moved, text))
    return Node(
        rule, *recorded_bounds(proof), data, statement, tuple(names), chart, tuple(children)
    )


def recorded_bounds(proof: Mapping[str, Any]) -> PairBounds:
    """The bounds that a step states."""
    upper = proof["upper"]
    lower = Pair.of(*proof["lower"])
    return lower, None if upper is None else Pair.of(*upper)
