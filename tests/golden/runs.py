"""Runs of the programs that stop in the middle, and go on from what a checkpoint has kept."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from tests.golden.programs import job_of
from windrow.elements import stored
from windrow.runtime.local.channels import DealtChannel, ReaderChannel
from windrow.runtime.local.executor import LocalExecutor
from windrow.state.page_store import MemoryPageStore

#: Elements of each channel in a batch, and after how many batches a run stops.
SIZE, STOP = 40, 4


@dataclass
class Kept:
    """What a run has kept: pages by level and subtask, enumerators' decisions, and what it gave from there on."""

    pages: dict[tuple[int, int], dict[str, bytes]]
    logs: dict[str, tuple[int, dict[int, bytes]]]
    heard: dict[int, int]
    expected: list[Any] = field(default_factory=list)


class Run(LocalExecutor):
    """A run of a program; processing time moves by 10 a batch."""

    def __init__(self, program: Any) -> None:
        job, self.sink = job_of(program)
        self._time = itertools.count(0, 10)
        super().__init__(job, SIZE, clock=lambda: next(self._time))

    def stop(self) -> Kept:
        """Run the first batches, and give what is kept."""
        for _ in range(STOP):
            assert self.run_batch()
        self.sink.elements.clear()
        pages = {key: dict(store.pages) for key, store in self._stores.items() if isinstance(store, MemoryPageStore)}
        logs = {
            tag: (log._count, {number: stored.dumps(entry) for number, entry in log._entries.items()})
            for tag, log in self._logs.items()
        }
        readers = {number: each.taken for number, each in self._channels.items() if isinstance(each, ReaderChannel)}
        return Kept(pages, logs, readers)

    def go_on(self, kept: Kept) -> None:
        """Begin where a run has stopped, which may have been one of another version."""
        self.close()
        self._batch = STOP
        for _ in range(STOP):
            next(self._time)
        self._stores = {key: MemoryPageStore(dict(pages)) for key, pages in kept.pages.items()}
        for tag, (count, entries) in kept.logs.items():
            self._logs[tag]._count = count
            self._logs[tag]._entries = {number: stored.loads(entry) for number, entry in entries.items()}
        for number, channel in self._channels.items():
            if isinstance(channel, DealtChannel):
                for _ in range(STOP):
                    if not channel.ended:
                        channel._next(SIZE)
            elif isinstance(channel, ReaderChannel):
                channel.taken = kept.heard[number]
        self._start_hosts()

    def rest(self) -> list[Any]:
        """Run the other batches, and give what comes out."""
        with self:
            while self.run_batch():
                pass
        return self.sink.elements


def kept_by(program: Any) -> Kept:
    """What a run of this version keeps when it stops, and what it gives when it goes on without a stop."""
    run = Run(program)
    kept = run.stop()
    kept.expected = run.rest()
    return kept
