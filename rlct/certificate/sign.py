"""Whether a proof that holds also shows K ≥ 0; else it is one about |K|."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.numbers.arithmetic import Poly, read_fraction, read_polynomial
from rlct.certificate.question import statement

Side = tuple[Fraction, Fraction]


def shows_sign(document: Mapping[str, Any]) -> bool:
    """Read from a verified certificate whether K ≥ 0, near the point or in the box.

    K is a sum of squares, or a product of such with a positive number at the point; or all its
    factors have even exponents, or are definite; or it has no zero near the point outside the
    planes x_i = 0, and then the sign of any vertex of its Newton polyhedron, which is that of a
    square.

    >>> import rlct
    >>> both = "(x-y**2)**2", "(x**2-x*y+y**2+y**5)*(z**4-z**2*w+w**2+z**6)"
    >>> [shows_sign(rlct.poly(K).certificate) for K in both]
    [True, False]
    """
    question, proof = document["question"], document["proof"]
    if question["kind"] == "box":
        width = len(question["variables"])
        K, *_ = (read_polynomial(g, width) for g in question["generators"])
        sides = [(read_fraction(a), read_fraction(b)) for a, b in question["sides"]]
        return bool(question["ideal"]) or _in_a_box(K, sides, proof)
    return question["kind"] != "K" or _squares(proof) or _without_zeros(question, proof)


def _squares(proof: Mapping[str, Any]) -> bool:
    """Whether K is a sum of squares, or a product of such with a unit that is positive."""
    if proof["rule"] == "enclose":
        return any(map(_squares, proof["children"]))
    if proof["rule"] == "product":
        return _positive_unit(proof) and all(map(_squares, proof["children"]))
    if proof["rule"] == "modulus" and proof["children"][0]["rule"] == "arrangement":
        (child,) = proof["children"]
        even = all(not q["degree"] * q["exponent"] % 2 for q in child["data"]["factors"])
        return even and "field" not in child["data"] and _positive_unit(child)
    return bool(proof["rule"] == "squares")


def _positive_unit(proof: Mapping[str, Any]) -> bool:
    """Whether the unit of a product is positive at the point."""
    return any(not any(m) and _number(c) > 0 for c, m in proof["data"]["unit"])


def _number(data: Any) -> Fraction:
    """A rational of a product; another number counts as 0."""
    return read_fraction(data) if isinstance(data, str) else Fraction(0)


def _without_zeros(question: Mapping[str, Any], proof: Mapping[str, Any]) -> bool:
    (K,) = statement(question).generators
    return _positive_vertex(K) and _vanishes_nowhere(proof)


def _positive_vertex(K: Poly) -> bool:
    """Whether the term that dominates on some curve in each orthant is positive."""
    exponents = min(K)
    return K[exponents] > 0 and not any(e % 2 for e in exponents)


def _vanishes_nowhere(proof: Mapping[str, Any]) -> bool:
    """Whether K ≠ 0 near the point wherever all coordinates are non-zero."""
    children = proof.get("children", [])
    if proof["rule"] in ("modulus", "positive", "simplify", "power", "product"):
        return all(map(_vanishes_nowhere, children))
    if proof["rule"] == "newton":
        faces = proof["data"].get("faces", [])
        return not children and not any("rank" in face or "order" in face for face in faces)
    return bool(proof["rule"] == "monomial")


def _in_a_box(K: Poly, sides: Sequence[Side], proof: Mapping[str, Any]) -> bool:
    """Squares, terms of one sign, or a positive multiple of a product of factors like that."""
    rule, data = proof["rule"], proof.get("data", {})
    if rule == "enclose":
        return any(_in_a_box(K, sides, child) for child in proof["children"])
    # `positive` is a rule for K ≥ 0.
    even_terms = all(c > 0 and not any(e % 2 for e in m) for m, c in K.items())
    if even_terms or rule in ("squares", "positive"):
        return True
    if rule == "product":
        return _product_in_a_box(K, sides, proof)
    if rule == "univariate-factors":
        powers = [(item["factor"], item["exponent"]) for item in data["factors"]]
    elif rule in ("plane", "cells", "everywhere"):
        powers = data.get("factors", [])
    else:
        return False
    even = all(m % 2 == 0 for _, m in powers)
    return even and _positive_multiple(K, [(read_polynomial(p, len(sides)), m) for p, m in powers])


def _product_in_a_box(K: Poly, sides: Sequence[Side], proof: Mapping[str, Any]) -> bool:
    """A positive multiple of factors in variables of their own, each nowhere negative."""
    data = proof["data"]
    factors = [read_polynomial(f, len(sides)) for f in data["factors"]]
    if not _positive_multiple(K, [(f, 1) for f in factors]):
        return False
    for f, group, child in zip(factors, data["groups"], proof["children"], strict=True):
        inner = {tuple(m[i] for i in group): c for m, c in f.items()}
        if not _in_a_box(inner, [sides[i] for i in group], child):
            return False
    return True


def _positive_multiple(K: Poly, powers: Sequence[tuple[Poly, int]]) -> bool:
    """Whether K is a positive multiple of a product that is known to divide it."""
    leads = [(max(p), p[max(p)], m) for p, m in powers]
    lead = tuple(sum(m * e[i] for e, _, m in leads) for i in range(len(max(K))))
    negative = sum(m for _, c, m in leads if c < 0) % 2
    return lead == max(K) and (K[lead] < 0) == bool(negative)
