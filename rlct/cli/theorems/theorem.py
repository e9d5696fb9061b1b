"""The commands ``rlct theorem list``, ``show`` and ``eval``; others are added."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rlct.cli import common
from rlct.cli.exact import explaining
from rlct.cli.theorems import theorem_check, theorem_new
from rlct.errors import InputError
from rlct.explain.pages import failure_reasons, theorem_statement, value_origins
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.arguments import NO_DEFAULT, Kind, Truth, text_of

if TYPE_CHECKING:
    from rlct.theorems.base import AppliedTheorem, Counterexample, Instance, Theorem

_ANSWER_SCHEMA = "rlct/1"
_MEANT_NAMES = {  # what people type for what the catalogue calls by its name
    "autoencoder": "reduced rank",
    "cbm": "concept bottleneck",
    "cnn": "convolution",
    "dead": "inactive",
    "deficient": "deep linear",
    "degeneracy": "scaling",
    "dln": "deep linear",
    "fa": "factor analysis",
    "forest": "tree",
    "gmm": "gaussian mixture",
    "hmm": "hidden markov",
    "lca": "latent class",
    "lda": "latent dirichlet",
    "linearized": "linearised",
    "lsm": "latent class",
    "mlp": "layer network",
    "nb": "naive bayes",
    "ntk": "linearised",
    "parafac": "cp decomposition",
    "pca": "reduced rank",
    "pcbm": "partial concept",
    "phylogenetic": "latent tree",
    "rrr": "reduced rank",
    "semiregular": "semi regular",
    "svd": "reduced rank",
    "topic": "latent dirichlet",
    "toy": "landscape",
    "transformer": "attention",
}
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "at", "for", "from", "in", "model", "models", "of", "on", "the", "with"}
)


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "theorem",
        help="closed forms: list, show or evaluate them",
        description="The catalogue of closed forms and bounds, with hypotheses and sources.",
        examples=["rlct theorem list linear network depth", "rlct theorem show deep-linear"],
    )
    commands = group.add_subparsers(dest="theorem_command", metavar="COMMAND", required=True)
    list_parser = commands.add_parser(
        "list",
        help="list the theorems",
        description="List the theorems, all of them or those that have all the words.",
        examples=["rlct theorem list", "rlct theorem list mixture"],
    )
    list_parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="words that id, title, model or sources must all contain; hmm, lda, cnn and the like "
        "are understood",
    )
    list_parser.set_defaults(run=_list)
    show_parser = commands.add_parser(
        "show",
        help="state a theorem, its hypotheses and where it fails",
        description="State a theorem with hypotheses, known values, counterexamples and sources.",
        examples=["rlct theorem show deep-linear"],
    )
    show_parser.add_argument("id", help="as printed by 'rlct theorem list'")
    show_parser.set_defaults(run=_show)
    eval_parser = commands.add_parser(
        "eval",
        help="evaluate a theorem",
        description="Check the hypotheses of a theorem on numbers and evaluate it.",
        examples=[
            "rlct theorem eval deep-linear widths=5,3,5 rank=1",
            "rlct theorem eval sum-of-powers powers=1,2,3 --explain",
        ],
    )
    eval_parser.add_argument("id", help="as printed by 'rlct theorem list'")
    eval_parser.add_argument(
        "values", nargs="*", metavar="NAME=VALUE", help="for example widths=5,3,5 rank=1"
    )
    explaining.add_explain(eval_parser)
    eval_parser.set_defaults(run=_evaluate)
    theorem_check.add_check(commands)
    theorem_new.add_new(commands)
    for parser in (list_parser, show_parser, eval_parser):
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def _list(options: argparse.Namespace) -> int:
    typed = _plain(" ".join(options.words)).split()
    words = [word for word in typed if word not in _SMALL_WORDS] or typed
    theorems = [theorem for theorem in all_theorems() if all(_finds(w, theorem) for w in words)]
    if not theorems and not options.json:
        raise InputError(
            f"no theorem matches {' '.join(typed)[:60]!r}; all: rlct theorem list; what is a "
            "polynomial, such as a cusp, is for rlct poly '(x**2 - y**3)**2'"
        )
    if options.json:
        common.print_json(
            {"schema": _ANSWER_SCHEMA, "theorems": [theorem.to_dict() for theorem in theorems]}
        )
        return 0
    width = max((len(theorem.id) for theorem in theorems), default=0)
    for theorem in theorems:
        common.print_text(f"{theorem.id:{width}}  {theorem.kind}  {theorem.title}")
    return 0


def _finds(word: str, theorem: Theorem) -> bool:
    """Whether a theorem has a word; of an abbreviation the words that it stands for."""
    cited = (source.replace("version read: not recorded", "") for source in theorem.sources)
    text = _plain(" ".join((theorem.id, theorem.title, theorem.model, *cited)))
    # The plural of a name finds the name: words are searched as parts of words.
    one = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
    parts = _MEANT_NAMES.get(word, _MEANT_NAMES.get(one, one)).split()
    # A number is all of a word: 5.2 is no part of 2015.2.
    return all(part in (text.split() if re.search(r"\d", part) else text) for part in parts)


def _plain(text: str) -> str:
    """Lower case, with spaces for hyphens and the like; G.2, the number of a theorem, is whole."""
    return re.sub(r"[^\w.]+|\.(?!\w)", " ", text.casefold())


def _show(options: argparse.Namespace) -> int:
    theorem = get_theorem(options.id)
    if options.json:
        common.print_json({"schema": _ANSWER_SCHEMA, **_details(theorem)})
        return 0
    common.print_text(f"{theorem.id}: {theorem.title}")
    common.print_text(f"\nModel      {theorem.model}")
    common.print_text(f"Statement  {theorem_statement(theorem.id)}")
    common.print_text(f"Where      {theorem.where}")
    common.print_text("\nArguments")
    for parameter in theorem.parameters:
        if parameter.kind is Kind.GIVEN:
            continue
        needed = "" if parameter.default is NO_DEFAULT else " (optional)"
        common.print_text(f"  {parameter.name}{needed}: {parameter.help}; {parameter.kind.value}")
    given_parameters = [
        parameter for parameter in theorem.parameters if parameter.kind is Kind.GIVEN
    ]
    if given_parameters:
        common.print_text(
            "\nHypotheses that you vouch for (say name=false or name=open if you cannot)"
        )
    for parameter in given_parameters:
        said = " (the question says so)" if parameter.posed else ""
        common.print_text(f"  {parameter.name}: {parameter.help}{said}")
        common.print_text(f"    Left open: {parameter.left()}.")
    common.print_text("\nKnown values")
    for instance, origin in _known_values(theorem):
        known = instance.pair or "not known"
        common.print_text(f"  {_command(theorem, instance)}: {known} ({origin})")
    common.print_text("\nWhere it fails")
    for example, reason in _failures(theorem):
        formula = theorem.formula(**example.arguments)
        common.print_text(
            f"  Not {example.hypothesis}: the formula says {formula}, the truth is {example.truth}."
        )
        common.print_text(f"    {reason}")
    common.print_text("\nSources")
    for source in theorem.sources:
        common.print_text(f"  {source}")
    return 0


def _known_values(theorem: Theorem) -> Iterable[tuple[Instance, str]]:
    """Instances, and how their values are known, which the page says."""
    origins = [(theorem.parse(words.split()), why) for words, why in value_origins(theorem.id)]
    bound_origins = [(theorem.bind(arguments), why) for arguments, why in origins]
    for instance in theorem.instances:
        asked = theorem.bind(instance.arguments)
        yield instance, next(why for arguments, why in bound_origins if arguments == asked)


def _failures(theorem: Theorem) -> Iterable[tuple[Counterexample, str]]:
    """Counterexamples, and why the formula is wrong there, which the page says."""
    return zip(theorem.counterexamples, failure_reasons(theorem.id), strict=True)


def _command(theorem: Theorem, instance: Instance) -> str:
    values = " ".join(f"{name}={text_of(value)}" for name, value in instance.arguments.items())
    return f"rlct theorem eval {theorem.id} {values}"


def _details(theorem: Theorem) -> dict[str, Any]:
    return {
        **theorem.to_dict(),
        "statement": theorem_statement(theorem.id),
        "where": theorem.where,
        "parameters": [
            {
                "name": p.name,
                "kind": p.kind.value,
                "help": p.help,
                "required": p.default is NO_DEFAULT,
            }
            for p in theorem.parameters
        ],
        "instances": [
            {
                "arguments": {name: text_of(value) for name, value in i.arguments.items()},
                "lambda": None if i.pair is None else str(i.pair.lam),
                "theta": None if i.pair is None else i.pair.theta,
                "bounds": None if i.bounds is None else str(i.bounds),
                "origin": origin,
                "confirmed": [c.to_dict() for c in i.confirmed],
            }
            for i, origin in _known_values(theorem)
        ],
        "counterexamples": [
            {
                "arguments": {name: text_of(value) for name, value in c.arguments.items()},
                "hypothesis": c.hypothesis,
                "formula": str(theorem.formula(**c.arguments)),
                "truth": str(c.truth),
                "generators": list(c.generators),
                "evidence": reason,
                "confirmed": [way.to_dict() for way in c.confirmed],
            }
            for c, reason in _failures(theorem)
        ],
    }


def _evaluate(options: argparse.Namespace) -> int:
    explaining.check_explain(options)
    theorem = get_theorem(options.id)
    result = theorem.apply(**theorem.parse(options.values))
    if options.explain or options.cite:
        return _explain(options, result)
    if options.json:
        common.print_json({"schema": _ANSWER_SCHEMA, **result.to_dict()})
        return 0 if result.exact else 3
    if result.exact:
        common.print_text(f"{result.pair}  [{result.standing}; theorem {theorem.id}]")
    else:
        if any(finding.truth is Truth.OPEN for finding in result.findings):
            would = f"; if it is true, {result.conditional}" if result.conditional else ""
            common.print_text(f"no exact value: a hypothesis of {theorem.id} is open{would}")
        if result.bounds is not None:
            common.print_text(f"{result.bounds}  [{result.standing}; theorem {theorem.id}]")
        else:
            common.print_text(f"no bound is proved: {result.lost}")
    common.print_text(f"where: {theorem.where}")
    for finding in result.findings:
        common.print_text(f"  {finding.truth.value}: {finding.statement} ({finding.evidence})")
    for source in theorem.sources:
        common.print_text(f"source: {source}")
    return 0 if result.exact else 3


def _explain(options: argparse.Namespace, application: AppliedTheorem) -> int:
    from rlct.answers.result import Result, theorem_route

    result = Result.of([theorem_route(application)], application.theorem.where, None, None)
    if options.json:
        more = explaining.explanation_entries(options, result)
        common.print_json({"schema": _ANSWER_SCHEMA, **application.to_dict(), **more})
    else:
        print(explaining.explanation_text(options, result))
    return 0 if application.exact else 3
