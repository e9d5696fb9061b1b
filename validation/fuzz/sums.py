"""Ask rlct random sums of two squares K = f² + g²: how many exactly, and how fast.

    python validation/fuzz/sums.py --n 3 --kind sparse --count 100 --seed 1 --timeout 10 \
        --out validation/fuzz/n3_sparse.json

Kinds: ``sparse``: two to four random monomials of degree 1 to 4 in each of f and g,
coefficients ±1 to ±3, no constant term; ``singular``: the same without linear terms;
``degenerate``: f is a square or a product of small polynomials plus a higher monomial, and g
as in ``singular``. Each case is asked at the origin as the ideal (f, g), in a process of its
own; its certificate is verified. Ctrl-C keeps what was found. A certificate that does not
verify, or an error, ends the command with exit code 1. ``--volumes N`` puts every exact answer
among the first N cases on trial by simulation (`rlct.check`); a true value is refuted in 1 of
100 trials.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

Terms = dict[tuple[int, ...], int]
LETTERS = "xyzwv"


def monomial(rng: random.Random, n: int, low: int, high: int) -> tuple[int, ...]:
    """Draw a degree, then that many variables."""
    exponents = [0] * n
    for _ in range(rng.randint(low, high)):
        exponents[rng.randrange(n)] += 1
    return tuple(exponents)


def polynomial(rng: random.Random, n: int, low: int, high: int, most: int = 4) -> Terms:
    """Two to ``most`` monomials of degree ``low`` to ``high``."""
    terms: Terms = {}
    while len(terms) < 2:
        terms = {
            monomial(rng, n, low, high): rng.choice([-3, -2, -1, 1, 2, 3])
            for _ in range(rng.randint(2, most))
        }
    return terms


def text(terms: Terms) -> str:
    """Write a polynomial."""
    line = ""
    for exponents, coefficient in sorted(terms.items(), reverse=True):
        factors = [
            LETTERS[i] if e == 1 else f"{LETTERS[i]}**{e}" for i, e in enumerate(exponents) if e
        ]
        if abs(coefficient) != 1:
            factors.insert(0, str(abs(coefficient)))
        sign = "-" if coefficient < 0 else "+"
        line += f" {sign} " + "*".join(factors)
    line = line.removeprefix(" + ")
    return f"-{line[3:]}" if line.startswith(" - ") else line


def sparse(rng: random.Random, n: int) -> list[str]:
    """Two sparse polynomials that may have linear terms."""
    return [text(polynomial(rng, n, 1, 4)) for _ in range(2)]


def singular(rng: random.Random, n: int) -> list[str]:
    """Two sparse polynomials of order at least 2."""
    return [text(polynomial(rng, n, 2, 4)) for _ in range(2)]


def degenerate(rng: random.Random, n: int) -> list[str]:
    """Return a square or a product plus a higher monomial, and a polynomial of order ≥ 2."""
    one = text(polynomial(rng, n, 1, 2, 3))
    head = f"({one})**2"
    if rng.random() < 0.5:
        head = f"({one})*({text(polynomial(rng, n, 1, 2, 3))})"
    tail = text({monomial(rng, n, 3, 4): rng.choice([-2, -1, 1, 2])})
    return [f"{head} + ({tail})", text(polynomial(rng, n, 2, 4))]


KINDS: dict[str, Callable[[random.Random, int], list[str]]] = {
    "sparse": sparse,
    "singular": singular,
    "degenerate": degenerate,
}


def draw(kind: str, n: int, count: int, seed: int) -> Iterator[list[str]]:
    """Cases in which every variable occurs; case i depends only on (seed, kind, n, i)."""
    for i in range(count):
        rng = random.Random(f"{seed} {kind} {n} {i}")
        while True:
            generators = KINDS[kind](rng, n)
            if all(any(x in g for g in generators) for x in LETTERS[:n]):
                break
        yield generators


def ask(generators: list[str], timeout: float, pipe: Connection, volume: bool = False) -> None:
    """Answer one case and send what was found."""
    import rlct

    began = time.perf_counter()
    try:
        result = rlct.ideal(generators, timeout=timeout)
    except Exception as error:
        pipe.send({"error": f"{type(error).__name__}: {error}"})
        return
    seconds = time.perf_counter() - began
    found = result.to_dict()
    answer: dict[str, Any] = {
        "status": result.status,
        "lambda": found["lambda"],
        "theta": found["theta"],
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
        trial = rlct.check(result)
        answer["volume"] = {"verdict": trial.verdict, "z": round(trial.z, 2)}
    pipe.send(answer)


def in_a_process(generators: list[str], timeout: float, volume: bool = False) -> dict[str, Any]:
    """Run `ask` in a process of its own, ended at twice its time and ten seconds."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.Process(target=ask, args=(generators, timeout, theirs, volume))
    began = time.perf_counter()
    child.start()
    theirs.close()
    answer: dict[str, Any] = {"error": "did not stop in time"}
    try:
        if ours.poll(2 * timeout + (300 if volume else 10)):
            answer = ours.recv()
    except EOFError:
        answer = {"error": "the process died"}
    finally:
        child.kill()
        child.join()
    answer.setdefault("seconds", time.perf_counter() - began)
    answer["seconds"] = round(answer["seconds"], 3)
    return answer


