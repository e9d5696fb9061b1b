"""Write ``engine.json``: reference cases with values that do not come from the engine.

    python validation/reference/build.py

Values are closed forms of the literature (`formulas.py`), one-line derivations (`hand.py`) or
normal forms in known coordinates (`families.py`); `README.md` says how each was obtained.
"""

from __future__ import annotations

from pathlib import Path

from families import CASE_FAMILIES, case
from hand import PLANE_CASES, PRIOR_CASES, SPACE_CASES, WHITNEY_CASES

from validation.records import write_rows

CORPUS_FILE = Path(__file__).parent / "engine.json"


def corpus() -> list[dict[str, object]]:
    """All cases, in a fixed order, every id once."""
    cases = [
        case(h.id, h.given, (h.lam, h.theta), h.source, h.tags, **h.options)
        for h in (*WHITNEY_CASES, *PLANE_CASES, *SPACE_CASES, *PRIOR_CASES)
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
