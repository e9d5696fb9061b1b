"""The statement at every step of a proof, rebuilt by the rules of the checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rlct.certificate.arithmetic import Poly
from rlct.certificate.rules import RULES
from rlct.certificate.statement import Bounds, Statement
from rlct.pair import Pair

__all__ = ["Node", "fresh_names", "number_text", "polynomial_text", "power_text", "replay"]

_SAME_COORDINATES = {"squares", "modulus", "simplify", "power", "subideal", "enclose"}
_LONGEST = 60  # characters of a piece of evidence
_ROOT = "γ"


@dataclass(frozen=True)
class Node:
    """One step of a proof with the statement that it is about.

    Parameters
    ----------
    rule : str
    lower, upper : Pair, Pair or None
        What the step proves.
    data : mapping
        Its evidence.
    statement : Statement or None
        None below a rule that is not known here.
    names : tuple of str
        Of the variables of the statement.
    chart : str
        The substitution that leads here from the parent, if it is one.
    children : tuple of Node
    """

    rule: str
    lower: Pair
    upper: Pair | None
    data: Mapping[str, Any]
    statement: Statement | None
    names: tuple[str, ...]
    chart: str = ""
    children: tuple[Node, ...] = field(default=())

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
        """The evidence, each entry cut to a short text."""
        texts = {key: str(value).replace("'", "") for key, value in self.data.items()}
        return {k: t if len(t) <= _LONGEST else f"{t[:_LONGEST]}…" for k, t in texts.items()}


def replay(
    proof: Mapping[str, Any],
    statement: Statement | None,
    names: Sequence[str],
    chart: str = "",
) -> Node:
    """Rebuild the statements of a proof in its JSON form.

    Parameters
    ----------
    proof : mapping
        ``certificate["proof"]``.
    statement : Statement or None
        What it proves.
    names : sequence of str
        Of the variables.
    chart : str
        How the statement arose from its parent.

    Returns
    -------
    Node

    Raises
    ------
    CertificateError
        If a step that has children does not follow.

    Examples
    --------
    >>> proof = {"rule": "squares", "lower": ["1/2", 1], "upper": ["1/2", 1],
    ...          "data": {"squares": [["1", [["1", [1]]]]]},
    ...          "children": [{"rule": "smooth", "lower": ["1/2", 1], "upper": ["1/2", 1]}]}
    >>> node = replay(proof, Statement(({(2,): Fraction(1)},), (Fraction(0),), False), ["x"])
    >>> node.generators, node.children[0].generators
    (('x^2',), ('x',))
    """
    rule, data = proof["rule"], proof.get("data", {})
    proofs = list(proof.get("children", []))
    germs: list[Statement] = []

    def solve(child: Statement) -> Bounds:
        germs.append(child)
        return _bounds(proofs[len(germs) - 1])

    # Only statements are wanted: the evidence of a leaf may take long, and is for `verify`.
    if statement is not None and rule in RULES and proofs:
        RULES[rule](statement, data, solve)
    elif statement is not None and rule == "enclose":
        germs = [statement] * len(proofs)
    children = []
    for index, inner in enumerate(proofs):
        germ = germs[index] if index < len(germs) else None
        width = 0 if germ is None else germ.width
        moved, text = _coordinates(rule, data, index, list(names), width)
        children.append(replay(inner, germ, moved, text))
    return Node(rule, *_bounds(proof), data, statement, tuple(names), chart, tuple(children))


def _bounds(proof: Mapping[str, Any]) -> Bounds:
    upper = proof["upper"]
    lower = Pair.of(*proof["lower"])
    return lower, None if upper is None else Pair.of(*upper)


def _coordinates(
    rule: str, data: Mapping[str, Any], index: int, names: list[str], width: int
) -> tuple[list[str], str]:
    """Names of the child's variables, and the substitution if there is one."""
    kept = names
    if rule in ("sum", "product"):
        kept = [names[i] for i in data["groups"][index]]
    elif rule == "eliminate":
        kept = [name for i, name in enumerate(names) if i != data["variable"]]
    elif rule not in _SAME_COORDINATES:
        kept = fresh_names(names, width)
        point = data.get("points", [{}] * (index + 1))[index]
        if rule == "newton" and {"chart", "root"} <= set(point) and len(names) == width == 2:
            return kept, _plane_chart(names, kept, point)
    return (kept if len(kept) == width else fresh_names(names, width)), ""


def fresh_names(names: Sequence[str], width: int) -> list[str]:
    """Names of new coordinates: letters that the parent does not use, the same for all siblings."""
    free = (c for c in "uvstpqabcdefgh" if not any(name.startswith(c) for name in names))
    letter = next(free, f"{max(names)}_")
    return [f"{letter}{j + 1}" for j in range(width)]


def _plane_chart(names: Sequence[str], new: Sequence[str], point: Mapping[str, Any]) -> str:
    """Write x = s^p·(root + t)^a, y = s^q·(root + t)^b."""
    s, t = new
    powers, roots = point["chart"]
    base = f"({number_text(point['root'])} + {t})"
    parts = []
    for name, p, a in zip(names, powers, roots, strict=True):
        factors = [power_text(s, p), *([power_text(base, a)] if a else [])]
        parts.append(f"{name} = {'*'.join(factors)}")
    if "field" in point:
        minimal: Poly = {(n,): Fraction(c) for n, c in enumerate(point["field"]["minimal"]) if c}
        low, high = point["field"]["interval"]
        parts.append(f"{polynomial_text(minimal, [_ROOT])} = 0, {low} < {_ROOT} < {high}")
    return ", ".join(parts)


def power_text(name: str, exponent: int) -> str:
    """Write name^exponent; the exponent 1 is left out."""
    return name if exponent == 1 else f"{name}^{exponent}"


def polynomial_text(polynomial: Poly, names: Sequence[str]) -> str:
    """Terms by increasing degree.

    Examples
    --------
    >>> polynomial_text({(0, 3): Fraction(-1), (2, 0): Fraction(1, 2)}, ["x", "y"])
    '1/2*x^2 - y^3'
    """
    parts = []
    for m, c in sorted(polynomial.items(), key=lambda term: (sum(term[0]), [-e for e in term[0]])):
        powers = [power_text(name, e) for name, e in zip(names, m, strict=True) if e]
        text = number_text(c)
        sign, size = ("-", text[1:]) if text.startswith("-") else ("+", text)
        parts.append(f"{sign} {'*'.join(powers if size == '1' and powers else [size, *powers])}")
    whole = " ".join(parts) or "+ 0"
    return whole[2:] if whole.startswith("+") else f"-{whole[2:]}"


def number_text(value: Any) -> str:
    """Write a rational, or Σ c_i γ^i in a number field: as a list, or as numerators over one.

    Examples
    --------
    >>> number_text("1/2"), number_text(["0", "1"]), number_text(["1", "-1/2"])
    ('1/2', 'γ', '(1 - 1/2*γ)')
    """
    if isinstance(value, (str, int, Fraction)):
        return str(value)
    parts = value if isinstance(value, list) else [Fraction(c, value.bottom) for c in value.top]
    terms: Poly = {(n,): Fraction(c) for n, c in enumerate(parts) if Fraction(c)}
    text = polynomial_text(terms, [_ROOT])
    return f"({text})" if " " in text else text
