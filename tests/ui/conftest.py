"""Pages of records, which are closed behind the test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from typing import Any, NamedTuple

import pytest

from windrow.runtime.monitor.record import JobRecord
from windrow.ui.server import PageServer
from windrow.ui.shown_jobs import ShownJobs, Stored

Serve = Callable[..., PageServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves records, on a free port of this machine's own address unless another host is named."""
    servers = []

    def make(*records: JobRecord, host: str = "127.0.0.1", now: int | None = None) -> PageServer:
        jobs = ShownJobs()
        for record in records:
            jobs.add(Stored(record))
        server = PageServer(jobs, host) if now is None else PageServer(jobs, host, clock=lambda: now)
        servers.append(server)
        server.start()
        return server

    yield make
    for server in servers:
        server.close()


class Said(NamedTuple):
    """What a server has answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(server: PageServer, path: str, method: str = "GET", body: Any = None, **headers: str) -> Said:
    """Ask a server on this machine, as somebody who says these headers."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return Said(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()
