"""The command ``rlct rule new``: files of a rule that work, to be changed into another."""

import argparse
from typing import Any

from rlct.cli.checkout import new_files

_NEXT_STEPS = (
    ("python tests/renew schema", "the form of its evidence"),
    ("python -m pytest -q tests/engine/test_<<module>>.py", "what it says, and what is refused"),
    ("python -m pytest -q tests/certificate/test_rules.py tests/test_schema.py", ""),
)
#: Where the guide of a folder or a table gets a line, before a line that begins so.
_ADDED_LINES = {
    "rlct/engine/reductions/__init__.py": ('"""', "<<module>>  <<title>>"),
    "rlct/certificate/germs/__init__.py": ('"""', "<<module>>  <<title>>"),
    "theory/certificates.md": (
        "| `hull` |",
        r"| `<<id>>` | a variable $x$ | $f = x^{k}\cdot u$ with $u(0) \neq 0$: near 0 the unit "
        "lies between two numbers of one sign, so the pair is $((1+h)/(2k), 1)$. |",
    ),
}


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "rule",
        help="write the files of a new rule for germs, in a checkout of rlct",
        description="Write what a rule consists of: the engine's half, the checker's, a test and "
        "a row of theory. They hold a small true rule, complete, for you to change into yours.",
        examples=["rlct rule new unit-times-power --title 'A unit times a power'"],
    )
    commands = group.add_subparsers(dest="rule_command", metavar="COMMAND", required=True)
    parser = commands.add_parser(
        "new",
        help="write the files of a new rule",
        description="Write the two halves of a rule, a test and a row of theory.",
        examples=["rlct rule new unit-times-power"],
    )
    new_files.add_name(parser, "unit-times-power")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.certificate.rules import all_rules
    from rlct.engine.rules import GERM_RULES

    known_names = {rule.name for rule in all_rules()} | {rule.name for rule in GERM_RULES}
    name, title = options.id, new_files.checked_title(options, known_names)
    root, module = new_files.checkout_here(), name.replace("-", "_")
    places = {
        "rule_engine.py": f"rlct/engine/reductions/{module}.py",
        "rule_checker.py": f"rlct/certificate/germs/{module}.py",
        "rule_test.py": f"tests/engine/test_{module}.py",
    }
    new_files.write_new(root, places, name, title)
    for place, (start, line) in _ADDED_LINES.items():
        new_files.insert_line(root / place, start, new_files.named(line, name, title))
        print(f"added a line to {place}")
    print("They state a true rule, that of a unit times x^k. Change them into yours, then:\n")
    new_files.print_steps(_NEXT_STEPS, name)
    print("\nA question that needs it joins tests/certificate/corpus.py; docs/rule.md says more.")
    return 0
