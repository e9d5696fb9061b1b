"""A quiz: the answer is hidden until it is guessed or asked for."""

import re
from fractions import Fraction
from html import escape
from typing import Any, Final

from rlct.serve.question import PageQuestion

_NUMBER_PATTERN: Final = re.compile(r"\d{1,12}(?:\s*/\s*0*[1-9]\d{0,11}|\.\d{1,12})?|\.\d{1,12}")


def judge_guess(guessed_pair: dict[str, str], answer_part: dict[str, Any]) -> tuple[str, bool]:
    """What is said of a guess, and whether all of it is right.

    ``guessed_pair`` has text by ``"lambda"`` and ``"theta"``; either may be missing.

    >>> proved = {"lambda": "5/12", "theta": 1}
    >>> judge_guess({"lambda": "1/2", "theta": "1"}, proved)
    ('λ is smaller than 1/2. θ = 1 is right.', False)
    >>> judge_guess({"lambda": "10/24", "theta": "1"}, proved)
    ('λ = 10/24 is right. θ = 1 is right.', True)
    """
    verdict_texts: list[str] = []
    all_right = True
    for key, pair_symbol in (("lambda", "λ"), ("theta", "θ")):
        text = guessed_pair.get(key, "")
        truth = answer_part[key]
        if truth is None:
            verdict_texts.append(f"{pair_symbol} is only bounded.")
        elif not text:
            verdict_texts.append(f"No guess of {pair_symbol} yet.")
        elif not _NUMBER_PATTERN.fullmatch(text):
            verdict_texts.append(
                f"A guess of {pair_symbol} is a number such as 5/12, not {text[:40]!r}."
            )
        elif Fraction(text.replace(" ", "")) == Fraction(truth):
            verdict_texts.append(f"{pair_symbol} = {text} is right.")
            continue
        else:
            smaller = Fraction(truth) < Fraction(text.replace(" ", ""))
            verdict_texts.append(
                f"{pair_symbol} is {'smaller' if smaller else 'larger'} than {text}."
            )
        all_right = False
    return " ".join(verdict_texts), all_right


def quiz_html(question: PageQuestion, answer_part: dict[str, Any]) -> str:
    """The form for a guess, with what is said of the last one."""
    verdict_text, all_right = (
        judge_guess(question.guess, answer_part) if question.guess else ("", False)
    )
    entries = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{_kept(value)}">'
        for name, value in {"kind": question.form.id, **question.values, "quiz": "on"}.items()
    )
    fields = "".join(
        f'<div><label for="guess_{key}">{label}</label><input type="text" id="guess_{key}" '
        f'name="guess_{key}" value="{_kept(question.guess.get(key, ""))}"></div>'
        for key, label in (("lambda", "Your λ"), ("theta", "Your θ"))
    )
    query = escape(question.query)
    shown = (
        f'<a href="/?{query}#answer">Show the answer{" with its proof" if all_right else ""}</a>'
    )
    badge = ' <span class="badge">right</span>' if all_right else ""
    return f"""<section id="answer" tabindex="-1" aria-labelledby="value">
<h2 id="value">What are λ and θ?</h2>
<p>The answer is known to the program and hidden. Guess it, or let it be shown.</p>
<form method="get" action="/#answer">{entries}<div class="entries">{fields}</div>
<div class="send"><button>Compare</button> {shown}</div></form>
<p role="status">{escape(verdict_text)}{badge}</p>
</section>
"""


def _kept(value: str) -> str:
    return escape(value).replace("\r\n", "\n").replace("\n", "&#10;")
