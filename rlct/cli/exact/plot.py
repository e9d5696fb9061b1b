"""The command ``rlct plot``: any picture of a question, by the command that has its answer."""

import argparse
import re
from itertools import takewhile
from typing import Any, Final, NamedTuple

from rlct.cli import common, files
from rlct.errors import InputError
from rlct.questions.arguments import generators_of


class _Picture(NamedTuple):
    """What a picture shows, and the words of the command that draws it."""

    shows: str
    command: tuple[str, ...]
    example: str


_PLOT_KINDS: Final = {
    "landscape": _Picture(
        "K and its zeros near the point, in two variables", (), '"(x**2-y**3)**2"'
    ),
    "newton": _Picture(
        "the Newton polyhedron of K or of generators, in two or three variables",
        ("newton",),
        "'x**3' 'y**4' 'z**2' 'x*y*z'",
    ),
    "tree": _Picture(
        "the tree of a proof with its charts, of K or of generators by 'ideal f'",
        ("blowup",),
        'ideal "x**2-y**3"',
    ),
    "strata": _Picture(
        "the cells of a fibre and the pair on each",
        ("strata",),
        "model hidden-markov --states 2 --symbols 2",
    ),
    "check": _Picture(
        "a simulation that leads to λ̂, its interval, and the value on trial",
        ("check",),
        'poly "x**2*y**2" --claim 3/4',
    ),
    "ladder": _Picture("the same without any theory", ("sample",), 'poly "x**2*y**4"'),
    "volume": _Picture(
        "the volume of {K < t} over t", ("sample", "--method=splitting"), 'poly "x**2*y**4"'
    ),
    "chains": _Picture(
        "chains at one temperature", ("sample",), 'poly "x**2*y**2" --n-beta 1000 --method mala'
    ),
    "sizes": _Picture("λ beside d/2 over a range of sizes", ("net",), "linear 10x2..8 --rank 5"),
    "select": _Picture(
        "criteria, probabilities and penalties by size",
        ("select",),
        "--family latent-class --categories 2,2,2,2,2 --sizes 1..3 --n 1000 "
        "--log-likelihood=-2493.4,-2467.4,-2464.7",
    ),
    "phases": _Picture(
        "which of several models is preferred at which n",
        ("evidence", "transition"),
        '"0.05,linear 5 3 5 --rank 0" "0.004,linear 5 3 5 --rank 2"',
    ),
}
_OF_POLYNOMIALS: Final = ("landscape", "check", "ladder", "volume", "chains")
_EXPRESSION_WORD: Final = re.compile(r"\A(?!(poly|ideal|linear|theorem)\Z)(\w\Z|.*[-*^+²³(])")


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    width = max(map(len, _PLOT_KINDS)) + 2
    lines = [f"  {name:{width}}{picture.shows}" for name, picture in _PLOT_KINDS.items()]
    parser = subparsers.add_parser(
        "plot",
        help="any picture of a question, as SVG, PDF or PNG",
        description="Draw a picture of a question, and print its answer. QUESTION and its options "
        "are those of the command that has the answer; 'rlct plot PICTURE --help' shows them.",
        epilog="\n".join(["pictures:", *lines]),
        examples=[_line(name) for name in ("landscape", "newton", "tree", "sizes", "phases")],
        alone=True,
    )
    parser.add_argument("picture", metavar="PICTURE", choices=tuple(_PLOT_KINDS), help="see below")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="QUESTION", help="such as poly 'x**2*y**4'"
    )
    _add_out(parser)
    parser.set_defaults(run=_run)


def _line(name: str) -> str:
    return f"rlct plot {name} {_PLOT_KINDS[name].example} --out {name}.svg"


def _add_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=files.picture_file,
        metavar="FILE",
        help="the picture: FILE.svg or FILE.pdf, which stay sharp at any size, or FILE.png",
    )


def _run(options: argparse.Namespace) -> int:
    from rlct.cli.commands import build_parser
    from rlct.cli.main import run_parsed

    words = common.take_options(options, _add_out)
    name = options.picture
    if not words:
        raise InputError(f"the question is missing: {_line(name)}")
    helps = not {"-h", "--help"}.isdisjoint(words)
    if options.out is None and not helps:
        raise InputError(f"the name of the picture is missing: add --out {name}.svg")
    if name == "chains" and not (helps or any(word.startswith("--n-beta") for word in words)):
        raise InputError("chains run at one temperature: add --n-beta 1000")
    command = _PLOT_KINDS[name].command
    if name in _OF_POLYNOMIALS and _EXPRESSION_WORD.search(words[0]):
        texts = takewhile(lambda word: not word.startswith("-"), words)
        several = sum(len(generators_of(text)) for text in texts) > 1
        words = ["ideal" if several else "poly", *words]  # as newton and blowup read them
    # Options that the command needs come after the question.
    needed = [word for word in command if word.startswith("-")]
    words = [*(word for word in command if word not in needed), *words, *needed]
    return run_parsed(build_parser().parse_args([*words, f"--plot={options.out}"]))
