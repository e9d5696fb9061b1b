"""Change one thing in a certificate: it must be refused, or still be a proof of a true claim.

Every kind of leaf that the corpus has is changed in every way, items of every kind of list are
dropped, repeated and swapped, and every kind of key is removed, each in two certificates.  What may
pass is
listed in `harmless`, class by class, with the reason; a change of the question may pass only if
the claim is the answer of the changed question, which is recomputed from scratch.
"""

import copy
import functools
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import corpus
import pytest

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.certificate.rules import RuleScope, rules_about
from rlct.errors import CertificateError, InputError

THEOREMS = ("deep-linear", "deep-linear-rank-paths", "reduced-rank-regression")


#: What a leaf of a tree of cells consists of.
CELLS = {"generators", "positive", "zero", "inside", "signs", "weights", "zeros", "cases"}


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from leaves(item, (*path, k))
    else:
        yield path, value


def containers(value, path=()):
    if isinstance(value, (dict, list)):
        yield path, value
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from containers(item, (*path, key))


def other_values(value):
    """Values of the same look, and of other types."""
    if value is None:
        return ["1/2", 1, ["1/2", 1], False]
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        changed = [value + 1, value - 1, -value - 1, value + 7, value * 2 + 3]
        return [*changed, float(value), str(value), value == 1, None]
    assert isinstance(value, str)
    if re.fullmatch(r"-?\d+(/\d+)?", value):
        number = Fraction(value)
        changed = [number + 1, -number - 1, number / 2 + 1, number * 2 + 1, Fraction(1, 97)]
        if number:
            changed += [-number, 1 / number + 5, Fraction(0)]
        top, bottom = 2 * number.numerator, 2 * number.denominator
        odd_looks = [f"{top}/{bottom}", f" {value}", f"+{value}", f"{float(number)}", ""]
        return [*map(str, changed), *odd_looks, number.numerator, None]
    return [value + "x", "", value.upper() + "0", 1, None]


def kind_of(document, path):
    """What the checker may tell a place by: the rule of its step, the names that lead to it there.

    Positions in lists are left out: the checker treats all steps of a rule alike, all terms of a
    polynomial, all points of a list.
    """
    rule, names = None, ()
    for key in path:
        if isinstance(document, dict):
            if "rule" in document:
                rule, names = document["rule"], ()
            names = (*names, key)
        document = document[key]
    return rule, names


def changes(document):
    """Paths, descriptions and values: all that could stand at one place of a document instead."""
    for path, value in leaves(document):
        # The bounds that a step records are compared with recomputed ones: two changes suffice.
        most = 2 if {"lower", "upper"} & set(path) else None
        for k, new in enumerate(other_values(value)[:most]):
            if new != value or type(new) is not type(value):
                yield path, path, (type(value), k), f"{value!r} → {new!r}", new
    for path, value in containers(document):
        if isinstance(value, dict):
            for key in value:
                less = {k: item for k, item in value.items() if k != key}
                yield path, (*path, key), ("dropped", key), "dropped", less
            continue
        for key, item in enumerate(value):
            ways = {"dropped": value[:key] + value[key + 1 :]}
            ways["repeated"] = [*value[: key + 1], *value[key:]]
            if key and value[key - 1] != item:
                ways["swapped"] = [*value[: key - 1], item, value[key - 1], *value[key + 1 :]]
            for way, new in ways.items():
                yield path, (*path, key), way, way, new


def kinds_of_change(document):
    """All changes, those of one kind together: of one kind of place, in one way."""
    alike = {}
    for change in changes(document):
        alike.setdefault((kind_of(document, change[0]), change[2]), []).append(change)
    return alike


@functools.cache
def chosen_kinds():
    """For each certificate the kinds of change that are tried in it, each kind in two."""
    seen, chosen = Counter(), {}
    for name in corpus.QUESTIONS:
        kinds = kinds_of_change(corpus.certificate(name))
        chosen[name] = {kind for kind in kinds if seen[kind] < 2}
        seen.update(chosen[name])
    return chosen


def mutants(name, document):
    """Pairs of a description (path, kind) and a changed document.

    A kind of change is made at one of its places; which one changes from kind to kind.
    """
    for number, (kind, found) in enumerate(kinds_of_change(document).items()):
        if kind in chosen_kinds()[name]:
            path, place, _, how, new = found[number % len(found)]
            yield (place, how), edited(document, path, new)


def edited(document, path, new):
    """The document with another value at a path; the rest is shared."""
    if not path:
        return new
    first, *rest = path
    changed = copy.copy(document)
    changed[first] = edited(document[first], rest, new)
    return changed


