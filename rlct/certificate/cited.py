"""What rules take as known: theorems that the checker uses and does not replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.certificate.rules import all_rules

__all__ = ["cited_theorems"]


def cited_theorems(document: Mapping[str, Any]) -> dict[str, str]:
    """What the rules of a verified certificate take as known, by rule.

    Examples
    --------
    >>> import rlct
    >>> cited_theorems(rlct.poly("x**2*y**4").certificate)
    {}
    >>> list(cited_theorems(rlct.linear([5, 3, 5], rank=1).certificate))
    ['theorem']
    """
    rules_used, steps_left = set[str](), [document["proof"]]
    while steps_left:  # each step of the document once
        step = steps_left.pop()
        rules_used.add(step["rule"])
        steps_left += step.get("children", [])
    return {rule.name: rule.cites for rule in all_rules() if rule.cites and rule.name in rules_used}
