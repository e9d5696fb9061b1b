"""Time Singular, Macaulay2 and rlct on the same problems, each a whole process.

    python validation/oracles/peers.py peers           # Singular and Macaulay2; an hour
    python validation/oracles/peers.py rlct            # rlct: whole process, and inside Python
    python validation/oracles/peers.py traps           # two known traps, reproduced
    python validation/oracles/peers.py table           # write peers.md from peers.json

``--task`` and ``--peer`` choose a part, ``--missing`` leaves out what was run before; runs
are merged into ``peers.json``. A run is ended after ``--limit`` seconds of processor time (so
that other work on the machine does not count against it) or at ``--memory`` GiB. The peers work
over C: they return the complex threshold or roots of a Bernstein–Sato polynomial, never θ.
"""

import argparse
import contextlib
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from problems import PEER_TASKS, Task

from validation.records import child_seconds, read_json, write_rows

ORACLES_FOLDER = Path(__file__).parent
STORE_FILE = ORACLES_FOLDER / "peers.json"
Found = dict[str, Any]


# --- scripts -----------------------------------------------------------------------------------
# Variables are called v1, v2, … (v_1, … in Macaulay2) and the polynomial kkk: a Singular variable
# with the name of the polynomial makes terms vanish without a word (see `traps`).


def renamed(task: Task, text: str, pattern: str) -> str:
    """Write a polynomial for a peer, with numbered variables."""
    number = {name: pattern.format(i) for i, name in enumerate(task.variables, 1)}
    return re.sub(r"[A-Za-z]\w*", lambda m: number[m[0]], text).replace("**", "^")


def singular(task: Task, libraries: str, body: str, kind: str) -> str:
    """Return a Singular script; kkk is K, or the generators."""
    names = ",".join(f"v{i}" for i in range(1, len(task.variables) + 1))
    text = task.K if kind == "poly" else ",".join(task.generators)
    head = "\n".join(f'LIB "{name}.lib";' for name in libraries.split())
    given = renamed(task, text, "v{}")
    return f"{head}\nring r=0,({names}),dp;\n{kind} kkk={given};\n{body}\n$\n"


PRINT_ROOTS = 'print("ANSWER "+string(L[1])+" ; "+string(L[2]));'


def script(task: Task, peer: str) -> str:
    """Return the script of a peer for a task."""
    if peer == "singular bfct":
        return singular(task, "bfun", f"list L=bfct(kkk);\n{PRINT_ROOTS}", "poly")
    if peer == "singular bfctAnn":
        return singular(task, "bfun", f"list L=bfctAnn(kkk);\n{PRINT_ROOTS}", "poly")
    if peer == "singular bernsteinBM":
        return singular(task, "dmod", f"list L=bernsteinBM(kkk);\n{PRINT_ROOTS}", "poly")
    if peer == "singular bfctVarAnn":
        codim = 'print("CODIM "+string(nvars(r)-dim(std(kkk))));'
        body = f"list L=bfctVarAnn(kkk);\n{PRINT_ROOTS}\n{codim}"
        return singular(task, "dmodvar", body, "ideal")
    if peer == "singular resolve":
        body = (
            "ideal J=kkk;\nlist re=resolve(J);\nlist iden=prepEmbDiv(re);\n"
            "intvec nu=computeV(re,iden); intvec N=computeN(re,iden);\n"
            'print("ANSWER "+string(nu)+" ; "+string(N));'
        )
        return singular(task, "resolve reszeta", body, "poly")
    ring = f"R=QQ[v_1..v_{len(task.variables)}];"
    if peer == "m2 globalBFunction":
        text = renamed(task, task.K, "v_{}")
        call = f"bFunctionRoots globalBFunction({text})"
        return f'needsPackage "Dmodules";\n{ring}\nprint("ANSWER " | toString {call});\n'
    text = ",".join(renamed(task, g, "v_{}") for g in task.generators)
    if peer == "m2 lct":
        call = f"lct ideal({text})"
        return f'needsPackage "Dmodules";\n{ring}\nprint("ANSWER " | toString {call});\n'
    assert peer == "m2 MultiplierIdeals", peer
    call = f"logCanonicalThreshold monomialIdeal({text})"
    return f'needsPackage "MultiplierIdeals";\n{ring}\nprint("ANSWER " | toString {call});\n'


