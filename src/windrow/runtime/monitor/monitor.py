"""Watches a job while it runs: makes entries of its record of what the runtime says, and writes them to a file."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, RLock, Thread
from typing import Any

from windrow.common.job_status import JobStatus
from windrow.errors import WindrowError
from windrow.runtime.monitor.failure import failure_entry
from windrow.runtime.monitor.history_file import HistoryFile, put_copy
from windrow.runtime.monitor.measures import Measures, accumulators_of, measures_of, within
from windrow.runtime.monitor.record import Entry, JobRecord
from windrow.runtime.stage.totals import Totals
from windrow.storage.folder import Folder

_log = logging.getLogger("windrow")
#: Batches that end within so many seconds are one entry.
_TOGETHER = 1.0
#: So often a job whose batches are long is looked at in the middle of one, in seconds.
_BETWEEN = 1.0
#: So many seconds the end of a job waits for what looks at it: for a metric of the program's that does not answer, say.
_PATIENCE = 10.0


def wall_clock() -> int:
    """Now, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class FinishedBatch:
    """A batch as its runtime tells of it."""

    number: int
    #: Milliseconds since the epoch.
    started: int
    ended: int
    #: What was counted up to its end. Whoever hands it over changes it no more.
    totals: Totals


class JobMonitor:
    """The record of a running job, brought up to date by a thread of its own: the job waits for nothing here.

    Args:
        job: The first entry.
        batches: How many batches are kept one by one.
        file: Where entries are written; None: nowhere.
        clock: Now, in milliseconds.
    """

    def __init__(
        self, job: Entry, batches: int = 200, file: HistoryFile | None = None, clock: Callable[[], int] = wall_clock
    ) -> None:
        self._record = JobRecord(batches)
        self._file = file
        self._clock = clock
        self._lock = RLock()
        #: Held while the file is written.
        self._writing = Lock()
        self._name = job["name"]
        self._subtasks: dict[str, int] = {each["id"]: each["parallelism"] for each in job.get("vertices", [])}
        self._finished: deque[FinishedBatch] = deque()
        self._unwritten: list[Entry] = []
        #: Gives what was counted up to now, in the middle of a batch; None: the runtime does not know it.
        self._live: Callable[[], Totals] | None = None
        #: Gives what the runtime knows of a batch that runs, to be shown as it is.
        self._progress: Callable[[], dict[str, Any]] | None = None
        self._asked = 0.0
        self._wake = Event()
        self._over = Event()
        self._has_complained = False
        #: Where a copy of the file goes when the job is over; None: nowhere.
        self._copies: Folder | None = None
        self._add(job)
        self._thread = Thread(target=self._watch, name=f"windrow-monitor-{job['name']}", daemon=True)

    @property
    def file(self) -> HistoryFile | None:
        """The file that the record is written to; None: it is not kept."""
        return self._file

    @contextmanager
    def reading(self) -> Iterator[JobRecord]:
        """The record, which does not change meanwhile."""
        with self._lock:
            yield self._record

    def start(
        self, live: Callable[[], Totals] | None = None, progress: Callable[[], dict[str, Any]] | None = None
    ) -> None:
        """The job begins.

        Args:
            live: Gives what was counted up to now, in the middle of a batch.
            progress: Gives what there is to know of a batch that runs.
        """
        self._live = live
        self._progress = progress
        self.state(JobStatus.RUNNING)
        self._thread.start()

    def batch(self, batch: FinishedBatch) -> None:
        """Take in a batch that is over: the thread adds it to the record."""
        self._finished.append(batch)
        self._wake.set()

    def state(self, state: JobStatus) -> None:
        """Add the state that the job is in now, unless it is that already, or the job is over."""
        with self._lock:
            if self._record.state != state.name and self._record.ended is None:
                self._add({"type": "state", "state": state.name, "at": self._clock()})

    def leave_copy(self, folder: Folder) -> None:
        """Have the file copied to a folder when the job is over: to a file system on which a file cannot grow."""
        self._copies = folder

    def page(self, url: str) -> None:
        """Note the address of the job's page."""
        self._add({"type": "page", "url": url})

    def failed(self, error: BaseException) -> None:
        """Note that an attempt has failed just now, and with which error."""
        self._add(failure_entry(error, self._clock()))

    def savepoint(self, path: str, started: int, *, drained: bool) -> None:
        """Note a savepoint that was just made, begun at ``started`` in milliseconds; ``drained``: behind all input."""
        entry = {"type": "savepoint", "path": path, "started": started, "ended": self._clock(), "drained": drained}
        self._add(entry)

    def end(self, state: JobStatus) -> None:
        """The job is over; returns when all that is known of it is in its record and file, or nothing more is learnt.

        The job's end does not depend on it: what goes wrong here is logged.
        """
        self._over.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(_PATIENCE)
        with self._going_on():
            self._take_finished()
        with self._going_on():
            self.state(state)
        self._live = self._progress = None  # the run with its graph goes, the record may be shown for long
        self._write()
        if self._file is not None and not self._writing.locked():
            with self._going_on():
                self._file.close()
                if self._copies is not None:
                    put_copy(self._file.path, self._copies)

    @contextmanager
    def _going_on(self) -> Iterator[None]:
        """Log an error of the watch, the first time, and go on: the job is worth more than the look at it."""
        try:
            yield
        except Exception as error:
            if not self._has_complained:
                self._has_complained = True
                said = "the record of job %r is not complete, the job goes on: %s: %s"
                _log.warning(said, self._name, type(error).__name__, error, exc_info=error)

    def _watch(self) -> None:
        while not self._over.is_set():
            has_news = self._wake.wait(_BETWEEN)
            self._wake.clear()
            with self._going_on():
                if not (has_news or self._over.is_set()):
                    self._look()
                self._take_finished()
            self._write()
            self._over.wait(_TOGETHER)

    def _take_finished(self) -> None:
        batches = []
        while self._finished:
            batches.append(self._finished.popleft())
        if not batches:
            return
        last = batches[-1]
        entry: Entry = {
            "type": "batch",
            "batch": last.number,
            "batches": len(batches),
            "started": batches[0].started,
            "ended": last.ended,
            "busy": sum(batch.ended - batch.started for batch in batches),
            "longest": max(batch.ended - batch.started for batch in batches),
        }
        self._ask_progress(entry)
        self._add_measures(entry, last.totals)

    def _look(self) -> None:
        """Look at a batch that runs."""
        now = self._clock()
        entry: Entry = {"type": "batch", "batch": None, "batches": 0, "started": now, "ended": now}
        self._ask_progress(entry)
        totals = Totals()
        live = self._live
        if live is not None:
            try:
                totals = live()
            except WindrowError:
                return  # a function of the program raised: the job itself comes to that
        self._add_measures(entry, totals)

    def _ask_progress(self, entry: Entry) -> None:
        ask = self._progress
        if ask is None or self._over.is_set() or time.monotonic() < self._asked + _BETWEEN:
            return
        self._asked = time.monotonic()
        try:
            progress = ask()
        except Exception as error:  # whatever Py4J raises where Java is just going down
            _log.debug("no progress can be told: %s", error)
            return
        if progress:
            entry["progress"] = progress

    def _add_measures(self, entry: Entry, totals: Totals) -> None:
        measured = measures_of(totals)
        accumulators = accumulators_of(totals)
        with self._lock:
            before = self._record.vertices
            for tag in measured:
                measures = measured[tag] = within(measured[tag], self._subtasks.get(tag, 0))
                _note_last(measures, before.get(tag, {}), entry["ended"])
            changed = {tag: _changed(measures, before.get(tag, {})) for tag, measures in measured.items()}
            entry["vertices"] = {tag: measures for tag, measures in changed.items() if measures}
            if accumulators and accumulators != self._record.accumulators:
                entry["accumulators"] = accumulators
            if entry["batch"] is None and measured and not entry["vertices"]:
                self._record.observed = (entry["started"], entry["ended"])  # it was looked at, and nothing came
            if entry["batch"] is None and not entry["vertices"] and entry.get("progress") == self._record.progress:
                return
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        with self._lock:
            self._record.add(entry)
            self._unwritten.append(entry)

    def _write(self) -> None:
        """Write what is not written yet. The disk may take its time: who looks at the record does not wait for it."""
        if not self._writing.acquire(timeout=_PATIENCE):
            _log.warning("the last entries of job %r cannot be written: its disk does not answer", self._name)
            return
        try:
            with self._lock:
                entries, self._unwritten = self._unwritten, []
                file = self._file
                if not entries or file is None:
                    return
                text, whole = file.text_of(entries, self._record)
            file.put(text, whole)
        except Exception as error:
            # The job is worth more than its history.
            assert self._file is not None
            _log.warning("the history file %s cannot be written any more: %s", self._file.path, error)
            self._file = None
        finally:
            self._writing.release()


def _changed(measures: Measures, before: Measures) -> Measures:
    changed: Any = {name: value for name, value in measures.items() if before.get(name) != value}
    made: Measures = changed
    return made


def _note_last(measures: Measures, before: Measures, now: int) -> None:
    """Set the times of the last records to ``now`` for those splits and subtasks that have more of them than before."""
    if "records_by_split" in measures:
        counted = before.get("records_by_split", {})
        # One that another subtask has now counts from nothing; in a job that starts again, counts fall.
        risen = {split for split, count in measures["records_by_split"].items() if count not in (0, counted.get(split))}
        there = {split for splits in measures.get("splits", {}).values() for split in splits} | risen
        last = {split: at for split, at in before.get("last_by_split", {}).items() if split in there}
        measures["last_by_split"] = last | dict.fromkeys(sorted(risen), now)
    if "records_out" in measures:
        counted = before.get("records_out", {})
        risen = {
            subtask for subtask, count in measures["records_out"].items() if count not in (0, counted.get(subtask))
        }
        measures["last"] = {**before.get("last", {}), **dict.fromkeys(sorted(risen), now)}
