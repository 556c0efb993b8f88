"""The record of a job: entries, one after the other, and what they come to. The same live and out of a file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from windrow.runtime.monitor.measures import Measures

#: What an entry is: plain data that JSON can hold, with a ``type``.
Entry = dict[str, Any]
#: The version of the entries' form, which the first of them names.
FORM = 1
#: The states in which nothing more comes.
ENDS = ("FINISHED", "FAILED", "CANCELED", "SUSPENDED")
#: Elements in, elements out, nanoseconds of work, of all subtasks together.
Counts = tuple[int, int, int]
#: Rates are those of so many milliseconds.
_RECENT = 30_000
#: So many numbers the batches that are kept have together; of a job with thousands of splits fewer batches are kept.
_NUMBERS = 200_000
#: So many exceptions, savepoints and states are kept: those of the beginning go first.
_KEPT = 50


def counts_of(measures: Measures) -> Counts:
    """The counts of a vertex, all subtasks together."""
    return (
        sum(measures.get("records_in", {}).values()),
        sum(measures.get("records_out", {}).values()),
        sum(measures.get("busy_nanos", {}).values()),
    )


def _numbers_in(values: Any) -> int:
    return sum(map(_numbers_in, values.values())) if isinstance(values, dict) else 1


class JobRecord:
    """Takes in entries, and keeps the last batches one by one.

    ======== ==================================================================================
    type     what it has
    ======== ==================================================================================
    job      the job itself, once, as the first one: id, name, graph, settings
    state    the job's state from then on
    batch    what has changed by a batch, or by several that followed each other quickly
    failure  an attempt that has failed: what, where, on which element
    savepoint a savepoint that was made
    page     the address of its page
    ======== ==================================================================================

    Args:
        batches: How many batches are kept one by one.
    """

    def __init__(self, batches: int = 200) -> None:
        self._keep = batches
        self._numbers = 0
        self._has_dropped = False
        self.job: Entry = {}
        self.states: list[Entry] = []
        self.failures: list[Entry] = []
        self.savepoints: list[Entry] = []
        self.page: str | None = None
        self.batches: deque[Entry] = deque()
        #: As they stood before the first of the batches that are kept, and as they stand now.
        self._before: dict[str, Measures] = {}
        self.vertices: dict[str, Measures] = {}
        self.accumulators: dict[str, list[str]] = {}
        self.progress: dict[str, Any] = {}
        #: When the last batch began and ended of which something is known.
        self.observed: tuple[int, int] | None = None
        #: Counts of the last half minute: when, and of each vertex elements in, elements out and nanoseconds of work.
        self._marks: deque[tuple[int, dict[str, Counts]]] = deque()

    def add(self, entry: Entry) -> None:
        """Take in the next entry; of a type that is not known here, nothing."""
        match entry["type"]:
            case "job":
                self.job = entry
            case "state":
                if self.state == "RESTARTING":
                    self._marks.clear()  # counts fall back to those of the checkpoint
                    self._append(self.states, entry)
                    return
                self._append(self.states, entry)
                if not self._marks:  # it began with nothing
                    self._marks.append((entry["at"], {}))
            case "failure":
                self._append(self.failures, entry)
            case "savepoint":
                self._append(self.savepoints, entry)
            case "page":
                self.page = entry["url"]
            case "batch":
                self._add_batch(entry)

    @property
    def state(self) -> str:
        """Flink's name of the state that the job is in."""
        return str(self.states[-1]["state"]) if self.states else "CREATED"

    def entries(self) -> Iterator[Entry]:
        """All of which a record like this one can be made anew."""
        if self.job:
            yield self.job
        if self.page is not None:
            yield {"type": "page", "url": self.page}
        yield from self.states
        yield from self.failures
        yield from self.savepoints
        if self._has_dropped or self._before:
            at = self.batches[0]["started"] if self.batches else 0
            base = {"type": "batch", "batch": None, "started": at, "ended": at, "vertices": self._before, "base": True}
            yield {**base, "accumulators": self.accumulators, "progress": self.progress}
        yield from self.batches

    def _add_batch(self, entry: Entry) -> None:
        for tag, measures in entry["vertices"].items():
            self.vertices[tag] = {**self.vertices.get(tag, {}), **measures}
        if "accumulators" in entry:
            self.accumulators = entry["accumulators"]
        if "progress" in entry:
            self.progress = entry["progress"]
        self._mark(entry["ended"])
        if entry.get("base"):
            self._before = {tag: {**measures} for tag, measures in self.vertices.items()}
            return
        if entry["batch"] is not None or entry["vertices"]:
            self.observed = (entry["ended"] - entry.get("longest", entry["ended"] - entry["started"]), entry["ended"])
        self.batches.append(entry)
        self._numbers += _numbers_in(entry["vertices"])
        while len(self.batches) > self._keep or (self._numbers > _NUMBERS and len(self.batches) > 1):
            oldest = self.batches.popleft()
            self._has_dropped = True
            self._numbers -= _numbers_in(oldest["vertices"])
            for tag, measures in oldest["vertices"].items():
                self._before[tag] = {**self._before.get(tag, {}), **measures}

    def _mark(self, at: int) -> None:
        counts = {tag: counts_of(measures) for tag, measures in self.vertices.items()}
        self._marks.append((at, counts))
        while len(self._marks) > 2 and self._marks[0][0] < at - _RECENT:
            self._marks.popleft()

    def recent(self) -> tuple[float, dict[str, Counts]]:
        """Over how many seconds, and what vertices have counted in them: the last half minute, about.

        Of a job that is over, and of one that has had one batch: all of its time.
        """
        if not self._marks:
            return 0.0, {}
        until, after = self._marks[-1]
        if len(self._marks) < 2 or self.ended is not None:
            since = self.states[0]["at"] if self.states else self.job["started"]
            return max(until - since, 1) / 1000, after
        since, before = self._marks[0]
        none = (0, 0, 0)
        grown = {
            tag: tuple(now - then for now, then in zip(counts, before.get(tag, none), strict=True))
            for tag, counts in after.items()
        }
        return max(until - since, 1) / 1000, {tag: (each[0], each[1], each[2]) for tag, each in grown.items()}

    @property
    def ended(self) -> int | None:
        """The time at which the job ended, in milliseconds; None: it goes on, or nobody has seen its end."""
        over = self.states and self.states[-1]["state"] in ENDS
        return self.states[-1]["at"] if over else None

    @staticmethod
    def _append(kept: list[Entry], entry: Entry) -> None:
        kept.append(entry)
        if len(kept) > _KEPT:
            del kept[1]  # the first one says when it all began

    def replay(self) -> Iterator[tuple[Entry, Mapping[str, Measures]]]:
        """Each batch that is kept, and how the vertices stood behind it."""
        standing = dict(self._before)
        for batch in self.batches:
            for tag, measures in batch["vertices"].items():
                standing[tag] = {**standing.get(tag, {}), **measures}
            yield batch, standing
