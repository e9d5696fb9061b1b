"""Wordings of theorems: what they say, with which numbers, and why it is true."""

from __future__ import annotations

import shlex
from contextlib import suppress
from typing import TYPE_CHECKING

from rlct.errors import InputError
from rlct.explain.cite import keys_of, letters_only
from rlct.explain.pages import ProofPassage, argument, marked_statement
from rlct.explain.prose import mark_formulas
from rlct.explain.proved_step import Words, bounds_formula, joined_items
from rlct.system.bibliography import entries

if TYPE_CHECKING:
    from rlct.answers.result import Route
    from rlct.theorems.base import Theorem


def theorem_of(route: Route) -> Theorem | None:
    """The theorem that a route rests on."""
    from rlct.theorems import get_theorem

    theorem_id = route.method.removeprefix("theorem ").partition(" ")[0]
    if theorem_id == route.method:
        return None
    with suppress(InputError):
        return get_theorem(theorem_id)
    return None


def theorem_words(theorem: Theorem, route: Route, germ_place: str = "") -> Words:
    """What a route by a theorem says, at the place that was asked."""
    text = [f"The theorem says: {marked_statement(theorem.id)}"]
    shown_arguments = {
        n: v for n, v in route.arguments.items() if v not in ("None", "true", "false", "given")
    }
    if shown_arguments:
        text.append(f"Here {joined_items((f'{n} = {v}' for n, v in shown_arguments.items()), 12)}.")
    text += [_hypothesis(h["statement"], h["truth"], h["evidence"]) for h in route.hypotheses]
    if route.working:
        text.append(f"With these numbers: {'; '.join(map(mark_formulas, route.working))}.")
    rule = mark_formulas(route.method.partition(" (")[2].removesuffix(")"))
    if route.lower is None and route.upper is None:
        text.append("A hypothesis is open, so the theorem proves nothing here.")
    else:
        answer = (
            f"`λ ≤ {route.upper.lam}`"
            if route.lower is None and route.upper is not None
            else bounds_formula(route.lower, route.upper)
            if route.lower is not None
            else ""
        )
        place = germ_place or mark_formulas(theorem.where)
        text.append(f"So {answer}{f' ({rule})' if rule else ''}, {place}.")
    title = f"Theorem {theorem.id}: {mark_formulas(theorem.title)}"
    return Words(title, tuple(text), page=theorem.id, sources=tuple(_keys(theorem)))


def _keys(theorem: Theorem) -> list[str]:
    return list(dict.fromkeys(key for source in theorem.sources for key in keys_of(source)))


def _hypothesis(statement: str, truth: str, evidence: str) -> str:
    needed = f"It needs that {mark_formulas(statement)}"
    holds = {"true": "that holds", "given": "taken as given", "open": "left open"}[truth]
    reason = mark_formulas(evidence) if truth == "true" else evidence
    return f"{needed}: {holds} ({reason})."


def proof_reasons(theorem: Theorem) -> list[Words]:
    """Why a theorem is true: a step for each part of the argument on its page.

    A step cites what its part names; what names nothing is proved there.
    """
    return [_reason(theorem, passage) for passage in argument(theorem.id)]


def _reason(theorem: Theorem, passage: ProofPassage) -> Words:
    proof = passage.label == "Proof"
    text = list(passage.text)
    if passage.pages:
        text.append(f"It uses {joined_items(f'theory/{page}.md' for page in passage.pages)}.")
    argument_text = letters_only(" ".join(passage.text))
    named = [
        key for key in _keys(theorem) if letters_only(entries()[key].surnames[0]) in argument_text
    ]
    return Words(
        "Why" if proof else f"Why: {passage.label}",
        tuple(text),
        page=theorem.id,
        sources=tuple(named),
    )


def same_argument(theorem: Theorem, route: Route) -> str:
    """The command that explains a route that does not decide the answer."""
    given = [f"{n}={v}" for n, v in route.arguments.items() if v != "None"]
    command = shlex.join(["rlct", "theorem", "eval", theorem.id, *given, "--explain"])
    return f"The page of the theorem has the proof; this command prints it: {command}"
