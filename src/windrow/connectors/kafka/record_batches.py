"""Record batches, as brokers keep them and send them: Kafka's message format 2.

Headers are read here; the records behind them all at once where they are alike (``record_layout.py``), else by
aiokafka's compiled decoder, and of each only what somebody asks for: a value costs a fifth of what a message of
librdkafka's Python client does.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any, Final, NamedTuple, NoReturn, Self

import numpy as np

from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.fetched import CREATE_TIME, LOG_APPEND_TIME, FetchedRecords, Headers
from windrow.connectors.kafka.record_layout import record_layout
from windrow.elements.byte_slices import ByteSlices
from windrow.operators.watermarks.timestamp_assignment import Timestamps

#: Base offset, length behind it, leader's epoch, magic, checksum, attributes, last offset's delta, first and last
#: timestamp, producer's id, epoch and first number, number of records.
_HEADER = struct.Struct(">qiibIhiqqqhii")
#: What a batch's length does not count: base offset and length.
_BEFORE_LENGTH = 12
_ATTRIBUTES = struct.Struct(">h")
#: Where they are.
_ATTRIBUTES_AT = 21
_MAGIC = 2
_CODEC = 0x07
_LOG_APPEND_TIME = 0x08
_TRANSACTIONAL = 0x10
_CONTROL = 0x20
#: By the number that attributes have, the functions of aiokafka's that undo compression.
_DECODERS: Final = {1: "gzip_decode", 2: "snappy_decode", 3: "lz4_decode", 4: "zstd_decode"}
#: Version and kind of a mark of transactions, which is its key.
_MARK = struct.Struct(">hh")
_ABORT = 0


class UnreadableBatchError(KafkaConnectorError):
    """A batch that only librdkafka may be able to read, or to say why not."""


class RecordBatch:
    """Records that a producer has sent together.

    Attributes:
        base_offset: the first offset it covers.
        next_offset: the first offset behind it.
        leader_epoch: that of the leader which has written it.
        producer_id: that of its producer, if that is idempotent.
        count: how many records there are.
    """

    def __init__(self, content: memoryview) -> None:
        self._content = content
        fields = _HEADER.unpack_from(content)
        self.base_offset: int = fields[0]
        self.leader_epoch: int = fields[2]
        self._checksum: int = fields[4]
        self._attributes: int = fields[5]
        self.next_offset: int = self.base_offset + fields[6] + 1
        self._first_timestamp, self._last_timestamp = fields[7:9]
        self.producer_id: int = fields[9]
        self.count: int = fields[12]
        #: What was asked for, or found for all at once, by the decoder's names.
        self._columns: dict[str, Any] = {}

    @property
    def is_control(self) -> bool:
        """True if it is a mark of transactions, and no records of anybody's."""
        return bool(self._attributes & _CONTROL)

    @property
    def is_transactional(self) -> bool:
        """True if it is part of a transaction."""
        return bool(self._attributes & _TRANSACTIONAL)

    @property
    def timestamp_type(self) -> str:
        """The type of its records' timestamps, by the name that Kafka's Java client has."""
        return LOG_APPEND_TIME if self._is_appended else CREATE_TIME

    @property
    def _is_appended(self) -> bool:
        return bool(self._attributes & _LOG_APPEND_TIME)

    def open(self, *, check: bool) -> None:
        """Make it ready to be read: undo its compression, and decode its values.

        Args:
            check: Whether its checksum is looked at.

        Raises:
            UnreadableBatchError: the checksum is wrong, there is no library for the compression, or a record cannot be
                decoded. What comes later can be, then.
        """
        if check and not self._has_its_checksum():
            self._refuse("its checksum is wrong")
        compression = self._attributes & _CODEC
        if compression:
            self._decompress(_DECODERS.get(compression, ""))
        layout = record_layout(self._content[_HEADER.size :], self.count)
        if layout is None:
            self.column("value")
            return
        appended = self._is_appended
        times = np.full(self.count, self._last_timestamp) if appended else self._first_timestamp + layout.times
        self._columns |= {"value": layout.values, "timestamp": times}

    def _decompress(self, decoder: str) -> None:
        from aiokafka import codec

        try:
            records = getattr(codec, decoder)(bytes(self._content[_HEADER.size :]))
        except Exception as error:  # of the libraries' own kinds
            self._refuse(f"its compression cannot be undone: {error!r}", error)
        self._attributes &= ~_CODEC
        content = bytearray(self._content[: _HEADER.size]) + records
        _ATTRIBUTES.pack_into(content, _ATTRIBUTES_AT, self._attributes)
        self._content = memoryview(content)

    def offsets(self) -> Sequence[int]:
        """Its records' offsets."""
        if self.count == self.next_offset - self.base_offset:  # and none was compacted away
            return range(self.base_offset, self.next_offset)
        return self.column("offset")

    def column(self, name: str) -> list[Any]:
        """Something of each record, by the name that the decoder has for it; decoded once.

        Raises:
            UnreadableBatchError: the records cannot be decoded.
        """
        column: list[Any] = self._decoded(name, list)
        return column

    def values(self) -> ByteSlices | list[bytes | None]:
        """Its records' values.

        Raises:
            UnreadableBatchError: the records cannot be decoded.
        """
        values: ByteSlices | list[bytes | None] = self._decoded("value", list)
        return values

    def timestamps(self) -> Timestamps:
        """Its records' timestamps.

        Raises:
            UnreadableBatchError: the records cannot be decoded.
        """
        timestamps: Timestamps = self._decoded("timestamp", lambda each: np.fromiter(each, np.int64))
        return timestamps

    def aborts(self) -> bool:
        """Tell whether a control batch is the mark of a transaction that came to nothing.

        Raises:
            UnreadableBatchError: it cannot be decoded.
        """
        marks = self.column("key")  # none, where the log was compacted
        return bool(marks) and bool(_MARK.unpack_from(marks[0])[1] == _ABORT)

    def _has_its_checksum(self) -> bool:
        """Tell whether its bytes fit its checksum; the decoder computes it where nothing quicker is installed."""
        try:
            import google_crc32c as quick
        except ImportError:
            quick = None
        # Where there is no wheel for the platform it is Python, which costs more than all else.
        if quick is None or quick.implementation != "c":
            return bool(self._decoder().validate_crc())
        return bool(quick.value(bytes(self._content[_ATTRIBUTES_AT:])) == self._checksum)

    def _decoder(self) -> Any:
        from aiokafka.record.default_records import DefaultRecordBatch

        return DefaultRecordBatch(self._content)

    def _decoded(self, name: str, made: Callable[[Iterator[Any]], Any]) -> Any:
        """Decode one field of all records, and keep what ``made`` makes of it for the next call."""
        from aiokafka.errors import KafkaError

        if name in self._columns:
            return self._columns[name]
        try:
            # Records are let go of one by one: kept, they would have Python's garbage collection look at all of them.
            self._columns[name] = made(map(attrgetter(name), self._decoder()))
        except (KafkaError, ValueError) as error:
            self._refuse(f"its records cannot be decoded: {error!r}", error)
        return self._columns[name]

    def _refuse(self, why: str, error: Exception | None = None) -> NoReturn:
        msg = f"the batch of records at offset {self.base_offset} is unreadable: {why}"
        raise UnreadableBatchError(msg) from error


