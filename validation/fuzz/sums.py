"""Ask rlct random sums of squares in two to five variables: how many exactly, and how fast.

    python validation/fuzz/sums.py --n 3 --kind sparse --count 100 --seed 1
    python validation/fuzz/sums.py --n 3 4 5 --count 100 --seed 1 --log sums.jsonl \
        --volumes 0.1 --report validation/fuzz/sums.json

The kinds are those of `space_questions`.  Each case is asked at the origin as an ideal, or with
``--expanded`` as one expanded polynomial, in a process of its own, and its certificate is
verified.  A case that ends with bounds because time is over is asked once more with ``--retry``
seconds; figures are given for both limits.
All limits are processor seconds: other work on the machine does not count.
``--volumes`` puts that share of the exact answers on trial by volume scaling (multilevel
splitting, `rlct.check`): it refutes a right value in at most 1 of 100 trials, and counts only
where it rejects a planted wrong λ on the same data.  ``--log`` keeps a line for each case, so
that a run can be stopped (Ctrl-C) and resumed; ``--again`` asks undecided cases in it once more
if the engine has changed since, and keeps the better bounds.  A certificate that does not
verify, or an error, ends the command with exit code 1.
"""

import argparse
import json
import random
import signal
import statistics
import time
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from space_questions import QUESTION_KINDS, draw

from validation.records import append_log, commit, provenance, read_log, sent_by, warm_up

Row = dict[str, Any]
ENGINE_COMMIT = commit()


def processor_time() -> None:
    """Let the engine's time limit count processor seconds of this process."""
    import rlct.system.time_limit as budget

    clocks = SimpleNamespace(monotonic=time.process_time, process_time=time.process_time)
    budget.time = clocks  # type: ignore[assignment]
    clock = dict(vars(signal), SIGALRM=signal.SIGPROF, ITIMER_REAL=signal.ITIMER_PROF)
    budget.signal = SimpleNamespace(**clock)  # type: ignore[assignment]


def ask(
    pipe: Connection, generators: list[str], timeout: float, volume: bool, expanded: bool
) -> None:
    """Answer one case and send what was found."""
    import sympy

    import rlct

    processor_time()
    began = time.process_time()
    try:
        if expanded:
            K = sympy.expand(sum(sympy.sympify(g) ** 2 for g in generators))
            result = rlct.poly(K, timeout=timeout)
        else:
            result = rlct.ideal(generators, timeout=timeout)
    except Exception as error:
        pipe.send({"error": f"{type(error).__name__}: {error}"})
        return
    seconds = time.process_time() - began
    whole = result.to_dict()
    answer: Row = {
        "status": result.status,
        "lambda": whole["lambda"],
        "theta": whole["theta"],
        "lower": str(result.lower),
        "upper": None if result.upper is None else str(result.upper),
        "method": result.method,
        "seconds": seconds,
    }
    try:
        rlct.verify(json.loads(json.dumps(result.certificate)))
    except Exception as error:
        answer["refused"] = f"{type(error).__name__}: {error}"
    if volume and result.status == "exact":
        try:
            trial = rlct.check(result, method="splitting")
            answer["volume"] = {"verdict": trial.verdict, "z": round(trial.z, 2)}
        except rlct.InputError as error:
            answer["volume"] = {"verdict": "not sampled", "reason": str(error)}
    pipe.send(answer)


def in_a_process(
    generators: list[str], timeout: float, volume: bool = False, expanded: bool = False
) -> Row:
    """Run `ask` in a process of its own, ended if it takes far too long."""
    limit = 20 * timeout + (600 if volume else 60)
    answer = sent_by(ask, (generators, timeout, volume, expanded), limit)
    answer["seconds"] = round(answer["seconds"], 3)
    return answer


def answered(old: Row | None, generators: list[str], options: argparse.Namespace) -> Row | None:
    """Ask what is not known yet, and ask again if time was over."""
    key = f"{options.seed} {' '.join(generators)}"
    volume = random.Random(key).random() < options.volumes
    row = old
    if row is None:
        row = in_a_process(generators, options.timeout, volume, options.expanded)
        row["limit"] = options.timeout
    if (
        row is old
        and options.again
        and row.get("status") == "bounds"
        and ENGINE_COMMIT not in row["engine"]
    ):
        row = closer(
            row, in_a_process(generators, options.again, volume, options.expanded), options.again
        )
    time_over = row.get("status") == "bounds" and row["seconds"] > 0.8 * row["limit"]
    if time_over and options.retry > row["limit"]:
        row = {
            **in_a_process(generators, options.retry, volume, options.expanded),
            "limit": options.retry,
        }
    return None if row is old else row


def closer(old: Row, new: Row, limit: float) -> Row:
    """Take a new answer, or the better of both bounds, all of which are proved."""
    if new.get("status") != "bounds":
        return {**new, "limit": max(old["limit"], limit), "engine": ENGINE_COMMIT}
    both = {"lower": str(max(Fraction(old["lower"]), Fraction(new["lower"])))}
    uppers = [Fraction(r["upper"]) for r in (old, new) if r["upper"]]
    both["upper"] = str(min(uppers)) if uppers else None
    return {**old, **both, "engine": f"{old['engine']}, then {ENGINE_COMMIT} for {limit:g} s"}


def width(row: Row) -> float | None:
    """Upper minus lower bound; infinite without an upper one, None if exact."""
    if row.get("status") != "bounds":
        return None
    upper = row["upper"]
    return float(Fraction(upper) - Fraction(row["lower"])) if upper else float("inf")


