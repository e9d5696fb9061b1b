"""The rows of the audit in ``theory/audit.md``."""

import re
from pathlib import Path

from validation.audit import all_rows
from validation.audit.page import table

PAGE = Path(__file__).parents[2] / "theory" / "audit.md"
TABLE = re.compile(r"(?<=<!-- rows -->\n\n).*(?=\n\n<!-- end of rows -->)", re.DOTALL)


def renew():
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(all_rows()), text), encoding="utf-8")
