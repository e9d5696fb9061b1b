"""Random derivations that the checker accepts, against pairs that are known without it.

Run ``python validation/derivations/run.py --seed 1 --count 100000``.  Trees of the checker's own
rules are grown over questions whose least pair is a linear programme in exponents
(`tests/certificate/derivations.py`, `known_pairs.py`); `rlct verify` replays each, and its claim is
compared.  ``results.json`` holds the counts, of which `false` has to be 0.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "certificate")]

from carried_zeros import false_nodes  # noqa: E402
from derivations import derivations, falsehood  # noqa: E402

from rlct.certificate.verify import verify  # noqa: E402
from rlct.errors import CertificateError, InputError  # noqa: E402


def rules_of(step: Mapping[str, Any]) -> Iterator[str]:
    """Rules of a proof."""
    yield step["rule"]
    for child in step.get("children", []):
        yield from rules_of(child)


def counted(seed: int, count: int) -> tuple[Counter[str], Counter[str], list[dict[str, Any]]]:
    """Counts, rules, and documents of which the claim is false."""
    totals: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    false, seen = [], set()
    for k, known, grower, document, (lower, upper) in derivations(seed):
        try:
            verify(document)
        except (CertificateError, InputError):
            totals["refused"] += 1
            continue
        totals["accepted"] += 1
        text = json.dumps([document["question"], document["proof"]])
        seen.add(hashlib.sha256(text.encode()).digest()[:12])
        rules.update(rules_of(document["proof"]))
        lam, theta = known.least
        scale = 1 if known.is_ideal or known.squares else 2
        totals["lower is the least pair"] += (lower.lam, lower.theta) == (lam * scale, theta)
        totals["with an upper bound"] += upper is not None
        totals["exact"] += lower == upper
        compared, complaints = false_nodes(known, grower.nodes)
        totals["bounds of cells compared"] += compared
        reason = falsehood(known, (lower, upper)) or next(iter(complaints), None)
        if reason:
            false.append({"question": k, "reason": reason, "document": document})
            print(reason, json.dumps(document), flush=True)
        if totals["accepted"] % 10_000 == 0:
            print(dict(totals), flush=True)
        if totals["accepted"] == count:
            totals["questions"] = k + 1
            break
    totals["different"] = len(seen)
    totals["false"] = len(false)
    return totals, rules, false


def main() -> None:
    """Write the results."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--report", type=Path, default=RESULTS)
    options = parser.parse_args()
    began = time.process_time()
    totals, rules, false = counted(options.seed, options.count)
    report = {
        "seed": options.seed,
        "counts": dict(sorted(totals.items())),
        "rules": dict(rules.most_common()),
        "false": false,
        "processor_seconds": round(time.process_time() - began),
        "versions": {"python": platform.python_version(), "rlct": version("rlct")},
    }
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    options.report.write_text(text, "utf-8")
    sys.exit(1 if false else 0)


if __name__ == "__main__":
    main()
