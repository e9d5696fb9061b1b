"""The answer as HTML: the value, what proves it, pictures, the command."""

import base64
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from html import escape
from typing import Any, Final

from rlct.report.words import counted_noun
from rlct.serve.limits import ServeLimits
from rlct.serve.question import PageQuestion, visible_text
from rlct.serve.quiz import quiz_html
from rlct.serve.served_answer import ServedAnswer
from rlct.serve.theory_page import theory_links
from rlct.theorems.evidence import status_text

_LONGEST_LINE: Final = 500  # characters
_LONGEST_TEXT: Final = 30_000  # characters of a tree as text
_STILL_TEXT: Final = "This picture moves, and needs JavaScript."
_PICTURE_TEXTS: Final = {
    "volume": (
        "For small t the set where K &lt; t has prior mass about c t<sup>λ</sup> "
        "(log 1/t)<sup>θ − 1</sup>, if no zero of K elsewhere in the box is more singular. The "
        "curve is counted in the page at evenly spread points; near its left end it wavers."
    ),
    "energy": (
        "The parameters cost λ log n − (θ − 1) log log n + O(1) in the free energy of n data; "
        "constants are left out here. A regular model with d parameters pays d/2 log n."
    ),
}


def answer_html(question: PageQuestion, answer: ServedAnswer, limits: ServeLimits) -> str:
    """Render what came back for a question."""
    if "answer" not in answer.parts:
        return _wrong(answer, question)
    if question.quiz and answer.parts["answer"]["lambda"] is not None:
        return quiz_html(question, answer.parts["answer"]) + _volume(answer, "pairs")
    return (
        _value(answer, limits)
        + _proof(answer)
        + _picture(question, answer, "Newton polyhedron", "polygon")
        + _volume(answer)
        + _moving({"numbers": answer.parts["answer"].get("energy")}, "Free energy", "energy")
        + _argument(answer)
        + _picture(question, answer, "Blow-up tree", "tree")
        + _strata(answer)
        + _elsewhere(question, answer)
    )


def _volume(answer: ServedAnswer, hidden: str = "") -> str:
    """The volume, in a quiz without what it is compared with."""
    part = answer.parts.get("volume")
    if part is not None and hidden:
        part = {"numbers": part["numbers"] | {hidden: []}}
    return _moving(part, "Volume near the point", "volume")


def _strata(answer: ServedAnswer) -> str:
    """The cells of a fibre, where the answer was found by them."""
    html = answer.parts.get("strata", {}).get("html")
    if html is None:
        return ""
    return f"""<section aria-labelledby="strata">
<h2 id="strata">Strata of the fibre</h2>
<p>Where variables are 0 or not, and the pair on each cell: a bound holds at every zero in it.
The deepest cells decide.</p>
{_unfolding(html, "Strata")}
</section>
"""


