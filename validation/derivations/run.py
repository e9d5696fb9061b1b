"""Random derivations that the checker accepts, against pairs that are known without it.

Run ``python validation/derivations/run.py --seed 1 --count 100000 --log FILE``.  Trees of the
checker's own rules are grown over questions whose least pair is a linear programme in exponents
(`tests/certificate/derivations.py`, `known_pairs.py`); `rlct verify` replays each, and its claim is
compared.  ``results.json`` holds the counts, of which `false` has to be 0.
"""

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
BLOCK_SIZE = 5_000  # derivations of one seed
RESULTS_FILE = Path(__file__).with_name("results.json")
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "certificate")]

from carried_zeros import false_nodes  # noqa: E402
from derivations import derivations, falsehood  # noqa: E402

from rlct.certificate.verify import verify  # noqa: E402
from rlct.errors import CertificateError, InputError  # noqa: E402
from validation.records import append_log, read_log, write_json  # noqa: E402


def rules_of(step: Mapping[str, Any]) -> Iterator[str]:
    """Rules of a proof."""
    yield step["rule"]
    for child in step.get("children", []):
        yield from rules_of(child)


def block(seed: int, number: int, count: int) -> dict[str, Any]:
    """Counts, rules, and documents of which the claim is false, of some accepted derivations."""
    began = time.process_time()
    totals: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    false, seen = [], set()
    for k, truth, grower, document, (lower, upper) in derivations(f"{seed}.{number}"):
        try:
            verify(document)
        except (CertificateError, InputError):
            totals["refused"] += 1
            continue
        totals["accepted"] += 1
        text = json.dumps([document["question"], document["proof"]])
        seen.add(hashlib.sha256(text.encode()).digest()[:12])
        rules.update(rules_of(document["proof"]))
        lam, theta = truth.least
        scale = 1 if truth.is_ideal or truth.squares else 2
        totals["lower is the least pair"] += (lower.lam, lower.theta) == (lam * scale, theta)
        totals["with an upper bound"] += upper is not None
        totals["exact"] += lower == upper
        compared, complaints = false_nodes(truth, grower.nodes)
        totals["bounds of cells compared"] += compared
        reason = falsehood(truth, (lower, upper)) or next(iter(complaints), None)
        if reason:
            false.append({"question": k, "reason": reason, "document": document})
            print(reason, json.dumps(document), flush=True)
        if totals["accepted"] == count:
            totals["questions"] = k + 1
            break
    totals["different"] = len(seen)
    totals["false"] = len(false)
    seconds = round(time.process_time() - began)
    counts = {"counts": dict(totals), "rules": dict(rules), "processor_seconds": seconds}
    return {"block": number, **counts, "false": false}


def checker() -> str:
    """SHA-256 of the sources that are on trial."""
    files = sorted((ROOT / "rlct" / "certificate").rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


def report_of(blocks: list[dict[str, Any]], settings: dict[str, Any]) -> dict[str, Any]:
    """Sums over the blocks."""
    sums: dict[str, Counter[str]] = {"counts": Counter(), "rules": Counter()}
    for item in blocks:
        for name, total in sums.items():
            total.update(item[name])
    return {
        **settings,
        "counts": dict(sorted(sums["counts"].items())),
        "rules": dict(sums["rules"].most_common()),
        "false": [found for item in blocks for found in item["false"]],
        "processor_seconds": sum(item["processor_seconds"] for item in blocks),
        "versions": {"python": platform.python_version(), "rlct": version("rlct")},
    }


def main() -> None:
    """Go on where the log ends, and write the results."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--log", type=Path, help="one line for each block that is done")
    parser.add_argument("--report", type=Path, default=RESULTS_FILE)
    options = parser.parse_args()
    settings = {"seed": options.seed, "checker": checker()}
    rows = read_log(options.log)
    blocks = [row for row in rows if all(row[k] == settings[k] for k in settings)]
    while len(blocks) * BLOCK_SIZE < options.count:
        count = min(BLOCK_SIZE, options.count - len(blocks) * BLOCK_SIZE)
        blocks.append(settings | block(options.seed, len(blocks), count))
        append_log(options.log, blocks[-1])
    report = report_of(blocks, settings)
    write_json(options.report, report)
    sys.exit(1 if report["false"] else 0)


if __name__ == "__main__":
    main()
