"""Certificates of questions as people ask them, their witnesses, and edits of these.

``python tests/kernel/witnesses.py --count 100000 --seed 0`` edits witnesses and looks for a false
bound; with ``--binary FILE`` the proved checker must say the same.  It writes what was found to
``validation/kernel/results.json`` if ``--save`` is given.
"""

import argparse
import copy
import json
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import rlct
from rlct.errors import InputError
from rlct.kernel.algebra import STEP_BUDGET, read
from rlct.kernel.verdict import judge, prove
from rlct.witness.export import export
from rlct.witness.terms import NotCoveredError

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "validation" / "kernel" / "results.json"
LONG = {"hidden_a6_both"}  # its witness takes seconds: left out where thousands are checked


def reference_certificates():
    """Certificates of the polynomials with known pairs: names, certificates."""
    cases = json.loads((ROOT / "validation" / "reference" / "engine.json").read_text("utf-8"))
    for case in cases:
        if case["kind"] == "poly":
            answer = rlct.poly(case["expr"], timeout=20, **case["options"])
            yield case, json.loads(json.dumps(answer.certificate))


def _sum_of_terms(generator, names, count, degree):
    terms = []
    for _ in range(count):
        exponents = [0] * len(names)
        for _ in range(generator.randint(1, degree)):
            exponents[generator.randrange(len(names))] += 1
        powers = (f"{x}**{e}" for x, e in zip(names, exponents, strict=True) if e)
        terms.append(generator.choice(["", "-", "2*"]) + "*".join(powers))
    return "+".join(terms)


def random_certificates(count, seed):
    """Certificates of exact answers to small random questions, half of them ideals."""
    generator = random.Random(seed)
    found = []
    while len(found) < count:
        names = ["x", "y", "z", "w"][: generator.choice([2, 3, 3, 4])]
        if generator.random() < 0.5:
            g = _sum_of_terms(generator, names, generator.randint(2, 4), 4)
            ask, question = rlct.poly, f"({g})**2"
        else:
            sizes = [generator.randint(1, 3) for _ in range(generator.randint(2, 4))]
            ask, question = rlct.ideal, [_sum_of_terms(generator, names, k, 3) for k in sizes]
        try:
            answer = ask(question, timeout=10)
        except InputError:  # K is 0
            continue
        if answer.status == "exact":
            found.append(json.loads(json.dumps(answer.certificate)))
    return found


def exported(certificates):
    """Witnesses, as far as there are any."""
    for certificate in certificates:
        try:
            yield json.loads(json.dumps(export(certificate)))
        except NotCoveredError:
            continue


def _places(node, keys=()):
    """Where numbers and flags stand in a witness."""
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in entries:
        if isinstance(value, (dict, list)):
            yield from _places(value, (*keys, key))
        if isinstance(value, (int, str)) and key != "rule":
            yield (*keys, key)


def _number(generator, value):
    new = generator.choice([value + 1, value - 1, 0, -value, 2 * value, value + 2])
    return new if value != new else value + 3


def edited(document, generator):
    """Change one thing of a proof: a number, a flag, or two numbers swapped."""
    document = copy.deepcopy(document)
    places = list(_places(document["proof"]))

    def parent(keys):
        node = document["proof"]
        for key in keys[:-1]:
            node = node[key]
        return node, keys[-1]

    node, key = parent(generator.choice(places))
    value = node[key]
    if isinstance(value, bool):
        node[key] = not value
    elif generator.random() < 0.2:
        second, place = parent(generator.choice(places))
        if type(second[place]) is type(value):
            node[key], second[place] = second[place], value
    elif isinstance(value, int):
        node[key] = abs(_number(generator, value))
    else:
        node[key] = str(_number(generator, Fraction(value)))
    return document


def outcome(document):
    """What an edited witness gives beside the pair that is true: refused, weaker, same or FALSE."""
    truth, _ = ((Fraction(end[0]), -end[1]) for end in document["claim"])
    STEP_BUDGET.steps = 1_000_000
    try:
        data = read(document)
        lower, upper = prove(data.question, data.proof)
    except Exception:  # judge says which errors refuse
        return "refused"
    if (lower and lower > truth) or (upper and upper < truth):
        return "FALSE"
    return "same" if lower == upper == truth else "weaker"


def ask_binary(binary, documents):
    """Verdicts of the proved checker."""
    text = "\n".join(map(json.dumps, documents))
    done = subprocess.run([binary], input=text, capture_output=True, text=True, check=True)
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--binary", help="the proved checker, as `make kernel` builds it")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    start, generator = time.monotonic(), random.Random(options.seed)
    reference = (c for case, c in reference_certificates() if case["id"] not in LONG)
    documents = [*exported(reference), *exported(random_certificates(160, options.seed))]
    # Each witness is true before it is edited, so that its claim is the truth.
    documents = [document for document in documents if judge(document).word == "exact"]
    edits = (edited(generator.choice(documents), generator) for _ in range(options.count))
    if options.binary:
        edits = list(edits)  # which both checkers read
    counts = Counter(map(outcome, edits))
    record = {"edits": options.count, "seed": options.seed, "witnesses": len(documents)}
    record |= {"outcomes": dict(sorted(counts.items()))}
    if options.binary:
        ours = [judge(document).word for document in edits]
        theirs = ask_binary(options.binary, edits)
        assert len(ours) == len(theirs)
        record["compared"] = len(ours)
        record["different"] = sum(a != b for a, b in zip(ours, theirs, strict=True))
        for document, a, b in zip(edits, ours, theirs, strict=True):
            if a != b:
                print(a, b, json.dumps(document)[:2000], file=sys.stderr)
    record |= {"python": platform.python_version(), "rlct": rlct.__version__}
    record |= {
        "command": " ".join(["python", *sys.argv]),
        "seconds": round(time.monotonic() - start),
    }
    print(json.dumps(record, indent=1))
    if options.save:
        kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
        kept["compared" if options.binary else "edited"] = record
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(counts["FALSE"] > 0 or record.get("different", 0) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
