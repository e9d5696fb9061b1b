"""Compare reference values with Macaulay2 where the complex threshold is the real one.

    python validation/oracles/macaulay.py

Monomial ideals without prior or walls, and real hyperplane arrangements: there both agree, and
the package MultiplierIdeals computes the threshold (never θ). One process for all cases.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

CORPUS_FILE = Path(__file__).parent.parent / "reference" / "engine.json"
LIMIT_SECONDS = 300


def line(case: dict[str, object]) -> str | None:
    """Return the Macaulay2 line for a case, None where the comparison does not apply."""
    if case["options"]:
        return None
    if str(case["id"]).startswith("planes_"):
        inner = re.fullmatch(r"\((.*)\)\*\*2", str(case["expr"]))
        assert inner
        forms = []
        for form, power in re.findall(r"(\([^()]*\))(?:\*\*(\d))?", inner[1]):
            forms += [form] * int(power or 1)
        names = sorted(set(re.findall(r"[a-z]", inner[1])))
        ring = f"QQ[{','.join(names)}]"
        value = f"logCanonicalThreshold arrangement({{{','.join(forms)}}},R)"
        return f'R = {ring}; print("{case["id"]} " | toString {value});'
    generators = case.get("generators")
    if not isinstance(generators, list) or any(re.search(r"[-+(]", g) for g in generators):
        return None
    names = sorted({n for g in generators for n in re.findall(r"[a-z]\w*", g)})
    number = {name: f"v_{i}" for i, name in enumerate(names, 1)}
    text = ",".join(re.sub(r"[a-z]\w*", lambda m: number[m[0]], g) for g in generators)
    value = f"logCanonicalThreshold monomialIdeal({text.replace('**', '^')})"
    return f'R = QQ[v_1..v_{len(names)}]; print("{case["id"]} " | toString {value});'


def main() -> int:
    """Print one line a case; exit code 1 if one disagrees, 2 without Macaulay2."""
    if shutil.which("M2") is None:
        print("Macaulay2 is not installed: there is no command M2", file=sys.stderr)
        return 2
    corpus = {c["id"]: c for c in json.loads(CORPUS_FILE.read_text(encoding="utf-8"))}
    lines = [text for case in corpus.values() if (text := line(case))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.m2"
        head = 'needsPackage "HyperplaneArrangements";\nneedsPackage "MultiplierIdeals";\n'
        path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        done = subprocess.run(
            ["M2", "--script", str(path)], capture_output=True, text=True, timeout=LIMIT_SECONDS
        )
    if done.returncode:
        print(done.stderr)
        return 1
    answers = dict(row.split() for row in done.stdout.splitlines())
    wrong = 0
    for name, text in answers.items():
        agree = Fraction(text) / 2 == Fraction(corpus[name]["lambda"])
        wrong += not agree
        half = Fraction(text) / 2
        print(f"{name:<24} reference {corpus[name]['lambda']:>5}   half the lct {half}   {agree}")
    print(f"{len(answers)} of {len(lines)} compared, {wrong} disagree")
    return int(bool(wrong) or len(answers) < len(lines))


if __name__ == "__main__":
    raise SystemExit(main())