def batches(content: bytes) -> Iterator[RecordBatch]:
    """The batches that a broker has sent; the last may be cut off, and is left out then.

    Raises:
        UnreadableBatchError: one has a format from before Kafka 0.11.
    """
    view = memoryview(content)
    place = 0
    while place + _HEADER.size <= len(view):
        base, length, _, magic, *_ = _HEADER.unpack_from(view, place)
        if magic != _MAGIC:
            msg = f"the batch of records at offset {base} has the format {magic}"
            raise UnreadableBatchError(msg)
        end = place + _BEFORE_LENGTH + length
        if end < place + _HEADER.size:
            msg = f"the batch of records at offset {base} is shorter than its header: {length} bytes"
            raise UnreadableBatchError(msg)
        if end > len(view):
            return
        yield RecordBatch(view[place:end])
        place = end


class AbortedTransaction(NamedTuple):
    """Of a producer, from an offset on until its next mark."""

    producer_id: int
    first_offset: int


class Aborted:
    """The batches that a reader is not to see: of transactions that came to nothing (KIP-98), and marks.

    Args:
        transactions: What the broker says of them, if only what is committed is read.
    """

    def __init__(self, transactions: Sequence[AbortedTransaction]) -> None:
        self._coming = sorted(transactions, key=lambda each: each.first_offset, reverse=True)
        self._producers: set[int] = set()

    def hides(self, batch: RecordBatch) -> bool:
        """Tell whether a reader is not to see the batch; each is asked about once, in their order.

        Raises:
            UnreadableBatchError: it cannot be decoded.
        """
        while self._coming and self._coming[-1].first_offset < batch.next_offset:
            self._producers.add(self._coming.pop().producer_id)
        if batch.is_control:
            if batch.producer_id in self._producers and batch.aborts():
                self._producers.discard(batch.producer_id)
            return True
        return batch.is_transactional and batch.producer_id in self._producers


