"""From a certificate to the tree of its argument."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.blowup.coordinates import new_coordinate
from rlct.blowup.replay import Node, recorded_bounds, replay_proof
from rlct.blowup.writing import field_text, fresh_names, number_text
from rlct.certificate.boxes import box as boxes
from rlct.certificate.boxes.everywhere import cell_over
from rlct.certificate.boxes.plane_box import (
    Box,
    read_box_point,
    statement_at,
    substitution_exponent,
)
from rlct.certificate.family import GermFamily
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.fibre.tree import cells_below, family_of_cell
from rlct.certificate.question import read_generator, read_variables, statement
from rlct.certificate.statement import PairBounds, Statement
from rlct.certificate.torus.points import read_field
from rlct.certificate.walls import change_of, without_walls
from rlct.explain.numbered_steps import ExplainedStep, numbered_steps
from rlct.explain.proved_step import (
    ProofBranch,
    polynomials_text,
    prior_text,
    shortened_polynomial,
)


def steps_of(certificate: Mapping[str, Any], most: int) -> ExplainedStep:
    """The argument of a certificate, at most so many steps of it.

    Branches that do not decide the pair are cut first.
    """
    return numbered_steps(branch_of(certificate), most)


def branch_of(certificate: Mapping[str, Any]) -> ProofBranch:
    """The tree of a certificate, each step with what it is about."""
    question, proof = without_walls(certificate["question"]), certificate["proof"]
    kind = question["kind"]
    if kind in ("K", "ideal"):
        return _germ(replay_proof(proof, statement(question), _local_names(question)))
    if kind == "box":
        return _box(boxes.read_box(question), proof, read_variables(question), "")
    lower, upper = recorded_bounds(proof)
    data = {**proof["data"], **question}
    return ProofBranch(Node(proof["rule"], lower, upper, data, None, ()))


def coordinates_of(question: Mapping[str, Any]) -> list[str]:
    """How the coordinates of the first step arise from those of the question."""
    sentences = []
    if question["kind"] == "walls":
        images, names = change_of(question)[0], question["coordinates"]
        rows = zip(question["question"]["variables"], names, images, strict=True)
        shown = [f"{x} = {shortened_polynomial(p, names)}" for x, u, p in rows if x != u]
        if shown:
            sentences = [f"Coordinates in which the walls are at 0: `{', '.join(shown)}`."]
        question = without_walls(question)
    if question["kind"] not in ("K", "ideal"):
        return sentences
    equations = list[str]()
    for name, local_name, value, wall, q, h in zip(
        *(question["variables"], _local_names(question), question["point"]),
        *(question["nonneg"], question["powers"], question["prior"]),
        strict=True,
    ):
        if q > 1:
            sentences.append(_substitution(name, local_name, wall, q, Fraction(h)))
        elif name != local_name:
            equations.append(
                f"{name} = {number_text(value)} + {local_name}"
                if value != "0"
                else f"{name} = {local_name}"
            )
    if "field" in question:
        equations.append(field_text(question["field"]))
    if equations:
        sentences.insert(0, f"Coordinates that are 0 at the point: `{', '.join(equations)}`.")
    return sentences


def _substitution(name: str, local_name: str, wall: bool, q: int, h: Fraction) -> str:
    """Why a variable is a power of another, and what becomes of the prior."""
    reason = (
        f"makes `{name} ≥ 0` hold by itself, and takes every value but 0 from both signs of "
        f"`{local_name}`"
        if wall
        else "is one to one and takes away the negative power of the prior"
    )
    factor = f"|{local_name}|" if q == 2 else f"|{local_name}|^{q - 1}"
    before = prior_text([name], [h]).removeprefix(" with ") or "prior 1"
    after = prior_text([local_name], [q * (h + 1) - 1]).removeprefix(" with ") or "prior 1"
    return (
        f"The substitution `{name} = {local_name}^{q}` {reason}. Volume is multiplied by the "
        f"derivative, `{q}*{factor}`, so the {before} in `{name}` becomes the {after}, up to a "
        "constant."
    )


def about_of(certificate: Mapping[str, Any]) -> str:
    """The question of a certificate about polynomials, as typed."""
    question = certificate["question"]
    question = question["question"] if question["kind"] == "walls" else question
    names = read_variables(question)
    field = read_field(question["field"]) if "field" in question else None
    generators = polynomials_text(
        [read_generator(g, len(names), field) for g in question["generators"]], names
    )
    is_ideal = question.get("ideal", question["kind"] == "ideal")
    text = f"`K = Σ f^2`, `f` in `({generators})`" if is_ideal else f"`K = {generators}`"
    walls = zip(names, question.get("nonneg", ()), strict=False)
    conditions = ", ".join(f"{name} ≥ 0" for name, wall in walls if wall)
    prior = prior_text(names, [Fraction(h) for h in question["prior"]])
    return text + prior + (f", `{conditions}`" if conditions else "")


def _local_names(question: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    variables = read_variables(question)
    for name, value, q in zip(variables, question["point"], question["powers"], strict=True):
        local_name = name
        while (local_name == name and (value != "0" or q > 1)) or local_name in {*variables} - {
            name
        }:
            local_name += "_"
        names.append(local_name)
    return names


def _germ(node: Node) -> ProofBranch:
    return ProofBranch(node, None, tuple(map(_germ, node.children)))


def _box(box: Box, proof: Mapping[str, Any], names: list[str], chart: str) -> ProofBranch:
    """A step of a question over a box, with those below it."""
    rule, data = proof["rule"], proof.get("data", {})
    child_proofs = list(proof.get("children", []))
    children = []
    if rule == "everywhere":
        local_names, text = _beyond_walls(names, box, data["walls"])
        cell = cell_over(box, data["walls"])
        children.append(_cell(cell, child_proofs.pop(0), local_names, text))
    if "points" in data:
        # The same questions as the checker asks there; what is not asked again is the search.
        for item, child in zip(data["points"], child_proofs, strict=True):
            place, field = read_box_point(box, item)
            local_names, text = _at_point(names, item, box)
            children.append(
                _germ(replay_proof(child, statement_at(box, place, field), local_names, text))
            )
    elif child_proofs:
        inner_questions: list[Statement | Box | GermFamily] = []

        def local(inner: Statement | Box | GermFamily, child: Mapping[str, Any]) -> PairBounds:
            inner_questions.append(inner)
            return recorded_bounds(child)

        boxes.bounds(box, proof, local)
        for k, (inner, child) in enumerate(zip(inner_questions, child_proofs, strict=True)):
            if isinstance(inner, Box):
                groups = data.get("groups")
                box_names = [names[i] for i in groups[k]] if groups else names
                children.append(_box(inner, child, box_names, ""))
            elif isinstance(inner, Statement):
                at = [str(low if low > 0 else high if high < 0 else 0) for low, high in box.sides]
                local_names, text = _at_point(names, {"at": at}, box)
                children.append(_germ(replay_proof(child, inner, local_names, text)))
    lower, upper = recorded_bounds(proof)
    node = Node(rule, lower, upper, data, None, tuple(names), chart)
    return ProofBranch(node, box, tuple(children))


def _cell(
    cell: FibreCell,
    proof: Mapping[str, Any],
    names: Sequence[str],
    chart: str,
    known_literals: Sequence[str] = (),
) -> ProofBranch:
    """A step about the zeros in a cell; `names` are those of all variables of the question.

    Its literals are those that the cell above does not have.
    """
    cell_names, cell_literals = [names[k] for k in cell.origin], _literals(cell, names)
    chart = ", ".join(
        [*([chart] if chart else []), *(x for x in cell_literals if x not in known_literals)]
    )
    equations = tuple(
        shortened_polynomial(g, cell_names) for g in map(cell.on_cell, cell.generators) if g
    )
    cells_here = cells_below(cell, proof)
    if cells_here is None:
        order = [*sorted(cell.zeros), *(i for i in range(cell.width) if i not in cell.zeros)]
        family = family_of_cell(cell)
        extra = fresh_names(names, family.width - cell.width)
        family_names = [*extra, *(cell_names[i] for i in order)]
        germs = _germ(replay_proof(proof, family, family_names, chart))
        return replace(germs, literals=cell_literals, equations=equations)
    lower, upper = recorded_bounds(proof)
    shown = Statement(cell.generators, cell.prior, True)
    node = Node(proof["rule"], lower, upper, proof.get("data", {}), shown, tuple(cell_names), chart)
    children, new_definition = [], None
    if proof["rule"] == "change":
        i, names = proof["data"]["variable"], list(names)
        new_name = names[cell.origin[i]] = f"{cell_names[i]}′"
        value = new_coordinate(proof["data"], cell.width)
        new_definition = new_name, shortened_polynomial(value, cell_names)
    for inner, child in zip(cells_here, proof.get("children", []), strict=True):
        if isinstance(inner, Statement):
            children.append(_germ(replay_proof(child, inner, cell_names)))
        else:
            children.append(_cell(inner, child, names, "", cell_literals))
    return ProofBranch(
        node,
        None,
        tuple(children),
        literals=cell_literals,
        equations=equations,
        definition=new_definition,
    )


def _literals(cell: FibreCell, names: Sequence[str]) -> tuple[str, ...]:
    """Which variables are 0 on a cell, which are not, and which have a value."""
    parts = [f"{names[i]} = {value}" for i, value in cell.values]
    at_values = dict(cell.values)
    parts += [
        f"{names[cell.origin[i]]} = 0"
        for i in sorted(cell.zeros)
        if cell.origin[i] not in at_values
    ]
    return (*parts, *(f"{names[cell.origin[i]]} ≠ 0" for i in sorted(cell.nonzero)))


def _at_point(names: list[str], item: Mapping[str, Any], box: Box) -> tuple[list[str], str]:
    """Coordinates at a point of the box: x = a + x_, or a ± x_^2 on a wall."""
    local_names, parts = [], []
    for name, value, (low, high) in zip(names, item["at"], box.sides, strict=True):
        local_name = f"{name}_"
        while local_name in names:
            local_name += "_"
        text = number_text(value)
        wall = text in (str(low), str(high))
        sign = "-" if text == str(high) else "+"
        shift = f"{sign} {local_name}^2" if wall else f"+ {local_name}"
        parts.append(
            f"{name} = {shift.removeprefix('+ ')}" if text == "0" else f"{name} = {text} {shift}"
        )
        local_names.append(local_name)
    if "field" in item:
        parts.append(field_text(item["field"]))
    return local_names, ", ".join(parts)


def _beyond_walls(names: list[str], box: Box, walls: Sequence[str]) -> tuple[list[str], str]:
    """Coordinates of the family of a box: all real values, or those on one side of a wall."""
    (extra,) = fresh_names(names, 1)
    local_names, parts = list[str](), []
    for name, wall, h, (low, high) in zip(names, walls, box.prior, box.sides, strict=True):
        start = low if wall == "low" else high if wall == "high" else Fraction(0)
        q = substitution_exponent(Fraction(0) if start else h, wall=bool(wall))
        local_name = name
        if start or q > 1:
            (local_name,) = fresh_names([*names, *local_names, extra], 1)
            power = local_name if q == 1 else f"{local_name}^{q}"
            sign = "-" if wall == "high" else "+" if start else ""
            parts.append(f"{name} = {start} {sign} {power}" if start else f"{name} = {sign}{power}")
        local_names.append(local_name)
    return local_names, ", ".join(parts)
