"""Renew all text that is made from code: ``make index``.

``python tests/renew theorems versions`` renews those parts alone.  Tests compare, and write
nothing; read the difference before you commit it.
"""

import runpy
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What each word of the command renews: modules of this folder, or scripts.
PARTS = {
    "theorems": ("theory_table", "hypothesis_lists", "start_indexes"),
    "versions": ("version_table",),
    "schema": ("rule_forms",),
    "audit": ("audit_table",),
    "experiments": ("experiment_pages",),
    "pages": ("validation/corpus/page.py", "validation/literature/page.py"),
    "house": ("house_counts",),
    "outputs": ("printed_outputs",),
}


def main(words):
    sys.path.insert(1, str(ROOT))  # for validation, which is not installed
    if unknown := [word for word in words if word not in PARTS]:
        sys.exit(f"no part {unknown[0]}: choose from {', '.join(PARTS)}")
    for word in words or PARTS:
        print(f"renewing {word}", flush=True)
        for name in PARTS[word]:
            if name.endswith(".py"):
                runpy.run_path(str(ROOT / name), run_name="__main__")
            else:
                import_module(name).renew()


if __name__ == "__main__":
    main(sys.argv[1:])
