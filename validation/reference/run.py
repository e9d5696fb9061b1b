"""Ask rlct every reference case and compare: exact and right, bounds, or wrong.

    python validation/reference/run.py --timeout 20
    python validation/reference/run.py --tag vandermonde --only rbm_3_2 --no-save

Each case runs in its own process, which is ended ``--grace`` seconds after its time is over.
``results.json`` keeps what was found. Exit code 1 if anything is wrong.
"""

import argparse
import json
import statistics
import time
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from validation.records import sent_by, warm_up, write_rows

STUDY_FOLDER = Path(__file__).parent


def ask(pipe: Connection, case: dict[str, Any], timeout: float) -> None:
    """Answer one case and send what was found."""
    import rlct

    began = time.perf_counter()
    row: dict[str, Any] = {}
    try:
        if case["kind"] == "poly":
            result = rlct.poly(case["expr"], timeout=timeout, **case["options"])
        else:
            result = rlct.ideal(case["generators"], timeout=timeout, **case["options"])
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}"
        pipe.send(row | {"seconds": time.perf_counter() - began})
        return
    row["seconds"] = time.perf_counter() - began
    lower, upper = result.bounds
    row["lower"] = ["0", 1] if lower is None else [str(lower.lam), lower.theta]
    row["upper"] = None if upper is None else [str(upper.lam), upper.theta]
    began = time.perf_counter()
    try:
        rlct.verify(json.loads(json.dumps(result.certificate)))
        row["verified"] = True
    except Exception as error:
        row["verified"] = False
        row["error"] = f"verify: {type(error).__name__}: {error}"
    row["verify_seconds"] = time.perf_counter() - began
    pipe.send(row)


def judge(case: dict[str, Any], row: dict[str, Any]) -> str:
    """Return exact, lambda (θ open), bounds, none or WRONG.

    A truth without θ is compared by λ only.
    """
    if "lower" not in row:
        return "none"
    lam, theta = Fraction(case["lambda"]), case["theta"]
    low, low_theta = Fraction(row["lower"][0]), row["lower"][1]
    if low > lam or (theta is not None and low == lam and low_theta < theta):
        return "WRONG"
    if row["upper"] is None:
        return "bounds"
    high, high_theta = Fraction(row["upper"][0]), row["upper"][1]
    if high < lam or (theta is not None and high == lam and high_theta > theta):
        return "WRONG"
    if low == high:
        return "exact" if low_theta == high_theta else "lambda"
    return "bounds"


def shown(row: dict[str, Any]) -> str:
    """Write the answer for the table."""
    if "lower" not in row:
        return row["error"][:60]
    low, high = row["lower"], row["upper"]
    if high is None:
        return f"{low[0]} <= lambda"
    if low == high:
        return f"{low[0]}, {low[1]}"
    if low[0] == high[0]:
        return f"{low[0]}, {high[1]}..{low[1]}"
    return f"[{low[0]}, {high[0]}]"


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """Count verdicts, by tag too."""
    order = ["exact", "lambda", "bounds", "none", "WRONG"]
    counts = {v: sum(r["verdict"] == v for r in rows) for v in order}
    lines = [f"{len(rows)} cases: " + ", ".join(f"{n} {v}" for v, n in counts.items())]
    open_ones = [r for r in rows if r["verdict"] == "bounds" and r["upper"]]
    if open_ones:
        widths = [float(Fraction(r["upper"][0]) - Fraction(r["lower"][0])) for r in open_ones]
        lines.append(
            f"width of the bounds: median {statistics.median(widths):.3f}, "
            f"largest {max(widths):.3f}; "
            f"upper bound is the truth in {sum(r['upper'][0] == r['lambda'] for r in open_ones)}, "
            f"lower in {sum(r['lower'][0] == r['lambda'] for r in open_ones)}"
        )
    seconds = sorted(r["seconds"] for r in rows)
    refused = [r["id"] for r in rows if r.get("verified") is False]
    lines.append(
        f"seconds: median {statistics.median(seconds):.3f}, "
        f"90% {seconds[int(0.9 * (len(seconds) - 1))]:.2f}, largest {seconds[-1]:.1f}; "
        f"certificates refused: {', '.join(refused) or 'none'}"
    )
    tags = sorted({t for r in rows for t in r["tags"]})
    for tag in tags:
        mine = [r["verdict"] for r in rows if tag in r["tags"]]
        lines.append(f"  {tag:<18} {mine.count('exact'):3d} of {len(mine):3d} exact")
    return lines


def main() -> int:
    """Print the table and keep the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each case")
    parser.add_argument("--grace", type=float, default=10.0, help="seconds more before it is ended")
    parser.add_argument("--tag", help="only cases with this tag")
    parser.add_argument("--only", action="append", help="only the cases whose id contains this")
    parser.add_argument("--no-save", action="store_true", help="leave results.json as it is")
    options = parser.parse_args()
    cases = json.loads((STUDY_FOLDER / "engine.json").read_text(encoding="utf-8"))
    if options.tag:
        cases = [c for c in cases if options.tag in c["tags"]]
    if options.only:
        cases = [c for c in cases if any(part in c["id"] for part in options.only)]
    rows = []
    warm_up()
    try:
        for case in cases:
            answer = sent_by(ask, (case, options.timeout), options.timeout + options.grace)
            keep = {k: case[k] for k in ("id", "lambda", "theta", "tags")}
            row = {**keep, "verdict": judge(case, answer), **answer}
            for key in ("seconds", "verify_seconds"):
                if key in row:
                    row[key] = round(row[key], 3)
            rows.append(row)
            expected = f"{case['lambda']}, {case['theta'] or '?'}"
            proof = {True: "verified", False: "REFUSED", None: ""}[answer.get("verified")]
            print(
                f"{case['id']:<32} {expected:>10}  {shown(answer):<24} {row['verdict']:<7} "
                f"{proof:<9}{row['seconds']:8.2f}",
                flush=True,
            )
    except KeyboardInterrupt:
        print("interrupted: what was done so far")
    if not rows:
        return 0
    print(*summary(rows), sep="\n")
    if not options.no_save:
        write_rows(STUDY_FOLDER / "results.json", rows)
    return int(any(r["verdict"] == "WRONG" for r in rows))


if __name__ == "__main__":
    raise SystemExit(main())
