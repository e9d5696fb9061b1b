"""Write ``engine.json``: reference cases with values that do not come from the engine.

    python validation/reference/build.py

Values are closed forms of the literature (`formulas.py`), one-line derivations (`hand.py`) or
normal forms in known coordinates (`families.py`); `README.md` says how each was obtained.
"""

from __future__ import annotations

from pathlib import Path

from families import FAMILIES, case
from hand import PLANE, PRIOR, SPACE, WHITNEY

from validation.records import write_rows

PATH = Path(__file__).parent / "engine.json"


def corpus() -> list[dict[str, object]]:
    """All cases, in a fixed order, every id once."""
    cases = [
        case(h.id, h.given, (h.lam, h.theta), h.source, h.tags, **h.options)
        for h in (*WHITNEY, *PLANE, *SPACE, *PRIOR)
    ]
    cases += [entry for family in FAMILIES for entry in family()]
    ids = [entry["id"] for entry in cases]
    assert len(set(ids)) == len(ids), sorted(i for i in ids if ids.count(i) > 1)
    return cases


def main() -> None:
    """Write the file, one case a line."""
    cases = corpus()
    write_rows(PATH, cases)
    print(f"{PATH}: {len(cases)} cases")


if __name__ == "__main__":
    main()