def one_line(message: str) -> str:
    """Escape a message, in one line, with what is not printable made visible."""
    text = " ".join(visible_text(message).split())
    return escape(text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…")


def _wrong(answer: ServedAnswer, question: PageQuestion) -> str:
    # Where the page is too small for the question, the command line is not.
    command = _command(question) if answer.limited else ""
    meant = question.with_plus()
    plus = "" if meant is None else _plus(meant)
    return (
        '<section id="answer" class="problem" role="alert" tabindex="-1" aria-labelledby="wrong">'
        f'<h2 id="wrong">No answer</h2><p>{one_line(answer.refusal)}</p>{plus}{command}</section>'
    )


def _plus(meant: PageQuestion) -> str:
    """What may have been meant by a plus sign in an address."""
    return (
        "<p>In an address + stands for a space; a plus sign is %2B there. Did you mean "
        f'<a href="/?{escape(meant.query)}#answer">{one_line(meant.title)}</a>?</p>'
    )


def _number(text: str) -> str:
    """An integer or a fraction, as MathML."""
    value = Fraction(text)
    top = f"<mn>{abs(value.numerator)}</mn>"
    body = top if value.denominator == 1 else f"<mfrac>{top}<mn>{value.denominator}</mn></mfrac>"
    return f"<mrow><mo>−</mo>{body}</mrow>" if value < 0 else body


def _math(*pieces: str) -> str:
    return f"<math>{''.join(pieces)}</math>"


def _headline(part: dict[str, Any]) -> str:
    lam, le = "<mi>λ</mi>", "<mo>≤</mo>"
    lower_pair, upper_pair = part["lower"], part["upper"]
    if part["lambda"] is not None:
        shown_lam = _math(lam, "<mo>=</mo>", _number(part["lambda"]))
        if part["theta"] is not None:
            theta = _math("<mi>θ</mi><mo>=</mo>", _number(str(part["theta"])))
        elif not upper_pair[1]:
            theta = "no <math><mi>θ</mi></math>"
        else:
            # More singular means larger θ, so the upper pair has the smaller one.
            theta = _math(
                _number(str(upper_pair[1])), le, "<mi>θ</mi>", le, _number(str(lower_pair[1]))
            )
        return f"{shown_lam} {theta}"
    low, sign = part["headline"].split()[:2]  # with 0 for no lower bound
    left = [_number(low), f"<mo>{escape(sign)}</mo>"]
    right = [] if upper_pair is None else [le, _number(upper_pair[0])]
    return _math(*left, lam, *right)


def _value(served_answer: ServedAnswer, limits: ServeLimits) -> str:
    part = served_answer.parts["answer"]
    note = ""
    if served_answer.cut or served_answer.error:
        why = served_answer.error or f"the {limits.seconds:g} seconds of the page were over"
        note = f'<p class="quiet">Not everything is shown here: {one_line(why)}.</p>'
    document = part["document"]
    exact = document["status"] == "exact"
    status_badge = (
        '<span class="badge">exact</span>' if exact else '<span class="badge open">bounds</span>'
    )
    notes = "".join(f"<p>Note: {one_line(text)}</p>" for text in document["notes"])
    if document["assumptions"]:
        notes += f"<p>{one_line(status_text(document['status'], document['assumptions']))}.</p>"
    if not exact and part["upper"] is not None and not part["upper"][1]:
        notes += "<p>−λ is no pole, so there is no θ.</p>"
    elif not exact:
        both = part["lower"] is not None and part["upper"] is not None
        known = "Both ends are proved; what lies between" if both else "It is proved; more"
        notes += f"<p>{known} is not known to the program.</p>"
    regular = ""
    if part["regular"] is not None:
        count, half = part["regular"]
        parameters = counted_noun(count, "parameter")
        regular = f'<p class="quiet">A regular model with {parameters} would have λ = {half}.</p>'
    return f"""<section id="answer" tabindex="-1" aria-labelledby="value">
<h2 id="value">Answer <span class="quiet">{one_line(document["where"])}</span></h2>
<p class="value">{_headline(part)} {status_badge}</p>
{notes}{regular}{note}
</section>
"""


def _proof(served_answer: ServedAnswer) -> str:
    part = served_answer.parts["answer"]
    document = part["document"]
    first, *other_routes = document["routes"]
    title = part["titles"][0]
    rows = [("Proved by", one_line(first["method"] + (f": {title}" if title else "")))]
    if other_routes:
        rows.append(("Also", _list(_route(route) for route in other_routes)))
    certificate = served_answer.parts.get("certificate")
    if certificate is not None:
        rows.append(("Certificate", one_line(certificate["state"])))
        known = certificate.get("taken_as_known", {})
        texts = [one_line(f"{text}; rule {rule}") for rule, text in known.items()]
        rows += [("Taken as known", _list(texts))] if texts else []
    entries = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows)
    return f"""<section aria-labelledby="proof">
<h2 id="proof">Why</h2>
<dl>{entries}</dl>
{_hypotheses(document["hypotheses"])}
</section>
"""


def _argument(answer: ServedAnswer) -> str:
    part = answer.parts.get("argument")
    if part is None or "html" not in part:
        return ""
    # It has the answer as a heading, which stands above; and no style of its own is let in.
    article = re.sub(r"<h2>.*?</h2>\n", "", part["html"], count=1)
    article = article.replace(' style="margin-left:', ' data-indent="')
    return (
        '<section aria-labelledby="argument"><h2 id="argument">The argument</h2>'
        f"{theory_links(article)}</section>"
    )


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _route(route: dict[str, Any]) -> str:
    if route["status"] == "exact":
        text = f"λ = {route['lambda']}, θ = {route['theta']}"
    else:
        low = "" if route["lower"] == "0" else f"{route['lower']} ≤ "
        text = f"{low}λ" + (f" ≤ {route['upper']}" if route["upper"] else "")
    return one_line(f"{text} by {route['method']}")


