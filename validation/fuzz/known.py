"""Questions of four kinds, each with an oracle of its own, drawn anew.

    python validation/fuzz/known.py --count 50 --seed 1 --out validation/fuzz/known.json

``flats``: products of powers of linear forms in three to five variables; the least
rank / (2·Σ m_i) over all sets of forms closed under dependence, by brute force.
``isolated``: Σ ± l_i^d for independent linear forms; one blow-up gives min(n/(2d), 1/2), or
n/(2d) if the form is definite.  ``weighted``: (x^a ± y^b)(y^c ± z^d) in some order of the
variables; one weighted blow-up gives the least of its own pole and of those along the two lines,
here below 1/2.  ``series``: y + c·y^k in place of a variable of a question of another kind; the
pair stays.  All is expanded.  A wrong pair, or a certificate that does not verify, ends the command
with exit code 1.  Seconds are those of a processor.
"""

import argparse
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import sympy
from hidden import judge
from sums import in_a_process

from rlct.pair import Pair
from validation.records import commit, provenance, warm_up, write_json
from validation.reference.formulas import arrangement

ENGINE_COMMIT = commit()
X = sympy.symbols("x y z w v u")
ONE_HALF = Fraction(1, 2)
Question = tuple[sympy.Expr, Pair]


def flats(rng: random.Random) -> Question:
    """Linear forms in general and special position."""
    n = rng.choice([3, 4, 5])
    rows: list[list[int]] = []
    while len(rows) < n + rng.choice([0, 1, 2]) or sympy.Matrix(rows).rank() < n:
        row = [rng.randint(-2, 2) * rng.choice([0, 1]) for _ in range(n)]
        if any(row) and all(sympy.Matrix([row, earlier]).rank() == 2 for earlier in rows):
            rows.append(row)
    powers = [rng.choice([1, 1, 1, 2, 3]) for _ in rows]
    forms = (sum(a * x for a, x in zip(row, X, strict=False)) for row in rows)
    f = sympy.prod(form**m for form, m in zip(forms, powers, strict=True))
    return f, Pair(*arrangement(rows, powers))


def isolated(rng: random.Random) -> Question:
    """Powers of independent linear forms."""
    n, d = rng.choice([3, 4, 5, 6]), rng.choice([2, 3, 3, 4])
    matrix = sympy.zeros(n, n)
    while matrix.det() == 0:
        matrix = sympy.Matrix(n, n, lambda i, j: rng.randint(-2, 2))
    signs = [rng.choice([1, 1, -1, 2, -3]) for _ in range(n)]
    forms = matrix * sympy.Matrix(X[:n])
    f = sum(s * form**d for s, form in zip(signs, forms, strict=True))
    definite = d % 2 == 0 and len({s > 0 for s in signs}) == 1
    own = Pair(Fraction(n, 2 * d), 1)
    return f, own if definite else own * Pair(ONE_HALF, 1)


def weighted(rng: random.Random) -> Question:
    """Two binomials that share a variable."""
    while True:
        a, b, c, d = (rng.randint(2, 5) for _ in range(4))
        # Both factors are homogeneous, of degrees b and c.
        weights = (Fraction(b, a), Fraction(1), Fraction(c, d))
        pole = sum(weights) / (2 * (b + c))
        lines = [(Fraction(1, p) + Fraction(1, q)) / 2 for p, q in ((a, b), (c, d))]
        if len({pole, *lines, ONE_HALF}) == 4 and min(pole, *lines) < ONE_HALF:
            break
    x, y, z = rng.sample(X[:3], 3)
    f = (x**a + rng.choice([1, -1, 2]) * y**b) * (y**c + rng.choice([1, -1, -3]) * z**d)
    return f, Pair(min(pole, *lines), 1)


def series(rng: random.Random) -> Question:
    """A polynomial in one variable in its place."""
    f, pair = rng.choice([flats, weighted])(rng)
    if len(f.free_symbols) > 3:
        return series(rng)
    y = rng.choice(sorted(f.free_symbols, key=str))
    return f.subs(y, y + rng.choice([1, -1, 2]) * y ** rng.choice([2, 3])), pair


QUESTION_KINDS: dict[str, Callable[[random.Random], Question]] = {
    "flats": flats,
    "isolated": isolated,
    "weighted": weighted,
    "series": series,
}


def main() -> int:
    """Ask, print what is not exact, and a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kind", nargs="+", choices=QUESTION_KINDS, default=list(QUESTION_KINDS))
    parser.add_argument("--count", type=int, default=50, help="questions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each")
    parser.add_argument("--out", type=Path, help="JSON file with the table and what is not exact")
    options = parser.parse_args()
    warm_up()
    table, not_exact, asked, wrong = {}, [], [], 0
    for kind in options.kind:
        rows = []
        for i in range(options.count):
            f, truth = QUESTION_KINDS[kind](random.Random(f"{options.seed} {kind} {i}"))
            text = str(sympy.expand(f))
            row: dict[str, Any] = in_a_process([text], options.timeout)
            known = {"status": "exact", "lambda": str(truth.lam), "theta": truth.theta}
            row |= {"kind": kind, "number": i, "truth": known, "verdict": judge(known, row)}
            rows.append(row)
            asked.append({"engine": ENGINE_COMMIT})
            if row["verdict"] != "exact":
                not_exact.append({**row, "generator": text})
                print(kind, i, row["verdict"], text[:200], row.get("lower"), row.get("upper"))
        seconds = [row["seconds"] for row in rows]
        exact = sum(row["verdict"] == "exact" for row in rows)
        wrong += sum(row["verdict"] == "WRONG" for row in rows)
        table[kind] = {
            "asked": len(rows),
            "exact": exact,
            "median s": round(median(seconds), 2),
            "most s": round(max(seconds), 2),
        }
        print(f"{kind:<10} {table[kind]}", flush=True)
    print(f"{wrong} wrong")
    if options.out:
        found = {"table": table, "wrong": wrong, "not exact": not_exact, "run": provenance(asked)}
        write_json(options.out, found)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
