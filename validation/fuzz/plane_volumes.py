"""Put exact answers in two variables on trial by volume scaling, beside wrong claims.

    python validation/fuzz/plane_volumes.py --first 100001 --count 10000 --sample 400 --seed 7 \
        --log plane_volumes.jsonl --report validation/fuzz/plane_volumes.json

``--sample`` cases are drawn without replacement from those of `plane.py` (``--first``,
``--count``).  Multilevel splitting follows V(t), the prior volume of {K ≤ t}, and the slope is
fitted with the claimed θ; a claim is refuted beyond the 99 % quantile, so that a right one is
refuted in about 1 of 100 trials.  The error has two parts: that of the fit, and how far λ̂ moves
if the last third of the ladder is left out, because with nearby poles the fit alone knows too
little (of 10 first trials without the second part two right answers were refuted).  A box of
radius 1/2 comes first; an answer that is refuted as too large there, perhaps because of other
zeros, is judged on smaller ones.  On the data that judge the answer wrong claims are tried:
λ·1.15, λ/1.15, λ·3/2, λ·2/3, and the right λ with the other θ (1 or 2).  No verdict where a term
of K has not begun to show or where no expansion fits.
"""

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from plane_questions import case
from scipy.stats import beta
from scipy.stats import t as student

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.ladders.joint_fit import fit
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.splitting import splitting_ladder
from rlct.sampling.targets.polynomial import PolynomialTarget
from validation.records import append_log, commit, provenance, read_log, write_json

BOX_RADII = (0.5, 0.1, 0.02)
TEST_LEVEL = 0.99
ENGINE_COMMIT = commit()
LAST_VOLUME = 1e-20  # last t, where K has been scaled to a median of about 1e-3
MOST_MISFIT = 2.5
SHORTER_SHARE = 2 / 3  # of the ladder, to see whether λ̂ still moves
WRONG_FACTORS = {"15% more": Fraction(23, 20), "15% less": Fraction(20, 23)}
WRONG_FACTORS |= {"half more": Fraction(3, 2), "a third less": Fraction(2, 3)}
Look = Callable[[float, int], "Seen"]


@dataclass(frozen=True)
class Seen:
    """λ̂ with its error, and why it may not count."""

    lam: float
    error: float
    degrees: float
    doubt: str

    def judge(self, lam: Fraction) -> dict[str, Any]:
        """Judge a claim."""
        z = (self.lam - float(lam)) / self.error
        critical = float(student.ppf(0.5 + TEST_LEVEL / 2, self.degrees))
        word = "open" if self.doubt else "refuted" if abs(z) > critical else "fits"
        return {"verdict": word, "z": round(z, 2)}


def looking(result: rlct.Result, seed: int) -> Look:
    """Fit λ for a radius and a θ, following the volume once for each radius."""
    ladders: dict[float, tuple[Ladder, str]] = {}

    def look(radius: float, theta: int) -> Seen:
        if radius not in ladders:
            target = target_of(result, radius=radius)
            assert isinstance(target, PolynomialTarget)
            rng = np.random.default_rng([seed, BOX_RADII.index(radius)])
            ladder = splitting_ladder(target, rng=rng, least_threshold=LAST_VOLUME)
            unseen = target.unseen(ladder.unit * math.exp(float(ladder.stop[-1])))
            ladders[radius] = ladder, f"the term {unseen} does not show" if unseen else ""
        ladder, doubt = ladders[radius]
        fitted = fit(ladder, [theta])
        before = fit(shorter(ladder), [theta])
        if not doubt and fitted.misfit > MOST_MISFIT:
            doubt = f"misfit {fitted.misfit:.1f}"
        error = math.hypot(fitted.error, fitted.lam - before.lam)
        return Seen(fitted.lam, error, fitted.degrees, doubt)

    return look