class Part(NamedTuple):
    """Some records of a batch, by their places."""

    batch: RecordBatch
    begin: int
    end: int


class BatchRecords(FetchedRecords):
    """Records in batches.

    Args:
        topic: The partition's topic.
        partition: Its number.
        parts: Where the records are; none is empty.
    """

    def __init__(self, topic: str, partition: int, parts: Sequence[Part]) -> None:
        super().__init__(topic, partition)
        self._parts = parts
        #: How many records there are up to the end of each part.
        self._ends = list(accumulate(part.end - part.begin for part in parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def next_offset(self) -> int:
        batch, _, end = self._parts[-1]
        return batch.next_offset if end == batch.count else batch.offsets()[end - 1] + 1

    def offsets(self) -> list[int]:
        return [offset for batch, begin, end in self._parts for offset in batch.offsets()[begin:end]]

    def keys(self) -> list[bytes | None]:
        return self._column("key")

    def values(self) -> Sequence[bytes | None]:
        values = [batch.values()[begin:end] for batch, begin, end in self._parts]
        slices = [part for part in values if isinstance(part, ByteSlices)]
        return ByteSlices.joined(slices) if slices and len(slices) == len(values) else [*chain.from_iterable(values)]

    def headers(self) -> list[Headers]:
        return [tuple(headers) for headers in self._column("headers")]

    def timestamps(self) -> Timestamps:
        if not self._parts:
            return np.empty(0, np.int64)
        return np.concatenate([batch.timestamps()[begin:end] for batch, begin, end in self._parts])

    def timestamp_types(self) -> list[str]:
        return [batch.timestamp_type for batch, begin, end in self._parts for _ in range(begin, end)]

    def leader_epochs(self) -> list[int | None]:
        epochs = ((batch.leader_epoch, end - begin) for batch, begin, end in self._parts)
        return [epoch if epoch >= 0 else None for epoch, count in epochs for _ in range(count)]

    def _column(self, name: str) -> list[Any]:
        column: list[Any] = []
        for batch, begin, end in self._parts:
            column += batch.column(name)[begin:end]
        return column

    def _slice(self, begin: int, end: int) -> Self:
        parts = []
        for place in range(bisect_right(self._ends, begin), bisect_left(self._ends, end) + 1 if begin < end else 0):
            batch, first, last = self._parts[place]
            before = self._ends[place] - (last - first)
            parts.append(Part(batch, first + max(begin - before, 0), min(first + end - before, last)))
        return type(self)(self.topic, self.partition, parts)