def follow(document, path):
    for key in path:
        document = document[key]
    return document


def without_names(question):
    return {k: v for k, v in question.items() if k != "variables"}


def harmless(original, changed):
    """Why a change that passes leaves a true and proved statement, or None."""
    before, after = original["question"], changed["question"]
    if original["claim"] != changed["claim"]:
        return None
    if before == after:
        return harmless_proof(original["proof"], changed["proof"])
    if without_names(before) == without_names(after):
        return "another name of a variable"
    if original["proof"] == changed["proof"] and agrees(changed):
        return "another question with the same answer and the same proof"
    return None


def harmless_proof(old, new):
    if canonical(old) == canonical(new):
        return "the same evidence in another form"
    changed = [path for path, value in leaves(old) if get(new, path) != (value,)]
    changed += [path for path, _ in leaves(new) if get(old, path) is None]
    names = {part_of(path) for path in changed}
    if all("tree" in path for path in changed) and names <= CELLS:
        return "other numbers for a cell, which prove no less there than the claim needs"
    if names == {"summands"}:
        return "another sign of linear forms in an even power; the checker expands"
    if names == {"signs"}:
        return "other points of one orthant with opposite signs, evaluated by the checker"
    if names == {"matrix"}:
        return "another linear change, made by the checker, with another germ of the same proof"
    if names == {"steps"}:
        return "other fields that preserve the ideal, another order or slice; the checker expands"
    if names == {"smooth"}:
        return "another cell with one smooth zero of a factor, which the checker sees"
    if names == {"crossed"}:
        return "other points in the box where a factor has opposite signs, evaluated too"
    if names == {"combinations"}:
        return "other combinations; the checker sees that their common zeros are finitely many"
    if names == {"theorem"} and new["data"]["theorem"] in THEOREMS:
        return "another theorem on linear networks; the checker computes the pair anyway"
    if names == {"weights"}:
        return "other optimal weights: any that are independent prove θ, and the checker sees that"
    if names == {"weight"}:
        return "another weight of the same face; the checker computes the face from it"
    if names == {"order"}:
        return "other weights; the checker finds the least terms, each unique, itself"
    if names == {"chart"}:
        return "another chart at the same point; the checker derives the germ from it"
    if names == {"point"}:
        return "another point where the units do not vanish, evaluated by the checker"
    if names == {"cofactors"}:
        return "another identity, whose value the checker finds to be a unit"
    if names == {"symmetries"}:
        return "other symmetries, each checked; the charts follow from their orbits"
    if names == {"kept"}:
        return "other generators of the ideal, fewer squares as before; the checker replays them"
    if names == {"line"}:
        return "another line with a real zero, which the checker counts"
    if names == {"coordinates"}:
        return "the sign of a coordinate; the factors still multiply to the generators"
    if names <= {"shift", "scale"}:
        return "another change of coordinates that leads to an ideal with the same proof"
    if names == {"zeros"}:
        return "other units on a stratum, each checked to divide one of the family"
    if names == {"interval"}:
        return "another interval around the same root; the checker counts the roots in it"
    if names == {"data.points.at"}:
        return "another zero in the box, whose germ the checker derives and proves as before"
    if names == {"permutation"}:
        return "another permutation of the variables that leads to the germs of the same leaf"
    if names == {"field"}:
        return "the rows of a nilpotent field in another order"
    if names == {"leaf"}:
        return "another leaf with the same germs"
    if names == {"chain"}:
        return (
            "another chain of as many subspaces, each of which the checker finds to have the pair"
        )
    if names == {"entries"}:
        return "a matrix with rows exchanged; the checker expands its minors"
    if all(name.endswith("children.data.variable") for name in names):
        return "another variable to eliminate, which the checker finds to be linear in a generator"
    if names == {"operations"}:
        return "other operations, each checked, that lead to an ideal with the same proof"
    return None


