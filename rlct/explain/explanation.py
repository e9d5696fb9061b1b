"""The whole explanation of an answer: question, argument, other routes, sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rlct.explain.argument import about_of, coordinates_of, steps_of
from rlct.explain.cite import keys_of
from rlct.explain.numbered_steps import ExplainedStep
from rlct.explain.prose import mark_formulas
from rlct.explain.proved_step import Words, bounds_formula, joined_items
from rlct.explain.theorems import proof_reasons, same_argument, theorem_of, theorem_words

if TYPE_CHECKING:
    from rlct.answers.result import Result, Route

MOST_STEPS = 40  # of a proof that are shown; a tree of hundreds is read by nobody

_MOST_OPEN, _OPEN_WIDTH = 3, 160  # germs that are named where a proof ends, and their characters

_ASIDE_LENGTH = 4000  # characters of a proof that only bounds what a theorem decides

_POINT_KINDS = {"K", "ideal", "box", "walls"}
_REPLAYED_REMARK = (
    "Each step is one rule of the certificate, which 'rlct verify' replays with arithmetic of "
    "its own.",
)


@dataclass(frozen=True)
class Section:
    """One route to the answer."""

    title: str
    #: Sentences before the steps.
    intro: tuple[str, ...]
    step: ExplainedStep | None


@dataclass(frozen=True)
class Explanation:
    """Why an answer holds, in words."""

    #: What is proved, as formulas between backticks.
    answer: str
    #: What was asked, and what the numbers say.
    meaning: tuple[str, ...]
    #: The routes; the first is the one that the answer names.
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...]

    @classmethod
    def of(cls, result: Result, most: int = MOST_STEPS) -> Explanation:
        """Explain a result.

        >>> import rlct
        >>> found = Explanation.of(rlct.poly("x**2*y**4"))
        >>> [step.rule for step in found.walk() if step.rule], found.sources
        (['squares', 'monomial'], ('howald2001', 'lin2011', 'watanabe2009'))
        """
        sections = tuple(_sections(result, most))
        steps = [step for section in sections for step in _below(section.step)]
        keys = {key for step in steps for key in step.words.sources} | {"watanabe2009"}
        keys |= {key for source in result.sources for key in keys_of(source)}
        notes = (*result.notes, *_open_steps(steps))
        return cls(answer_of(result), _meaning(result), sections, notes, tuple(sorted(keys)))

    def walk(self) -> Iterator[ExplainedStep]:
        """All steps that are shown."""
        for section in self.sections:
            yield from _below(section.step)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: sentences as text, with the rule and the sources of each step."""
        from rlct.report.mathematics import text

        return {
            "answer": text(self.answer),
            "meaning": [text(line) for line in self.meaning],
            "steps": [
                {
                    "label": step.label,
                    "rule": step.rule,
                    "title": text(step.words.title),
                    "about": text(step.about),
                    "text": [text(line) for line in (*step.words.text, *step.words.then)],
                    "claim": text(step.claim),
                    "page": step.words.page,
                    "sources": list(step.words.sources),
                }
                for step in self.walk()
            ],
            "sources": list(self.sources),
        }


def _below(step: ExplainedStep | None) -> Iterator[ExplainedStep]:
    if step is not None:
        yield step
        for inner in step.steps:
            yield from _below(inner)


def _open_steps(steps: list[ExplainedStep]) -> Iterator[str]:
    """Where a proof of bounds ends."""
    open_steps = [f"step {step.label} ({step.claim})" for step in steps if step.is_open]
    if open_steps:
        yield f"sharper bounds at {joined_items(open_steps)} would sharpen the answer"


def open_ends(result: Result) -> tuple[str, ...]:
    """What would close the answer: the germs at which a proof of bounds ends, a line each.

    >>> import rlct
    >>> note, = open_ends(rlct.ideal(["(x**9 - 2*y**9)**2 + z**19"]))
    >>> note.partition(", ")[2]
    'for which 1/36 ≤ λ ≤ 14/171 (rule hull)'
    """
    from rlct.report.mathematics import text

    lines = [
        f"not settled: {shorten(text(step.about), _OPEN_WIDTH, placeholder=' …')}, "
        f"for which {text(step.claim)} (rule {step.rule})"
        for step in Explanation.of(result).walk()
        if step.is_open
    ]
    more = len(lines) - _MOST_OPEN
    return (
        *lines[:_MOST_OPEN],
        *([f"not settled: {more} more, see --explain"] if more > 0 else []),
    )


def answer_of(result: Result) -> str:
    """What is proved, as formulas between backticks."""
    lower, upper = result.bounds
    if lower is None:
        return f"`{result.low_end} λ`" if upper is None else f"`{result.low_end} λ ≤ {upper.lam}`"
    return bounds_formula(lower, upper)


