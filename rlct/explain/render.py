"""Explanations as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from rlct.errors import InputError
from rlct.explain.cite import short_citation
from rlct.explain.explanation import MOST_STEPS, Explanation, Section
from rlct.explain.numbered_steps import ExplainedStep
from rlct.report import mathematics
from rlct.system.bibliography import full_citation

if TYPE_CHECKING:
    from rlct.answers.result import Result

EXPLANATION_FORMATS = ("text", "markdown", "latex", "html")

_INDENT_COLUMNS = 4  # columns a level
_NARROWEST_TEXT = 40  # columns of text, however narrow the terminal


@dataclass(frozen=True)
class _Piece:
    """One step, or what is said after those below it, with formulas between backticks."""

    step: ExplainedStep
    depth: int
    closing: bool
    head: str
    sentences: tuple[str, ...]


def _pieces(section: Section, said_remarks: set[str]) -> Iterator[_Piece]:
    """The steps of a section in order; `said_remarks` are general remarks that were made before."""
    last_label = ""
    for depth, step, parent, closing in _in_order(section.step):
        if closing:
            yield _Piece(step, depth, True, f"Back to step {step.label}", _closing(step))
            continue
        why = [line for line in step.words.why if line not in said_remarks]
        said_remarks.update(why)
        result = [f"Result: {step.claim}."] if not step.steps and step.rule else []
        below = f" (below step {parent})" if parent not in ("", last_label) else ""
        about = f": {step.about}" if step.about else ""
        last_label = step.label
        head = f"{step.words.title}{below}{about}"
        yield _Piece(step, depth, False, head, (*why, *step.words.text, *result))


def _in_order(
    step: ExplainedStep | None, depth: int = 0, parent: str = ""
) -> Iterator[tuple[int, ExplainedStep, str, bool]]:
    """Depth, step, the step above it, and whether those below it are done.

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


def _closing(step: ExplainedStep) -> tuple[str, ...]:
    """What is said after the steps that a step leads to."""
    missing_count = step.left_out
    missing = f"{missing_count} more step{'s' * (missing_count > 1)} below it not shown."
    return (*([missing] if missing_count else []), *step.words.then)


def _rule(step: ExplainedStep) -> str:
    """Rule and source of a step."""
    name = f"rule {step.rule}, " if step.rule else ""
    cited = [f"{name}theory/{step.words.page}.md", *map(short_citation, step.words.sources)]
    return f"[{'; '.join(cited)}]"


def explain_result(
    result: Result, format: str = "text", *, most: int = MOST_STEPS, width: int = 88
) -> str:
    """Write the argument behind an answer step by step.

    The options are those of :meth:`rlct.answers.result.Result.explain`.
    """
    if format not in EXPLANATION_FORMATS:
        raise InputError(
            f"no format {str(format)[:20]!r}: there are {', '.join(EXPLANATION_FORMATS)}"
        )
    explanation = Explanation.of(result, most)
    if format == "text":
        return to_text(explanation, width)
    return {
        "markdown": to_markdown,
        "latex": to_latex,
        "html": to_html,
    }[format](explanation)