def complex_lambda(task: Task, peer: str, output: str) -> tuple[str | None, str]:
    """Return λ of K over C as the peer's answer implies it, and the answer itself."""
    if not (answer := re.search(r"ANSWER ([^\n]*)", output)):
        return None, ""
    text = answer[1].strip()
    first = text.split(";")[0]
    numbers = [Fraction(n) for n in re.findall(r"-?\d+(?:/\d+)?", first)]
    if peer in ("m2 lct", "m2 MultiplierIdeals"):
        return str(numbers[0] / 2), text  # of the ideal: K has half of it
    if peer == "singular bfctVarAnn":
        codim = re.search(r"CODIM (\d+)", output)
        assert codim
        return str((int(codim[1]) - 1 + min(-n for n in numbers)) / 2), text
    if peer == "singular resolve":
        orders = [Fraction(n) for n in text.split(";")[1].split(",")]
        least = min(nu / n for nu, n in zip(numbers, orders, strict=True))
        # It resolves the reduced polynomial: for K = g² that is g.
        return str(least / 2 if len(task.generators) == 1 else least), f"nu; N = {text}"
    return str(min(-n for n in numbers)), text


# --- running -----------------------------------------------------------------------------------


def timed(
    command: list[str], limit: float, memory: float, given: bytes = b""
) -> tuple[float, str, str, str]:
    """Run a whole process: processor seconds, outcome, standard output, standard error."""

    def cap() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory * 2**30),) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))

    began = child_seconds()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=cap,
    )
    outcome = "finished"
    try:
        out, err = process.communicate(given, timeout=5 * limit)
    except subprocess.TimeoutExpired:
        outcome, out, err = f"> {limit:g} s", b"", b""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    seconds = child_seconds() - began
    if seconds > limit - 1:
        outcome = f"> {limit:g} s"
    return seconds, outcome, out.decode(), err.decode()


def ask_peer(task: Task, peer: str, limit: float, memory: float) -> Found:
    """Run one peer on one task."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("task.sing" if peer.startswith("singular") else "task.m2")
        path.write_text(script(task, peer), encoding="utf-8")
        start = ["Singular", "-q"] if peer.startswith("singular") else ["M2", "--script"]
        seconds, outcome, out, err = timed([*start, str(path)], limit, memory)
    value, answer = complex_lambda(task, peer, out)
    if outcome == "finished" and value is None:
        lines = [line for line in (err + out).splitlines() if line.strip()]
        outcome = "stopped: " + (lines[-1].strip()[:80] if lines else "no output")
        if crash := re.search(r"signal \d+", out):
            outcome = f"crashed: {crash[0]}"
        if "halt 14" in outcome or "memory" in outcome:  # Singular's code for it
            outcome = f"out of memory ({memory:g} GiB)"
    return {
        "task": task.name,
        "tool": peer,
        "outcome": outcome,
        "seconds": round(seconds, 2),
        "lambda_over_C": value,
        "answer": answer[:200],
    }


def ask_rlct(task: Task, limit: float, memory: float) -> Found:
    """Run rlct as a whole process, then three times inside Python, and verify."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.json"
        common = ["--json", "--certificate", str(path), "--timeout", str(limit - 5), "-"]
        verb, text = ("ideal", "\n".join(task.generators))
        if len(task.generators) == 1:
            verb, text = ("poly", task.K)
        command = [sys.executable, "-m", "rlct", verb, *common]
        whole, outcome, out, err = timed(command, limit, memory, text.encode())
    row: Found = {"task": task.name, "tool": "rlct", "outcome": outcome}
    row["seconds"] = round(whole, 2)
    if outcome != "finished":
        return row
    if not out:
        row["outcome"] = "stopped: " + err.strip()[-80:]
        return row
    answer = json.loads(out)
    for key in ("status", "lambda", "theta", "lower", "upper"):
        row[key] = answer[key]
    inner = [sys.executable, str(Path(__file__)), "inside", "--task", task.name]
    _, outcome, out, err = timed(inner, 4 * limit, memory)
    row |= json.loads(out) if outcome == "finished" and out else {"inside": None}
    if task.truth and row["status"] == "exact":
        assert (row["lambda"], row["theta"]) == task.truth, (task.name, row)
    return row


