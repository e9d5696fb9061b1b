"""Hide known forms by random changes of coordinates, and count how often the pair stays.

    python validation/fuzz/hidden.py --n 4 --kind linear --count 50 --seed 1 --timeout 10 \
        --out validation/fuzz/hidden_n4_linear.json

A case is built from blocks in variables of their own (`PLAIN_IDEALS`), put together as a sum of
ideals, as a product, or as one polynomial f₁ + f₂.  Kinds: ``linear``: a random integer matrix;
``nonlinear``: x_i → x_i + a random quadratic form in the variables after it, in random order;
``both``: the two composed.  In half of the cases the generators are also replaced by random
combinations of them.  Everything is expanded, so that no structure is visible.  The truth is
what rlct proves before the change; a different exact pair, bounds without it, or a certificate
that does not verify, end the command with exit code 1.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import sympy
from sums import in_a_process

from validation.records import warm_up, write_rows

VARIABLE_LETTERS = "xyzwv"

#: Generators by number of variables; the letters stand for variables in order.
PLAIN_IDEALS: dict[int, list[list[str]]] = {
    1: [["x**2"], ["x**3"], ["x**4"]],
    2: [
        ["x**2 - y**3"],
        ["x**2 - y**5"],
        ["(x**2 - y**3)**2"],
        ["x**3 + y**4"],
        ["x**2*y"],
        ["x**2*y**3"],
        ["x**2 - 2*y**2"],
        ["x*(x**2 - y**3)"],
        ["x**2", "y**3"],
        ["x**3", "x*y"],
        ["x**2 + y**2"],
    ],
    3: [
        ["x**2 + y**2 - z**2"],
        ["x**2 + y**2 + z**3"],
        ["x**2 - y**2*z"],
        ["x*y - z**3"],
        ["x*y + y*z + z*x"],
        ["(x**2 + y**2 - 2*z**2)**2"],
        ["x*y*z"],
        ["x**2 + y**3 + z**4"],
        ["x*y", "y*z", "z*x"],
        ["x**2*y", "z**3"],
    ],
}
CHANGE_KINDS = ("linear", "nonlinear", "both")


def form(rng: random.Random, n: int) -> list[sympy.Expr]:
    """Blocks in n variables, put together."""
    symbols = list(sympy.symbols(" ".join(VARIABLE_LETTERS[:n])))
    parts: list[list[sympy.Expr]] = []
    while symbols:
        size = rng.randint(1, min(3, len(symbols)))
        mine, symbols = symbols[:size], symbols[size:]
        to = dict(zip(sympy.symbols("x y z"), mine, strict=False))
        block = rng.choice(PLAIN_IDEALS[size])
        parts.append([sympy.sympify(g).subs(to, simultaneous=True) for g in block])
    way = rng.choice(["sum", "sum", "product", "one"])
    if way == "product" and len(parts) < 4:
        return [sympy.prod(choice) for choice in product(*parts)]
    if way == "one" and all(len(part) == 1 for part in parts):
        return [sympy.Add(*(part[0] for part in parts))]
    return [g for part in parts for g in part]


def linear(rng: random.Random, symbols: list[sympy.Symbol]) -> list[sympy.Expr]:
    """Images of the variables under an invertible integer matrix."""
    size = len(symbols)
    while True:
        matrix = sympy.Matrix(size, size, lambda *_: rng.randint(-2, 2))
        if matrix.det():
            return list(matrix * sympy.Matrix(symbols))


def nonlinear(rng: random.Random, symbols: list[sympy.Symbol]) -> list[sympy.Expr]:
    """x_i plus two random quadratic monomials in the variables after it in a random order."""
    order = rng.sample(range(len(symbols)), len(symbols))
    images = list(symbols)
    for place, i in enumerate(order):
        later = [symbols[k] for k in order[place + 1 :]]
        for _ in range(2 if later else 0):
            images[i] += rng.choice([-2, -1, 1, 2]) * rng.choice(later) * rng.choice(later)
    return images


def moved(
    rng: random.Random, kind: str, generators: list[sympy.Expr], symbols: list[sympy.Symbol]
) -> list[sympy.Expr]:
    """Generators in other coordinates, sometimes combined."""
    changes = {"linear": [linear], "nonlinear": [nonlinear], "both": [linear, nonlinear]}[kind]
    for change in changes:
        to = dict(zip(symbols, change(rng, symbols), strict=True))
        generators = [sympy.expand(g.subs(to, simultaneous=True)) for g in generators]
    if rng.random() < 0.5 and len(generators) > 1:
        for _ in range(len(generators)):
            i, k = rng.sample(range(len(generators)), 2)
            generators[i] = sympy.expand(generators[i] + rng.choice([-2, -1, 1, 2]) * generators[k])
    return generators


def draw(kind: str, n: int, count: int, seed: int) -> Iterator[tuple[list[str], list[str]]]:
    """Cases before and after the change; case i depends only on (seed, kind, n, i)."""
    symbols = list(sympy.symbols(" ".join(VARIABLE_LETTERS[:n])))
    for i in range(count):
        rng = random.Random(f"{seed} {kind} {n} {i}")
        plain = form(rng, n)
        yield [str(g) for g in plain], [str(g) for g in moved(rng, kind, plain, symbols)]


def main() -> int:
    """Run, print what is not exact, keep the rest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=3, choices=range(2, 6), help="variables")
    parser.add_argument("--kind", choices=CHANGE_KINDS, default="linear")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for each case")
    parser.add_argument("--out", type=Path, help="JSON file, one case a line")
    options = parser.parse_args()
    warm_up()
    rows: list[dict[str, Any]] = []
    verdicts: Counter[str] = Counter()
    for plain, generators in draw(options.kind, options.n, options.count, options.seed):
        truth = in_a_process(plain, options.timeout)
        row = in_a_process(generators, options.timeout)
        row = {"plain": plain, "generators": generators, "truth": truth, **row}
        verdict = judge(truth, row)
        row["verdict"] = verdict
        verdicts[verdict] += 1
        rows.append(row)
        if verdict != "exact":
            shown = f"{truth.get('lambda')},{truth.get('theta')}"
            print(
                f"{len(rows):4d} {verdict:<7} {', '.join(plain)}  [{shown}]  "
                f"[{row.get('lower')}, {row.get('upper')}] {row['seconds']} s"
                f" {row.get('refused') or row.get('error') or ''}",
                flush=True,
            )
    known = len(rows) - verdicts["unknown"]
    seconds = sorted(r["seconds"] for r in rows)
    print(
        f"n={options.n} {options.kind}: {verdicts['exact']} of {known} exact "
        f"({verdicts['unknown']} with unknown truth), {verdicts['WRONG']} wrong; "
        f"seconds median {seconds[len(seconds) // 2]}, largest {seconds[-1]}"
    )
    if options.out:
        write_rows(options.out, rows)
    return int(verdicts["WRONG"] > 0)


def judge(truth: dict[str, Any], row: dict[str, Any]) -> str:
    """How an answer compares with the pair before the change."""
    from rlct.pair import Pair

    if "refused" in row or "error" in row or "refused" in truth or "error" in truth:
        return "WRONG"
    if truth["status"] != "exact":
        return "unknown"
    if row["status"] == "exact":
        same = (row["lambda"], row["theta"]) == (truth["lambda"], truth["theta"])
        return "exact" if same else "WRONG"
    pair = Pair.of(truth["lambda"], truth["theta"])
    inside = Pair.of(row["lower"], 99) <= pair and (
        row["upper"] is None or pair <= Pair.of(row["upper"], 1)
    )
    return "bounds" if inside else "WRONG"


if __name__ == "__main__":
    raise SystemExit(main())
