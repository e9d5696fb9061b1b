"""The steps of an argument in the order in which they are told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlct.certificate.statement import Statement
from rlct.explain.told import Branch, Told, Words, bounds_text, polynomials_text, prior_text
from rlct.explain.words import words_of

__all__ = ["Step", "tell"]


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
    like : str
        Number of the step whose argument is this one's, word for word.
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
    like: str = ""


def tell(branch: Branch, most: int) -> Step:
    """The steps of a proof, at most so many; what is said once is not said again."""
    return _step(_pruned(_merged(branch), most), 1, top=True)


def _pruned(branch: Branch, most: int) -> Branch:
    """At most so many steps; what decides the pair is kept before what is only larger."""
    if branch.like is not None:
        return branch
    order = sorted(range(len(branch.children)), key=lambda k: branch.children[k].node.lower)
    room = most - 1
    kept: dict[int, Branch] = {}
    for k in order:
        child = branch.children[k]
        kept[k] = _pruned(child, room) if room > 0 else replace(child, left_out=True)
        room -= kept[k].told
    return replace(branch, children=tuple(kept[k] for k in sorted(kept)))


def _step(branch: Branch, number: int, top: bool = False, like: int | str = "") -> Step:
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
    told = tuple(
        _step(child, n, like="" if child.like is None else numbers[child.like])
        for child, n in zip(branch.children, numbers, strict=True)
        if not child.left_out and not like
    )
    words, claim = words_of(Told(branch, tuple(labels))), bounds_text(node.lower, node.upper)
    about = _about(branch, top)
    if like:
        about = f"where `{_where(branch)}`"
        text = (f"The argument of step {like} holds here word for word.",)
        words = Words(f"As step {like}", text, page=words.page, sources=words.sources)
    return Step(
        str(number),
        node.rule,
        about,
        words,
        claim,
        told,
        sum(child.size for child in branch.children if child.left_out),
        str(like or ""),
    )


def _about(branch: Branch, top: bool = False) -> str:
    """The germ, or the question over a box, in one line."""
    node, box = branch.node, branch.box
    if box is not None:
        sides = ", ".join(
            f"{a} ≤ {n} ≤ {b}" for n, (a, b) in zip(node.names, box.sides, strict=True)
        )
        whole = polynomials_text(box.generators, node.names)
        return f"`{f'({whole})' if box.is_ideal else f'K = {whole}'}` over `{sides}`"
    if node.statement is None:
        return ""
    written = polynomials_text(node.statement.generators, node.names)
    function = isinstance(node.statement, Statement) and not node.statement.is_ideal
    size = written if top else f"|{written}|"
    text = f"`K = {size}`" if function else f"the ideal `({written})`"
    text += prior_text(node.names, node.prior)
    if node.parameters:
        text += f", parameter{'s' * (len(node.parameters) > 1)} `{', '.join(node.parameters)}`"
    where = _where(branch)
    return f"{text}, where `{where}`" if where else text


def _where(branch: Branch) -> str:
    """The coordinates of a germ, if they are new."""
    chart = branch.node.chart
    if " = " not in chart or chart.startswith(("where", "near")):
        return ""
    return chart.removeprefix("at ")


def _merged(branch: Branch, top: bool = True) -> Branch:
    """Leave out what is told about a sibling already, with other values at most."""
    if branch.node.rule == "forget" and not branch.node.parameters and branch.children:
        # A step for the checker, not for a reader; the coordinates that lead to it stay.
        (inner,) = branch.children
        node = replace(inner.node, chart=inner.node.chart or branch.node.chart)
        return _merged(replace(inner, node=node), top)
    children: list[Branch] = []
    keys: list[object] = []
    for child in (_merged(child, False) for child in branch.children):
        key = _key(child)
        if _where(child) and child.children and key in keys:
            child = replace(child, like=keys.index(key))
        keys.append(key)
        children.append(child)
    return replace(branch, children=tuple(children))


def _key(branch: Branch) -> object:
    """All that a branch rests on but where it is."""
    node = branch.node
    box = None if branch.box is None else branch.box.sides
    inner = [(_key(child), _where(child)) for child in branch.children]
    germ = (node.generators, node.names, node.prior, node.parameters, box)
    return node.rule, node.data, node.lower, node.upper, germ, inner
