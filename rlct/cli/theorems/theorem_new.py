"""The command ``rlct theorem new``: files of a theorem that work, to be changed into another."""

import argparse
from typing import Any

from rlct.cli.checkout import new_files

_NEXT_STEPS = (
    ("rlct theorem show <<id>>", "how it reads"),
    ("rlct theorem check <<id>>", "its values without its formula"),
    ("python validation/theorems/run.py <<id>>", "the record of its simulations"),
    ("python tests/renew theorems", "the table of theorems"),
    ('python -m pytest -q tests/theorems tests/test_theory_index.py -k "<<id>> or table"', ""),
)


def add_new(commands: Any) -> None:
    """Add the command to the subparsers of ``rlct theorem``."""
    parser = commands.add_parser(
        "new",
        help="write the files of a new theorem, in a checkout of rlct",
        description="Write the file and the page of a theorem. They hold a small true theorem, "
        "complete, for you to change into yours.",
        examples=["rlct theorem new power-sum --title 'Sum of equal powers'"],
    )
    new_files.add_name(parser, "power-sum")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.theorems import all_theorems

    name = options.id
    title = new_files.checked_title(options, {theorem.id for theorem in all_theorems()})
    places = {
        "theorem.py": f"rlct/theorems/polynomials/{name.replace('-', '_')}.py",
        "theorem.md": f"theory/{name}.md",
    }
    new_files.write_new(new_files.checkout_here(), places, name, title)
    print("They state a true theorem, that of K = x_1^(2k) + … + x_n^(2k). ", end="")
    print("Change both into yours, then:\n")
    new_files.print_steps(_NEXT_STEPS, name)
    print("\nA new source goes into theory/references.bib; docs/theorem.md says more.")
    return 0
