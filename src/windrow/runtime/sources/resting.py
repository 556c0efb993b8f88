"""Which readers have nothing to read, so that no batch is run for them: a batch costs half a second of a processor."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from threading import Condition

from windrow.common.watermark_generators import (
    AscendingTimestampsWatermarks,
    BoundedOutOfOrdernessWatermarks,
    NoWatermarksGenerator,
)
from windrow.graph.job_graph import Entry, walk
from windrow.runtime.sources.messages import MessagesBySource, ReaderFinished, ReaderResting

#: After so many seconds without a batch there is one all the same: a reader whose process has died wakes nobody.
LONGEST = 30.0
#: They make watermarks of elements alone.
_BY_ELEMENTS = (AscendingTimestampsWatermarks, BoundedOutOfOrdernessWatermarks, NoWatermarksGenerator)


def needs_clock(entry: Entry) -> bool:
    """Tell whether a source's reader, or what is chained to it, does something because time passes."""
    strategy = entry.strategy
    assert strategy is not None
    # Not made to be looked at: a function of the program's would be called.
    made = strategy.generator.func if isinstance(strategy.generator, partial) else strategy.generator
    if strategy.alignment is not None or made not in _BY_ELEMENTS:
        return True
    return any(node.uses_processing_time or node.makes_watermarks for node in walk(entry.node))


class Resting:
    """What the program's process knows of the readers of a job: asked by who plans batches, woken by the readers.

    Args:
        readers: All of them, by the tag of their source and their subtask.
    """

    def __init__(self, readers: Iterable[tuple[str, int]]) -> None:
        self._readers = set(readers)
        #: By reader that rests: what it will wake us with.
        self._tickets: dict[tuple[str, int], bytes] = {}
        #: What we were woken with since the batch before the last one: a reader may be quicker than its batch.
        self._woken: tuple[set[bytes], set[bytes]] = set(), set()
        self._heard_at = 0.0
        self._changed = Condition()

    def leave_out(self, tag: str, subtasks: Iterable[int]) -> None:
        """Of a source: readers that had ended when the job was started."""
        self._readers -= {(tag, subtask) for subtask in subtasks}

    def heard(self, sent: MessagesBySource) -> None:
        """Take what readers have sent in a batch that was received."""
        with self._changed:
            self._tickets.clear()
            for tag, of_source in sent.items():
                for subtask, messages in of_source.items():
                    for message in messages:
                        if isinstance(message, ReaderFinished):
                            self._readers.discard((tag, subtask))
                        elif isinstance(message, ReaderResting):
                            self._tickets[tag, subtask] = message.ticket
            self._woken = self._woken[1], set()
            self._heard_at = time.monotonic()

    def wake(self, ticket: bytes) -> None:
        """A reader has something again."""
        with self._changed:
            self._woken[1].add(ticket)
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until a reader has something, for so long at most; tell whether all of them still rest."""
        until = time.monotonic() + seconds
        with self._changed:
            while self._all_rest() and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            return self._all_rest()

    def _all_rest(self) -> bool:
        if not self._readers <= self._tickets.keys() or time.monotonic() - self._heard_at > LONGEST:
            return False
        return not any(ticket in woken for ticket in self._tickets.values() for woken in self._woken)
