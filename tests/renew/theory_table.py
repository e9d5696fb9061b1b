"""The table of theorems in ``theory/index.md``."""

import re
from pathlib import Path

from rlct.explain.cite import keys_of, short_citation
from rlct.theorems import all_theorems

INDEX = Path(__file__).parents[2] / "theory" / "index.md"
TABLE = re.compile(r"(?<=<!-- theorems -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def theorem_table():
    lines = ["| theorem | about | answer | sources |", "|---|---|---|---|"]
    for theorem in all_theorems():
        cited = dict.fromkeys(short_citation(keys_of(source)[0]) for source in theorem.sources)
        page = f"[{theorem.id}]({theorem.id}.md)"
        lines.append(f"| {page} | {theorem.title} | {theorem.kind} | {'; '.join(cited)} |")
    return "\n".join(lines) + "\n"


def renew():
    text = INDEX.read_text(encoding="utf-8")
    INDEX.write_text(TABLE.sub(lambda _: theorem_table(), text), encoding="utf-8")
