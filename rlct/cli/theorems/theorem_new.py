"""The command ``rlct theorem new``: files of a theorem that work, to be changed into another."""

from __future__ import annotations

import argparse
import keyword
import re
from typing import Any

from rlct.cli.checkout.root_folder import source_root
from rlct.cli.files import write_text
from rlct.errors import InputError

__all__ = ["add_new"]

_MODULE = '''"""{title}: say here in one line what the theorem is about."""

from __future__ import annotations

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import ENGINE, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    """Decide what can be computed; every other hypothesis is a `Parameter.given`."""
    n, k = arguments["count"], arguments["power"]
    return (Finding.of("count and power are positive", n > 0 and k > 0, f"{{n}} and {{k}}"),)


def _value(arguments: Arguments) -> Pair:
    """Return λ, exact, and θ; `step` shows readers the numbers on the way."""
    n, k = arguments["count"], arguments["power"]
    return Pair(step(f"λ = {{n}}/(2·{{k}})", Fraction(n, 2 * k)), 1)


def _question(arguments: Arguments) -> object | None:
    """Return the same question for the engine, which knows nothing of the formula."""
    from rlct.questions.problem import Problem  # imports sympy

    if arguments["count"] > 20:
        return None
    powers = range(1, arguments["count"] + 1)
    return Problem.ideal([f"x{{i}}**{{arguments['power']}}" for i in powers])


THEOREM = Theorem(
    id="{id}",
    title="{title}",
    model="K = x_1^(2k) + … + x_n^(2k)",
    where="at the origin",
    cites=("watanabe2009, chapter 1",),
    parameters=(
        Parameter("count", Kind.INTEGER, "number of variables n"),
        Parameter("power", Kind.INTEGER, "k"),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    instances=(
        # At least three, known without this formula: say how.
        Instance(
            {{"count": 1, "power": 2}},
            Pair.of("1/4"),
            "the length of x⁴ < t is 2 t^(1/4)",
            (ENGINE, by_simulation()),
        ),
        Instance({{"count": 2, "power": 1}}, Pair.of(1), "the area of a disc of radius √t is π t"),
        Instance({{"count": 3, "power": 2}}, Pair.of("3/4"), "x = t^(1/4) u takes t out of K < t"),
    ),
    counterexamples=(
        # One for each hypothesis: what goes wrong without it.
        Counterexample(
            {{"count": 1, "power": 1, "interior": Truth.FALSE}},
            Pair.of("3/2"),
            ("x",),
            "K = x² with the prior x²: ∫ x^(2z+2) dx has its pole at −3/2.",
            prior="x**2",
        ),
    ),
)
'''

_PAGE = r"""# {title}

**Statement.** $K = x_{{1}}^{{2k}} + \ldots + x_{{n}}^{{2k}}$ has $\lambda = n/(2k)$ and $\theta = 1$.

**Hypotheses.** $n, k \geq 1$; the prior is positive and continuous near the origin, which is interior.

**Proof.** With $x = t^{{1/(2k)}} u$ the set $K < t$ becomes $K(u) < 1$ and the volume $t^{{n/(2k)}}$ times a constant. ∎

## Values

| arguments | $\lambda$ | $\theta$ |
|---|---|---|
| `count=1 power=2` | 1/4 | 1 |
| `count=2 power=1` | 1 | 1 |
| `count=3 power=2` | 3/4 | 1 |

## Where it fails

| arguments | formula | truth | question |
|---|---|---|---|
| `count=1 power=1 interior=false` | 1/2, 1 | 3/2, 1 | $K = x^{{2}}$ with prior $x^{{2}}$ |

## Sources

- Watanabe, S. (2009). Algebraic Geometry and Statistical Learning Theory. Cambridge University Press, chapter 1.
"""  # noqa: E501 (a paragraph is a line)

_WRITTEN = """wrote {module}
wrote {page}
They state a true theorem, that of K = x_1^(2k) + … + x_n^(2k). Change both into yours, then:
"""

_STEPS = (
    ("rlct theorem show {id}", "how it reads"),
    ("rlct theorem check {id}", "its values without its formula"),
    ("python validation/theorems/run.py {id}", "the record of its simulations"),
    ("python tests/renew theorems", "the table of theorems"),
    ('python -m pytest -q tests/theorems tests/test_theory_index.py -k "{id} or table"', ""),
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
    parser.add_argument("id", help="lower-case words with hyphens, such as power-sum")
    parser.add_argument("--title", help="as it is to be printed; from the id by default")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.theorems import all_theorems

    name = options.id
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 60:
        raise InputError(f"{name[:60]!r} is no id: write lower-case words with hyphens")
    if keyword.iskeyword(name):
        raise InputError(f"{name} is a word of Python, and the file of a theorem has its name")
    title = (options.title or name.replace("-", " ").capitalize()).strip()
    if not title or not title.isprintable() or set(title) & set('"\\{}') or len(title) > 80:
        raise InputError('--title must be one line of at most 80 characters without " \\ { }')
    root = source_root("theorems", "rlct/theorems", "theory/index.md")
    module = root / "rlct" / "theorems" / "polynomials" / f"{name.replace('-', '_')}.py"
    page = root / "theory" / f"{name}.md"
    known = {theorem.id for theorem in all_theorems()}
    for path in (module, page):
        if path.exists() or name in known:
            raise InputError(f"there is a theorem or a page {name} already: choose another id")
    write_text(str(module), _MODULE.format(id=name, title=title))
    write_text(str(page), _PAGE.format(id=name, title=title))
    places = {"module": module.relative_to(root), "page": page.relative_to(root)}
    print(_WRITTEN.format(**places))
    commands = [command.format(id=name) for command, _ in _STEPS]
    width = max(len(command) for command in commands[:-1])
    for command, (_, what) in zip(commands, _STEPS, strict=True):
        print(f"  {command:{width}}  {what}".rstrip())
    print("\nA new source goes into theory/references.bib; docs/theorem.md says more.")
    return 0
