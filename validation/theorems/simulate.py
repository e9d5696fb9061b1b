"""Every theorem against simulation: a row with estimate, interval, z, ESS, time and control.

Run from the root of the repository::

    nice -n 10 python validation/theorems/simulate.py --seed 2026 --log simulations.jsonl
    python validation/theorems/simulate.py --log simulations.jsonl --report

Each value that the catalogue confirms by simulation is simulated once, with one seed for all
that no instance was chosen by.  A row is kept whatever comes out.  The log holds a line for
each row, so that a run can be stopped and resumed; ``--report`` writes simulations.json and
simulations.md beside this file.
"""

import argparse
import os
import sys
import time
from fractions import Fraction
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.stats import t as student

from rlct.answers.confirm_theorem import confirm_case
from rlct.theorems import all_theorems
from rlct.theorems.arguments import text_of
from rlct.theorems.base import Instance
from rlct.theorems.evidence import ConfirmationKind, by_simulation
from validation.records import append_log, read_json, read_log, versions_of, write_json

STUDY_FOLDER = Path(__file__).parent
TEST_LEVEL, FAMILY_LEVEL = 0.99, 0.01
MODELS_THEMSELVES = (
    "## Models themselves",
    "",
    "The rows above simulate the polynomial that a proof reduces the model to. [Models themselves]"
    "(../experiments/literature/models.md) are sampled by `rlct validate models-themselves`.",
)


def cases():
    """Theorem, case and true pair of everything that is confirmed by simulation."""
    for theorem in all_theorems():
        for case in (*theorem.instances, *theorem.counterexamples):
            if any(way.way is ConfirmationKind.SIMULATION for way in case.confirmed):
                yield theorem, case, case.pair if isinstance(case, Instance) else case.truth


def shown(case):
    """Arguments as the command line takes them."""
    return " ".join(f"{name}={text_of(value)}" for name, value in case.arguments.items())


def measure(theorem, case, pair, seed):
    """One row."""
    begin = time.process_time()
    outcome = confirm_case(theorem, case, by_simulation(seed))
    checked = outcome.check
    low, high = checked["interval"]
    return {
        "theorem": theorem.id,
        "case": shown(case),
        "counterexample": not isinstance(case, Instance),
        "lambda": str(pair.lam),
        "theta": pair.theta,
        "estimate": checked["lambda"],
        "interval": [low, high],
        "z": checked["z"],
        "critical": checked["critical"],
        "method": checked["method"],
        "ess": checked["ess"],
        "rhat": checked["rhat"],
        "seed": seed,
        "seconds": time.process_time() - begin,
        "control": checked["control"],
        "theta_control": checked["theta_control"],
        "verdict": checked["verdict"],
        "reason": checked["reason"],
    }


def key(row):
    """What identifies a row: a changed claim is a new one."""
    return row["theorem"], row["case"], row["lambda"], row["theta"]


def copies(rows):
    """For each row the first with the same numbers, None for that one itself.

    All have one seed, so equal estimates to the last digit are one polynomial simulated again.
    """
    first, pairs = {}, []
    for row in rows:
        name = (row["method"], row["estimate"], *row["interval"])
        pairs.append(first.get(name))
        first.setdefault(name, row)
    return pairs


def summary(rows):
    """False alarms found and expected, controls rejected, and how z is distributed.

    What counts draws counts each polynomial once.
    """
    judged = [row for row in rows if row["verdict"] != "inconclusive"]
    single = [row for row, copy in zip(rows, copies(rows), strict=True) if copy is None]
    z = np.array([row["z"] for row in single if row["method"] != "quadrature"])
    return {
        "rows": len(rows),
        "polynomials": len(single),
        "agrees": sum(row["verdict"] == "agrees" for row in rows),
        "refuted": sum(row["verdict"] == "refuted" for row in rows),
        "inconclusive": sum(row["verdict"] == "inconclusive" for row in rows),
        "controls_rejected": sum(row["control"]["rejected"] for row in rows),
        "thetas_planted": sum(len(row["theta_control"]["planted"]) for row in single),
        "thetas_rejected": sum(len(row["theta_control"]["rejected"]) for row in single),
        "expected_false_alarms": (1 - TEST_LEVEL) * len(judged),
        "outside_interval": sum(
            not row["interval"][0] <= Fraction(row["lambda"]) <= row["interval"][1]
            for row in single
        ),
        "expected_outside_interval": 0.05 * len(z),
        "sampled_rows": len(z),
        "sampled_beyond_two": int((np.abs(z) > 2).sum()),
        "sampled_mean_z": float(z.mean()),
        "sampled_rms_z": float(np.sqrt((z**2).mean())),
        "seconds": sum(row["seconds"] for row in rows),
    }


def family_quantile(row, rows):
    """|z| beyond which a row would be an alarm if all rows together may have one in FAMILY.

    The degrees of freedom follow from the critical value of the row itself.
    """
    grid = np.geomspace(1.0, 1e6, 400)
    degrees = grid[np.abs(student.ppf(0.5 + TEST_LEVEL / 2, grid) - row["critical"]).argmin()]
    return float(student.ppf(1 - FAMILY_LEVEL / 2 / len(rows), degrees))


