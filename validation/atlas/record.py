"""Record the table of ``rlct atlas``, whose rows the site shows.

``rlct atlas --out FOLDER && python validation/atlas/record.py FOLDER`` writes ``made.json`` and
``atlas.csv``, without lines of Python and bounds of exact rows, which follow from the rest.
"""

import csv
import platform
import sys
from collections import Counter
from pathlib import Path

import rlct
from rlct.sweep.atlas import ATLAS_COLUMNS, default_grids, read_families
from validation.records import write_json

ATLAS_FOLDER = Path(__file__).parent
KEPT_COLUMNS = [name for name in ATLAS_COLUMNS if name != "python"]


def compact(row: dict[str, str]) -> dict[str, str]:
    """Leave out the bounds of an exact row, which are its λ."""
    ends = {"lower": "", "upper": ""} if row["status"] == "exact" else {}
    return {name: {**row, **ends}[name] for name in KEPT_COLUMNS}


def main() -> None:
    """Write the two files."""
    with (Path(sys.argv[1]) / "atlas.csv").open(encoding="utf-8", newline="") as file:
        rows = [compact(row) for row in csv.DictReader(file)]
    if known := {row["family"] for row in rows} - {f.id for f in read_families(default_grids())}:
        sys.exit(f"{sorted(known)} are no families of the program: record its own grids")
    with (ATLAS_FOLDER / "atlas.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, KEPT_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    made = {
        "command": "rlct atlas --out FOLDER && python validation/atlas/record.py FOLDER",
        "rlct": rlct.__version__,
        "python": platform.python_version(),
        "rows": len(rows),
        "status": Counter(row["status"] for row in rows),
        "verified": Counter(row["verified"] for row in rows),
    }
    write_json(ATLAS_FOLDER / "made.json", made)


if __name__ == "__main__":
    main()
