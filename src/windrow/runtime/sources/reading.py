"""Polling a reader: for a new batch until it has enough, for a batch that is run again until it has the same."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import TimeoutError as NotAvailable
from dataclasses import dataclass
from typing import Any

from windrow.common.configuration import Configuration
from windrow.connectors.source import InputStatus, SourceReader
from windrow.errors import CheckpointError, ConfigurationTypeError
from windrow.runtime.sources.read_record import ReadRecord
from windrow.runtime.sources.reader_output import BufferedReaderOutput, Item, Records, SplitItem, cut, length
from windrow.state.codec import dumps

#: The size of one in so many polls' records is measured, and stands for the others.
_MEASURED = 16
#: How long a reader may take to give again what it has given before, in seconds.
_PATIENCE = 120.0


@dataclass(frozen=True)
class ReadSettings:
    """How much a reader gives in one batch."""

    records: int = 200_000
    bytes: int = 64 << 20
    #: How long a reader that has nothing is waited for, in milliseconds.
    wait: int = 100
    #: How long a batch reads at most, in milliseconds, if records come without end.
    duration: int = 1000

    @staticmethod
    def of(configuration: Configuration) -> ReadSettings:
        """The settings that a program's configuration gives."""
        default = ReadSettings()
        return ReadSettings(
            configuration.get_integer("windrow.source.records-per-batch", default.records),
            configuration.get_integer("windrow.source.bytes-per-batch", default.bytes),
            configuration.get_integer("windrow.source.wait", default.wait),
            configuration.get_integer("windrow.source.duration", default.duration),
        )


class LiveRead:
    """Reads until the batch is full, or the reader has nothing for a while, or is at its end."""

    def __init__(self, name: str, reader: SourceReader[Any, Any], output: BufferedReaderOutput) -> None:
        self._name = name
        self._reader = reader
        self._output = output
        self.finished = False

    def items(self, settings: ReadSettings) -> Iterator[SplitItem]:
        """What is read."""
        deadline = time.monotonic() + settings.duration / 1000
        records = size = polls = 0
        per_record = 0
        while True:
            status = self._poll()
            for split_id, item in self._output.take():
                if isinstance(item, Records):
                    records += len(item.values)
                    if polls % _MEASURED == 0:
                        per_record = len(dumps(item.values[0]))
                    size += per_record * len(item.values)
                yield split_id, item
            polls += 1
            if status is InputStatus.END_OF_INPUT:
                self.finished = True
                return
            left = deadline - time.monotonic()
            if records >= settings.records or size >= settings.bytes or left <= 0:
                return
            if status is InputStatus.NOTHING_AVAILABLE and not self._wait(min(settings.wait / 1000, left)):
                return

    def _wait(self, seconds: float) -> bool:
        """Whether the reader has something within that time."""
        try:
            self._reader.is_available().result(timeout=seconds)
        except NotAvailable:
            return False
        return True

    def _poll(self) -> InputStatus:
        return poll(self._name, self._reader, self._output)


def read_again(
    name: str,
    reader: SourceReader[Any, Any],
    output: BufferedReaderOutput,
    record: ReadRecord,
    waiting: list[SplitItem],
) -> Iterator[SplitItem]:
    """Read what ``record`` says, no more and no less.

    Args:
        name: The source's.
        reader: A reader at the position where the recorded read began.
        output: Its output.
        record: What was read.
        waiting: What the reader has given before and was not taken yet; afterwards, what this read left.

    Raises:
        CheckpointError: the reader does not give it again.
    """
    queues: dict[str | None, deque[Item]] = {}
    for split_id, item in waiting:
        queues.setdefault(split_id, deque()).append(item)
    deadline = time.monotonic() + _PATIENCE
    for split_id, recorded in record.runs:
        queue, missing = queues.setdefault(split_id, deque()), recorded
        while missing:
            while not queue:
                if poll(name, reader, output) is InputStatus.NOTHING_AVAILABLE:
                    time.sleep(0.005)
                for other, item in output.take():
                    queues.setdefault(other, deque()).append(item)
                if not queue and time.monotonic() > deadline:
                    msg = (
                        f"source {name!r} does not give again what a batch had read of split {split_id!r}: {missing} "
                        "records are missing. Are they gone from where they were read?"
                    )
                    raise CheckpointError(msg)
            item, rest = cut(queue.popleft(), missing)
            if rest is not None:
                queue.appendleft(rest)
            missing -= length(item)
            yield split_id, item
    waiting[:] = [(split_id, item) for split_id, queue in queues.items() for item in queue]


def poll(name: str, reader: SourceReader[Any, Any], output: BufferedReaderOutput) -> InputStatus:
    """Poll once.

    Raises:
        ConfigurationTypeError: the reader returned something else than an InputStatus.
    """
    status = reader.poll_next(output)
    if not isinstance(status, InputStatus):
        msg = (
            f"source {name!r}: poll_next of {type(reader).__name__} must return an InputStatus, MORE_AVAILABLE, "
            f"NOTHING_AVAILABLE or END_OF_INPUT; it returned {status!r}"
        )
        raise ConfigurationTypeError(msg)
    return status