def warm_up() -> None:
    """Import everything here, so that the processes of the cases start with it."""
    import rlct

    rlct.verify(rlct.ideal(["x*y + z**2", "(x + y)**2"], timeout=5).certificate)


def summary(rows: list[dict[str, Any]]) -> str:
    """One line: shares, widths, failures, seconds."""
    exact = sum(r.get("status") == "exact" for r in rows)
    lam_only = sum(r.get("status") == "bounds" and r["lower"] == r["upper"] for r in rows)
    widths = sorted(
        float(Fraction(r["upper"]) - Fraction(r["lower"]))
        for r in rows
        if r.get("status") == "bounds" and r["upper"] and r["lower"] != r["upper"]
    )
    seconds = sorted(r["seconds"] for r in rows)
    shown = f"{statistics.median(widths):.3f}/{widths[-1]:.3f}" if widths else "-"
    trials = [r["volume"]["verdict"] for r in rows if "volume" in r]
    tried = f"; simulation: {trials.count('agrees')} agree, {trials.count('refuted')} refuted" + (
        f" of {len(trials)}"
    )
    return (
        f"{exact:4d} of {len(rows)} exact, {lam_only} more with λ; "
        f"width median/largest {shown}; "
        f"refused {sum('refused' in r for r in rows)}, errors {sum('error' in r for r in rows)}; "
        f"seconds median {statistics.median(seconds):.3f}, "
        f"90% {seconds[int(0.9 * (len(seconds) - 1))]:.2f}, largest {seconds[-1]:.1f}"
        + (tried if trials else "")
    )


def main() -> int:
    """Run, print what is not exact, keep the rest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=3, choices=range(2, 6), help="variables")
    parser.add_argument("--kind", choices=KINDS, default="sparse")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for each case")
    parser.add_argument("--volumes", type=int, default=0, help="so many are simulated as well")
    parser.add_argument("--out", type=Path, help="JSON file, one case a line")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    warm_up()
    try:
        for generators in draw(options.kind, options.n, options.count, options.seed):
            row = {
                "generators": generators,
                **in_a_process(generators, options.timeout, len(rows) < options.volumes),
            }
            rows.append(row)
            if row.get("status") != "exact" or "refused" in row:
                bounds = f"[{row.get('lower')}, {row.get('upper')}]"
                note = row.get("refused") or row.get("error") or bounds
                print(f"{len(rows):5d}  {', '.join(generators)}   {note}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: what was done so far")
    if not rows:
        return 0
    print(f"n={options.n} {options.kind:<11}{summary(rows)}")
    if options.out:
        lines = ",\n".join(" " + json.dumps(r, ensure_ascii=False) for r in rows)
        options.out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return int(any("refused" in r or "error" in r for r in rows))


if __name__ == "__main__":
    raise SystemExit(main())