def table(rows, held):
    """The rows as Markdown."""
    lines = [
        "# Theory against simulation",
        "",
        "Written by `simulate.py --report` from `simulations.json`; not edited by hand.",
        "",
        f"{held['rows']} values of {len({row['theorem'] for row in rows})} theorems: "
        f"{held['agrees']} agree, {held['refuted']} refuted, {held['inconclusive']} inconclusive. "
        f"They are {held['polynomials']} polynomials: with one seed for all, a row that simulates "
        "the polynomial of an earlier one repeats its numbers and is no further evidence; it "
        "names that one after an equals sign, and only first rows are counted among draws below. "
        f"The planted wrong λ was rejected in {held['controls_rejected']}, and of "
        f"{held['thetas_planted']} planted θ ± 1 {held['thetas_rejected']}. A right value is "
        f"refuted with probability at most {1 - TEST_LEVEL:.0%}, so "
        f"{held['expected_false_alarms']:.1f} false alarms are expected. Beyond the quantile at "
        f"which all rows together give a false alarm once in {1 / FAMILY_LEVEL:.0f} such tables "
        f"are {sum(abs(row['z']) > family_quantile(row, rows) for row in rows)}. Outside the 95 % "
        f"interval is λ in {held['outside_interval']}; up to "
        f"{held['expected_outside_interval']:.1f} of those with Monte-Carlo error are expected. "
        "Of the "
        f"{held['sampled_rows']} rows that have Monte-Carlo error {held['sampled_beyond_two']} "
        f"have |z| > 2; the mean of z is {held['sampled_mean_z']:+.2f}, its root mean square "
        f"{held['sampled_rms_z']:.2f}. A first run beyond the 95 % quantile is repeated with four "
        "times the draws, which alone count, so large |z| are rarer than those of one run. "
        "Quadrature has no sample and so no ESS; seconds are of one processor; the seed is "
        f"{rows[0]['seed']} everywhere.",
        "",
        "| theorem | case | λ, θ | λ̂ | 95 % interval | z | ESS | s | planted λ | its z | planted θ "
        "rejected | verdict |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row, copy in zip(rows, copies(rows), strict=True):
        low, high = row["interval"]
        mark = " (counterexample)" if row["counterexample"] else ""
        if copy is not None:
            mark += f" = {copy['theorem']}"
        ess = "–" if row["ess"] is None else f"{row['ess']:,.0f}"
        lines.append(
            f"| {row['theorem']}{mark} | {row['case'].replace('|', '∣')} "
            f"| {row['lambda']}, {row['theta']} "
            f"| {row['estimate']:.4g} | {low:.4g} to {high:.4g} | {row['z']:+.2f} | {ess} "
            f"| {row['seconds']:.0f} | {row['control']['lambda']:.4g} "
            f"| {row['control']['z']:+.1f} | {thetas(row)} | {row['verdict']} |"
        )
    return "\n".join([*lines, "", *MODELS_THEMSELVES]) + "\n"


def thetas(row):
    """How many planted θ were rejected, or the nβ that would do it."""
    trial = row["theta_control"]
    words = f"{len(trial['rejected'])} of {len(trial['planted'])}"
    return f"{words}, all at nβ = {at:.0e}" if (at := trial["deciding_n_beta"]) else words


def report(rows, command):
    """Write both files."""
    held = {
        "command": command,
        **versions_of("numpy", "scipy", "rlct"),
        "summary": summary(rows),
        "rows": rows,
    }
    write_json(STUDY_FOLDER / "simulations.json", held)
    (STUDY_FOLDER / "simulations.md").write_text(table(rows, held["summary"]), encoding="utf-8")


def main():
    """Run what the log lacks, or report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--log", type=Path, required=True, metavar="FILE")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    before = read_json(STUDY_FOLDER / "simulations.json", {"rows": []})["rows"]
    done = {
        key(row): row for row in before if row["seed"] == options.seed and "theta_control" in row
    }
    done |= {key(row): row for row in read_log(options.log)}
    wanted = list(cases())
    identify = [(t.id, shown(c), str(p.lam), p.theta) for t, c, p in wanted]
    if options.report:
        missing = [name for name in identify if name not in done]
        if missing:
            raise SystemExit(f"the log lacks {len(missing)} rows, first {missing[0]}")
        report([done[name] for name in identify], f"simulate.py --seed {options.seed}")
        return
    for name, (theorem, case, pair) in zip(identify, wanted, strict=True):
        if name in done:
            continue
        row = measure(theorem, case, pair, options.seed)
        append_log(options.log, row)
        print(
            f"{row['seconds']:6.1f} s  {row['verdict']:12} {' '.join(map(str, name))}", flush=True
        )


if __name__ == "__main__":
    sys.exit(main())
