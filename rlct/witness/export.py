"""From a certificate to a document that the kernel checks."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from rlct.kernel.algebra import (
    STEP_BUDGET,
    RefusalError,
    constant,
    identity,
    is_in,
    polys,
    qpoly,
    read,
)
from rlct.kernel.rules import LocalGerm
from rlct.kernel.verdict import MOST_KERNEL_STEPS, is_ideal, judge, local_germ
from rlct.witness.polyhedra import ShearError, newton_witness
from rlct.witness.programme import monomial
from rlct.witness.terms import NotCoveredError, write

_MOST_SHEARS = 8  # one after the other


def export(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Write a witness of what a certificate claims.

    The witness is for `rlct.kernel.verdict.judge`.  NotCoveredError if the kernel has no rule for a
    step, or no witness is found.
    """
    question, proof = certificate["question"], certificate["proof"]
    if question["kind"] not in ("K", "ideal", "box") or "field" in question:
        raise NotCoveredError("a field" if "field" in question else f"kind {question['kind']}")
    STEP_BUDGET.steps = MOST_KERNEL_STEPS
    if question["kind"] == "box":
        tree = _at_a_point(question, proof)
    else:
        data = read(question)
        germ = local_germ(data, data)
        tree = _start(proof, germ, is_ideal(data))
    claim = [proof["lower"], proof["upper"]]
    return {"schema": "rlct/kernel-1", "question": question, "claim": claim, "proof": tree}


def _at_a_point(question: Mapping[str, Any], proof: Mapping[str, Any]) -> dict[str, Any]:
    """Prove the upper end over a box by the germ at a point that attains it."""
    nodes = [proof]
    for node in nodes:
        nodes += node.get("children", [])
        points = node.get("data", {}).get("points", [])
        children = node.get("children", [])[-len(points) :] if points else []
        for item, child in zip(points, children, strict=True):
            if "field" in item or child["upper"] != proof["upper"]:
                continue
            data, powers = read(question), list[int]()
            for a, h, side in zip(read(item["at"]), data.prior, data.sides, strict=True):
                q = 1 if a else max(1, ceil(1 / (h + 1)))
                powers.append(q + (q % 2 == (a in side)))
            source = {"point": item["at"], "powers": powers}
            germ = local_germ(data, read(source))
            of = _start(child, germ, is_ideal(data))
            return {"rule": "at", **source, "of": of}
    raise NotCoveredError("a box without a rational point that attains the least pair")


def ask_kernel(certificate: Mapping[str, Any]) -> tuple[str, str]:
    """Say what the kernel makes of a certificate, and the question as the kernel read it."""
    try:
        document = export(certificate)
    except (NotCoveredError, RefusalError, RecursionError) as error:
        return f"not covered: {error or 'too large'}", ""
    verdict = judge(document)
    return verdict.word, verdict.question


def _start(node: Mapping[str, Any], germ: LocalGerm, has_generators: bool) -> Any:
    """Prove a germ: unless it is that of an ideal, by the squares of a certificate."""
    rule = node["rule"]
    if not has_generators and rule != "squares":
        raise NotCoveredError(f"rule {rule}")
    try:
        if has_generators:
            return _find(germ)
        numbers, roots = zip(*node["data"]["squares"], strict=True)
        shown = {"numbers": list(numbers), "roots": list(roots)}
        of = _find(LocalGerm(germ.prior, polys(read(roots))))
        return {"rule": "squares", **shown, "of": of}
    except NotCoveredError as error:
        children = node["children"] if rule == "squares" else [node]
        raise NotCoveredError(f"rule {children[0]['rule']}: {error}") from error


def _component(germ: LocalGerm) -> list[int]:
    """Return the variables that are connected by generators with those of the first."""
    sets = [{i for m in g for i, e in enumerate(m) if e} for g in germ.generators]
    variables = sets[0]
    for _ in sets:
        variables = variables.union(*(part for part in sets if part & variables))
    return sorted(variables)


def _find(germ: LocalGerm, depth: int = 0) -> Any:
    """Find a proof of a germ by its terms, or by its Newton polyhedron."""
    if depth > _MOST_SHEARS:
        raise NotCoveredError("shears of shears")
    if all(len(g) == 1 for g in germ.generators):
        return monomial(germ)
    v = _component(germ)
    groups = [[g for g in germ.generators if is_in(v, g) is flag] for flag in (True, False)]
    if groups[1]:
        w = [i for i in range(len(germ.prior)) if i not in v]
        of = [_find(LocalGerm(germ.prior, group), depth) for group in groups]
        return {"rule": "sum", "variables": [v, w], "of": of}
    try:
        return newton_witness(germ)
    except ShearError as shear:
        x, i = shear.image, shear.variable
        if germ.prior[i]:
            raise
        change = [qpoly({e: 1}) for e in identity(len(germ.prior))]
        change[i] = change[i] + change[i] + constant(len(change), -1) * x
        new = LocalGerm(germ.prior, [g.compose(change) for g in germ.generators])
        shown = {"images": write([x]), "inverse": [["1"]], "generators": write(new.generators)}
        return {"rule": "coordinates", "variables": [i], **shown, "of": _find(new, depth + 1)}