def to_text(explanation: Explanation, width: int = 88) -> str:
    """Lines for a terminal."""

    def lines(sentence: str, indent: int = 0, hanging: int = 0) -> list[str]:
        return wrap(
            mathematics.text(sentence),
            max(width, _NARROWEST_TEXT),
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + hanging),
            break_long_words=False,
            break_on_hyphens=False,
        )

    output_lines = [mathematics.text(explanation.answer), ""]
    for plain_sentence in explanation.meaning:
        output_lines += lines(plain_sentence)
    said_remarks: set[str] = set()
    for section in explanation.sections:
        output_lines += ["", section.title]
        for plain_sentence in section.intro:
            output_lines += lines(plain_sentence)
        for piece in _pieces(section, said_remarks):
            # Deep trees stay on the page.
            indent = min(_INDENT_COLUMNS * piece.depth, max(width, _NARROWEST_TEXT) // 4)
            if piece.closing:
                sentences = " ".join(piece.sentences)
                output_lines += ["", *lines(f"{piece.head}: {sentences}", indent, 3)]
                continue
            output_lines += ["", *lines(f"{piece.step.label}. {piece.head}", indent, 3)]
            for plain_sentence in piece.sentences:
                output_lines += lines(plain_sentence, indent + 3)
            output_lines += lines(_rule(piece.step), indent + 3)
    for note in explanation.notes:
        output_lines += ["", *lines(f"Note: {note}")]
    output_lines += ["", f"Answer: {mathematics.text(explanation.answer)}", "", "Sources"]
    for key in explanation.sources:
        output_lines += lines(full_citation(key), 2, 2)
    return "\n".join(output_lines)


def to_markdown(explanation: Explanation) -> str:
    """A Markdown document with formulas between dollars."""
    markup = mathematics.markdown
    paragraphs = [f"## {markup(explanation.answer)}", " ".join(map(markup, explanation.meaning))]
    known: set[str] = set()
    for section in explanation.sections:
        paragraphs += [f"### {section.title}", *map(markup, section.intro)]
        for piece in _pieces(section, known):
            body = " ".join(map(markup, piece.sentences))
            if piece.closing:
                paragraphs.append(f"*{piece.head}.* {body}")
                continue
            paragraphs.append(f"**{piece.step.label}.** **{markup(piece.head)}.** {body}")
            paragraphs.append(f"*{markup(_rule(piece.step))}*")
    paragraphs += [markup(f"Note: {note}") for note in explanation.notes]
    paragraphs += [f"**Answer.** {markup(explanation.answer)}", "### Sources"]
    paragraphs.append("\n".join(f"- {markup(full_citation(key))}" for key in explanation.sources))
    return "\n\n".join(paragraphs)


def to_latex(explanation: Explanation) -> str:
    r"""The body of a LaTeX document; sources as ``\cite`` with the keys of ``--cite``."""
    markup = mathematics.latex
    paragraphs = ["\n".join(map(markup, explanation.meaning))]
    known: set[str] = set()
    for section in explanation.sections:
        paragraphs += [rf"\subsection*{{{markup(section.title)}}}", *map(markup, section.intro)]
        for piece in _pieces(section, known):
            body = "\n".join(map(markup, piece.sentences))
            if piece.closing:
                paragraphs.append(rf"\emph{{{markup(piece.head)}.}}" + f"\n{body}")
                continue
            step = piece.step
            name = f"rule {step.rule}, " if step.rule else ""
            keys = ",".join(step.words.sources)
            cited = rf"; \cite{{{keys}}}" if keys else ""
            cited = f"({markup(f'{name}page {step.words.page}')}{cited})"
            title = rf"\textbf{{{step.label}.}} \emph{{{markup(piece.head)}.}}"
            paragraphs.append("\n".join([title, body, cited]))
    paragraphs += [markup(f"Note: {note}") for note in explanation.notes]
    paragraphs.append(rf"\textbf{{Answer.}} {markup(explanation.answer)}.")
    return "\n\n".join(paragraphs) + "\n"


def to_html(explanation: Explanation) -> str:
    """An article of HTML without scripts or styles."""
    markup = mathematics.html
    html_elements = ['<article class="rlct-explanation">', f"<h2>{markup(explanation.answer)}</h2>"]
    html_elements.append(f"<p>{' '.join(map(markup, explanation.meaning))}</p>")
    said_remarks: set[str] = set()
    for section in explanation.sections:
        html_elements.append(f"<section><h3>{escape(section.title)}</h3>")
        html_elements += [f"<p>{markup(line)}</p>" for line in section.intro]
        for piece in _pieces(section, said_remarks):
            margin = f' style="margin-left:{1.5 * piece.depth:g}em"' if piece.depth else ""
            body = " ".join(map(markup, piece.sentences))
            if piece.closing:
                html_elements.append(f"<p{margin}><em>{markup(piece.head)}.</em> {body}</p>")
                continue
            rule = escape(_rule(piece.step))
            html_elements.append(
                f'<div class="step"{margin}><h4>{piece.step.label}. {markup(piece.head)}</h4>'
                f"<p>{body} <small>{rule}</small></p></div>"
            )
        html_elements.append("</section>")
    html_elements += [f"<p>{markup(f'Note: {note}')}</p>" for note in explanation.notes]
    html_elements += [
        f"<p><strong>Answer.</strong> {markup(explanation.answer)}</p>",
        "<h3>Sources</h3><ul>",
    ]
    html_elements += [f"<li>{markup(full_citation(key))}</li>" for key in explanation.sources]
    html_elements.append("</ul></article>")
    return "\n".join(html_elements)
