"""Ask rlct every public case and print a table, with Singular and Macaulay2 where they are.

    PYTHONPATH=. python validation/corpus/run.py --out validation/corpus/results.json
    PYTHONPATH=. python validation/corpus/run.py --list named boxes --timeout 60

``cases.py`` has the cases.  Each is asked in a process of its own, its certificate is verified, and
the answer is compared with the truth.  The peers are asked about hypersurfaces at the origin; what
they say is the λ of K over C, a lower bound.  Exit code 1 if anything is wrong.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "validation" / part) for part in ("reference", "fuzz", "oracles")]

from cases import Case, corpus  # noqa: E402
from peers import ask_peer  # noqa: E402
from problems import Task  # noqa: E402

from validation.records import commit, provenance, sent_by, warm_up, write_rows  # noqa: E402
from validation.reference.run import ask, judge, shown  # noqa: E402

ENGINE_COMMIT = commit()
CASE_LISTS = ("named", "boxes", "peers", "tests", "reference")
#: Command that must be on the path, and the way in which it is asked.
PEER_COMMANDS = {"Singular": "singular bfctAnn", "M2": "m2 lct"}
PEER_MEMORY = 8.0  # GiB for a peer


def over_the_complex_numbers(case: Case, peer: str, limit: float) -> str:
    """What a peer finds: λ of K over C, or why there is none."""
    if case["kind"] != "poly" or case["options"]:
        return "-"
    root = re.fullmatch(r"\((.*)\)\*\*2", case["expr"])
    if root is None or root[1].count("(") != root[1].count(")"):
        return "-"
    names = tuple(sorted(set(re.findall(r"[A-Za-z]\w*", root[1]))))
    found = ask_peer(Task(case["id"], (root[1],), names, None, (peer,)), peer, limit, PEER_MEMORY)
    value: str = found["lambda_over_C"] or found["outcome"]
    return value


def main() -> int:
    """Print a row for each case, and the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", nargs="+", choices=CASE_LISTS, default=list(CASE_LISTS))
    parser.add_argument("--only", help="cases whose id contains this")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each")
    parser.add_argument("--out", type=Path, help="JSON file with the rows")
    options = parser.parse_args()
    peers = [name for name in PEER_COMMANDS if shutil.which(name)]
    warm_up()
    rows: list[dict[str, Any]] = []
    for case in corpus():
        if case["list"] not in options.list or (options.only or "") not in case["id"]:
            continue
        found = sent_by(ask, (case, options.timeout), options.timeout + 10.0)
        row = {"list": case["list"], "id": case["id"], "truth": [case["lambda"], case["theta"]]}
        row |= {"verdict": judge(case, found), "answer": shown(found)}
        row |= {"seconds": round(found["seconds"], 2), "verified": found.get("verified")}
        row |= {p: over_the_complex_numbers(case, PEER_COMMANDS[p], options.timeout) for p in peers}
        rows.append(row)
        print(
            f"{case['list']:<10}{case['id']:<34}{case['lambda']:>7}, {case['theta'] or '?'}  "
            f"{row['answer']:<22} {row['verdict']:<7}{row['seconds']:7.2f}",
            *(f"{p} {row[p]}" for p in peers),
            flush=True,
        )
    table = {}
    for name in options.list:
        mine = [row for row in rows if row["list"] == name]
        if mine:
            table[name] = {
                "asked": len(mine),
                "exact": sum(row["verdict"] == "exact" for row in mine),
                "median s": median(row["seconds"] for row in mine),
                "most s": max(row["seconds"] for row in mine),
            }
            print(f"{name:<10}", table[name])
    exact = sum(row["verdict"] == "exact" for row in rows)
    refused = [row["id"] for row in rows if row["verified"] is False]
    wrong = [row["id"] for row in rows if row["verdict"] == "WRONG"]
    print(f"{exact} of {len(rows)} exact, {exact / max(len(rows), 1):.1%}")
    print(f"{len(wrong)} wrong; certificates refused: {', '.join(refused) or 'none'}")
    if options.out:
        run = provenance([{"engine": ENGINE_COMMIT}] * len(rows))
        write_rows(options.out, rows, {"table": table, "run": run})
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
