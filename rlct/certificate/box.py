"""The checker on questions over a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.arithmetic import Poly, degree, fraction, multiply, power, read, scale, shift
from rlct.certificate.field import Number
from rlct.certificate.univariate import Dense, derivative, gcd, has_root_between
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["replay"]

Bounds = tuple[Pair, Pair | None]
#: Solves a local question (a question of kind "K" or "ideal") with the proof of a child.
Local = Callable[[Mapping[str, Any], Mapping[str, Any]], Bounds]


def replay(question: Mapping[str, Any], proof: Mapping[str, Any], local: Local) -> Bounds:
    """Recompute the bounds of a question over a box."""
    width = len(question["variables"])
    generators = [read(g, width) for g in question["generators"]]
    prior = [fraction(h) for h in question["prior"]]
    sides = [(fraction(a), fraction(b)) for a, b in question["sides"]]
    ideal = question["ideal"]
    if not (len(prior) == len(sides) == width and type(ideal) is bool):
        raise CertificateError("box: prior and sides need one entry per variable")
    if min(prior) < 0 or any(a >= b for a, b in sides) or not all(generators):
        raise CertificateError("box: an interval is empty or a prior exponent negative")
    if not generators or (len(generators) > 1 and not ideal):
        raise CertificateError("box: K is one polynomial")
    if proof["rule"] == "univariate-factors":
        if len(generators) != 1:
            raise CertificateError("box: more than one generator")
        pair = _factors(generators[0], prior, sides, 2 if ideal else 1, proof["data"]["factors"])
        return pair, pair
    if proof["rule"] == "points":
        return _points(question, generators, prior, sides, proof, local)
    raise CertificateError(f"box: unknown rule {proof['rule']!r}")


def _factors(
    f: Poly,
    prior: Sequence[Fraction],
    sides: Sequence[tuple[Fraction, Fraction]],
    doubling: int,
    items: Sequence[Mapping[str, Any]],
) -> Pair:
    """K = c·Π p(x_i)^m with coprime squarefree p: a zero may combine any of their roots."""
    width = len(prior)
    whole: Poly = {(0,) * width: Fraction(1)}
    seen: dict[int, Dense] = {}
    best: dict[int, Pair] = {}
    for item in items:
        i, m = item["variable"], item["exponent"]
        p = read(item["factor"], width)
        if type(i) is not int or not 0 <= i < width or type(m) is not int or m < 1:
            raise CertificateError("box: a factor has no variable or no exponent")
        if not p or any(e for q in p for k, e in enumerate(q) if k != i):
            raise CertificateError("box: a factor depends on several variables")
        if m * degree(p) > degree(f):
            raise CertificateError("box: the degree of a factor is too high")
        whole = multiply(whole, power(p, m, width))
        places = {q[i]: c for q, c in p.items()}
        dense = [places.get(k, Fraction(0)) for k in range(max(places) + 1)]
        if len(gcd([dense, derivative(dense)])) != 1:
            raise CertificateError("box: a factor is not squarefree")
        if i in seen and len(gcd([dense, seen[i]])) != 1:
            raise CertificateError("box: two factors share a root")
        seen[i] = _times(seen.get(i, [Fraction(1)]), dense)
        low, high = sides[i]
        candidates = []
        if dense[0] == 0 and low <= 0 <= high:
            candidates.append(Pair((1 + prior[i]) / (doubling * m), 1))
        if has_root_between(dense[1:] if dense[0] == 0 else dense, low, high):
            candidates.append(Pair(Fraction(1, doubling * m), 1))
        if candidates:
            best[i] = min([*candidates, *([best[i]] if i in best else [])])
    lead = max(f)
    if scale(whole, f[lead] / whole.get(lead, Fraction(1))) != f:
        raise CertificateError("box: the factors do not multiply to K")
    if not best:
        raise CertificateError("box: K has no zero in the box")
    first, *others = best.values()
    for pair in others:
        first = first * pair
    return first


def _times(p: Dense, q: Dense) -> Dense:
    result: list[Number] = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


def _points(
    question: Mapping[str, Any],
    generators: Sequence[Poly],
    prior: Sequence[Fraction],
    sides: Sequence[tuple[Fraction, Fraction]],
    proof: Mapping[str, Any],
    local: Local,
) -> Bounds:
    """1/deg K below, the pair of a zero in the box above."""
    least = min(max(sum(m) for m in g) for g in generators)
    lower = Pair(Fraction(1, (2 if question["ideal"] else 1) * least), 1)
    points, children = proof["data"]["points"], proof.get("children", [])
    if len(points) != len(children):
        raise CertificateError("box: as many points as proofs are needed")
    uppers = []
    for (texts, mirrored), child in zip(points, children, strict=True):
        point = [fraction(a) for a in texts]
        if len(point) != len(sides) or len(mirrored) != len(sides):
            raise CertificateError("box: a point has the wrong length")
        moved = []
        for a, mirror, (low, high) in zip(point, mirrored, sides, strict=True):
            if not low <= a <= high or mirror is not (a == high):
                raise CertificateError("box: a point is outside, or not mirrored at a wall")
            moved.append(-1 if mirror else 1)
        shifted = [
            {m: c * _sign(m, moved) for m, c in g.items()}
            for g in (shift(generator, point) for generator in generators)
        ]
        inner = {
            "kind": "ideal" if question["ideal"] else "K",
            "variables": question["variables"],
            "generators": [[[str(c), list(m)] for m, c in g.items()] for g in shifted],
            "prior": [str(h) if a == 0 else "0" for h, a in zip(prior, point, strict=True)],
            "point": ["0"] * len(point),
            "nonneg": [a in side for a, side in zip(point, sides, strict=True)],
        }
        inner["powers"] = [2 if wall else 1 for wall in inner["nonneg"]]
        _, upper = local(inner, child)
        if upper is not None:
            uppers.append(upper)
    return lower, min(uppers) if uppers else None


def _sign(exponents: Sequence[int], signs: Sequence[int]) -> int:
    return -1 if sum(e for e, s in zip(exponents, signs, strict=True) if s < 0) % 2 else 1
