"""The page in a browser alone: what the web worker of ``make static`` answers."""

import json
import time
from typing import Final

from rlct.serve.answer import send_parts
from rlct.serve.limits import ServeLimits
from rlct.serve.question import PageQuestion
from rlct.serve.reply import reply_to
from rlct.serve.served_answer import ServedAnswer

#: A browser is slower, and loads libraries while it answers.
BROWSER_LIMITS: Final = ServeLimits(seconds=60.0)


def browser_reply(path: str, query: str) -> str:
    """Reply to an address in this process.

    The reply is JSON of the media type and the text.

    >>> kind, text = json.loads(browser_reply("/", "kind=linear&widths=5+3+5&rank=1"))
    >>> kind, "<title>λ = 8, θ = 1" in text
    ('text/html; charset=utf-8', True)
    """
    found = reply_to(path, query, BROWSER_LIMITS, _ask)
    return json.dumps([found.kind, found.text])


def _ask(question: PageQuestion) -> ServedAnswer:
    found, start_time = ServedAnswer(), time.monotonic()
    send_parts(question.query, BROWSER_LIMITS, found.add)
    found.seconds = time.monotonic() - start_time
    return found
