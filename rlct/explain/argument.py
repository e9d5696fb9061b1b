"""From a certificate to the steps of its argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rlct.blowup.replay import Node, replay
from rlct.blowup.writing import field_text, fresh_names, number_text
from rlct.certificate import box as boxes
from rlct.certificate.arithmetic import fraction, read
from rlct.certificate.everywhere import family_over
from rlct.certificate.family import Family
from rlct.certificate.plane_box import Box, exponent, read_place, statement_at
from rlct.certificate.question import read_names, statement
from rlct.certificate.statement import Bounds, Statement
from rlct.explain.told import Branch, Told, Words, bounds_text, shown
from rlct.explain.words import words_of
from rlct.pair import Pair

__all__ = ["Step", "about_of", "coordinates_of", "steps_of"]


@dataclass(frozen=True)
class Step:
    """One step of an explanation.

    Parameters
    ----------
    label : str
        Its number.
    rule : str
        Name of the rule in the certificate, empty for a theorem.
    about : str
        The germ, with formulas between backticks.
    words : Words
    claim : str
        What is proved, as formulas.
    steps : tuple of Step
        What it leads to.
    left_out : int
        Steps below it that are not shown.
    """

    label: str
    rule: str
    about: str
    words: Words
    claim: str
    steps: tuple[Step, ...] = ()
    left_out: int = 0


def steps_of(certificate: Mapping[str, Any], most: int) -> Step:
    """The argument of a certificate, at most so many steps of it.

    Branches that do not decide the pair are cut first.
    """
    question, proof = certificate["question"], certificate["proof"]
    kind = question["kind"]
    if kind in ("K", "ideal"):
        branch = _germ(replay(proof, statement(question), _local_names(question)))
    elif kind == "box":
        branch = _box(_box_of(question), proof, read_names(question), "")
    else:
        lower, upper = _bounds(proof)
        data = {**proof["data"], **question}
        branch = Branch(Node(proof["rule"], lower, upper, data, None, ()))
    return _step(_pruned(branch, most), 1, top=True)


def coordinates_of(question: Mapping[str, Any]) -> str:
    """How the coordinates of the first step arise from those of the question."""
    if question["kind"] not in ("K", "ideal"):
        return ""
    parts = []
    for name, new, value, q in zip(
        question["variables"],
        _local_names(question),
        question["point"],
        question["powers"],
        strict=True,
    ):
        if name != new:
            zero = value == "0"
            start = "" if zero else f"{number_text(value)} + "
            parts.append(f"{name} = {start}{new}{'' if q == 1 else f'^{q}'}")
    if "field" in question:
        parts.append(field_text(question["field"]))
    return ", ".join(parts)


def about_of(certificate: Mapping[str, Any]) -> str:
    """The question of a certificate about polynomials, as typed."""
    question = certificate["question"]
    names = read_names(question)
    if question["kind"] == "box":
        box = _box_of(question)
        whole = ", ".join(shown(g, names) for g in box.generators)
        text = f"`K = Σ f^2`, `f` in `({whole})`" if box.is_ideal else f"`K = {whole}`"
        return text + _prior(names, box.prior)
    generators = ", ".join(shown(read(g, len(names)), names) for g in question["generators"])
    text = (
        f"`K = {generators}`"
        if question["kind"] == "K"
        else f"`K = Σ f^2`, `f` in `({generators})`"
    )
    prior = _prior(names, [Fraction(h) for h in question["prior"]])
    walls = ", ".join(f"{n} ≥ 0" for n, w in zip(names, question["nonneg"], strict=True) if w)
    return text + prior + (f", `{walls}`" if walls else "")


def _prior(names: Sequence[str], exponents: Sequence[Fraction]) -> str:
    factors = [
        f"|{n}|" if h == 1 else f"|{n}|^{_power(h)}"
        for n, h in zip(names, exponents, strict=True)
        if h
    ]
    return f" with prior `{'*'.join(factors)}`" if factors else ""


def _local_names(question: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    variables = read_names(question)
    for name, value, q in zip(variables, question["point"], question["powers"], strict=True):
        moved = name
        while (moved == name and (value != "0" or q > 1)) or moved in {*variables} - {name}:
            moved += "_"
        names.append(moved)
    return names


def _bounds(proof: Mapping[str, Any]) -> Bounds:
    upper = proof["upper"]
    return Pair.of(*proof["lower"]), None if upper is None else Pair.of(*upper)


def _germ(node: Node) -> Branch:
    return Branch(node, None, tuple(map(_germ, node.children)))


def _box_of(question: Mapping[str, Any]) -> Box:
    width = len(question["variables"])
    return Box(
        tuple(read(g, width) for g in question["generators"]),
        tuple(fraction(h) for h in question["prior"]),
        tuple((fraction(a), fraction(b)) for a, b in question["sides"]),
        question["ideal"],
    )


def _box(box: Box, proof: Mapping[str, Any], names: list[str], chart: str) -> Branch:
    """A step of a question over a box, with those below it."""
    rule, data = proof["rule"], proof.get("data", {})
    proofs = list(proof.get("children", []))
    children = []
    if rule == "everywhere":
        moved, text = _beyond_walls(names, box, data["walls"])
        family = family_over(box, data["walls"])
        children.append(_germ(replay(proofs.pop(0), family, moved, text)))
    if "points" in data:
        # The same questions as the checker asks there; what is not asked again is the search.
        for item, child in zip(data["points"], proofs, strict=True):
            place, field = read_place(box, item)
            moved, text = _moved(names, item, box)
            children.append(_germ(replay(child, statement_at(box, place, field), moved, text)))
    elif proofs:
        asked: list[Statement | Box | Family] = []

        def local(inner: Statement | Box | Family, child: Mapping[str, Any]) -> Bounds:
            asked.append(inner)
            return _bounds(child)

        boxes.bounds(box, proof, local)
        for k, (inner, child) in enumerate(zip(asked, proofs, strict=True)):
            if isinstance(inner, Box):
                groups = data.get("groups")
                mine = [names[i] for i in groups[k]] if groups else names
                children.append(_box(inner, child, mine, ""))
            elif isinstance(inner, Statement):
                at = [str(low if low > 0 else high if high < 0 else 0) for low, high in box.sides]
                moved, text = _moved(names, {"at": at}, box)
                children.append(_germ(replay(child, inner, moved, text)))
    lower, upper = _bounds(proof)
    node = Node(rule, lower, upper, data, None, tuple(names), chart)
    return Branch(node, box, tuple(children))


def _moved(names: list[str], item: Mapping[str, Any], box: Box) -> tuple[list[str], str]:
    """Coordinates at a point of the box: x = a + x_, or a ± x_^2 on a wall."""
    moved, parts = [], []
    for name, value, (low, high) in zip(names, item["at"], box.sides, strict=True):
        new = f"{name}_"
        while new in names:
            new += "_"
        text = number_text(value)
        wall = text in (str(low), str(high))
        sign = "-" if text == str(high) else "+"
        shift = f"{sign} {new}^2" if wall else f"+ {new}"
        parts.append(
            f"{name} = {shift.removeprefix('+ ')}" if text == "0" else f"{name} = {text} {shift}"
        )
        moved.append(new)
    if "field" in item:
        parts.append(field_text(item["field"]))
    return moved, ", ".join(parts)


def _beyond_walls(names: list[str], box: Box, walls: Sequence[str]) -> tuple[list[str], str]:
    """Coordinates of the family of a box: all real values, or those on one side of a wall."""
    (extra,) = fresh_names(names, 1)
    moved, parts = [extra], []
    for name, wall, h, (low, high) in zip(names, walls, box.prior, box.sides, strict=True):
        start = low if wall == "low" else high if wall == "high" else Fraction(0)
        q = exponent(Fraction(0) if start else h, wall=bool(wall))
        new = name
        if start or q > 1:
            (new,) = fresh_names([*names, *moved], 1)
            power = new if q == 1 else f"{new}^{q}"
            sign = "-" if wall == "high" else "+" if start else ""
            parts.append(f"{name} = {start} {sign} {power}" if start else f"{name} = {sign}{power}")
        moved.append(new)
    return moved, ", ".join(parts)


def _pruned(branch: Branch, most: int) -> Branch:
    """At most so many steps; what decides the pair is kept before what is only larger."""
    if branch.node.rule == "forget" and not branch.node.parameters and branch.children:
        # A step for the checker, not for a reader; the coordinates that lead to it stay.
        (inner,) = branch.children
        node = replace(inner.node, chart=inner.node.chart or branch.node.chart)
        return _pruned(replace(inner, node=node), most)
    order = sorted(range(len(branch.children)), key=lambda k: branch.children[k].node.lower)
    room = most - 1
    kept: dict[int, Branch] = {}
    for k in order:
        child = branch.children[k]
        kept[k] = _pruned(child, room) if room > 0 else replace(child, left_out=True)
        room -= kept[k].told
    return replace(branch, children=tuple(kept[k] for k in sorted(kept)))


def _step(branch: Branch, number: int, top: bool = False) -> Step:
    """Steps are numbered in the order in which they are told."""
    numbers, following = [], number + 1
    for child in branch.children:
        numbers.append(following)
        following += child.told
    labels = [
        "a branch that is not shown" if child.left_out else f"step {n}"
        for child, n in zip(branch.children, numbers, strict=True)
    ]
    node = branch.node
    return Step(
        str(number),
        node.rule,
        _about(branch, top),
        words_of(Told(branch, tuple(labels))),
        bounds_text(node.lower, node.upper),
        tuple(
            _step(child, n)
            for child, n in zip(branch.children, numbers, strict=True)
            if not child.left_out
        ),
        sum(child.size for child in branch.children if child.left_out),
    )


def _about(branch: Branch, top: bool = False) -> str:
    """The germ, or the question over a box, in one line."""
    node, box = branch.node, branch.box
    if box is not None:
        sides = ", ".join(
            f"{a} ≤ {n} ≤ {b}" for n, (a, b) in zip(node.names, box.sides, strict=True)
        )
        whole = ", ".join(shown(g, node.names) for g in box.generators)
        return f"`{f'({whole})' if box.is_ideal else f'K = {whole}'}` over `{sides}`"
    if node.statement is None:
        return ""
    written = ", ".join(shown(g, node.names) for g in node.statement.generators)
    function = isinstance(node.statement, Statement) and not node.statement.is_ideal
    size = written if top else f"|{written}|"
    text = f"`K = {size}`" if function else f"the ideal `({written})`"
    text += _prior(node.names, node.prior)
    if node.parameters:
        text += f", parameter{'s' * (len(node.parameters) > 1)} `{', '.join(node.parameters)}`"
    if node.chart and " = " in node.chart and not node.chart.startswith(("where", "near")):
        text += f", where `{node.chart.removeprefix('at ')}`"
    return text


def _power(h: Fraction) -> str:
    return str(h) if h.denominator == 1 else f"({h})"
