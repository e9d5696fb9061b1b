"""The pages of the theory that answers cite, read as Markdown and shown as HTML."""

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from rlct.errors import InputError
from rlct.report.mathematics import html
from rlct.system.bibliography import theory_folder

_NAME_PATTERN: Final = re.compile(r"[a-z0-9-]+")
_CITED_PATTERN: Final = re.compile(r"theory/([a-z0-9-]+)\.md")
_INLINE_PATTERN: Final = re.compile(
    r"`(?P<code>[^`]+)`|\$(?P<formula>\$?[^$]+)\$+|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?<![\w\\*])\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)"
    r"|\[(?P<words>[^\]]+)\]\((?P<goal>[^)]+)\)"
)
_BLOCK_PATTERN: Final = re.compile(r"^```.*?^```$|^(?:[^\n]+\n?)+", re.MULTILINE | re.DOTALL)


def theory_links(html: str) -> str:
    """Link what names a page of the theory, in HTML without other links to them.

    >>> theory_links("see theory/newton.md")
    'see <a href="/theory/newton">theory/newton.md</a>'
    """
    return _CITED_PATTERN.sub(r'<a href="/theory/\1">\g<0></a>', html)


def theory_html(name: str) -> str:
    """Render a page of the theory.

    >>> theory_html("newton").split("</h1>")[0]
    '<h1 id="theory">Newton polyhedron'
    """
    path = theory_folder() / f"{name}.md"
    if not _NAME_PATTERN.fullmatch(name) or not path.is_file():
        raise InputError(f"there is no page {name[:40]!r} of the theory")
    text = re.sub(r"^<!--.*?-->\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "".join(_blocks(text))


def _blocks(text: str) -> Iterator[str]:
    for match in _BLOCK_PATTERN.finditer(text):
        block = match[0].strip()
        heading = re.match(r"(#+) (.*)", block)
        if block.startswith("```"):
            example = escape(block.partition("\n")[2].removesuffix("```"))
            yield f'<pre tabindex="0" role="group" aria-label="Example">{example}</pre>'
        elif heading and len(heading[1]) == 1:
            yield f'<h1 id="theory">{_inline(heading[2])}</h1>'
        elif heading:
            yield f"<h2>{_inline(heading[2])}</h2>"
        elif block.startswith("|"):
            yield _table(block.splitlines())
        elif re.match(r"(?:[-*]|\d+\.) ", block):
            items = re.split(r"^\s*(?:[-*]|\d+\.) ", block, flags=re.MULTILINE)[1:]
            tag = "ol" if block[0].isdigit() else "ul"
            yield f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"
        else:
            yield f"<p>{_inline(block)}</p>"


def _table(rows: list[str]) -> str:
    count = len(re.findall(r"(?<!\\)\|", rows[0])) - 1
    head, _, *body = [
        [
            cell.strip()
            for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"), maxsplit=count - 1)
        ]
        for row in rows
    ]
    lines = [("th", head), *(("td", row) for row in body)]
    inside = "".join(
        f"<tr>{''.join(f'<{tag}>{_inline(cell.strip())}</{tag}>' for cell in cells)}</tr>"
        for tag, cells in lines
    )
    return (
        '<div class="picture" tabindex="0" role="group" aria-label="Table">'
        f"<table>{inside}</table></div>"
    )


def _inline(text: str) -> str:
    pieces, end = [], 0
    for match in _INLINE_PATTERN.finditer(text):
        pieces.append(_plain(text[end : match.start()]))
        end = match.end()
        goal = re.fullmatch(r"([a-z0-9-]+)\.md(?:#.*)?", match["goal"] or "")
        if match["code"]:
            pieces.append(f"<code>{escape(match['code'])}</code>")
        elif match["formula"]:
            pieces.append(html(f"${match['formula'].strip('$').strip()}$"))
        elif goal and (theory_folder() / f"{goal[1]}.md").is_file():
            pieces.append(f'<a href="/theory/{goal[1]}">{_inline(match["words"])}</a>')
        elif match["words"]:
            pieces.append(_inline(match["words"]))
        else:
            tag = str(match.lastgroup)
            pieces.append(f"<{tag}>{_inline(match[tag])}</{tag}>")
    return "".join([*pieces, _plain(text[end:])])


def _plain(text: str) -> str:
    return escape(re.sub(r"\\([\\|*_])", r"\1", text))
