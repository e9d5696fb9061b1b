"""What rules take as known: theorems that the checker uses and does not replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CITED_THEOREMS", "cited_theorems"]

#: By rule.  What a page of theory/ proves with elementary means, such as Sturm's theorem, van der
#: Corput's estimate or duality, is not here.
CITED_THEOREMS: dict[str, str] = {
    "initial": "complex thresholds are semicontinuous in families (Demailly and Kollár 2001)",
    "minors": "the codimensions of matrices by rank, and that they give λ and θ of the minors "
    "(Johnson 2003; Docampo 2013)",
    "theorem": "the codimensions of products of matrices by the ranks of partial products, and "
    "that they give λ and θ (Aoyagi 2024; Lehalleur and Rimányi 2024)",
    "heywood-ranks": "λ and θ of factor analysis at a generic truth from the ranks at spare unit "
    "loadings, and the dimensions that bound these (Drton, Sturmfels and Sullivant 2007)",
    "class-rank": "upper bounds of the dimension of sums of tensors of rank one, with those of the "
    "defective sizes (Strassen 1983; Abo, Ottaviani and Peterson 2009)",
    "generic-rank": "upper bounds of the rank of quadratic networks, with those of the defective "
    "sizes (Ottaviani 2007; Abo and Brambilla 2009)",
}


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
    return {rule: text for rule, text in CITED_THEOREMS.items() if rule in rules_used}
