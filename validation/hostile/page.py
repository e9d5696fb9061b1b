"""Hostile input to the page of ``rlct serve``: no crash, no hang, no file touched, memory bounded.

Run ``python validation/hostile/page.py --seed 1 --count 10000 --report FILE``; ``--case N``
repeats one.  A server runs as ``rlct serve`` does; every request carries a string of
`strings.draw` in an entry of a form, in the path, in a header, or in the address as such.
An audit hook in the processes that answer notes every file that is read outside Python and the
project, or written, every program run and every connection made.  A case fails for a reply that
is none of the page's own, that has an element or attribute the page does not use (markup that
was typed and got through), a fault of the program, a touched file, or more time than the limit.
"""

import random
import re
import resource
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "validation" / "fuzz")]

from strings import draw  # noqa: E402
from study import conduct, options_of  # noqa: E402
from watch import Guard  # noqa: E402

PAGE_SECONDS = 3.0  # the page's limit of time
REPLY_SLACK = 7.0  # for the reply, and a machine that is shared
PAGE_MEMORY = 512  # MiB, the page's limit
ALLOWED_STATUSES = {200, 400, 403, 404, 405, 414, 421, 431, 505}
_TAG_NAMES = (
    "a article body br button code dd details div dl dt em footer form h1 h2 h3 h4 head "
    "header html i img input label li link main math mfrac mi mn mo mrow msqrt msub msubsup msup "
    "mtext munder nav ol p pre script section small span strong sub summary sup table tbody td "
    "textarea th thead title tr ul meta"
)
_ATTRIBUTE_NAMES = (
    "action alt autocapitalize autocomplete charset checked class content download for form href "
    "id inputmode lang method name open placeholder rel required role rows scope spellcheck src "
    "stretchy tabindex type value"
)
ALLOWED_TAGS, ALLOWED_ATTRIBUTES = set(_TAG_NAMES.split()), set(_ATTRIBUTE_NAMES.split())


class Markup(HTMLParser):
    """Collect what the page must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: set[str] = set()
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element and its attributes."""
        self.scripts += tag == "script"
        if tag not in ALLOWED_TAGS:
            self.strange.add(f"<{tag}>"[:40])
        for name, value in attrs:
            if name not in ALLOWED_ATTRIBUTES and not name.startswith(("aria-", "data-")):
                self.strange.add(f"{tag} {name}"[:60])
            if name == "src" and not str(value).startswith(("/page.js", "data:image/svg+xml;")):
                self.strange.add(f"{tag} src={value}"[:60])
            if name == "href" and not str(value).startswith(("/", "#")):
                self.strange.add(f"{tag} href={value}"[:60])


def _quoted(text: str, rng: random.Random) -> str:
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.03:  # longer than it need be
        data = data.replace(b".", b"\xc0\xae").replace(b"/", b"\xc0\xaf").replace(b"x", b"\xe0\x81")
    return quote_from_bytes(data, safe="" if rng.random() < 0.5 else "()*+-/:,")