def inside(task: Task, limit: float) -> None:
    """Print seconds inside Python: the answer (median of three) and its verification."""
    import rlct

    rlct.verify(rlct.ideal(["x*y + z**2", "(x + y)**2"], timeout=5).certificate)
    seconds = []
    while len(seconds) < 3 and sum(seconds) < limit:
        began = time.process_time()
        if len(task.generators) == 1:
            result = rlct.poly(task.K, timeout=limit)
        else:
            result = rlct.ideal(task.generators, timeout=limit)
        seconds.append(time.process_time() - began)
    began = time.process_time()
    verified = bool(rlct.verify(result.certificate))
    check = time.process_time() - began
    found = {"inside": statistics.median(seconds), "verify": check}
    print(json.dumps({k: round(v, 4) for k, v in found.items()} | {"verified": verified}))


def traps(limit: float, memory: float) -> list[Found]:
    """Reproduce the known traps."""
    table = [
        (
            "a variable with the name of the polynomial: terms vanish, no warning",
            "ring r=0,(x,y,f),dp;\npoly f=x^2+y^3+x*f^2;\nf;\n$\n",
        ),
        (
            "resolve: x^4 y^6 is replaced by the reduced x y, and all N are 1",
            singular(
                Task("", ("x**2*y**3",), ("x", "y"), None, ()),
                "resolve reszeta",
                "ideal J=kkk;\nlist re=resolve(J);\nlist iden=prepEmbDiv(re);\n"
                "computeV(re,iden); computeN(re,iden);",
                "poly",
            ),
        ),
        (
            "bfct of (a^2+b^2)(c^2+d^2): the root -1 has multiplicity 4, and theta is 2",
            singular(
                Task("", ("a", "b"), ("a", "b", "c", "d"), None, ()),
                "bfun",
                f"kkk=(v1^2+v2^2)*(v3^2+v4^2);\nlist L=bfct(kkk);\n{PRINT_ROOTS}",
                "poly",
            ),
        ),
    ]
    rows = []
    for name, text in table:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trap.sing"
            path.write_text(text, encoding="utf-8")
            _, outcome, out, _ = timed(["Singular", "-q", str(path)], limit, memory)
        shown = " / ".join(line.strip() for line in out.splitlines() if line.strip())
        print(f"{name}: {outcome}: {shown}")
        rows.append({"trap": name, "script": text, "output": shown})
    return rows


# --- the table ---------------------------------------------------------------------------------


def load() -> dict[str, Any]:
    """Read what was measured before."""
    stored: dict[str, Any] = read_json(
        STORE_FILE, {"limit": None, "versions": {}, "runs": [], "traps": []}
    )
    return stored


def save(store: dict[str, Any]) -> None:
    """Write one run a line."""
    order = {task.name: i for i, task in enumerate(PEER_TASKS)}
    store["runs"].sort(key=lambda r: (order[r["task"]], r["tool"] != "rlct", r["tool"]))
    write_rows(STORE_FILE, store["runs"], {k: v for k, v in store.items() if k != "runs"}, "runs")


def versions() -> dict[str, str]:
    """Return the first line of every tool's own account."""
    held = {"Python": sys.version.split()[0]}
    with contextlib.suppress(OSError):
        text = subprocess.run(["Singular", "--version"], capture_output=True, text=True).stdout
        held["Singular"] = text.splitlines()[0].split("version ")[1].split(",")[0]
    with contextlib.suppress(OSError):
        text = subprocess.run(["M2", "--version"], capture_output=True, text=True).stdout
        held["Macaulay2"] = text.split()[0]
    return held


def record(row: Found) -> None:
    """Put a run in the place of the one before."""
    store = load()
    same = [r for r in store["runs"] if (r["task"], r["tool"]) == (row["task"], row["tool"])]
    for old in same:
        store["runs"].remove(old)
    store["runs"].append(row)
    store["versions"] = store["versions"] | versions()
    save(store)
    print(json.dumps(row, ensure_ascii=False), flush=True)


