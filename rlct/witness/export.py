"""From a certificate to a document that the kernel checks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from rlct.kernel.algebra import STEP_BUDGET, QPoly, RefusalError, identity, is_in, poly, polys, read
from rlct.kernel.rules import LocalGerm
from rlct.kernel.verdict import MOST_KERNEL_STEPS, is_ideal, judge, local_germ
from rlct.witness.polyhedra import ShearError, newton_witness
from rlct.witness.reductions import Path, monomial
from rlct.witness.terms import (
    NotCoveredError,
    choice,
    independent_columns,
    minus,
    quotient,
    solve_rows,
    term,
    write,
    write_rows,
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

    @property
    def one(self) -> QPoly:
        return term(1, (0,) * len(self.germ.prior))

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
        inverse = [poly({e: 1}) for e in identity(len(germ.prior))]
        inverse[i] = inverse[i] + inverse[i] + minus(x)
        moved = [g.compose(inverse) for g in germ.generators]
        return _coordinates(germ, [x], [i], lambda _: moved, lambda new: _find(new, depth + 1))


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


def _simplify(step: _Step) -> Any:
    path = Path(step.germ)
    for operation in step.data["operations"]:
        i, unit = operation.get("divide", operation.get("from")), step.one
        factors = choice(len(step.germ.prior), len(path.generators), i)
        if "divide" in operation:
            unit = step.read(operation["by"])
            new = quotient(path.generators[i], unit)
        else:
            j = operation["subtract"]
            factors[j] = minus(step.read(operation["times"]))
            new = path.generators[i] + factors[j] * path.generators[j]
        path.replace(i, new, unit, factors)
    path.drop()
    return path.wrap(step.below(path.germ))


def _coefficient(p: QPoly, i: int, exponent: int) -> QPoly:
    terms = ((m, c) for m, c in p.items() if m[i] == exponent)
    return QPoly({(*m[:i], 0, *m[i + 1 :]): c for m, c in terms})


def _eliminate(step: _Step) -> Any:
    """Take g_k = u·x + r as a coordinate in place of x, and u^n g_j at x = −r/u for the others."""
    k, i, path = step.data["generator"], step.places[step.data["variable"]], Path(step.germ)
    g, width, size = path.generators[k], len(step.germ.prior), len(path.generators)
    unit, remainder = _coefficient(g, i, 1), minus(_coefficient(g, i, 0))
    for j in [j for j in range(size) if j != k]:
        f, image = path.generators[j], QPoly()
        degree = max(m[i] for m in f)
        for e in {m[i] for m in f}:
            power = remainder**e if e else step.one
            image = image + _coefficient(f, i, e) * power * unit ** (degree - e)
        factors = choice(width, size, j)
        factors[j] = unit**degree
        factors[k] = minus(quotient(factors[j] * f + minus(image), g))
        path.replace(j, image, step.one, factors)
    path.drop()
    x = term(1, identity(width)[i])
    kept = [h for h in path.generators if h != g]
    v, w = [i], [j for j in range(width) if j != i]

    def of(germ: LocalGerm) -> Any:
        if not kept:
            return monomial(germ)
        places = [j for j in step.places if j != i]
        first = monomial(LocalGerm(germ.prior, [x]))
        second = step.below(LocalGerm(germ.prior, kept), 0, places)
        return {"rule": "sum", "variables": [v, w], "of": [first, second]}

    moved = [x if h == g else h for h in path.generators]
    return path.wrap(_coordinates(path.germ, [g], [i], lambda _: moved, of))


def _coordinates(
    germ: LocalGerm,
    images: Sequence[QPoly],
    free: Iterable[int],
    generators: Callable[[list[int]], list[QPoly]],
    of: Callable[[LocalGerm], Any],
) -> Any:
    """Take coordinates in place of variables among the free; write the germ in these."""
    axes = {i: tuple(identity(len(germ.prior))[i]) for i in free}
    slopes = [[f.get(axis, Fraction(0)) for axis in axes.values()] for f in images]
    pivots = independent_columns(slopes)
    if len(pivots) < len(images):
        raise NotCoveredError("dependent coordinates")
    chosen = [[*axes][k] for k in pivots]
    rows = [[row[k] for k in pivots] for row in slopes]
    inverse = write_rows(solve_rows(rows, identity(len(chosen))))
    new = LocalGerm(germ.prior, generators(chosen))
    shown = {"images": write(images), "inverse": inverse, "generators": write(new.generators)}
    return {"rule": "coordinates", "variables": chosen, **shown, "of": of(new)}


def _in_coordinates(step: _Step, factors: list[QPoly], exponents: Sequence[Sequence[int]]) -> Any:
    """Take units times products of variables and of other coordinates."""
    width, path = len(step.germ.prior), Path(step.germ)
    straight = {k: max(f).index(1) for k, f in enumerate(factors) if len(f) == 1}
    curved = [k for k in range(len(factors)) if k not in straight]
    powers = [term(1, max(f)) if len(f) == 1 else f for f in factors]
    for k, row in enumerate(exponents):
        product = step.one
        for f, e in zip(powers, row, strict=True):
            product = product * f**e
        unit = quotient(path.generators[k], product)
        path.replace(k, product, unit, choice(width, len(exponents), k))
    free = {i for i, h in enumerate(step.germ.prior) if not h} - {*straight.values()}

    def terms(chosen: list[int]) -> list[QPoly]:
        places = straight | dict(zip(curved, chosen, strict=True))
        rows = [{places[k]: e for k, e in enumerate(row)} for row in exponents]
        return [term(1, (row.get(i, 0) for i in range(width))) for row in rows]

    if not curved:
        return path.wrap(monomial(path.germ))
    images = [factors[k] for k in curved]
    return path.wrap(_coordinates(path.germ, images, sorted(free), terms, monomial))


def _smooth(step: _Step) -> Any:
    return _in_coordinates(step, step.germ.generators, identity(len(step.germ.generators)))


def _crossings(step: _Step) -> Any:
    factors, exponents = zip(*step.data["factors"], strict=True)
    return _in_coordinates(step, [*map(step.read, factors)], [exponents])


_RULE_EXPORTS: dict[str, Callable[[_Step], Any]] = {
    "crossings": _crossings,
    "eliminate": _eliminate,
    "simplify": _simplify,
    "smooth": _smooth,
    "sum": _sum,
}