def request(text: str, rng: random.Random, host: str) -> bytes:
    """Make a request with the text somewhere in it."""
    from rlct.serve.forms import all_forms

    forms = all_forms()
    word, row = _quoted(text, rng), rng.randrange(20)
    if row < 5:
        target = f"/?kind=poly&K={word}"
    elif row == 5:
        target = f"/?kind=poly&K=x^2*y^2&quiz=on&guess_{rng.choice(['lambda', 'theta'])}={word}"
    elif row < 9:
        target = f"/?kind=ideal&generators={word}"
    elif row < 16:
        form = forms[rng.choice([*forms, *["poly", "ideal", "linear", "quadratic", "relu"] * 5])]
        field = rng.choice(form.fields)
        start = dict(form.examples[0][1]) if form.examples and rng.random() < 0.7 else {}
        start.pop(field.name, None)
        entries = [f"{name}={_quoted(value, rng)}" for name, value in start.items()]
        target = "/?" + "&".join([f"kind={form.id}", *entries, f"{field.name}={word}"])
    elif row == 16:
        path = rng.choice(["/", "/certificate.json", "/answer.json", "/tree.svg", "/polygon.svg"])
        target = f"{path}?{rng.choice(['kind', 'K', word[:60]])}={word}"
    elif row == 17:
        target = f"/{rng.choice(['', 'static/', 'style.css/', 'theory/'])}{word}"
    elif row == 18:
        clean = re.sub("[\r\n]", " ", text).encode("utf-8", "surrogatepass")[:60_000]
        name = rng.choice([b"Host", b"Cookie", b"Sec-Fetch-Site", b"Content-Length", b"Range"])
        more = b"" if name == b"Host" else f"Host: {host}\r\n".encode()
        return b"GET /?K=x^2 HTTP/1.1\r\n" + more + name + b": " + clean + b"\r\n\r\n"
    else:
        # As it comes, line ends and all.
        line = text.encode("utf-8", "surrogatepass")[:80_000]
        return b"GET /?K=" + line + f" HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    return f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def judge(reply: bytes, seconds: float) -> tuple[int, str]:
    """Status of a reply, and what is wrong with it."""
    if not reply:
        return 0, ""  # no request at all
    head, _, body = reply.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1\.0 (\d{3}) ", head)
    status = int(found[1]) if found else -1
    if status not in ALLOWED_STATUSES:
        text = body.decode("utf-8", "replace")
        said = re.search(r"<p>(.*?)</p>", text[text.find("No answer") :])
        return status, f"status {status}: {said[1] if said else body[:100]!r}"
    if b"Content-Security-Policy: default-src 'none'" not in head:
        return status, "no policy"
    if b"Traceback" in body:
        return status, "traceback"
    if b"Content-Type: text/html" in head:
        markup = Markup()
        markup.feed(body.decode("utf-8"))
        if markup.strange or markup.scripts != 1:
            return status, f"markup: {sorted(markup.strange)[:5]}, {markup.scripts} scripts"
    if seconds > PAGE_SECONDS + REPLY_SLACK:
        return status, f"took {seconds:.1f} s"
    return status, ""


def ask(port: int, data: bytes) -> tuple[bytes, float]:
    """Send a request and return the reply with the seconds it took."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        with suppress(OSError):  # refused before all of it was read
            client.sendall(data)
        reply = b""
        with suppress(ConnectionResetError):
            while piece := client.recv(1 << 20):
                reply += piece
    return reply, time.monotonic() - began


@contextmanager
def serving() -> Iterator[Any]:
    """A server whose questions are watched."""
    import watched

    from rlct.serve import answer_pool
    from rlct.serve.limits import ServeLimits
    from rlct.serve.server import Server

    kept, answer_pool.send_answer = answer_pool.send_answer, watched.run
    try:
        with Server(0, ServeLimits(seconds=PAGE_SECONDS, memory=PAGE_MEMORY)) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.05,))
            thread.start()
            try:
                yield server
            finally:
                server.shutdown()
                thread.join()
    finally:
        answer_pool.send_answer = kept


def run(seed: int, numbers: range) -> Iterator[dict[str, Any]]:
    """Send the requests of cases to one server; yield a row for each."""
    guard = Guard()
    with serving() as server:
        port = server.server_port
        ask(port, f"GET /?K=x^2 HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())  # warm
        for number in numbers:
            kind, text, rng = draw(seed, number)
            guard.take()
            guard.awake = True
            reply, seconds = ask(port, request(text, rng, f"127.0.0.1:{port}"))
            guard.awake = False
            status, failure = judge(reply, seconds)
            # The tool itself connects; the server must not.
            touched = [t for t in guard.take() if not t.startswith("socket.connect")]
            yield {
                "case": number,
                "kind": kind,
                "status": status,
                "seconds": round(seconds, 3),
                "failure": failure or "; ".join(touched),
                "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "threads": threading.active_count(),
            }
        # Whatever was sent, it still answers.
        reply, _ = ask(port, f"GET /?K=x^4 HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        assert b"<mfrac><mn>1</mn><mn>4</mn></mfrac>" in reply


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Entries of the report about replies and the server."""
    return {
        "statuses": dict(sorted(Counter(str(row["status"]) for row in rows).items())),
        "limits": {"seconds": PAGE_SECONDS, "MiB of a question": PAGE_MEMORY},
        "server_MiB": [rows[len(rows) // 10]["memory"], rows[-1]["memory"]],
        "threads": max(row["threads"] for row in rows),
    }


def main() -> None:
    """Run the study."""
    options = options_of(__doc__).parse_args()
    if options.case is not None:
        with serving() as server:
            _, text, rng = draw(options.seed, options.case)
            data = request(text, rng, f"127.0.0.1:{server.server_port}")
            print(data[:3000])
            reply, seconds = ask(server.server_port, data)
            print(reply.decode("utf-8", "replace"), judge(reply, seconds), f"{seconds:.1f} s")
        return
    sys.exit(conduct(lambda numbers: run(options.seed, numbers), options, summary))


if __name__ == "__main__":
    main()
