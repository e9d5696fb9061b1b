"""The reply to an address of the page: a server and a browser alone give the same."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from rlct.errors import InputError
from rlct.serve import page
from rlct.serve.limits import ServeLimits
from rlct.serve.question import PageQuestion, read_address
from rlct.serve.served_answer import ServedAnswer

HTML_TYPE: Final = "text/html; charset=utf-8"
_JSON_TYPE: Final = "application/json; charset=utf-8"
_ANSWER_PATHS: Final = ("/", "/answer.json", "/certificate.json", "/polygon.svg", "/tree.svg")
_THEORY_PATH: Final = "/theory/"
_PICTURE_HEADERS: Final = {
    # A picture has its styles inside, and nothing else.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"
}


@dataclass(frozen=True)
class PageReply:
    """What is sent back."""

    status: HTTPStatus
    text: str
    kind: str = HTML_TYPE
    headers: dict[str, str] = field(default_factory=dict)


def refusal_reply(
    path: str,
    status: HTTPStatus,
    message: str,
    limits: ServeLimits,
    question: PageQuestion | None = None,
) -> PageReply:
    r"""Say in one line why there is no answer: as JSON where JSON was asked.

    >>> refusal_reply("/answer.json", HTTPStatus.BAD_REQUEST, "K is 0", ServeLimits()).text
    '{"error": "K is 0", "schema": "rlct/1"}\n'
    """
    if path.endswith(".json"):
        return PageReply(status, _as_json({"schema": "rlct/1", "error": message}), _JSON_TYPE)
    return PageReply(status, page.failure_page(message, limits, question))


def _as_json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, sort_keys=True) + "\n"


def reply_to(
    path: str, query: str, limits: ServeLimits, ask_question: Callable[[PageQuestion], ServedAnswer]
) -> PageReply:
    """Reply with the page, or with what is downloaded from it.

    ``ask_question`` answers a question; what it raises goes through.

    >>> reply_to("/models", "", ServeLimits(), lambda question: ServedAnswer()).status.name
    'OK'
    """
    if path == "/models" and not query:
        return PageReply(HTTPStatus.OK, page.catalogue_page())
    if path.startswith(_THEORY_PATH) and not query:
        try:
            return PageReply(HTTPStatus.OK, page.theory_page(path.removeprefix(_THEORY_PATH)))
        except InputError as error:
            return refusal_reply(path, HTTPStatus.NOT_FOUND, str(error), limits)
    if path not in _ANSWER_PATHS:
        return refusal_reply(path, HTTPStatus.NOT_FOUND, "there is no such page", limits)
    try:
        question = read_address(query)
        served_answer = ask_question(question) if question.asked or path != "/" else None
    except InputError as error:
        return refusal_reply(path, HTTPStatus.BAD_REQUEST, str(error), limits)
    status = HTTPStatus.OK
    if served_answer is not None and "answer" not in served_answer.parts:
        status = HTTPStatus.INTERNAL_SERVER_ERROR if served_answer.fault else HTTPStatus.BAD_REQUEST
        if path.endswith(".json"):
            return refusal_reply(path, status, served_answer.refusal, limits)
    elif served_answer is not None and path != "/":
        return _download(path, question, served_answer, limits)
    return PageReply(status, page.page(question, served_answer, limits))


def _download(
    path: str, question: PageQuestion, served_answer: ServedAnswer, limits: ServeLimits
) -> PageReply:
    name, _, kind = path[1:].partition(".")
    part = served_answer.parts.get(name, {})
    if path == "/answer.json":
        return PageReply(HTTPStatus.OK, _as_json(part["document"]), _JSON_TYPE)
    if kind == "json" and "text" in part:
        saved = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return PageReply(HTTPStatus.OK, part["text"], _JSON_TYPE, saved)
    if kind == "svg" and "svg" in part:
        return PageReply(HTTPStatus.OK, part["svg"], "image/svg+xml", _PICTURE_HEADERS)
    text = "this answer has no such part"
    return refusal_reply(path, HTTPStatus.NOT_FOUND, text, limits, question)
