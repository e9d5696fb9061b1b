"""Wordings of the rules that read a pair off Newton polyhedra."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.arithmetic import is_one_signed
from rlct.explain.programme import WHY, optimum, programme
from rlct.explain.told import (
    Told,
    Wording,
    Words,
    listing,
    monomial_text,
    pair_text,
    quoted,
    tuple_text,
)
from rlct.newton.polyhedron import vertices

__all__ = ["POLYHEDRA"]

_TORIC = ("howald2001", "lin2011")


def hull(told: Told) -> Words:
    """Bounds from the terms alone."""
    d = told.locals
    said = programme(told.data, told.prior[:d], told.names[:d])
    order = min(sum(m[:d]) for g in told.generators for m in g)
    return Words(
        "Bounds from the terms alone",
        (
            "`K` is at most a constant times the sum of the squares of all its monomials, so the "
            "pair of the ideal of these monomials is an upper bound:",
            *said,
            f"From below: a generator of order {order} makes `{{K < t}}` short in some direction "
            "(`λ ≥ 1/(2m)` for order `m`), and independent linear parts give half their number; "
            f"the better of the two is `λ ≥ {told.node.lower.lam}`.",
        ),
        page="conventions",
        sources=("lin2011",),
        why=WHY,
    )


def newton(told: Told) -> Words:
    """Newton polyhedron with its faces."""
    exponents = sorted({m for g in told.generators for m in g})
    points = told.data.get("points", [])
    said = programme(told.data, told.prior, told.names)
    signed = [g for g in told.generators if is_one_signed(g) and len(g) > 1]
    faces = told.data.get("faces", [])
    corners = [exponents[k] for k in vertices(exponents)]
    inside = len(exponents) - len(corners)
    rest = (
        "; the other exponent lies in it" if inside == 1 else f"; {inside} more exponents lie in it"
    )
    text = [
        f"The Newton polyhedron in {quoted(told.names)} consists of all that lies on or above the "
        f"convex hull of the exponents. Its vertices are "
        f"{listing(f'`{tuple_text(m)}`' for m in corners)}"
        f"{rest * (inside > 0)}.",
        *said,
        "This is the pair unless terms cancel.",
    ]
    if signed:
        text.append(
            f"In {told.list(signed[:3])} all terms have the same sign, so faces with one of them "
            "have no such zero."
        )
    text += [_face(told, face) for face in faces[:6]]
    if len(faces) > 6:
        text.append(f"{len(faces) - 6} more faces are settled by identities in the same way.")
    whole = "No compact face has" if not faces and not points else "No other compact face has"
    text.append(f"{whole} zeros of this kind, by signs and by counting real roots on edges.")
    polyhedron = optimum(told.data)
    if not points and told.node.lower != polyhedron:
        text.append(
            f"The polyhedron alone has {pair_text(polyhedron)}; with the zeros on its faces, where "
            f"the initial forms are coordinates beside the divisor, it is {told.result}."
        )
    then: tuple[str, ...] = ()
    if points:
        where = listing(f"{label} ({told.pair(k)})" for k, label in enumerate(told.labels))
        text.append(
            f"{listing(told.labels, 12).capitalize()} look{'s' * (len(points) == 1)} at the zeros "
            "on edges that could make the pair smaller: points of the toric blow-up, each with a "
            "germ of its own."
        )
        then = (
            "The pair is the least of that of the polyhedron and those at the points: "
            f"{where}. So {told.result}.",
        )
    return Words(
        "Newton polyhedron",
        tuple(text),
        then,
        page="newton",
        sources=("varchenko1976", "lin2011"),
        why=(*WHY, _CANCEL),
    )


_CANCEL = (
    "Terms can cancel only where the terms on a compact face of the polyhedron (its initial forms) "
    "vanish together at a real point with no coordinate 0."
)


def _face(told: Told, face: dict[str, object]) -> str:
    where = f"On the face with inner normal `{tuple_text(face['weight'])}`"  # type: ignore[arg-type]
    if "order" in face:
        k = int(str(face["order"]))
        return (
            f"{where} the initial forms have real zeros of order at most {k}, which alone give "
            f"`λ ≥ 1/{2 * k}`."
        )
    if "rank" in face:
        s = int(str(face["rank"]))
        return (
            f"{where} the initial forms have real zeros, but their differentials there have rank "
            f"{s}, which alone gives `λ ≥ {Fraction(s, 2)}`."
        )
    if "cofactors" in face or "signs" in face or "basis" in face:
        return f"{where} an identity between the initial forms shows that they have no such zero."
    return f"{where} all real zeros of the initial forms are points that are looked at below."


def monomials(told: Told) -> Words:
    """Monomials in coordinates."""
    coordinates = [told.poly(f) for f in told.data["coordinates"]]
    names = [f"y{k + 1}" for k in range(len(coordinates))]
    products = listing(
        f"`{monomial_text(row, names)}`"
        for row in dict.fromkeys(map(tuple, told.data["exponents"]))
    )
    named = listing(f"`{n} = {c}`" for n, c in zip(names, coordinates, strict=True))
    prior = []
    for f in map(told.read, told.data["coordinates"]):
        m = next(iter(f))
        single_variable = len(f) == 1 and sum(m) == 1 and m.index(1) < told.locals
        prior.append(told.prior[m.index(1)] if single_variable else Fraction(0))
    said = programme(told.data, prior, names)
    return Words(
        "Monomials in other coordinates",
        (
            f"Put {named}. Their differentials at the point are independent, so they are part of "
            f"a coordinate system, and up to units the generators are the monomials {products}.",
            *said,
        ),
        page="blowups",
        sources=_TORIC,
        why=WHY,
    )


def initial(told: Told) -> Words:
    """Lower bound by initial monomials."""
    kept = [told.generators[k] for k in told.data["kept"]]
    order = told.data["order"]
    least = []
    for g in kept:
        m = min(g, key=lambda m: _weight(order, m))
        least.append(f"`{monomial_text(m[: told.locals], told.names[: told.locals])}`")
    return Words(
        "Initial monomials",
        (
            f"Give the variables {quoted(told.names[: told.locals])} the weights "
            f"`{tuple_text(order)}`. The term of least weight of each of {told.list(kept)} is "
            f"unique: {listing(least)}.",
            *_programmes(told, [min(g, key=lambda m: _weight(order, m)) for g in kept]),
        ),
        page="blowups",
        sources=("demailly2001", "howald2001"),
        why=(
            "Letting all terms but the first of each generator tend to 0 can only lower the "
            "threshold (semicontinuity), so the pair of the first terms is a lower bound.",
        ),
    )


def polyhedra(told: Told) -> Words:
    """A polyhedron for every generator."""
    leaves = list(_leaves(told.data["tree"]))
    cells = [leaf for leaf in leaves if "cases" in leaf]
    zeros = [leaf for leaf in cells if any(case["zeros"] for case in leaf["cases"])]
    attained = [leaf["attained"] for leaf in cells if "attained" in leaf]
    text = [
        f"Weights of the variables {quoted(told.names)} are divided by comparing terms of one "
        f"generator with each other, into {len(cells)} cells on which the initial forms that "
        "matter are the same.",
        f"In {len(cells) - len(zeros)} of them these have no common zero with all coordinates not "
        f"0; in {len(zeros)} they may vanish, with independent differentials, and are coordinates "
        "beside the divisors. Each gives a linear programme, and the least of them is "
        f"`λ ≥ {told.node.lower.lam}`.",
    ]
    if "weights" in told.data:
        w = told.data["weights"][0]
        text.append(f"From above: the exponents alone, with weight `v = {tuple_text(w)}`.")
    text += [
        f"From above, at a zero of the initial forms of {told.list(found)}: with weight "
        f"`v = {tuple_text(item['weights'][0])}`, that of the zero last."
        for item in attained
        for found in [[told.generators[i] for i in item["zeros"]]]
    ]
    return Words(
        "Newton polyhedra of the generators",
        tuple(text),
        page="polyhedra",
        sources=("khovanskii1977", "kapranov1991"),
        why=WHY,
    )


def _leaves(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "compare" not in node:
        yield node
        return
    for name in ("less", "equal", "more"):
        yield from _leaves(node[name])


def _weight(order: Sequence[int], m: Sequence[int]) -> int:
    return sum(w * e for w, e in zip(order, m, strict=False))


def _programmes(told: Told, least: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """The common power of outer variables, the programme of the others, and both together."""
    outer = told.data.get("outer", [])
    inner = [name for j, name in enumerate(told.names[: told.locals]) if j not in outer]
    bound = told.node.lower
    said = [
        f"The linear programme in {quoted(inner)}, with weight "
        f"`v = {tuple_text(told.data['weights'][0])}`, gives `λ = {optimum(told.data).lam}`."
    ]
    for j in outer:
        k, h = least[0][j], told.prior[j]
        said.append(
            f"`{told.names[j]}` has the power `{k}` in all of them, a common factor, with prior "
            f"exponent `{h}`: `(1 + {h})/(2·{k}) = {(1 + h) / (2 * k)}`."
        )
    end = f"`λ ≥ {bound.lam}`, and `θ ≤ {bound.theta}` if it is equal"
    said.append(f"{'The least of these counts: ' if outer else 'So '}{end}.")
    return tuple(said)


POLYHEDRA: dict[str, Wording] = {
    "hull": hull,
    "newton": newton,
    "polyhedra": polyhedra,
    "monomials": monomials,
    "initial": initial,
}
