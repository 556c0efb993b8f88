"""Lets a job rest: while readers have nothing to read, and no timer is due, no batch is needed.

A batch costs half a second of a processor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import Condition
from types import MappingProxyType

from windrow.common.watermark_strategy import watches_clock
from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source
from windrow.graph.job_graph import Entry, JobGraph, walk
from windrow.runtime.sources.messages import MessagesBySource, ReaderFinished, ReaderResting
from windrow.runtime.stage.host import Subtask

#: After so many seconds without a batch there is one all the same: a reader whose process has died wakes nobody. Spark
#: ends Python workers, and readers in them, that have had nothing to do for a minute.
LONGEST = 50.0


def needs_clock(entry: Entry) -> bool:
    """Tell whether a source's reader, or what is chained to it, does something because time passes."""
    strategy = entry.strategy
    assert strategy is not None
    if watches_clock(replace(strategy, idle_timeout=None)):  # a reader that rests says when splits become idle
        return True
    return any(node.uses_processing_time or node.makes_watermarks for node in walk(entry.node))


def with_timers(job: JobGraph) -> set[Subtask]:
    """The subtasks that may set processing-time timers."""
    return {
        (level, number, subtask)
        for level, entries in enumerate(job.levels)
        for number, entry in enumerate(entries)
        if level > 0 and entry.ticked(job.unbounded)
        for subtask in range(entry.subtasks)
    }


def follows_clock(job: JobGraph) -> bool:
    """Tell whether something happens because time passes, and nobody can say when: not by timers."""
    sources, *levels = job.levels
    for entry in sources:
        # A reader says itself whether it rests.
        is_dealt = isinstance(entry.source, IteratorSource) or not isinstance(entry.source, Source)
        if is_dealt and job.unbounded:
            return True
    for entries in levels:  # a level is told the time as a whole
        nodes = [node for entry in entries for node in walk(entry.node)]
        if any(entry.ticked(job.unbounded) for entry in entries) and any(node.makes_watermarks for node in nodes):
            return True
    return False


class Resting:
    """The program's view of readers and timers: asked by whoever plans batches, woken by the readers.

    Args:
        readers: All of them, by the tag of their source and their subtask.
        follows_clock: Whether something is to happen although all rest and no timer is due.
    """

    def __init__(self, readers: Iterable[tuple[str, int]], *, follows_clock: bool = False) -> None:
        self._readers = set(readers)
        #: The subtasks that say when their next timers of processing time are due.
        self._timers: set[Subtask] = set()
        self._follows_clock = follows_clock
        #: When the next timer of a subtask is due, in milliseconds; None: it has none.
        self._due: dict[Subtask, int | None] = {}
        #: By reader that rests: what it will wake us with.
        self._tickets: dict[tuple[str, int], bytes] = {}
        #: What we were woken with since the batch before the last one: a reader may be quicker than its batch.
        self._woken: tuple[set[bytes], set[bytes]] = set(), set()
        self._heard_at = 0.0
        self._changed = Condition()

    def expect_timers(self, subtasks: Iterable[Subtask]) -> None:
        """These are told the time, and say when they are to be told next; until all have said so nobody rests."""
        with self._changed:
            self._timers = set(subtasks)

    def leave_out(self, tag: str, subtasks: Iterable[int]) -> None:
        """Of a source: readers that had ended when the job was started."""
        self._readers -= {(tag, subtask) for subtask in subtasks}

    def heard(self, sent: MessagesBySource, due: Mapping[Subtask, int | None] = MappingProxyType({})) -> None:
        """Take what readers have sent in a batch that was received, and when subtasks' next timers are due."""
        with self._changed:
            self._due.update(due)
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
        """Wait until there is something to do, for so long at most; tell whether there still is nothing."""
        until = time.monotonic() + seconds
        with self._changed:
            while self._all_rest() and (left := until - time.monotonic()) > 0:
                self._changed.wait(min(left, self._until_due()))
            return self._all_rest()

    def _until_due(self) -> float:
        """Give the seconds to the next timer, less than 0 if it is due already; infinity: there is none."""
        due = min((time for time in self._due.values() if time is not None), default=None)
        return math.inf if due is None else due / 1000 - time.time()

    def _all_rest(self) -> bool:
        if self._follows_clock or not self._readers <= self._tickets.keys() or not self._timers <= self._due.keys():
            return False
        if self._until_due() <= 0 or time.monotonic() - self._heard_at > LONGEST:
            return False
        return not any(ticket in woken for ticket in self._tickets.values() for woken in self._woken)
