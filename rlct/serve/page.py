"""The page as HTML: the form, and the answer below it."""

from collections.abc import Iterable
from html import escape
from typing import Final
from urllib.parse import urlencode

from rlct.serve.answer_page import answer_html, one_line
from rlct.serve.forms import MAIN_FORMS, FormField, QuestionForm, all_forms, get_form
from rlct.serve.limits import ServeLimits
from rlct.serve.question import PageQuestion, visible_text
from rlct.serve.served_answer import ServedAnswer
from rlct.serve.theory_page import theory_html

_EMPTY_QUESTION: Final = PageQuestion(all_forms()["poly"], {})


def page(question: PageQuestion, answer: ServedAnswer | None, limits: ServeLimits) -> str:
    """Render the page of a question.

    ``answer`` is None if nothing was asked yet.
    """
    below = "" if answer is None else answer_html(question, answer, limits)
    title = "rlct"
    if answer is not None and "answer" in answer.parts:
        headline = "Quiz" if question.quiz else answer.parts["answer"]["headline"]
        title = f"{headline} · {question.title} · rlct"
    elif answer is not None:
        title = f"No answer · {question.title} · rlct"
    return _document(title, question.form.id, _form(question, limits) + below)


def failure_page(message: str, limits: ServeLimits, question: PageQuestion | None = None) -> str:
    """Render a page that only says what is wrong, above an empty form or that of the question."""
    message_html = (
        '<section id="answer" class="problem" role="alert" tabindex="-1" aria-labelledby="wrong">'
        f'<h2 id="wrong">No answer</h2><p>{one_line(message)}</p></section>'
    )
    form = _form(question or _EMPTY_QUESTION, limits)
    return _document("No answer · rlct", (question or _EMPTY_QUESTION).form.id, message_html + form)


def catalogue_page() -> str:
    """Render the list of all kinds of questions."""
    rows = "".join(
        f'<li><a href="/?kind={form.id}">{escape(form.title)}</a> '
        f'<span class="quiet">{escape(" ".join(form.words))}</span></li>'
        for form in all_forms().values()
        if form.id not in MAIN_FORMS
    )
    body = (
        '<section aria-labelledby="more"><h1 id="more">Models of the literature</h1>'
        "<p>Statistical models and networks at a truth; theorems answer, and where that is "
        f"cheap the engine on their polynomials.</p><ul>{rows}</ul></section>"
    )
    return _document("Models · rlct", "models", body)


def theory_page(name: str) -> str:
    """Render a page of the theory that an answer cites; InputError if there is none."""
    text = theory_html(name)
    body = f'<section aria-labelledby="theory" class="theory">{text}</section>'
    return _document(f"{name} · theory · rlct", "theory", body)


def _document(title: str, kind: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(visible_text(title))}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<script src="/page.js" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the question</a>
<header>
<p class="name"><a href="/">rlct</a> <span>how singular is this loss at this point?</span></p>
{_navigation(kind)}
</header>
<main id="main" tabindex="-1">
{body}
</main>
<footer>
<p>λ is the real log canonical threshold of K, the learning coefficient; θ its multiplicity.
The free energy of n data grows as λ log n − (θ − 1) log log n.</p>
<p>This page is served by a program on this machine, for this machine: nothing typed here
leaves it.</p>
</footer>
</body>
</html>
"""


def _navigation(kind: str) -> str:
    def link(href: str, text: str, here: bool) -> str:
        current = ' aria-current="page"' if here else ""
        return f'<li><a href="{href}"{current}>{escape(text)}</a></li>'

    items = [link(f"/?kind={m}", all_forms()[m].title, m == kind) for m in MAIN_FORMS]
    form = get_form(kind)
    if form is not None and kind not in MAIN_FORMS:
        items.append(link(f"/?kind={kind}", form.title, True))
    items.append(link("/models", "More models", kind == "models"))
    return f'<nav aria-label="Kinds of questions"><ul>{"".join(items)}</ul></nav>'


def _form(question: PageQuestion, serve_limits: ServeLimits) -> str:
    question_form = question.form
    main_entries = "".join(_entry(f, question) for f in question_form.fields if not f.rare)
    rare = [f for f in question_form.fields if f.rare]
    rare_entries = ""
    if rare:
        is_open = " open" if any(f.name in question.values for f in rare) else ""
        title = "Point, prior and box" if any(f.name == "over" for f in rare) else "Conditions"
        entries = "".join(_entry(f, question) for f in rare)
        rare_entries = (
            f"<details{is_open}><summary>{title}</summary>"
            f'<div class="entries">{entries}</div></details>'
        )
    quiz = " checked" if question.quiz else ""
    return f"""<section aria-labelledby="question">
<h1 id="question">{escape(question_form.title)}</h1>
<p class="quiet">{escape(question_form.intro)}</p>
<form method="get" action="/#answer" data-seconds="{serve_limits.seconds:g}">
<input type="hidden" name="kind" value="{escape(question_form.id)}">
<div class="entries">{main_entries}</div>
{rare_entries}
<div class="check"><input type="checkbox" id="quiz" name="quiz" value="on"{quiz}>\
<label for="quiz">Quiz: hide the answer until I guess it</label></div>
<div class="send"><button id="ask">Ask</button>
<span id="progress" class="quiet" aria-hidden="true"></span>
<span id="said" class="quiet" role="status" aria-live="polite"></span></div>
</form>
{_examples(question_form)}
</section>
"""


def _entry(field: FormField, question: PageQuestion) -> str:
    value = escape(_typed(question.values.get(field.name, "")))
    name = escape(field.name)
    label = f'<label for="{name}">{escape(field.label)}</label>'
    if field.kind == "flag":
        on = " checked" if value else ""
        return (
            f'<div class="check"><input type="checkbox" id="{name}" name="{name}" value="on"{on}>'
            f"{label}</div>"
        )
    about = "" if not field.hint else f' aria-describedby="{name}-hint"'
    hint_html = (
        "" if not field.hint else f'<span class="hint" id="{name}-hint">{escape(field.hint)}</span>'
    )
    attributes = (
        f'id="{name}" name="{name}"{about}{" required" if field.required else ""} '
        'spellcheck="false" autocomplete="off" autocapitalize="none"'
    )
    example = escape(field.example).replace("\n", "&#10;")
    if field.kind in ("lines", "json"):
        rows = 4 if field.kind == "lines" else 2
        # The first line break after the tag is not part of the text.
        entry = f'<textarea {attributes} rows="{rows}" placeholder="{example}">\n{value}</textarea>'
    else:
        digits = ' inputmode="numeric"' if field.kind == "integer" else ""
        entry = f'<input type="text" {attributes}{digits} value="{value}" placeholder="{example}">'
    narrow = field.kind == "integer" or (field.rare and field.kind == "text")
    return f"<div{'' if narrow else ' class=wide'}>{label}{hint_html}{entry}</div>"


def _typed(text: str) -> str:
    """What was typed, without characters that HTML cannot hold."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def _examples(form: QuestionForm) -> str:
    items: Iterable[str] = (
        f'<li><a href="/?{escape(urlencode({"kind": form.id, **values}))}#answer">'
        f"{escape(name)}</a></li>"
        for name, values in form.examples
    )
    if not form.examples:
        return ""
    return f'<ul class="try" aria-label="Examples">{"".join(items)}</ul>'