def figures(rows: list[Row], timeout: float) -> Row:
    """Shares at both limits, widths of bounds, failures, trials, seconds."""
    exact = [r for r in rows if r.get("status") == "exact"]
    widths = sorted(w for r in rows if (w := width(r)) is not None)
    seconds = sorted(r["seconds"] for r in rows)
    trials = [r["volume"]["verdict"] for r in rows if "volume" in r]
    totals: Row = {
        "cases": len(rows),
        "exact": len(exact),
        "percent": round(100 * len(exact) / len(rows), 1),
        "exact_within_first_limit": sum(r["limit"] == timeout for r in exact),
        "lambda_but_not_theta": sum(w == 0 for w in widths),
        "width_median": round(statistics.median(widths), 3) if widths else None,
        "width_largest": round(widths[-1], 3) if widths else None,
        "refused": sum("refused" in r for r in rows),
        "errors": sum("error" in r for r in rows),
        "seconds_median": round(statistics.median(seconds), 3),
        "seconds_90_percent": round(seconds[int(0.9 * (len(seconds) - 1))], 2),
    }
    if trials:
        totals["volumes"] = {v: trials.count(v) for v in sorted(set(trials))}
    return totals


def report(rows: list[Row], options: argparse.Namespace) -> Row:
    """Figures for each kind and dimension, for each dimension, and all that is not exact."""
    cells = [
        {"n": n, "kind": kind, **figures(some, options.timeout)}
        for n in options.n
        for kind in options.kind
        if (some := [r for r in rows if (r["n"], r["kind"]) == (n, kind)])
    ]
    dimensions = [
        {"n": n, **figures(some, options.timeout)}
        for n in options.n
        if (some := [r for r in rows if r["n"] == n])
    ]
    open_cases = [
        {
            "n": r["n"],
            "kind": r["kind"],
            "generators": r["generators"],
            "bounds": [r.get("lower"), r.get("upper")],
            "limit": r["limit"],
            "seconds": r["seconds"],
            **{k: r[k] for k in ("error", "refused") if k in r},
        }
        for r in rows
        if r.get("status") != "exact" or "refused" in r
    ]
    refuted = [
        {"generators": r["generators"], "lambda": r["lambda"], "theta": r["theta"], **r["volume"]}
        for r in rows
        if r.get("volume", {}).get("verdict") == "refuted"
    ]
    return {
        **provenance(rows),
        "processor_seconds": round(sum(r["seconds"] for r in rows), 1),
        "seed": options.seed,
        "limits": [options.timeout, options.retry],
        "dimensions": dimensions,
        "kinds": cells,
        "refuted_by_volume": refuted,
        "not_exact": open_cases,
    }


def write(path: Path, content: Row) -> None:
    """Write a report, one cell or case a line."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines = ",\n".join("  " + json.dumps(r, ensure_ascii=False) for r in value)
            parts.append(f' "{key}": [\n{lines}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main() -> int:
    """Run, print what is not exact, keep the rest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=[3], choices=range(2, 6))
    parser.add_argument("--kind", nargs="+", choices=QUESTION_KINDS, default=list(QUESTION_KINDS))
    parser.add_argument("--count", type=int, default=100, help="cases for each n and kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=8.0, help="seconds for a case")
    parser.add_argument("--retry", type=float, default=0.0, help="seconds for a second attempt")
    parser.add_argument(
        "--again", type=float, default=0.0, help="seconds for undecided cases of an older engine"
    )
    parser.add_argument("--volumes", type=float, default=0.0, help="share that is simulated")
    parser.add_argument("--expanded", action="store_true", help="ask K, not the generators")
    parser.add_argument("--log", type=Path, help="one line a case; cases in it are not run again")
    parser.add_argument("--report", type=Path, help="write figures and undecided cases")
    options = parser.parse_args()
    by_case = {(r["seed"], r["n"], r["kind"], r["index"]): r for r in read_log(options.log)}
    warm_up()
    cells = [(n, kind) for n in options.n for kind in options.kind]
    cases = {cell: list(draw(cell[1], cell[0], options.count, options.seed)) for cell in cells}
    try:
        for index in range(options.count):
            for n, kind in cells:
                key = options.seed, n, kind, index
                given = cases[n, kind][index]
                row = dict(zip(("seed", "n", "kind", "index"), key, strict=True))
                row |= {"engine": ENGINE_COMMIT, "generators": given}
                if not (answer := answered(by_case.get(key), given, options)):
                    continue
                row |= answer
                by_case[key] = row
                append_log(options.log, row)
                if row.get("status") != "exact" or "refused" in row:
                    bounds = f"[{row.get('lower')}, {row.get('upper')}] after {row['seconds']} s"
                    note = row.get("refused") or row.get("error") or bounds
                    print(f"{n} {kind} {index}: {', '.join(given)}   {note}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: the same command with --log goes on from here")
    rows = [
        r
        for r in by_case.values()
        if r["seed"] == options.seed and (r["n"], r["kind"]) in cells and r["index"] < options.count
    ]
    for n in options.n:
        if some := [r for r in rows if r["n"] == n]:
            print(n, json.dumps(figures(some, options.timeout)))
    if rows and options.report:
        write(options.report, report(rows, options))
    return int(any("refused" in r or "error" in r for r in rows))


if __name__ == "__main__":
    raise SystemExit(main())