def shorter(ladder: Ladder) -> Ladder:
    """Leave out the end."""
    keep = ladder.stop <= SHORTER_SHARE * ladder.stop[-1]
    slopes = ladder.slopes[:, keep]
    return replace(ladder, start=ladder.start[keep], stop=ladder.stop[keep], slopes=slopes)


def trial(number: int, seed: int) -> dict[str, Any]:
    """Answer a case of `plane.py` and try the answer and wrong claims."""
    kind, generators, prior = case(number)
    began = time.process_time()
    row: dict[str, Any] = {"engine": ENGINE_COMMIT, "seed": number, "kind": kind}
    result = rlct.ideal([g.as_expr() for g in generators], prior=prior, timeout=60)
    if result.lam is None or result.theta is None:
        return {**row, "error": "not exact"}
    lam, theta = result.lam, result.theta
    row |= {"lambda": str(lam), "theta": theta}
    look = looking(result, seed)
    try:
        for radius in BOX_RADII:
            seen = look(radius, theta)
            row |= {"radius": radius, "found": round(seen.lam, 4), "error": round(seen.error, 4)}
            row |= {"doubt": seen.doubt, "right": seen.judge(lam)}
            if row["right"]["verdict"] != "refuted" or seen.lam > lam:
                break
        for name, factor in WRONG_FACTORS.items():
            row[name] = seen.judge(factor * lam)
        row["other θ"] = look(radius, 3 - theta).judge(lam)
    except rlct.InputError as problem:
        row["not sampled"] = str(problem)
    row["seconds"] = round(time.process_time() - began, 2)
    return row


def share(part: int, whole: int) -> dict[str, Any]:
    """Return a share with its 95 % interval (Clopper and Pearson)."""
    low = beta.ppf(0.025, part, whole - part + 1) if part else 0.0
    high = beta.ppf(0.975, part + 1, whole - part) if part < whole else 1.0
    rate = round(part / whole, 4) if whole else None
    return {
        "of": whole,
        "refuted": part,
        "rate": rate,
        "interval": [round(float(low), 4), round(float(high), 4)],
    }


def report(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rates of refutation among the claims on which there is a verdict."""
    tried = [r for r in rows if "other θ" in r]
    rates: dict[str, Any] = {
        "processor_seconds": round(sum(r.get("seconds", 0) for r in rows), 1),
        "trials": len(rows),
        "not sampled": [r for r in rows if "other θ" not in r],
    }
    for claim in ("right", *WRONG_FACTORS, "other θ"):
        words = [r[claim]["verdict"] for r in tried]
        judged = [w for w in words if w != "open"]
        rates[claim] = {"open": words.count("open"), **share(judged.count("refuted"), len(judged))}
    sizes = [abs(r["right"]["z"]) for r in tried if r["right"]["verdict"] != "open"]
    rates["median |z| of right"] = round(float(np.median(sizes)), 2) if sizes else None
    rates["right refuted"] = [r for r in tried if r["right"]["verdict"] == "refuted"]
    return rates


def main() -> None:
    """Run what is missing, and print the rates."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=1, help="seed of the first case")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0, help="of the sample and the splitting")
    parser.add_argument("--log", type=Path, help="one line a trial; those in it are not repeated")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    rows = {row["seed"]: row for row in read_log(options.log)}
    rng = np.random.default_rng(options.seed)
    drawn = options.first + rng.choice(options.count, options.sample, replace=False)
    try:
        for number in map(int, drawn):
            if number in rows:
                continue
            rows[number] = trial(number, options.seed)
            append_log(options.log, rows[number])
            if rows[number].get("right", {}).get("verdict") == "refuted":
                print(json.dumps(rows[number], ensure_ascii=False), flush=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
    done = [rows[n] for n in map(int, drawn) if n in rows]
    found = report(done)
    print(json.dumps({k: v for k, v in found.items() if isinstance(v, dict)}, indent=1))
    if options.report:
        write_json(options.report, {**provenance(done), **found})


if __name__ == "__main__":
    main()
