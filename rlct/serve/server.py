"""The server: this machine only, reading only, nothing from elsewhere."""

import io
import socket
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlsplit

from rlct.errors import InputError
from rlct.serve import page
from rlct.serve.answer_pool import AnswerPool, ClientGoneError, PoolBusyError
from rlct.serve.limits import ServeLimits
from rlct.serve.question import LONGEST_ADDRESS, read_address
from rlct.serve.reply import HTML_TYPE, refusal_reply, reply_to

LOCAL_ADDRESS: Final = "127.0.0.1"
_SCRIPT_NAMES: Final = ("energy", "newton", "page", "picture", "volume")
_FILE_TYPES: Final = {
    "/style.css": "text/css; charset=utf-8",
    "/icon.svg": "image/svg+xml",
    **{f"/{name}.js": "text/javascript; charset=utf-8" for name in _SCRIPT_NAMES},
}
_GUARD_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """The page on a port of 127.0.0.1.

    Port 0 is any that is free; InputError if the port is taken or not allowed.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, port: int, limits: ServeLimits) -> None:
        try:
            super().__init__((LOCAL_ADDRESS, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or "no such port"
            raise InputError(f"cannot serve on port {port}: {reason}; try --port 0") from None
        self.limits = limits
        self.answer_pool = AnswerPool(limits)
        self.hosts = {f"{name}:{self.server_port}" for name in (LOCAL_ADDRESS, "localhost")}
        if self.server_port == 80:
            self.hosts |= {LOCAL_ADDRESS, "localhost"}
        self._free = threading.BoundedSemaphore(limits.connections)

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{LOCAL_ADDRESS}:{self.server_port}/"

    def server_bind(self) -> None:
        """Bind without asking a name server who we are, as the base class would."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = LOCAL_ADDRESS, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve in a thread, if there are not too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve, and make room again."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away in the middle; print any other mistake."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _TimedReader(io.RawIOBase):
    """What a client sends, until a moment for all of it: a byte now and then gains no time."""

    def __init__(self, client: socket.socket, seconds: float) -> None:
        self._client = client
        self._last_moment = time.monotonic() + seconds

    def readable(self) -> bool:
        """Whether this is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read once, in what is left of the time."""
        left = self._last_moment - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._client.settimeout(left)
        return self._client.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "rlct"
    sys_version = ""

    def setup(self) -> None:
        """Give the request a time of its own, all of it together."""
        super().setup()
        self.rfile = io.BufferedReader(_TimedReader(self.connection, self.server.limits.request))

    def do_GET(self) -> None:
        """Answer; never anything else than the page, its files and its downloads."""
        serve_limits = self.server.limits
        if self.headers.get("Host", "").lower() not in self.server.hosts:
            # A name that somebody made to point here (DNS rebinding).
            self._html(
                HTTPStatus.MISDIRECTED_REQUEST, page.failure_page("wrong host", serve_limits)
            )
            return
        if self._from_elsewhere():
            self._html(
                HTTPStatus.FORBIDDEN, page.failure_page("asked by another site", serve_limits)
            )
            return
        try:
            parts = urlsplit(self.path)
        except ValueError:
            parts = urlsplit("")  # no page of ours
        if parts.path in _FILE_TYPES and not parts.query:
            content = files("rlct.serve").joinpath("static", parts.path[1:]).read_bytes()
            self._send(HTTPStatus.OK, _FILE_TYPES[parts.path], content)
        else:
            self._reply(parts.path, parts.query)

    def do_HEAD(self) -> None:
        """As GET, without the content."""
        self.do_GET()

    def _from_elsewhere(self) -> bool:
        """Whether another site embeds the page; a link from there is fine."""
        headers = self.headers
        if headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin"):
            return False
        return not (
            headers.get("Sec-Fetch-Mode") == "navigate"
            and headers.get("Sec-Fetch-Dest") == "document"
        )

    def _reply(self, path: str, query: str) -> None:
        serve_limits = self.server.limits
        try:
            page_reply = reply_to(
                path,
                query,
                serve_limits,
                lambda q: self.server.answer_pool.answer(q, self.connection),
            )
        except PoolBusyError:
            busy_text = f"{serve_limits.questions} other questions are being answered: try again"
            page_reply = refusal_reply(
                path, HTTPStatus.SERVICE_UNAVAILABLE, busy_text, serve_limits, read_address(query)
            )
            page_reply.headers["Retry-After"] = "10"
        except ClientGoneError:
            self.close_connection = True
            return
        content = page_reply.text.encode("utf-8", "replace")
        self._send(page_reply.status, page_reply.kind, content, page_reply.headers)

    def _html(self, status: HTTPStatus, text: str, headers: dict[str, str] | None = None) -> None:
        self._send(status, HTML_TYPE, text.encode("utf-8", "replace"), headers)

    def _send(
        self,
        status: HTTPStatus,
        kind: str,
        content: bytes,
        extra_headers: dict[str, str] | None = None,
    ) -> None:
        self.connection.settimeout(self.server.limits.request)  # for each of the two pieces
        if self.request_version == "HTTP/0.9":
            # A request in a form so old, or no request: the reply has a status all the same.
            self.request_version = "HTTP/1.0"
        self.send_response(status)
        own_headers = {"Content-Type": kind, "Content-Length": str(len(content))}
        for name, value in {**_GUARD_HEADERS, **own_headers, **(extra_headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request for a page, in the page's own form."""
        self.close_connection = True
        status = HTTPStatus(code)
        if status is HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        text = (
            f"{status.phrase.lower()}: the page is only read, by addresses up to "
            f"{LONGEST_ADDRESS} bytes"
        )
        headers = {"Connection": "close", "Allow": "GET, HEAD"}
        self._html(status, page.failure_page(text, self.server.limits), headers)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep no record of what is asked."""
