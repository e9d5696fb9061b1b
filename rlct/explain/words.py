"""What is said about a step: by a function, by the words of its rule, or by its docstring."""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rlct.certificate.rules import CheckedRule, RuleScope, all_rules
from rlct.explain import blowups, boxes, fibres, leaves, networks, polyhedra, reductions
from rlct.explain.prose import mark_formulas
from rlct.explain.proved_step import RULE_WORDINGS, ProvedStep, Words

#: Where functions are marked with `words_for`.
_WORDED_MODULES: Final = (blowups, boxes, fibres, leaves, networks, polyhedra, reductions)
_PAGE_NAME: Final = re.compile(r"theory/([\w-]+)\.md")
_PAGE_MENTION: Final = re.compile(r"\s*\([^()]*``theory/[\w-]+\.md``[^()]*\)")
_OF_VARIABLES: Final = ("variable", "along")  # entries that are indices of variables
_OF_POLYNOMIALS: Final = ("units",)  # lists of them


def words_of(step: ProvedStep) -> Words:
    """What is said about a step."""
    name, over_box = step.node.rule, step.branch.box is not None
    rules = [rule for rule in all_rules() if rule.name == name]
    rules.sort(key=lambda rule: (RuleScope.BOX in rule.scope) != over_box)
    wording = next(filter(None, (rule.wording for rule in rules)), "")
    told = RULE_WORDINGS.get((name, over_box)) or RULE_WORDINGS.get((name, False))
    if told is not None:
        words = told(step)
    elif wording:
        words = _filled(wording, step)
    else:
        words = replace(docstring_words(rules[0]), then=(f"So {step.result}.",))
    if words.page:
        return words
    page = _PAGE_NAME.search(rules[0].replay.__doc__ or "")
    return replace(words, page=page[1] if page else "certificates")


def docstring_words(rule: CheckedRule) -> Words:
    """What a rule bounds and under which condition, as its docstring says.

    >>> def half(statement, data, solve_child):
    ...     \"\"\"pair(J) ≥ (1/2, 1).
    ...
    ...     If J is principal (``theory/certificates.md``).
    ...     \"\"\"
    >>> docstring_words(CheckedRule("at-least-half", half)).text
    ('`pair(J) ≥ (1/2, 1)`.', 'If `J` is principal.')
    """
    text = _PAGE_MENTION.sub("", inspect.getdoc(rule.replay) or "").replace("``", "")
    paragraphs = [mark_formulas(" ".join(part.split())) for part in text.split("\n\n")]
    return Words(rule.name.replace("-", " ").capitalize(), tuple(paragraphs), sources=())


def _filled(wording: str, step: ProvedStep) -> Words:
    head, *lines = wording.split("\n")
    title, _, sources = head.rstrip("]").partition(" [")
    numbers = _Numbers(step)
    rows: dict[str, list[str]] = {"→": [], "∵": [], "": []}
    for line in lines:
        mark = line[0] if line[0] in rows else ""
        rows[mark].append(line[2:] if mark else line)
    text, then = (tuple(line.format_map(numbers) for line in rows[mark]) for mark in ("", "→"))
    words = Words(title, text, tuple(filter(None, then)), why=tuple(rows["∵"]))
    return replace(words, sources=tuple(sources.split(", "))) if sources else words


class _Numbers(dict[str, Any]):
    """What the names between braces stand for: entries of the evidence, or parts of the step."""

    def __init__(self, step: ProvedStep) -> None:
        super().__init__(labels=step.labels, result=step.result)
        self.step = step

    def __missing__(self, name: str) -> str:
        step = self.step
        if name in step.data:
            return _entry(step, name, step.data[name])
        parts: dict[str, Callable[[], str]] = {
            "chart": lambda: step.children[0].chart or "the origin",
            "child": step.child,
            "generators": lambda: step.list(step.generators[:4]),
            "least": lambda: " ".join(fibres.least_below(step)),
            "pair": lambda: step.pair(0),
            "pairs": lambda: reductions.pairs_of(step),
        }
        return parts[name]()


def _entry(step: ProvedStep, name: str, value: Any) -> str:
    """An entry of the evidence: the variable or generator of an index, polynomials, a number."""
    if name in _OF_VARIABLES:
        return step.names[int(value)]
    if name == "generator":
        return step.list([step.generators[int(value)]])
    if name in _OF_POLYNOMIALS:
        return step.list(map(step.read, value))
    if isinstance(value, list):
        is_polynomial = all(isinstance(term, list) for term in value)
        return step.poly(value) if is_polynomial else str(len(value))
    return str(value)
