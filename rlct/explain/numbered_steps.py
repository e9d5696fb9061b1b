"""The steps of an argument, numbered in the order in which they are shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlct.certificate.statement import Statement
from rlct.explain.proved_step import (
    ProofBranch,
    ProvedStep,
    Words,
    bounds_formula,
    polynomials_text,
    prior_text,
)
from rlct.explain.words import words_of

_MOST_SIDES = 4  # of a box that are written one by one if they are equal


@dataclass(frozen=True)
class ExplainedStep:
    """One step of an explanation."""

    label: str
    #: Name of the rule in the certificate, empty for a theorem.
    rule: str
    #: The germ, with formulas between backticks.
    about: str
    words: Words
    claim: str
    steps: tuple[ExplainedStep, ...] = ()
    #: Steps below it that are not shown.
    left_out: int = 0
    #: Number of the step whose argument is this one's, word for word.
    same_as: str = ""
    #: Whether its two ends differ, and those of no step below it.
    is_open: bool = False


def numbered_steps(branch: ProofBranch, most: int) -> ExplainedStep:
    """The steps of a proof, at most so many; an argument is written once."""
    return _step(_pruned(_merged(branch), most), 1, is_root=True)


def _pruned(branch: ProofBranch, most: int) -> ProofBranch:
    """At most so many steps; branches that decide the pair come first."""
    if branch.same_as is not None:
        return branch
    order = sorted(range(len(branch.children)), key=lambda k: branch.children[k].node.lower)
    room = most - 1
    shown_children: dict[int, ProofBranch] = {}
    for k in order:
        child = branch.children[k]
        shown_children[k] = _pruned(child, room) if room > 0 else replace(child, left_out=True)
        room -= shown_children[k].shown_steps
    return replace(branch, children=tuple(shown_children[k] for k in sorted(shown_children)))


def _step(
    branch: ProofBranch, number: int, is_root: bool = False, same_as: int | str = ""
) -> ExplainedStep:
    """The step of a branch, with the steps below it numbered on."""
    numbers, following = [], number + 1
    for child in branch.children:
        numbers.append(following)
        following += child.shown_steps
    labels = [
        "a branch that is not shown" if child.left_out else f"step {n}"
        for child, n in zip(branch.children, numbers, strict=True)
    ]
    node = branch.node
    child_steps = tuple(
        _step(child, n, same_as="" if child.same_as is None else numbers[child.same_as])
        for child, n in zip(branch.children, numbers, strict=True)
        if not child.left_out and not same_as
    )
    words, claim = (
        words_of(ProvedStep(branch, tuple(labels))),
        bounds_formula(node.lower, node.upper),
    )
    about = _about(branch, is_root)
    if same_as:
        about = f"where `{_where(branch)}`"
        text = (f"The argument of step {same_as} holds here word for word.",)
        words = Words(f"As step {same_as}", text, page=words.page, sources=words.sources)
    return ExplainedStep(
        str(number),
        node.rule,
        about,
        words,
        claim,
        child_steps,
        sum(child.size for child in branch.children if child.left_out),
        str(same_as or ""),
        _is_open(branch),
    )


def _is_open(branch: ProofBranch) -> bool:
    """Whether its ends differ, and those of nothing below: a part with one end bounds, no more."""
    nodes = [branch.node, *(child.node for child in branch.children)]
    differing = [node.upper is not None and node.lower != node.upper for node in nodes]
    return differing[0] and not any(differing[1:])


def _about(branch: ProofBranch, is_root: bool = False) -> str:
    """The germ, or the question over a box, in one line."""
    node, box = branch.node, branch.box
    if box is not None:
        sides = ", ".join(
            f"{a} ≤ {n} ≤ {b}" for n, (a, b) in zip(node.names, box.sides, strict=True)
        )
        if len(box.sides) > _MOST_SIDES and len(set(box.sides)) == 1:
            sides = "{} ≤ x ≤ {}` for each variable `x".format(*box.sides[0])
        generator_text = polynomials_text(box.generators, node.names)
        return (
            f"`{f'({generator_text})' if box.is_ideal else f'K = {generator_text}'}` over `{sides}`"
        )
    if branch.literals is not None and isinstance(node.statement, Statement):
        # The ideal was written above; what a rule changes of it is said there.
        return f"where `{node.chart}`" if node.chart else ""
    if node.statement is None:
        return ""
    written = polynomials_text(node.statement.generators, node.names)
    function = isinstance(node.statement, Statement) and not node.statement.is_ideal
    size = written if is_root else f"|{written}|"
    text = f"`K = {size}`" if function else f"the ideal `({written})`"
    text += prior_text(node.names, node.prior)
    if node.parameters:
        text += f", parameter{'s' * (len(node.parameters) > 1)} `{', '.join(node.parameters)}`"
    where = _where(branch)
    return f"{text}, where `{where}`" if where else text


def _where(branch: ProofBranch) -> str:
    """The coordinates of a germ, if they are new."""
    chart = branch.node.chart
    if " = " not in chart or chart.startswith(("where", "near")):
        return ""
    return chart.removeprefix("at ")


def _merged(branch: ProofBranch, is_root: bool = True) -> ProofBranch:
    """Leave out the argument of a branch that a sibling has already, but for its coordinates."""
    if branch.node.rule == "forget" and not branch.node.parameters and branch.children:
        # A step for the checker, not for a reader; the coordinates that lead to it stay.
        (inner,) = branch.children
        node = replace(inner.node, chart=inner.node.chart or branch.node.chart)
        return _merged(replace(inner, node=node), is_root)
    children: list[ProofBranch] = []
    keys: list[object] = []
    for child in (_merged(child, False) for child in branch.children):
        key = _key(child)
        if _where(child) and child.children and key in keys:
            child = replace(child, same_as=keys.index(key))
        keys.append(key)
        children.append(child)
    return replace(branch, children=tuple(children))


def _key(branch: ProofBranch) -> object:
    """All that a branch rests on but where it is."""
    node = branch.node
    box = None if branch.box is None else branch.box.sides
    inner = [(_key(child), _where(child)) for child in branch.children]
    germ = (node.generators, node.names, node.prior, node.parameters, box)
    return node.rule, node.data, node.lower, node.upper, germ, inner
