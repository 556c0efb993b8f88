"""One end of a connection that sends text, cut at a delimiter."""

from __future__ import annotations

import socket
import time

#: A connection that is not made within this time, in seconds, has failed.
CONNECTION_TIMEOUT = 10.0
#: How long a call waits for something to come, in seconds.
_A_MOMENT = 0.1
_RECEIVED_AT_ONCE = 1 << 16


class LineReceiver:
    """Connects to a server, receives, and connects again when the connection is lost.

    Args:
        host: The server's name or address.
        port: Its port.
        delimiter: What stands between two lines; where it is a line feed, a carriage return before it is left out.
        max_retry: How often to connect again; below 0: for ever.
        retry_interval: Milliseconds before it connects again.
    """

    def __init__(self, host: str, port: int, delimiter: str, max_retry: int, retry_interval: int) -> None:
        self._address = host, port
        self._delimiter = delimiter.encode()
        self._strip = delimiter == "\n"
        self._retries_left = max_retry
        self._retry_interval = retry_interval / 1000
        self._socket: socket.socket | None = None
        self._partial = b""
        self._next_attempt = 0.0
        #: Whether the server has closed the connection for the last time.
        self.ended = False

    def receive(self) -> list[str]:
        """The lines that have come; none if there were none for a moment.

        Raises:
            ConnectionError: there is no connection, and no retry is left.
        """
        received = self._received()
        if received is None:
            return []
        if received:
            *lines, self._partial = (self._partial + received).split(self._delimiter)
            return self._texts(lines)
        # As in Flink, what came last is a line even if nothing ends it.
        rest, self._partial = self._partial, b""
        self._disconnect()
        self.ended = not self._retry()
        return self._texts([rest] if rest else [])

    def close(self) -> None:
        """End the connection."""
        self._disconnect()

    def _received(self) -> bytes | None:
        """Bytes; none at the connection's end, and None if there were none for a moment."""
        connection = self._connected()
        if connection is None:
            return None
        try:
            return connection.recv(_RECEIVED_AT_ONCE)
        except TimeoutError:
            return None
        except ConnectionError:
            return b""  # the server has gone without a word

    def _connected(self) -> socket.socket | None:
        if self._socket is None:
            if time.monotonic() < self._next_attempt:
                return None
            try:
                self._socket = socket.create_connection(self._address, CONNECTION_TIMEOUT)
            except OSError as error:
                if not self._retry():
                    host, port = self._address
                    msg = f"socket text source: no connection to {host}:{port} ({error}), and no retry is left"
                    raise ConnectionError(msg) from error
                return None
            self._socket.settimeout(_A_MOMENT)
        return self._socket

    def _retry(self) -> bool:
        """Tell whether it connects again, some time later."""
        if self._retries_left == 0:
            return False
        self._retries_left = max(self._retries_left - 1, -1)
        self._next_attempt = time.monotonic() + self._retry_interval
        return True

    def _disconnect(self) -> None:
        connection, self._socket = self._socket, None
        if connection is not None:
            connection.close()

    def _texts(self, lines: list[bytes]) -> list[str]:
        if self._strip:
            lines = [line.removesuffix(b"\r") for line in lines]
        # As Java's readers do: what is no UTF-8 is marked and does not end the job.
        return [line.decode(errors="replace") for line in lines]
