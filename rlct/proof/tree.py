"""The proof tree: what the engine writes and ``verify`` replays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlct.pair import Pair


@dataclass(frozen=True)
class Proof:
    """One step of an argument that encloses a pair between two others."""

    #: Name of the rule; ``theory/certificates.md`` states and proves each one.
    rule: str
    #: The pair of the statement lies between the two in the order of `Pair`; an upper end of None
    #: means that no upper bound is claimed.
    lower: Pair
    upper: Pair | None
    #: JSON-able evidence of the rule.
    data: Mapping[str, Any] = field(default_factory=dict)
    #: Proofs of the statements that the rule reduces to, in the rule's order.
    children: tuple[Proof, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the two bounds coincide, θ included."""
        return self.lower == self.upper

    @property
    def depth(self) -> int:
        """Number of steps above each other."""
        return 1 + max((child.depth for child in self.children), default=0)

    def rules(self) -> list[str]:
        """Names of the rules used, parents before children, each once.

        >>> leaf = Proof("monomial", Pair.of(1), Pair.of(1))
        >>> Proof("power", Pair.of("1/2"), Pair.of("1/2"), {"exponent": 2}, (leaf,)).rules()
        ['power', 'monomial']
        """
        names = [self.rule]
        for child in self.children:
            names += [name for name in child.rules() if name not in names]
        return names

    @classmethod
    def from_dict(cls, node: Mapping[str, Any]) -> Proof:
        """Read the JSON form of a tree.

        >>> leaf = Proof("monomial", Pair.of(1), None, {"weight": ["1"]})
        >>> Proof.from_dict(leaf.to_dict()) == leaf
        True
        """
        upper = node["upper"]
        return cls(
            node["rule"],
            Pair.of(*node["lower"]),
            None if upper is None else Pair.of(*upper),
            node.get("data", {}),
            tuple(map(cls.from_dict, node.get("children", ()))),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the tree."""
        node: dict[str, Any] = {
            "rule": self.rule,
            "lower": [str(self.lower.lam), self.lower.theta],
            "upper": None if self.upper is None else [str(self.upper.lam), self.upper.theta],
        }
        if self.data:
            node["data"] = dict(self.data)
        if self.children:
            node["children"] = [child.to_dict() for child in self.children]
        return node
