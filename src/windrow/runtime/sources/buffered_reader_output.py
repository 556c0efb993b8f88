"""The output that a reader emits to: kept in order until the runtime takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark
from windrow.connectors.source import ReaderOutput, SourceOutput
from windrow.datastream.output_tag import OutputTag
from windrow.runtime.stage.chunk import ProcessingTime


class Records(NamedTuple):
    """Elements in order; timestamps None: they have none."""

    values: Sequence[Any]
    timestamps: Sequence[int] | None


class Side(NamedTuple):
    """An element of a side output."""

    tag_id: str
    value: Any
    timestamp: int


#: What stands between elements. An integer is a watermark of the source's own; "release" says that the split is read to
#: its end, "emit" that generators are asked for watermarks here; a source of a test may say what time it is.
Mark = int | Literal["idle", "active", "release", "emit"] | ProcessingTime
Item = Records | Side | Mark
#: What came, and from which split; None: from the reader as a whole.
SplitItem = tuple[str | None, Item]


class BufferedReaderOutput(ReaderOutput[Any]):
    """The output that a runtime gives to a reader."""

    def __init__(self) -> None:
        self._items: list[SplitItem] = []
        self._splits: dict[str, _SplitOutput] = {}
        #: The lists that single records are appended to, of the split that had the last one.
        self._split_id: str | None = None
        self._values: list[Any] | None = None
        self._timestamps: list[int] = []
        self.count = 0

    def take(self) -> list[SplitItem]:
        """Take what has come since the last call, in order."""
        taken, self._items = self._items, []
        self._values = None
        return taken

    def create_output_for_split(self, split_id: str) -> SourceOutput[Any]:
        output = self._splits.get(split_id)
        if output is None:
            output = self._splits[split_id] = _SplitOutput(self, split_id)
        return output

    def release_output_for_split(self, split_id: str) -> None:
        self._splits.pop(split_id, None)
        self.add(split_id, "release")

    def collect(self, record: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self.add_record(None, record, timestamp)

    def collect_batch(self, records: Sequence[Any], timestamps: Sequence[int] | None = None) -> None:
        self.add(None, Records(records, timestamps))

    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self.add(None, Side(tag.tag_id, value, timestamp))

    def emit_watermark(self, watermark: Watermark) -> None:
        self.add(None, watermark.timestamp)

    def mark_idle(self) -> None:
        self.add(None, "idle")

    def mark_active(self) -> None:
        self.add(None, "active")

    def add(self, split_id: str | None, item: Item) -> None:
        """An item behind all that have come; records without any are nothing."""
        self._values = None
        if not isinstance(item, Records) or len(item.values):
            self._items.append((split_id, item))

    def add_record(self, split_id: str | None, record: Any, timestamp: int) -> None:
        """A single record behind all that have come."""
        if self._values is None or self._split_id != split_id:
            self._split_id, self._values, self._timestamps = split_id, [], []
            self._items.append((split_id, Records(self._values, self._timestamps)))
        self._values.append(record)
        self._timestamps.append(timestamp)


class _SplitOutput(SourceOutput[Any]):
    def __init__(self, output: BufferedReaderOutput, split_id: str) -> None:
        self._output = output
        self._split_id = split_id

    def collect(self, record: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self._output.add_record(self._split_id, record, timestamp)

    def collect_batch(self, records: Sequence[Any], timestamps: Sequence[int] | None = None) -> None:
        self._output.add(self._split_id, Records(records, timestamps))

    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self._output.add(self._split_id, Side(tag.tag_id, value, timestamp))

    def emit_watermark(self, watermark: Watermark) -> None:
        self._output.add(self._split_id, watermark.timestamp)

    def mark_idle(self) -> None:
        self._output.add(self._split_id, "idle")

    def mark_active(self) -> None:
        self._output.add(self._split_id, "active")


def length(item: Item) -> int:
    """Count the elements of an item; watermarks and changes of status are none."""
    if isinstance(item, Records):
        return len(item.values)
    return 1 if isinstance(item, Side) else 0


def cut(item: Item, count: int) -> tuple[Item, Item | None]:
    """The first ``count`` elements of it, and the rest."""
    if not isinstance(item, Records) or len(item.values) <= count:
        return item, None
    values, timestamps = item
    head = Records(values[:count], None if timestamps is None else timestamps[:count])
    return head, Records(values[count:], None if timestamps is None else timestamps[count:])
