"""The lists of hypotheses on theory pages that have no prose about them."""

import re
from pathlib import Path

from rlct.explain.prose import mark_formulas
from rlct.report import mathematics
from rlct.theorems import all_theorems

THEORY = Path(__file__).parents[2] / "theory"
HEADING = "## Hypotheses\n"
LIST = re.compile(r"## Hypotheses\n\n.*?\n\n(?=## )", re.DOTALL)


def in_prose(page):
    """Whether somebody wrote the hypotheses, with more to say about them than a list."""
    return "**Hypotheses.**" in page


def left_open(parameter):
    """What the page says of the value if this hypothesis is left open."""
    left = parameter.left("[{}](conventions.md#what-is-left-without-a-hypothesis)")
    pieces = re.split(r"(\[.*?\]\([^)]*\))", left)
    pieces[::2] = [mathematics.markdown(mark_formulas(piece)) for piece in pieces[::2]]
    return f" *Left open:* {''.join(pieces)}." if left else ""


def given_parameters(theorem):
    return [parameter for parameter in theorem.parameters if parameter.kind.name == "GIVEN"]


def section(theorem):
    """The hypotheses that are checked, and which of them a question below violates."""
    lines = []
    computed = theorem.hypotheses(theorem.bind(theorem.instances[0].arguments))
    told = [(finding.statement, "", "Computed.", "") for finding in computed]
    for parameter in given_parameters(theorem):
        whose = "with the question" if parameter.posed else "by the user"
        how = f"Given {whose}: `{parameter.name}`."
        told.append((parameter.help, parameter.name, how, left_open(parameter)))
    for number, (statement, name, how, left) in enumerate(told, 1):
        denied = any(
            example.hypothesis == name or example.hypothesis in statement
            for example in theorem.counterexamples
        )
        below = " A question below shows what goes wrong without it." if denied else ""
        statement_text = mathematics.markdown(mark_formulas(statement))
        lines.append(f"{number}. {statement_text}. *{how}*{left}{below}")
    return HEADING + "\n" + "\n".join(lines) + "\n\n"


def read(page):
    """As a terminal shows it: how the LaTeX of the page is spaced is left to its author."""
    return re.sub(r"\\(?=[\W_])", "", mathematics.text(page.replace("$$", "$")))


def renew():
    """Write the lists of the pages that have no prose."""
    for theorem in all_theorems():
        path = THEORY / f"{theorem.id}.md"
        page = path.read_text(encoding="utf-8")
        if not in_prose(page) and read(section(theorem)) not in read(page):
            page = LIST.sub("", page)
            place = page.index("## Values\n")
            path.write_text(page[:place] + section(theorem) + page[place:], encoding="utf-8")
