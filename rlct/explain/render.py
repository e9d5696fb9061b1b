"""Explanations as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from rlct.explain import mathematics
from rlct.explain.cite import long, short
from rlct.explain.explanation import Explanation, Section
from rlct.explain.telling import Step

__all__ = ["to_html", "to_latex", "to_markdown", "to_text"]

_INDENT = 4
_NARROWEST = 40


@dataclass(frozen=True)
class _Piece:
    """One step, or what is said after those below it, with formulas between backticks."""

    step: Step
    depth: int
    closing: bool
    head: str
    sentences: tuple[str, ...]


def _pieces(section: Section, known: set[str]) -> Iterator[_Piece]:
    """The steps of a section in order; `known` are general remarks that were made before."""
    last = ""
    for depth, step, parent, closing in _in_order(section.step):
        if closing:
            yield _Piece(step, depth, True, f"Back to step {step.label}", _closing(step))
            continue
        why = [line for line in step.words.why if line not in known]
        known.update(why)
        result = [f"Result: {step.claim}."] if not step.steps and step.rule else []
        below = f" (below step {parent})" if parent not in ("", last) else ""
        about = f": {step.about}" if step.about else ""
        last = step.label
        head = f"{step.words.title}{below}{about}"
        yield _Piece(step, depth, False, head, (*why, *step.words.text, *result))


def _in_order(
    step: Step | None, depth: int = 0, parent: str = ""
) -> Iterator[tuple[int, Step, str, bool]]:
    """Depth, step, the step above it, and whether those below it have been told.

    A single step below stays at the same depth.
    """
    if step is None:
        return
    yield depth, step, parent, False
    branches = len(step.steps) > 1 or (bool(step.steps) and step.left_out > 0)
    for inner in step.steps:
        yield from _in_order(inner, depth + branches, step.label)
    if _closing(step):
        yield depth, step, parent, True


def _closing(step: Step) -> tuple[str, ...]:
    """What is said after the steps that a step leads to."""
    left = step.left_out
    missing = f"{left} more step{'s' * (left > 1)} below it not shown."
    return (*([missing] if left else []), *step.words.then)


def _rule(step: Step) -> str:
    """Rule and source of a step."""
    name = f"rule {step.rule}, " if step.rule else ""
    return f"[{'; '.join([f'{name}theory/{step.words.page}.md', *map(short, step.words.sources)])}]"


def to_text(found: Explanation, width: int = 88) -> str:
    """Lines for a terminal."""

    def lines(sentence: str, indent: int = 0, hanging: int = 0) -> list[str]:
        return wrap(
            mathematics.text(sentence),
            max(width, _NARROWEST),
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + hanging),
            break_long_words=False,
            break_on_hyphens=False,
        )

    shown = [mathematics.text(found.answer), ""]
    for sentence in found.meaning:
        shown += lines(sentence)
    known: set[str] = set()
    for section in found.sections:
        shown += ["", section.title]
        for sentence in section.intro:
            shown += lines(sentence)
        for piece in _pieces(section, known):
            # Deep trees stay on the page.
            indent = min(_INDENT * piece.depth, max(width, _NARROWEST) // 4)
            if piece.closing:
                sentences = " ".join(piece.sentences)
                shown += ["", *lines(f"{piece.head}: {sentences}", indent, 3)]
                continue
            shown += ["", *lines(f"{piece.step.label}. {piece.head}", indent, 3)]
            for sentence in piece.sentences:
                shown += lines(sentence, indent + 3)
            shown += lines(_rule(piece.step), indent + 3)
    for note in found.notes:
        shown += ["", *lines(f"Note: {note}")]
    shown += ["", f"Answer: {mathematics.text(found.answer)}", "", "Sources"]
    for key in found.sources:
        shown += lines(long(key), 2, 2)
    return "\n".join(shown)


def to_markdown(found: Explanation) -> str:
    """A Markdown document with formulas between dollars."""
    said = mathematics.markdown
    shown = [f"## {said(found.answer)}", " ".join(map(said, found.meaning))]
    known: set[str] = set()
    for section in found.sections:
        shown += [f"### {section.title}", *map(said, section.intro)]
        for piece in _pieces(section, known):
            body = " ".join(map(said, piece.sentences))
            if piece.closing:
                shown.append(f"*{piece.head}.* {body}")
                continue
            shown.append(f"**{piece.step.label}.** **{said(piece.head)}.** {body}")
            shown.append(f"*{said(_rule(piece.step))}*")
    shown += [said(f"Note: {note}") for note in found.notes]
    shown += [f"**Answer.** {said(found.answer)}", "### Sources"]
    shown.append("\n".join(f"- {said(long(key))}" for key in found.sources))
    return "\n\n".join(shown)


def to_latex(found: Explanation) -> str:
    r"""The body of a LaTeX document; sources as ``\cite`` with the keys of ``--cite``."""
    said = mathematics.latex
    shown = ["\n".join(map(said, found.meaning))]
    known: set[str] = set()
    for section in found.sections:
        shown += [rf"\subsection*{{{said(section.title)}}}", *map(said, section.intro)]
        for piece in _pieces(section, known):
            body = "\n".join(map(said, piece.sentences))
            if piece.closing:
                shown.append(rf"\emph{{{said(piece.head)}.}}" + f"\n{body}")
                continue
            step = piece.step
            name = f"rule {step.rule}, " if step.rule else ""
            keys = ",".join(step.words.sources)
            cited = rf"; \cite{{{keys}}}" if keys else ""
            cited = f"({said(f'{name}page {step.words.page}')}{cited})"
            title = rf"\textbf{{{step.label}.}} \emph{{{said(piece.head)}.}}"
            shown.append("\n".join([title, body, cited]))
    shown += [said(f"Note: {note}") for note in found.notes]
    shown.append(rf"\textbf{{Answer.}} {said(found.answer)}.")
    return "\n\n".join(shown) + "\n"


def to_html(found: Explanation) -> str:
    """An article of HTML without scripts or styles."""
    said = mathematics.html
    shown = ['<article class="rlct-explanation">', f"<h2>{said(found.answer)}</h2>"]
    shown.append(f"<p>{' '.join(map(said, found.meaning))}</p>")
    known: set[str] = set()
    for section in found.sections:
        shown.append(f"<section><h3>{escape(section.title)}</h3>")
        shown += [f"<p>{said(line)}</p>" for line in section.intro]
        for piece in _pieces(section, known):
            margin = f' style="margin-left:{1.5 * piece.depth:g}em"' if piece.depth else ""
            body = " ".join(map(said, piece.sentences))
            if piece.closing:
                shown.append(f"<p{margin}><em>{said(piece.head)}.</em> {body}</p>")
                continue
            rule = escape(_rule(piece.step))
            shown.append(
                f'<div class="step"{margin}><h4>{piece.step.label}. {said(piece.head)}</h4>'
                f"<p>{body} <small>{rule}</small></p></div>"
            )
        shown.append("</section>")
    shown += [f"<p>{said(f'Note: {note}')}</p>" for note in found.notes]
    shown += [f"<p><strong>Answer.</strong> {said(found.answer)}</p>", "<h3>Sources</h3><ul>"]
    shown += [f"<li>{said(long(key))}</li>" for key in found.sources]
    shown.append("</ul></article>")
    return "\n".join(shown)