def canonical(node, name=""):
    """A proof up to changes of form that cannot matter.

    - The order of terms, weights, multipliers, squares, factors, faces, kept generators and
      bounds of an enclosure; a face, field, kept generator or bound given twice, or a generator
      to be split.
    - The order in which generators with independent exponents, or to be split, are named.
    - g or −g in a square or an even power; any multiple of a factor or root whose coefficient
      is left free.
    - A weight without more, the note on an edge all of whose zeros are points of the blow-up.
    """
    if isinstance(node, dict):
        result = {key: canonical(value, key) for key, value in node.items()}
        if node.get("rule") == "enclose":
            result["children"] = unordered(result.get("children", []), once=True)
        if not result.get("faces", True):
            del result["faces"]
        if node.get("rule") in ("independent", "split-terms"):
            chosen = result["data"].get("generators", [])
            once = node["rule"] == "split-terms"
            result["data"] = {**result["data"], "generators": unordered(chosen, once=once)}
        return result
    if not isinstance(node, list):
        return node
    if name == "faces":
        node = [face for face in node if set(face) != {"weight"}]
    if name == "squares":
        node = [[c, up_to_scale(g, sign_only=True)] for c, g in node]
    if name == "factors":
        node = [even_up_to_sign(item) for item in node]
    if name in ("factor", "root", "by") and is_polynomial(node):
        node = up_to_scale(node)
    items = [canonical(item) for item in node]
    if is_polynomial(node) or name in ORDER_IS_FREE:
        return unordered(items, once=name in ("kept", "symmetries", "fields"))
    return items


ORDER_IS_FREE = (
    "weights",
    "multipliers",
    "squares",
    "factors",
    "faces",
    "kept",
    "groups",
    "symmetries",
    "fields",
)


def is_polynomial(node):
    return all(
        isinstance(t, list)
        and len(t) == 2
        and isinstance(t[0], str | list)
        and isinstance(t[1], list)
        for t in node
    )


def unordered(items, *, once):
    ordered = sorted(items, key=repr)
    return [x for k, x in enumerate(ordered) if not (once and k and ordered[k - 1] == x)]


def up_to_scale(terms, *, sign_only=False):
    if not (isinstance(terms, list) and terms):
        return terms
    if not all(isinstance(c, str) for c, _ in terms):
        return sorted(terms, key=repr)  # numbers of a field
    terms = sorted(terms, key=repr)
    lead = Fraction(max(terms, key=lambda term: term[1])[0])
    lead = lead if not sign_only else Fraction(1 if lead > 0 else -1)
    return sorted(([str(Fraction(c) / lead), m] for c, m in terms), key=repr)


def even_up_to_sign(item):
    """A factor of a crossing, [terms, exponent], with the sign that an even power hides."""
    if isinstance(item, list) and len(item) == 2 and isinstance(item[1], int) and item[1] % 2 == 0:
        return [up_to_scale(item[0], sign_only=True), item[1]]
    return item


def part_of(path):
    """Name of the evidence that a path of the proof belongs to."""
    names = [key for key in path if isinstance(key, str)]
    if "tree" in names:
        return names[-1]
    free = ("signs", "theorem", "operations", "weights", "weight", "chart", "point", "line")
    free += ("shift", "scale", "zeros", "coordinates", "interval", "symmetries", "cofactors")
    free += ("order", "matrix", "steps", "crossed", "combinations")
    free += ("chain", "entries", "smooth", "kept", "permutation", "field", "leaf", "summands")
    known = [key for key in names if key in free]
    return known[0] if known else ".".join(names)


def get(document, path):
    """The value at a path, in a tuple; None if there is no such path."""
    try:
        return (follow(document, path),)
    except (KeyError, IndexError, TypeError):
        return None


def agrees(document):
    """Recompute a changed question from scratch and compare with the claim."""
    question, claim = document["question"], document["claim"]
    if question["kind"] == "linear-network":
        found = rlct.linear(
            question["widths"],
            question["rank"],
            question["bias"],
            input_rank=question["input_rank"],
        )
    else:
        ring = make_ring(question["variables"])
        texts = [
            ring.from_dict(
                {
                    tuple(m): ring.domain(Fraction(c).numerator, Fraction(c).denominator)
                    for c, m in g
                }
            ).as_expr()
            for g in question["generators"]
        ]
        prior = dict(zip(question["variables"], map(Fraction, question["prior"]), strict=True))
        used = {str(s) for t in texts for s in t.free_symbols}
        prior = {n: h for n, h in prior.items() if n in used}
        if question["kind"] == "box":
            sides = dict(zip(question["variables"], question["sides"], strict=True))
            ask = rlct.ideal if question["ideal"] else rlct.poly
            given = texts if question["ideal"] else texts[0]
            over = {n: tuple(s) for n, s in sides.items() if n in used}
            found = ask(given, prior=prior, over=over, timeout=2)
        else:
            point = [coordinate(a, question.get("field")) for a in question["point"]]
            at = dict(zip(question["variables"], point, strict=True))
            at = {n: a for n, a in at.items() if n in used}
            walls = zip(question["variables"], question["nonneg"], strict=True)
            nonneg = [n for n, wall in walls if wall and n in used]
            # A certificate proves the pair of |K| = √(K²), whatever the sign of K.
            double = question["kind"] == "K"
            found = rlct.ideal(texts, at=at, prior=prior, nonneg=nonneg, timeout=2)
            if double:
                lam = None if found.lam is None else 2 * found.lam
                top = None if found.upper is None else 2 * found.upper
                return compatible(claim, lam, found.theta, 2 * found.lower, top)
    return compatible(claim, found.lam, found.theta, found.lower, found.upper)


