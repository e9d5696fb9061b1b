"""Write ``engine.json``: reference cases with values that do not come from the engine.

    python validation/reference/build.py

Values are closed forms of the literature (`formulas.py`), one-line derivations (`hand.toml`) or
normal forms in known coordinates (`families.py`); `README.md` says how each was obtained.
"""

import tomllib
from pathlib import Path

from families import CASE_FAMILIES, case

from validation.records import write_rows

CORPUS_FILE = Path(__file__).parent / "engine.json"
HAND_CASES = Path(__file__).parent / "hand.toml"


def corpus() -> list[dict[str, object]]:
    """All cases, in a fixed order, every id once."""
    by_hand = tomllib.loads(HAND_CASES.read_text(encoding="utf-8"))
    cases = [
        case(id, given, (lam, theta or None), source, tags, **dict(*options))
        for rows in by_hand.values()
        for id, (given, lam, theta, source, tags, *options) in rows.items()
    ]
    cases += [entry for family in CASE_FAMILIES for entry in family()]
    ids = [entry["id"] for entry in cases]
    assert len(set(ids)) == len(ids), sorted(i for i in ids if ids.count(i) > 1)
    return cases


def main() -> None:
    """Write the file, one case a line."""
    cases = corpus()
    write_rows(CORPUS_FILE, cases)
    print(f"{CORPUS_FILE}: {len(cases)} cases")


if __name__ == "__main__":
    main()
