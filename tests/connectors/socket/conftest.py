"""A server that sends what a test tells it to."""

import socket
from collections.abc import Iterator

import pytest

from tests.free_ports import free_port


class Server:
    """Listens on a free port of 127.0.0.1."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", free_port()))
        self._listening.settimeout(60)
        self.port = self._listening.getsockname()[1]
        self._connection: socket.socket | None = None

    def accept(self) -> None:
        """Wait for the next connection."""
        self._connection, _ = self._listening.accept()

    def send(self, sent: bytes) -> None:
        assert self._connection is not None
        self._connection.sendall(sent)

    def hang_up(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def close(self) -> None:
        self.hang_up()
        self._listening.close()


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that stops with the test."""
    listening = Server()
    yield listening
    listening.close()
