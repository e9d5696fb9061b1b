"""Whether a proof that holds also shows K ≥ 0; else it is one about |K|."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from rlct.certificate.boxes.plane_box import powers_of_factors
from rlct.certificate.numbers.arithmetic import Poly, read_polynomial
from rlct.certificate.question import statement
from rlct.certificate.rules import CheckedRule, RuleScope, Sign, rules_about


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
        K, *_ = (read_polynomial(g, len(question["variables"])) for g in question["generators"])
        return bool(question["ideal"]) or Sign.NONNEGATIVE in _sign_in_a_box(K, proof)
    sign = _sign(proof) if question["kind"] == "K" else Sign.NONNEGATIVE
    if Sign.NONNEGATIVE in sign:
        return True
    (K,) = statement(question).generators
    # The term that dominates on some curve in each orthant.
    exponents = min(K)
    is_positive = K[exponents] > 0 and not any(e % 2 for e in exponents)
    return is_positive and Sign.NOWHERE_ZERO in sign


def _sign(step: Mapping[str, Any]) -> Sign:
    """What a step shows of a germ."""
    rule = rules_about(RuleScope.GERM)[step["rule"]]
    return _shown(rule, step, map(_sign, step.get("children", [])))


def _shown(rule: CheckedRule, step: Mapping[str, Any], below: Iterable[Sign]) -> Sign:
    """What a step shows, by its rule; steps below are asked only where that matters."""
    if not isinstance(rule.sign, Sign):
        return rule.sign(step, below)
    return rule.sign | reduce(or_, below, Sign.OPEN) & rule.keeps if rule.keeps else rule.sign


def _sign_in_a_box(K: Poly, step: Mapping[str, Any]) -> Sign:
    """What a step shows over a box, if its factors multiply to K up to a positive number."""
    if all(c > 0 and not any(e % 2 for e in m) for m, c in K.items()):
        return Sign.NONNEGATIVE
    rule, width = rules_about(RuleScope.BOX)[step["rule"]], len(max(K))
    powers = [(read_polynomial(p, width), m) for p, m in powers_of_factors(step)]
    if powers and not _positive_multiple(K, powers):
        return Sign.OPEN
    children = step.get("children", [])
    parts = [K] * len(children)
    if powers and "groups" in step["data"]:
        pairs = zip(powers, step["data"]["groups"], strict=True)
        parts = [{tuple(m[i] for i in group): c for m, c in f.items()} for (f, _), group in pairs]
    return _shown(rule, step, map(_sign_in_a_box, parts, children))


def _positive_multiple(K: Poly, powers: Sequence[tuple[Poly, int]]) -> bool:
    """Whether K is a positive multiple of a product that is known to divide it."""
    leads = [(max(p), p[max(p)], m) for p, m in powers]
    lead = tuple(sum(m * e[i] for e, _, m in leads) for i in range(len(max(K))))
    negative = sum(m for _, c, m in leads if c < 0) % 2
    return lead == max(K) and (K[lead] < 0) == bool(negative)