def coordinate(data, field):
    """A coordinate as text; irrational ones are polynomials in the root that is the field."""
    if isinstance(data, str):
        return data
    modulus = "+".join(f"({c})*t^{k}" for k, c in enumerate(field["minimal"]))
    gamma = f"root({modulus}, {'..'.join(field['interval'])})"
    return "+".join(f"({c})*{gamma}^{k}" for k, c in enumerate(data))


def compatible(claim, lam, theta, lower, upper):
    if claim["status"] == "exact" and theta is not None:
        return (Fraction(claim["lambda"]), claim["theta"]) == (lam, theta)
    low = max(lower, Fraction(claim["lower"]))
    tops = [upper, None if claim["upper"] is None else Fraction(claim["upper"])]
    return all(top is None or low <= top for top in tops)


@pytest.mark.slow
def test_the_corpus_uses_every_rule(monkeypatch):
    """Each rule where it stands: of a germ, of a family, of a box."""
    used = set()

    def noted(kind, name, replay):
        def applied(*arguments):
            used.add((kind, name))
            return replay(*arguments)

        return applied

    scopes = (
        RuleScope.GERM,
        RuleScope.FAMILY,
        RuleScope.BOX,
        RuleScope.CELL,
        RuleScope.LEAF,
        RuleScope.END,
    )
    kinds = {scope: rules_about(scope) for scope in scopes}
    for kind, rules in kinds.items():
        for name, rule in rules.items():
            monkeypatch.setitem(rules, name, replace(rule, replay=noted(kind, name, rule.replay)))
    for name in corpus.QUESTIONS:
        rlct.verify(corpus.certificate(name))
    unused = {(kind, name) for kind, rules in kinds.items() for name in rules} - used
    # Nothing encloses a family today; that rule is the one for germs.
    assert unused <= {(RuleScope.FAMILY, "enclose")}
    written = {
        rule
        for name in corpus.QUESTIONS
        for rule in corpus.rules_of(corpus.certificate(name)["proof"])
    }
    assert written >= {"enclose", "theorem"}
    text = json.dumps([corpus.certificate(name) for name in corpus.QUESTIONS])
    for evidence in ("cofactors", "signs", "divide", "subtract"):
        assert f'"{evidence}"' in text


@pytest.mark.study
@pytest.mark.parametrize("name", corpus.QUESTIONS)
def test_every_change_is_refused_or_harmless(name):
    original = corpus.certificate(name)
    assert rlct.verify(original)
    refused, passed = 0, []
    for (path, how), changed in mutants(name, original):
        try:
            rlct.verify(changed)
        except CertificateError:
            refused += 1
            continue
        except InputError as error:
            pytest.fail(f"{path} {how}: {error!r}")
        # The claim and the bounds that every step records are recomputed: no exception there.
        recorded = path[0] == "claim" or "lower" in path or "upper" in path
        if recorded or harmless(original, changed) is None:
            passed.append(f"{path} {how}")
    assert not passed
    assert refused >= len(chosen_kinds()[name]) / 2


@pytest.mark.slow
def test_all_kinds_of_change_are_tried():
    """Of the parts that all certificates have, of a rule and of a tree of cells."""
    tried = set().union(*chosen_kinds().values())
    assert len(tried) > 5000
    rules = {rule for (rule, _), _ in tried}
    assert rules >= {None, "theorem", "blowup", "newton", "everywhere", "stratify"}


@pytest.mark.slow
def test_the_questions_of_the_corpus_cannot_be_exchanged():
    certificates = {name: corpus.certificate(name) for name in corpus.QUESTIONS}
    for name, one in certificates.items():
        for other, two in certificates.items():
            if name == other or one["question"] == two["question"]:
                continue
            forged = {**copy.deepcopy(one), "question": two["question"]}
            try:
                rlct.verify(forged)
            except (CertificateError, rlct.errors.TooLargeError):
                continue
            assert agrees(forged), (name, other)
