"""The socket text source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from windrow.common.checks import text
from windrow.common.typeinfo import Types
from windrow.connectors.socket.line_receiver import LineReceiver
from windrow.connectors.source import (
    Boundedness,
    FixedSplitsEnumerator,
    Source,
    SourceOutput,
    SourceReaderContext,
    SourceSplit,
    SplitEnumeratorContext,
)
from windrow.connectors.source_reader import (
    RecordEmitter,
    RecordsBySplits,
    SingleThreadMultiplexSourceReaderBase,
    SplitReader,
    SplitsChange,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError

_SPLIT = "socket"


@dataclass(frozen=True)
class SocketSplit(SourceSplit):
    """The connection. It holds no position: what was received cannot be asked for again."""

    def split_id(self) -> str:
        return _SPLIT


class SocketTextSource(Source[str, SocketSplit, dict[int, list[SocketSplit]]]):
    """Lines of UTF-8 text that a server sends, read by one reader: for demonstrations.

    What Flink's ``SocketTextStreamFunction`` does, with its guarantee: **a line counts at most once**. A server sends
    nothing twice, so lines are lost that were received and not yet read when the reader ends, and those that come
    while it is not connected. When a batch fails and is run again, it reads as many new lines in the place of those it
    had read, and waits for them. The same happens when Spark moves the reader to another process: it connects anew.
    Use files or Kafka where every line counts.

    Args:
        host: The server's name or address.
        port: Its port, 1 to 65535.
        delimiter: What ends a line. Behind a line feed a carriage return is left out, too.
        max_retry: How often it connects again when there is no connection or the server has closed it: 0 ends the
            stream when the server closes it, and fails the job when there is no server; below 0 is for ever.
        retry_interval: Milliseconds before it connects again.

    Raises:
        ConfigurationTypeError: an argument is of another type.
        ConfigurationError: the port is none, or the interval is negative.

    Example:
        >>> SocketTextSource("localhost", 9999, max_retry=3)
        SocketTextSource('localhost', 9999)
    """

    produced_type = Types.STRING()

    def __init__(
        self, host: str, port: int, delimiter: str = "\n", max_retry: int = 0, retry_interval: int = 500
    ) -> None:
        self._host = text(host, "host of a socket text source")
        self._delimiter = text(delimiter, "delimiter of a socket text source")
        for name, number in (("port", port), ("max_retry", max_retry), ("retry_interval", retry_interval)):
            if isinstance(number, bool) or not isinstance(number, int):
                msg = f"{name} of a socket text source must be an int; got {number!r} ({type(number).__name__})"
                raise ConfigurationTypeError(msg)
        if not 0 < port < 1 << 16:
            msg = f"port of a socket text source must be between 1 and 65535; got {port}"
            raise ConfigurationError(msg)
        if retry_interval < 0:
            msg = f"retry_interval of a socket text source must not be negative; got {retry_interval} ms"
            raise ConfigurationError(msg)
        self._port = port
        self._max_retry = max_retry
        self._retry_interval = retry_interval

    def get_boundedness(self) -> Boundedness:
        return Boundedness.CONTINUOUS_UNBOUNDED

    def channels(self, parallelism: int) -> int:
        """One: there is one connection."""
        return 1

    def create_enumerator(
        self, enum_context: SplitEnumeratorContext[SocketSplit]
    ) -> FixedSplitsEnumerator[SocketSplit]:
        return FixedSplitsEnumerator(enum_context, {0: [SocketSplit()]})

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[SocketSplit], checkpoint: dict[int, list[SocketSplit]]
    ) -> FixedSplitsEnumerator[SocketSplit]:
        return FixedSplitsEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> SocketTextReader:
        return SocketTextReader(self._receiver, reader_context)

    def _receiver(self) -> SocketSplitReader:
        receiver = LineReceiver(self._host, self._port, self._delimiter, self._max_retry, self._retry_interval)
        return SocketSplitReader(receiver)

    def __repr__(self) -> str:
        return f"SocketTextSource({self._host!r}, {self._port})"


class SocketSplitReader(SplitReader[str, SocketSplit]):
    """Receives lines in the fetcher's thread."""

    def __init__(self, receiver: LineReceiver) -> None:
        self._receiver = receiver

    def fetch(self) -> RecordsBySplits[str]:
        lines = self._receiver.receive()
        return RecordsBySplits({_SPLIT: lines}, [_SPLIT] if self._receiver.ended else ())

    def handle_splits_changes(self, splits_changes: SplitsChange[SocketSplit]) -> None:
        """The one connection is made by the first fetch."""

    def close(self) -> None:
        self._receiver.close()


class SocketTextReader(SingleThreadMultiplexSourceReaderBase[str, str, SocketSplit, None]):
    """Reads all lines: a socket has one reader."""

    def __init__(self, receiver: Callable[[], SocketSplitReader], context: SourceReaderContext) -> None:
        super().__init__(receiver, LineEmitter(), context)

    def on_split_finished(self, finished_split_states: Mapping[str, None]) -> None:
        """The server has closed the connection for the last time."""

    def initialized_state(self, split: SocketSplit) -> None:
        return None

    def to_split_type(self, split_id: str, split_state: None) -> SocketSplit:
        return SocketSplit()


class LineEmitter(RecordEmitter[str, str, None]):
    """Lines are elements."""

    def emit_record(self, element: str, output: SourceOutput[str], split_state: None) -> None:
        output.collect(element)

    def emit_records(self, elements: Sequence[str], output: SourceOutput[str], split_state: None) -> None:
        output.collect_batch(elements)
