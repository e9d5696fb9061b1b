"""False proofs that are consistent: the bounds that a proof records are filled in after an edit.

What the checker then refuses, it refuses because of the edit and not because of a number that no
longer fits; what it accepts, it would accept from a forger.
"""

import json
from contextlib import contextmanager

import pytest
import sympy

import rlct
from rlct.answers.document import claim
from rlct.certificate import entries
from rlct.certificate import verify as checker
from rlct.engine.germs.leaves import encode_programme
from rlct.errors import CertificateError
from rlct.newton.linear_program import monomial_optimum
from rlct.proof.encode import encode_polynomial


def copied(document):
    """A deep copy without anything shared."""
    return json.loads(json.dumps(document))


def with_entries(document, lam=None, evidence=None, **entries):
    """Change the question, the evidence of its proof, or the value of λ everywhere."""
    changed = copied(document)
    changed["proof"]["data"].update(evidence or {})
    changed["question"].update(entries)
    if lam:
        changed["claim"].update({"lambda": lam, "lower": lam, "upper": lam})
        changed["proof"].update({"lower": [lam, 1], "upper": [lam, 1]})
    return changed


class Recorded(entries.Document):
    """A document whose bounds and claims are written and not read."""

    def check_all_read(self):
        for found in self._objects:
            found.keys_read |= {"lower", "upper", "status", "lambda", "theta"}
        super().check_all_read()


@contextmanager
def recording():
    """Let the checker write bounds and claims, into the copies that it makes of documents."""
    made = []

    def document(data):
        made.append(Recorded(data))
        return made[-1]

    def record(node, bounds, where):
        for key, found in zip(("lower", "upper"), bounds, strict=True):
            node[key] = None if found is None else [str(found.lam), found.theta]

    def write(old, bounds):
        old.clear()
        old.update(claim(*bounds))

    kept = checker._compare, checker._check_claim, checker.Document
    checker._compare, checker._check_claim, checker.Document = record, write, document
    try:
        yield made
    finally:
        checker._compare, checker._check_claim, checker.Document = kept


def consistent(document):
    """The document with the bounds and the claim that its own proof gives.

    Raises what the checker raises if some step is refused.
    """
    with recording() as made:
        checker.verify(document)
    document = copied(made[-1].root)
    assert checker.verify(document)
    return document


def refused(document, message):
    """Assert that the checker refuses a proof, and that it says why."""
    with pytest.raises(CertificateError, match=message):
        consistent(document)


def steps(step):
    """All steps of a proof."""
    yield step
    for child in step.get("children", []):
        yield from steps(child)


def node(rule, data=None, *children):
    """A step whose bounds `consistent` fills in."""
    found = {"rule": rule, "lower": None, "upper": None}
    if data:
        found["data"] = data
    if children:
        found["children"] = list(children)
    return found


def polynomial(text, names):
    """Terms of a polynomial in the variables of a statement, given by names in their order."""
    ring = sympy.ring(names, sympy.QQ)[0]
    return encode_polynomial(ring.from_expr(sympy.expand(sympy.sympify(text))))


def monomial(exponents, prior=None):
    """The step that ends a proof at monomials."""
    optimum = monomial_optimum(exponents, prior or [0] * len(exponents[0]))
    return node("monomial", encode_programme(optimum, [list(e) for e in exponents]))


def hull(exponents, prior=None):
    """Evidence of bounds from exponents alone."""
    return monomial(exponents, prior)["data"]


def germ_proof(generators, names, **options):
    """What the engine proves about a germ in these variables, in this order."""
    document = copied(rlct.ideal(generators, **options).certificate)
    assert document["question"]["variables"] == list(names)
    return document["proof"]


def without_zeros(squares, names, child):
    """Split off the zeros of a sum of squares that has none."""
    terms = [[c, polynomial(h, names)] for c, h in squares]
    total = "+".join(f"({c})*({h})**2" for c, h in squares)
    evidence = {"none": {"sign": 1, "squares": terms}}
    return node("stratify", {"by": polynomial(total, names), "zeros": evidence}, child)
