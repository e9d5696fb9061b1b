"""The table of preprints and the versions that were read, in ``theory/references.md``."""

import re
from pathlib import Path

from rlct.system.bibliography import entries

REFERENCES = Path(__file__).parents[2] / "theory" / "references.md"
TABLE = re.compile(r"(?<=<!-- versions -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
PREPRINTS = {key: e.fields for key, e in entries().items() if "eprint" in e.fields}


def versions_table():
    lines = ["| preprint | version read |", "|---|---|"]
    for number, read in sorted((f["eprint"], f["version"]) for f in PREPRINTS.values()):
        lines.append(f"| [{number}](https://arxiv.org/abs/{number}) | {read} |")
    return "\n".join(lines) + "\n"


def renew():
    text = REFERENCES.read_text(encoding="utf-8")
    REFERENCES.write_text(TABLE.sub(lambda _: versions_table(), text), encoding="utf-8")
