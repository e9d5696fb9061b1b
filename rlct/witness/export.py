"""From a certificate to a document that the kernel checks."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import ceil
from typing import Any, NamedTuple

from rlct.kernel.algebra import STEP_BUDGET, QPoly, RefusalError, identity, is_in, poly, polys, read
from rlct.kernel.rules import LocalGerm
from rlct.kernel.verdict import MOST_KERNEL_STEPS, is_ideal, judge, local_germ
from rlct.witness.polyhedra import ShearError, newton_witness
from rlct.witness.programme import monomial
from rlct.witness.terms import (
    NotCoveredError,
    minus,
    write,
)

_MOST_SHEARS = 8


def export(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Write a witness of what a certificate claims.

    Parameters
    ----------
    certificate : mapping

    Returns
    -------
    dict
        For `rlct.kernel.verdict.judge`.

    Raises
    ------
    NotCoveredError
        If the kernel has no rule for a step, or no witness is found.
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
        tree = _start(_Step(proof, germ, list(range(len(germ.prior)))), is_ideal(data))
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
            of = _start(_Step(child, germ, list(range(len(germ.prior)))), is_ideal(data))
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


class _Step(NamedTuple):
    """A node of a certificate, its germ, and where its variables stand in the question."""

    node: Mapping[str, Any]
    germ: LocalGerm
    places: list[int]

    @property
    def data(self) -> Any:
        return self.node.get("data", {})

    def read(self, terms: Any) -> QPoly:
        (p,), width = polys(read([terms])), len(self.germ.prior)
        rows = [(dict(zip(self.places, m, strict=True)), c) for m, c in p.items()]
        return QPoly({tuple(row.get(i, 0) for i in range(width)): c for row, c in rows})

    def below(self, germ: LocalGerm, k: int = 0, places: list[int] | None = None) -> Any:
        return _convert(_Step(self.node["children"][k], germ, places or self.places))


def _start(step: _Step, has_squares: bool) -> Any:
    """Convert a proof of a question: unless it is about an ideal, by squares."""
    if has_squares:
        return _convert(step)
    if step.node["rule"] != "squares":
        raise NotCoveredError(f"rule {step.node['rule']}")
    return _squares(step)


def _convert(step: _Step) -> Any:
    """Convert a proof; where its rule is not covered, find one."""
    rule = step.node["rule"]
    try:
        if rule not in _RULE_EXPORTS:
            raise NotCoveredError(f"rule {rule}")
        return _RULE_EXPORTS[rule](step)
    except (NotCoveredError, RefusalError) as error:
        with suppress(NotCoveredError, RefusalError):
            return _find(step.germ)
        raise NotCoveredError(str(error) or f"rule {rule}") from error


def _find(germ: LocalGerm, depth: int = 0) -> Any:
    """Find a proof of a germ by its terms, or by its Newton polyhedron."""
    if depth > _MOST_SHEARS:
        raise NotCoveredError("shears of shears")
    if all(len(g) == 1 for g in germ.generators):
        return monomial(germ)
    try:
        return newton_witness(germ)
    except ShearError as shear:
        x, i = shear.image, shear.variable
        if germ.prior[i]:
            raise
        change = [poly({e: 1}) for e in identity(len(germ.prior))]
        change[i] = change[i] + change[i] + minus(x)
        new = LocalGerm(germ.prior, [g.compose(change) for g in germ.generators])
        shown = {"images": write([x]), "inverse": [["1"]], "generators": write(new.generators)}
        return {"rule": "coordinates", "variables": [i], **shown, "of": _find(new, depth + 1)}


def _squares(step: _Step) -> Any:
    numbers, roots = zip(*step.data["squares"], strict=True)
    germ = LocalGerm(step.germ.prior, [step.read(root) for root in roots])
    shown = {"numbers": list(numbers), "roots": write(germ.generators)}
    return {"rule": "squares", **shown, "of": step.below(germ)}


def _sum(step: _Step) -> Any:
    groups = [[step.places[i] for i in group] for group in step.data["groups"]]

    def split(k: int, germ: LocalGerm) -> Any:
        v, w = groups[k], [i for group in groups[k + 1 :] for i in group]
        if not w:
            return step.below(germ, k, v)
        own = LocalGerm(germ.prior, [g for g in germ.generators if is_in(v, g)])
        kept = [g for g in germ.generators if not is_in(v, g)]
        of = [step.below(own, k, v), split(k + 1, LocalGerm(germ.prior, kept))]
        return {"rule": "sum", "variables": [v, w], "of": of}

    return split(0, step.germ)


_RULE_EXPORTS: dict[str, Callable[[_Step], Any]] = {"sum": _sum}