def _meaning(result: Result) -> tuple[str, ...]:
    certificate = result.certificate
    lines = [_asked(result)]
    if certificate is not None:
        lines += coordinates_of(certificate["question"])
    lines.append(
        "The pair measures volume: for small `t` the set `{K < t}` has prior mass about "
        "`c·t^λ·(log(1/t))^(θ-1)`. Smaller `λ`, and then larger `θ`, means more volume, a more "
        "singular zero; in learning `λ·log(n)` is the price of the parameters, which for a regular "
        "model with `d` of them is `d/2·log(n)`."
    )
    return tuple(lines)


def _asked(result: Result) -> str:
    from rlct.models.base import Model

    certificate, question = result.certificate, result.question
    written = ""
    # Ends of a box are typed as they are asked.
    where = result.where if "<=" in result.where else mark_formulas(result.where)
    if certificate is not None and certificate["question"]["kind"] in _POINT_KINDS:
        written = about_of(certificate)
    if isinstance(question, Model):
        asked = f"Asked: `λ` and `θ` of this model: {question}; {where}."
        return f"{asked} Written out: {written}." if written else asked
    return f"Asked: `λ` and `θ`{written and f' of {written}'}; {where}."


def _sections(result: Result, most_steps: int) -> Iterator[Section]:
    certificate = result.certificate
    kind = "" if certificate is None else certificate["question"]["kind"]
    # A theorem on polynomials speaks of the germ, whose point has been moved to the origin.
    germ_place = result.where if hasattr(result.question, "germ") else ""
    proof_explained = False
    open_ends = set(result.bounds)
    for k, route in enumerate(result.routes):
        title = "Argument" if k == 0 else "Another route"
        theorem, claim = theorem_of(route), _route_claim(route)
        # The ends of the answer that this route is the first to prove.
        proved_ends = open_ends & {route.lower, route.upper} - {None}
        open_ends -= proved_ends
        proof = route.certificate
        if (
            route.method.startswith("engine")
            and proof is None
            and kind in _POINT_KINDS
            and not proof_explained
        ):
            proof, proof_explained = certificate, True
        proof_explained |= proof is not None and proof == certificate
        if proof is not None:
            step = steps_of(proof, most_steps)
            if proof is certificate or proved_ends or _is_short(step):
                yield Section(title, (*_intro(route), *_REPLAYED_REMARK), step)
            else:
                pages = sorted({inner.words.page for inner in _below(step)})
                where = joined_items(f"theory/{page}.md" for page in pages)
                long = f"Its steps are long, and the theorem decides; {where} prove their rules."
                yield Section(title, (f"By {route.method}: {claim}. {long}",), None)
        elif theorem is None:
            yield Section(title, (f"By {route.method}: {claim}.",), None)
        elif proved_ends:
            words = theorem_words(theorem, route, germ_place)
            yield Section(title, (), _with_reasons(words, claim, proof_reasons(theorem)))
        else:
            words = theorem_words(theorem, route, germ_place)
            words = replace(words, text=(*words.text, same_argument(theorem, route)))
            yield Section(title, (), ExplainedStep("1", "", "", words, claim))
    if certificate is not None and not proof_explained:
        other = ("What the certificate proves, by code that shares nothing with the above:",)
        yield Section("Certificate", other, steps_of(certificate, most_steps))


def _is_short(step: ExplainedStep) -> bool:
    steps_below = list(_below(step))
    characters = sum(
        len(s.about) + sum(map(len, (*s.words.text, *s.words.then))) for s in steps_below
    )
    return characters <= _ASIDE_LENGTH and not any(s.left_out for s in steps_below)


def _with_reasons(words: Words, claim: str, reason_words: list[Words]) -> ExplainedStep:
    """A theorem, and below it the steps that prove it."""
    below = tuple(
        ExplainedStep(str(k), "", "", reason, claim)
        for k, reason in enumerate(reason_words, start=2)
    )
    return ExplainedStep("1", "", "", words, claim, below)


def _intro(route: Route) -> tuple[str, ...]:
    """What the steps are about, and what nobody has checked."""
    given = (f"It needs that {mark_formulas(said)}: taken as given." for said in route.assumptions)
    return (*given, *_elsewhere(route), *_more_coordinates(route))


def _elsewhere(route: Route) -> tuple[str, ...]:
    """Say so if the steps are about one parameter, and the question about all."""
    if not route.where:
        return ()
    return (
        f"The steps are about one parameter of the truth, the one {route.where}. What they prove "
        "holds there; the minimum over all parameters can be smaller and is only bounded from "
        f"above, {_route_claim(route)}.",
    )


def _more_coordinates(route: Route) -> tuple[str, ...]:
    """Say so if the steps are about equations with coordinates that the model does not have."""
    if not route.excess:
        return ()
    number = int(2 * route.excess)
    return (
        f"The steps are about equations with {number} coordinate{'s' * (number > 1)} more than the "
        f"model: their `λ` is larger by `{route.excess}`. For the model {_route_claim(route)}.",
    )


def _route_claim(route: Route) -> str:
    if route.lower is None:
        return "nothing" if route.upper is None else f"`λ ≤ {route.upper.lam}`"
    return bounds_formula(route.lower, route.upper)