def _hypotheses(hypotheses: list[dict[str, str]]) -> str:
    if not hypotheses:
        return ""
    rows = "".join(
        f"<tr><td>{one_line(h['truth'])}</td><td>{one_line(h['statement'])} "
        f'<span class="quiet">({one_line(h["evidence"])})</span></td></tr>'
        for h in hypotheses
    )
    return (
        "<h3>Hypotheses</h3><table><thead><tr><th>Status</th><th>Statement</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _unfolding(html: str, name: str) -> str:
    """A tree; a deep one scrolls, also from the keyboard."""
    return f'<div class="unfold" tabindex="0" role="group" aria-label="{name}">{html}</div>'


def _moving(part: dict[str, Any] | None, title: str, name: str) -> str:
    """A section that a script fills."""
    if part is None or part["numbers"] is None:
        return ""
    return f"""<section aria-labelledby="{name}">
<h2 id="{name}">{title}</h2>
<p>{_PICTURE_TEXTS[name]}</p>
{_moved(name, part["numbers"], f'<p class="quiet">{_STILL_TEXT}</p>')}
</section>
"""


def _moved(name: str, numbers: dict[str, Any], still: str) -> str:
    """A picture that a script puts in the place of what stands there without."""
    data = escape(json.dumps(numbers, ensure_ascii=False))
    return f'<div class="play" data-picture="{name}" data-numbers="{data}">{still}</div>'


def _picture(question: PageQuestion, served_answer: ServedAnswer, title: str, name: str) -> str:
    part = served_answer.parts.get(name)
    if part is None:
        return ""
    picture_html, alone_link, text = "", "", ""
    exact_lam = served_answer.parts["answer"]["lambda"]
    if "svg" in part:
        data = base64.b64encode(part["svg"].encode("utf-8")).decode("ascii")
        alt = escape(visible_text(part["alt"]))
        large = " large" if name == "tree" else ""
        alone_link = f'<p><a href="/{name}.svg?{escape(question.query)}">This picture alone</a></p>'
        # A wide picture scrolls, also from the keyboard.
        picture_html = (
            f'<div class="picture{large}" tabindex="0" role="group" aria-label="{title}">'
            f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}">'
            "</div>"
        )
    elif "reason" in part:
        picture_html = f'<p class="quiet">No picture: {one_line(part["reason"])}.</p>'
    if part.get("numbers"):
        picture_html = _moved("newton", part["numbers"], picture_html)
    picture_html += alone_link
    if part.get("lambda", exact_lam) != exact_lam:
        # What is written into the picture must not be taken for the answer.
        picture_html += (
            f"<p>The polyhedron alone gives {escape(part['lambda'])}, which is only an upper "
            "bound of λ here.</p>"
        )
    if "text" in part:
        words = visible_text(part["text"])
        words = words if len(words) <= _LONGEST_TEXT else f"{words[:_LONGEST_TEXT]}\n…"
        text = (
            "<details><summary>As text</summary>"
            f'<pre tabindex="0" role="group" aria-label="{title} as text">{escape(words)}</pre>'
            "</details>"
        )
    unfolding = _unfolding(part["html"], "Charts") if part.get("html") else ""
    return f"""<section aria-labelledby="{name}">
<h2 id="{name}">{title}</h2>
{unfolding}{picture_html}{text}
</section>
"""


def _command(question: PageQuestion) -> str:
    return (
        "<h3>The same on the command line</h3>"
        f'<pre class="command" tabindex="0" role="group" aria-label="Command">'
        f"{escape(visible_text(question.command()))}</pre>"
    )


def _elsewhere(question: PageQuestion, answer: ServedAnswer) -> str:
    query = escape(question.query)
    links = [f'<a href="/answer.json?{query}">the answer as JSON</a>']
    if "text" in answer.parts.get("certificate", {}):
        links.insert(0, f'<a href="/certificate.json?{query}" download>its certificate</a>')
    return f"""<section aria-labelledby="elsewhere">
<h2 id="elsewhere">Export</h2>
<p>Download {" or ".join(links)}; <code>rlct verify certificate.json</code> replays the proof.
The <a href="/?{query}">address of this page</a> is the question: it can be stored and shared.</p>
{_command(question)}
<p class="quiet">Answered in {answer.seconds:.1f} s.</p>
</section>
"""
