"""A source with as many splits as are asked for, each with a few records."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, ClassVar

from windrow.connectors.source import Boundedness, InputStatus, Source, SourceReader, SourceSplit, available
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator
from windrow.connectors.source_reader import StaticSplitEnumerator

#: Records of a split.
RECORDS = 3
#: Milliseconds of event time that a split takes.
SPAN = 10


@dataclass
class Numbered(SourceSplit):
    """Records of the split ``number``: (number, 0), (number, 1) ..."""

    number: int
    position: int = 0

    def split_id(self) -> str:
        return str(self.number)

    def timestamp(self) -> int:
        return self.number * SPAN + self.position


@dataclass
class ManySplits(Source[Any, Numbered, Any]):
    """Splits that are dealt when readers register, or so many for each request of a reader."""

    count: int
    per_request: int = 0
    says_so: bool = False

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED

    @property
    def assigns_at_start(self) -> bool:
        return self.says_so

    def create_enumerator(self, enum_context: Any) -> Any:
        splits = [Numbered(number) for number in range(self.count)]
        if self.per_request:
            return StaticSplitEnumerator(enum_context, splits, self.per_request)
        readers = enum_context.current_parallelism()
        return FixedSplitsEnumerator(enum_context, {reader: splits[reader::readers] for reader in range(readers)})

    def restore_enumerator(self, enum_context: Any, checkpoint: Any) -> Any:
        if self.per_request:
            return StaticSplitEnumerator(enum_context, checkpoint, self.per_request)
        return FixedSplitsEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: Any) -> ManyReader:
        return ManyReader(reader_context, asks=self.per_request > 0)


class ManyReader(SourceReader[Any, Numbered]):
    """Reads one split after the other, a record for each poll.

    Args:
        context: Where it asks for splits.
        asks: Whether it has to.
    """

    #: What all readers in this process were called for, and how often.
    calls: ClassVar[Counter[str]] = Counter()

    def __init__(self, context: Any, *, asks: bool) -> None:
        self._context = context
        self._asks = asks
        self._splits: deque[Numbered] = deque()
        self._no_more = False

    def start(self) -> None:
        self._ask()

    def poll_next(self, output: Any) -> InputStatus:
        self.calls["poll"] += 1
        if not self._splits:
            return self._status()
        split = self._splits[0]
        output.create_output_for_split(split.split_id()).collect((split.number, split.position), split.timestamp())
        split.position += 1
        if split.position == RECORDS:
            output.release_output_for_split(split.split_id())
            self._splits.popleft()
            self._ask()
        return self._status()

    def add_splits(self, splits: Any) -> None:
        self.calls["add splits"] += 1
        self._splits += splits

    def notify_no_more_splits(self) -> None:
        self._no_more = True

    def is_available(self) -> Future[None]:
        self.calls["is available"] += 1
        return available() if self._splits or self._no_more else Future()

    def snapshot_state(self, checkpoint_id: int) -> list[Numbered]:
        self.calls["snapshot"] += 1
        return list(self._splits)

    def close(self) -> None:
        """Nothing is open."""

    def _ask(self) -> None:
        if self._asks and not self._splits and not self._no_more:
            self._context.send_split_request()

    def _status(self) -> InputStatus:
        if self._splits:
            return InputStatus.MORE_AVAILABLE
        return InputStatus.END_OF_INPUT if self._no_more else InputStatus.NOTHING_AVAILABLE
