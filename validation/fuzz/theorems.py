"""Put every theorem to the engine at random arguments.

    python validation/fuzz/theorems.py --count 20 --seed 1 --report validation/fuzz/theorems.json

Arguments are those of a random instance with small random changes; those that the hypotheses
refuse are drawn again.  Where the theorem's question is a polynomial one, the engine, which
knows nothing of the formula, gets ``--timeout`` seconds; its pair, or its bounds, must
not contradict what the theorem says.  As a control, the value with λ + 1/4 or θ + 1 in its place
is put to the same trial, and the share that it condemns is reported.  A contradiction ends the
command with exit code 1.
"""

import argparse
import json
import random
import signal
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from validation.records import commit, provenance, write_json

ENGINE_COMMIT = commit()

from rlct.answers.confirm_theorem import _polynomials  # noqa: E402
from rlct.engine.strategy import prove_problem  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.pair import Pair  # noqa: E402
from rlct.theorems import all_theorems  # noqa: E402
from rlct.theorems.arguments import Kind, text_of  # noqa: E402
from rlct.theorems.base import Theorem  # noqa: E402
from rlct.theorems.evidence import TheoremBounds, claims_contradict  # noqa: E402

DRAWS_TRIED = 40  # tries for one set of arguments that the hypotheses accept
EXTRA_SECONDS = 60  # a question may take to be built and reduced, beyond the engine's own limit


class OutOfTimeError(Exception):
    """A question took too long before the engine could look at its clock."""


def changed(rng: random.Random, kind: Kind, value: Any) -> Any:
    """The value, or one like it."""
    if value is None or rng.random() < 0.4:
        return value
    if kind is Kind.INTEGER:
        return value + rng.choice([-1, 1, 1, 2])
    if kind is Kind.FRACTION:
        return value * rng.choice([Fraction(1, 2), 2, Fraction(3, 2)])
    if kind is Kind.FLAG:
        return not value
    if kind in (Kind.INTEGERS, Kind.FRACTIONS):
        drawn = [entry + rng.choice([0, 0, 0, 1, -1]) for entry in value]
        if drawn and rng.random() < 0.3:
            drawn = [*drawn, rng.choice(drawn)] if rng.random() < 0.6 else drawn[:-1]
        return tuple(drawn)
    if kind in (Kind.ROWS, Kind.MATRIX):
        rows = [tuple(e + rng.choice([0, 0, 0, 1, -1]) for e in row) for row in value]
        if rows and rng.random() < 0.3:
            rows = [*rows, rng.choice(rows)] if rng.random() < 0.6 else rows[:-1]
        return tuple(rows)
    return value


def draw(
    rng: random.Random, theorem: Theorem
) -> tuple[dict[str, Any], Pair | TheoremBounds] | None:
    """Arguments that the theorem accepts, and what it says of them."""
    kinds = {parameter.name: parameter.kind for parameter in theorem.parameters}
    for _ in range(DRAWS_TRIED):
        bound = theorem.bind(rng.choice(theorem.instances).arguments)
        try:
            tried = theorem.bind({n: changed(rng, kinds[n], v) for n, v in bound.items()})
            answer = theorem.apply(**tried)
        except InputError:
            continue
        said = answer.pair or answer.bounds
        if said is not None:
            return dict(tried), said
    return None


def asked(
    theorem: Theorem, arguments: dict[str, Any], timeout: float
) -> Pair | TheoremBounds | str:
    """What the engine says, or why it says nothing."""

    def stop(*_: object) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, timeout + EXTRA_SECONDS)
    try:
        proof = prove_problem(
            _polynomials(theorem, theorem.question(theorem.bind(arguments)))[0], timeout
        )
    except InputError:
        return "no polynomial question"
    except OutOfTimeError:
        return "too long"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return proof.lower if proof.exact else TheoremBounds("engine", proof.lower, proof.upper)


def planted(said: Pair | TheoremBounds) -> list[Pair]:
    """Wrong values near a right one."""
    if not isinstance(said, Pair):
        return []
    return [Pair(said.lam + Fraction(1, 4), said.theta), Pair(said.lam, said.theta + 1)]


def trial(theorem: Theorem, arguments: dict[str, Any], said: Any, timeout: float) -> dict[str, Any]:
    """One row."""
    answer = asked(theorem, arguments, timeout)
    row: dict[str, Any] = {
        "theorem": theorem.id,
        "arguments": " ".join(f"{n}={text_of(v)}" for n, v in arguments.items() if v is not None),
        "said": str(said),
        "engine": ENGINE_COMMIT,
        "found": str(answer),
    }
    if isinstance(answer, str):
        return {**row, "verdict": answer}
    if claims_contradict(said, answer):
        return {**row, "verdict": "contradicted"}
    exact = isinstance(answer, Pair)
    wrong = [claims_contradict(value, answer) for value in planted(said)]
    return {**row, "verdict": "exact" if exact else "within bounds", "wrong rejected": wrong}


def main() -> int:
    """Try every theorem; 1 if the engine contradicts one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", nargs="*", help="theorems; all of them if none")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=3.0)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for theorem in all_theorems():
        if options.ids and theorem.id not in options.ids:
            continue
        rng = random.Random(f"{options.seed} {theorem.id}")
        seen: dict[str, tuple[dict[str, Any], Any]] = {}
        for _ in range(3 * options.count):
            if len(seen) < options.count and (drawn := draw(rng, theorem)):
                seen.setdefault(str(drawn), drawn)
        here = []
        for arguments, said in seen.values():
            row = trial(theorem, arguments, said, options.timeout)
            here.append(row)
            if row["verdict"] == "contradicted":
                print(json.dumps(row, ensure_ascii=False), flush=True)
            if row["verdict"] == "no polynomial question" and len(here) >= 5:
                break
        print(
            theorem.id, dict(Counter(row["verdict"] for row in here)), file=sys.stderr, flush=True
        )
        rows += here
    counts = Counter(row["verdict"] for row in rows)
    wrong = [value for row in rows for value in row.get("wrong rejected", ())]
    print(f"{dict(counts)}; wrong values rejected: {sum(wrong)} of {len(wrong)}")
    if options.report:
        by_theorem: dict[str, Counter[str]] = {}
        for row in rows:
            by_theorem.setdefault(row["theorem"], Counter())[row["verdict"]] += 1
        report = {
            **provenance(rows),
            "verdicts": dict(counts),
            "wrong values rejected": [sum(wrong), len(wrong)],
            "by theorem": by_theorem,
            "contradicted": [row for row in rows if row["verdict"] == "contradicted"],
        }
        write_json(options.report, report)
    return int(counts["contradicted"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
