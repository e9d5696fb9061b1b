"""Confirm theorems as `rlct theorem check` does and write what came out beside this file.

    python validation/theorems/run.py [ID …]

Every confirmation is run; simulations take seconds to minutes.  The tests read the records,
so a changed instance fails until it is run again.
"""

import sys
from pathlib import Path

from rlct.answers.confirm_theorem import confirm_all
from rlct.theorems import all_theorems, get_theorem
from validation.records import write_json

STUDY_FOLDER = Path(__file__).parent


def main(names: list[str]) -> int:
    """Write one record per theorem; 1 if anything was refuted or stayed open."""
    failed = False
    for theorem in map(get_theorem, names) if names else all_theorems():
        rows = list(confirm_all(theorem))
        for row in rows:
            print(f"{theorem.id}: {row['verdict']} {row['way']} {row['case']}", flush=True)
            failed |= row["verdict"] in ("refuted", "inconclusive")
        record = {"command": f"rlct theorem check {theorem.id}", "rows": rows}
        write_json(STUDY_FOLDER / f"{theorem.id}.json", record)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
