"""Serves the page and its JSON, in threads of the program's process."""

from __future__ import annotations

import json
import logging
import secrets
import sys
from collections.abc import Callable
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socket import AF_INET6
from socketserver import TCPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from windrow.errors import ConfigurationError
from windrow.runtime.monitor.monitor import wall_clock
from windrow.ui.routes import Answer, Asked, Routes, is_part_of_page
from windrow.ui.shown_jobs import ShownJobs

_log = logging.getLogger("windrow")
_LONGEST_BODY = 1 << 20
#: Nothing comes from elsewhere, nothing is shown inside of another page, and the address, which may have the token,
#: goes nowhere.
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class PageServer:
    """Listens from :meth:`start` on.

    On this machine's own address anybody on this machine may look. On another one a token is asked for, which is part
    of :attr:`url`. Whoever wants a job to do something has to say it in any case: neither other sites' pages in the
    same browser nor other users of this machine can.

    Args:
        jobs: What is shown.
        host: Where it listens.
        port: 0: a free one.
        clock: Now, in milliseconds.

    Raises:
        ConfigurationError: nobody can listen there.
    """

    def __init__(
        self, jobs: ShownJobs, host: str = "127.0.0.1", port: int = 0, clock: Callable[[], int] = wall_clock
    ) -> None:
        self.token = secrets.token_urlsafe(24)
        self._guarded = not _is_here(host)
        server = type("_Server", (_Server,), {"address_family": AF_INET6}) if ":" in host else _Server
        try:
            self._server = server((host, port), _Handler)
        except (OSError, OverflowError) as error:
            where = f"windrow.ui.host {host!r}, windrow.ui.port {port}"
            msg = f"the page of jobs cannot listen at {where}: {getattr(error, 'strerror', error)}"
            raise ConfigurationError(msg) from error
        self.port = int(self._server.server_address[1])
        shown = f"[{host}]" if ":" in host else host
        self._host = f"{shown}:{self.port}"
        self._server.routes = Routes(jobs, self.token, clock)
        self._server.token = self.token
        self._server.guarded = self._guarded
        self._thread = Thread(target=self._server.serve_forever, name="windrow-page", daemon=True)

    @property
    def url(self) -> str:
        """Its address, with the token."""
        return f"{self.base}?token={self.token}"

    @property
    def base(self) -> str:
        """Its address without the token: where a token is not asked for, all can be seen there."""
        return f"http://{self._host}/"

    def url_of(self, job_id: str) -> str:
        """The address of a job's page."""
        return f"{self.url}#/jobs/{job_id}"

    def start(self) -> None:
        """Listen from now on."""
        self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        if self._thread.ident is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    routes: Routes
    token: str
    guarded: bool

    def server_bind(self) -> None:
        """Bind, and ask no name server what this machine is called, which may take long and is used nowhere."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error of the program; all else is logged."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            _log.warning("the page of jobs has a fault", exc_info=error)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "Windrow"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        self._answer(self._allowed(changes=False))

    def do_POST(self) -> None:
        self._answer(self._allowed(changes=True))

    def do_PATCH(self) -> None:
        self._answer(self._allowed(changes=True))

    def _answer(self, refused: str | None) -> None:
        body = self._body()
        address = urlsplit(self.path)
        if refused is not None:
            answer = Answer(403, refused.encode(), "text/plain; charset=utf-8")
        else:
            trusted = self._says_token(changes=False)
            asked = Asked(self.command, address.path, dict(parse_qsl(address.query)), body, trusted=trusted)
            answer = self._answer_to(asked)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def _answer_to(self, asked: Asked) -> Answer:
        try:
            return self.server.routes.answer(asked)
        except Exception as error:  # a fault of the page is none of the program, and the browser is told
            _log.warning("the page of jobs cannot answer %s %s", asked.method, asked.path, exc_info=error)
            said = {"errors": [f"the page has a fault, which the program has logged: {type(error).__name__}"]}
            return Answer(500, json.dumps(said).encode())

    def _body(self) -> bytes:
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = 0
        return self.rfile.read(length) if 0 < length <= _LONGEST_BODY else b""

    def _allowed(self, *, changes: bool) -> str | None:
        """Say why the request may not be answered; None: it may."""
        host = self.headers.get("Host", "")
        if not self.server.guarded and not _is_here(urlsplit(f"//{host}").hostname or ""):
            return "this page is asked for by another name than that of this machine"
        asks = changes or (self.server.guarded and not is_part_of_page(urlsplit(self.path).path))
        if asks and not self._says_token(changes=changes):
            return "the token is missing: open the address that the program has printed"
        origin = self.headers.get("Origin")
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return "this comes from another site's page"
        return None

    def _says_token(self, *, changes: bool) -> bool:
        said = self.headers.get("Authorization", "").removeprefix("token ")
        if not said and not changes:
            said = dict(parse_qsl(urlsplit(self.path).query)).get("token", "")
        return compare_digest(said.encode(), self.server.token.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Requests are not worth a line of the program's output."""


def _is_here(host: str) -> bool:
    """Tell whether only this machine reaches the host.

    Example:
        >>> [_is_here(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "example.org")]
        [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