def table() -> str:
    """Return the Markdown table of ``peers.json``."""
    store = load()
    named = ", ".join(f"{k} {v}" for k, v in store["versions"].items())
    lines = [
        "# rlct and its peers on the same problems",
        "",
        "Written by `python validation/oracles/peers.py table` from `peers.json`; the commands "
        "are in `peers.py`, the problems in `problems.py`. "
        f"{named}. Processor seconds of whole processes; limit {store['limit']:g} s.",
        "",
        "K = Σ g² of the generators g. rlct gives λ and θ over R with a certificate, verified "
        "here by separate code. The peers work over C: the column is the λ of K that follows "
        "from their complex threshold or from the largest root of a Bernstein–Sato polynomial; "
        "it is a lower bound of the real λ, and none of them returns θ. `resolve` works on the "
        "reduced polynomial: where K = g², the value is that of g, halved here by hand.",
        "",
        "| problem | λ, θ over R | rlct, whole process | inside Python + verify | peer "
        "| seconds | λ over C |",
        "|---|---|---|---|---|---|---|",
    ]
    for task in PEER_TASKS:
        runs = [r for r in store["runs"] if r["task"] == task.name]
        ours = next((r for r in runs if r["tool"] == "rlct"), None)
        truth = ", ".join(map(str, task.truth)) if task.truth else "-"
        whole = inner = "-"
        if ours:
            whole = ours["outcome"]
            if ours["outcome"] == "finished":
                value = f"[{ours['lower']}, {ours['upper']}]"
                if ours["status"] == "exact":
                    value = f"θ = {ours['theta']}"
                    if len(ours["lambda"]) < 12:
                        value = f"{ours['lambda']}, {ours['theta']}"
                whole = f"{ours['seconds']:.2f} s: {value}"
                if ours.get("inside") is not None:
                    state = "" if ours["verified"] else " REFUSED"
                    inner = f"{ours['inside'] * 1e3:.0f} + {ours['verify'] * 1e3:.0f} ms{state}"
        first = f"| {task.name} | {truth} | {whole} | {inner} |"
        for run in [r for r in runs if r["tool"] != "rlct"]:
            seconds = run["outcome"]
            if seconds == "finished":
                seconds = f"{run['seconds']:.2f}"
            lines.append(f"{first} {run['tool']} | {seconds} | {run['lambda_over_C'] or ''} |")
            first = "| | | | |"
        if first.startswith(f"| {task.name}"):
            lines.append(f"{first} | | |")
    lines += ["", "## Traps", ""]
    lines += [f"- {t['trap']}. Singular prints: `{t['output']}`" for t in store["traps"]]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["peers", "rlct", "inside", "traps", "table"])
    parser.add_argument("--task", action="append", help="only tasks whose name contains this")
    parser.add_argument("--peer", action="append", help="only peers whose name contains this")
    parser.add_argument(
        "--limit", type=float, default=120.0, help="processor seconds for a process"
    )
    parser.add_argument("--missing", action="store_true", help="only what was not run before")
    parser.add_argument("--memory", type=float, default=8.0, help="GiB for a process")
    options = parser.parse_args()

    def wanted(name: str, parts: list[str] | None) -> bool:
        return parts is None or any(p in name for p in parts)

    if options.what == "inside":
        inside(next(t for t in PEER_TASKS if t.name == options.task[0]), options.limit)
        return
    if options.what == "traps":
        store = load()
        store["traps"] = traps(options.limit, options.memory)
        save(store)
        return
    if options.what == "table":
        (ORACLES_FOLDER / "peers.md").write_text(table(), encoding="utf-8")
        return
    store = load()
    store["limit"] = options.limit
    save(store)
    done = {(r["task"], r["tool"]) for r in store["runs"]}
    for task in (t for t in PEER_TASKS if wanted(t.name, options.task)):
        if options.what == "rlct":
            record(ask_rlct(task, options.limit, options.memory))
            continue
        for peer in (p for p in task.peers if wanted(p, options.peer)):
            if options.missing and (task.name, peer) in done:
                continue
            record(ask_peer(task, peer, options.limit, options.memory))


if __name__ == "__main__":
    main()
