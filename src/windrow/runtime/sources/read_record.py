"""Writes down once what a batch has read, so that a batch that is run again reads the same.

A source whose position is known only after polling may give another number of records the second time. So the first
attempt that comes to its end writes a file, and every later attempt reads what the file says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from windrow.elements.stored import dumps_with_code, loads
from windrow.errors import CheckpointError
from windrow.runtime.checkpoint_files import READS, reading, writing
from windrow.runtime.sources.buffered_reader_output import Item, Mark, Records, Side, length
from windrow.runtime.sources.messages import ToEnumerator
from windrow.storage.folder import Files

#: Of each reader so many files are kept: only the last batch can be run again.
_KEPT = 2


class Run(NamedTuple):
    """Elements that came one after the other from one split (None: from no split), or what stood behind them."""

    split_id: str | None
    elements: int
    #: What a reader says about time may follow the clock, so it is kept as it was.
    mark: Mark | None = None


@dataclass
class ReadRecord:
    """One read of one reader."""

    #: What came, in order.
    runs: list[Run] = field(default_factory=list)
    #: Whether the reader was at its end.
    finished: bool = False
    #: What the reader sent to the enumerator.
    messages: list[ToEnumerator] = field(default_factory=list)

    def add(self, split_id: str | None, item: Item) -> None:
        """That came next."""
        if not isinstance(item, (Records, Side)):
            self.runs.append(Run(split_id, 0, item))
        elif self.runs and self.runs[-1].split_id == split_id and self.runs[-1].mark is None:
            self.runs[-1] = Run(split_id, self.runs[-1].elements + length(item))
        else:
            self.runs.append(Run(split_id, length(item)))


class ReadRecords:
    """The records of a job's readers, in files.

    Args:
        files: Those of the checkpoint. Of several workers who create one at once, one can.
    """

    def __init__(self, files: Files) -> None:
        self._files = files

    def read(self, channel: int, number: int) -> ReadRecord | None:
        """Give what the reader of that channel has read in its ``number``-th read; None: it was not run to its end yet.

        Raises:
            CheckpointError: the file is damaged.
        """
        name = _name(channel, number)
        try:
            data = self._files.read(name)
        except FileNotFoundError:
            return None
        with reading(self._files.place(name), READS):
            record: ReadRecord = loads(data)
        return record

    def write(self, channel: int, number: int, record: ReadRecord) -> None:
        """Write it down.

        Raises:
            CheckpointError: another attempt of the same read was quicker, and this one has to be run again; or the file
                cannot be written.
        """
        name = _name(channel, number)
        try:
            with writing(self._files.place(name)):
                self._files.create(name, dumps_with_code(record))
        except FileExistsError as error:
            msg = f"another attempt has written read {number} of reader {channel} first; run the task again"
            raise CheckpointError(msg) from error
        self._files.remove(_name(channel, number - _KEPT))


def _name(channel: int, number: int) -> str:
    return f"{READS}/{channel}/{number}"
