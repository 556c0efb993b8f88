"""A thread that lets one split reader fetch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from threading import Condition, Thread
from typing import Generic, TypeVar

from windrow.connectors.source.split import SourceSplit
from windrow.connectors.source_reader.queue import FutureCompletingBlockingQueue
from windrow.connectors.source_reader.records import RecordsWithSplitIds
from windrow.connectors.source_reader.split_reader import SplitReader, SplitsAddition, SplitsRemoval
from windrow.errors import UsageError, shorten

E = TypeVar("E")
SplitT = TypeVar("SplitT", bound=SourceSplit)

#: Seconds until a split reader that had nothing is asked again, so that one that never waits does not spin.
EMPTY_FETCH_PAUSE = 0.01


class _Stage(Enum):
    """The calls that the thread may be blocked in."""

    FETCHING = "fetching"
    PUTTING = "putting"


class SplitFetcher(Generic[E, SplitT]):
    """Calls a split reader in a thread: changes of its splits in the order they were made, and between them ``fetch``.

    Flink's ``org.apache.flink.connector.base.source.reader.fetcher.SplitFetcher``. What a fetch has brought is kept
    until the queue takes it, whatever comes in between.

    Args:
        number: The fetcher's number among those of its reader.
        split_reader: What reads; it is closed when the fetcher ends.
        queue: Takes what was fetched.
        on_error: Called in the thread with what ended it too early.
        pause_whole: Fetch nothing while any split is paused, instead of having the split reader leave it out.
    """

    def __init__(
        self,
        number: int,
        split_reader: SplitReader[E, SplitT],
        queue: FutureCompletingBlockingQueue[RecordsWithSplitIds[E]],
        on_error: Callable[[BaseException], None],
        *,
        pause_whole: bool = False,
    ) -> None:
        self.number = number
        self.split_reader = split_reader
        self._queue = queue
        self._on_error = on_error
        self._pause_whole = pause_whole
        self._thread = Thread(target=self._run, name=f"source data fetcher {number}", daemon=True)
        # What follows is guarded by the condition, but for _fetched, which belongs to the thread.
        self._condition = Condition()
        self._tasks: deque[Callable[[], None]] = deque()
        self._assigned_splits: dict[str, SplitT] = {}
        self._paused: set[str] = set()
        self._closed = False
        self._busy = False
        self._stage: _Stage | None = None
        self._fetched: RecordsWithSplitIds[E] | None = None

    # Called by the reader

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def add_splits(self, splits: Sequence[SplitT]) -> None:
        """Have these splits read too."""
        with self._condition:
            self._assigned_splits.update((split.split_id(), split) for split in splits)
        self.enqueue_task(lambda: self.split_reader.handle_splits_changes(SplitsAddition(splits)))

    def remove_splits(self, split_ids: Collection[str]) -> None:
        """Read these splits no further; ids of other fetchers' splits are passed over."""
        if mine := self._splits_of(split_ids):
            self.enqueue_task(lambda: self._remove([split.split_id() for split in mine]))

    def pause_or_resume_splits(self, to_pause: Collection[str], to_resume: Collection[str]) -> None:
        """Stop and go on with splits; ids of other fetchers' splits are passed over.

        Raises:
            NotImplementedError: the split reader cannot.
        """
        pause, resume = self._splits_of(to_pause), self._splits_of(to_resume)
        if not pause and not resume:
            return
        if not self._pause_whole and not self.split_reader.can_pause_splits():
            self.split_reader.pause_or_resume_splits(pause, resume)  # which says that it cannot
        self.enqueue_task(
            lambda: self._pause_or_resume([split.split_id() for split in pause], [split.split_id() for split in resume])
        )

    def enqueue_task(self, task: Callable[[], None]) -> None:
        """Have ``task`` called in the thread, behind what was asked for before; ``fetch`` is woken for it."""
        with self._condition:
            self._tasks.append(task)
            self._wake_up()

    def assigned_splits(self) -> dict[str, SplitT]:
        """The splits that have not ended, by id, as they were assigned."""
        with self._condition:
            return dict(self._assigned_splits)

    def is_idle(self) -> bool:
        """Tell whether there is nothing to do, and nothing being done."""
        with self._condition:
            return self._idle()

    def shutdown(self) -> None:
        """Have the thread close the split reader and end; returns at once."""
        with self._condition:
            self._closed = True
            self._wake_up()

    def join(self, timeout: float) -> bool:
        """Wait for the thread's end, ``timeout`` seconds at most; whether it has ended."""
        if self._thread.ident is not None:
            self._thread.join(max(timeout, 0))
        return not self._thread.is_alive()

    # The thread

    def _run(self) -> None:
        try:
            try:
                while (task := self._next_task()) is not None:
                    task()
                    self._task_done()
            finally:
                self.split_reader.close()
        except BaseException as error:  # the thread ends here: the reader is to raise it
            error.add_note(f"in fetcher {self.number}, which reads the splits {shorten(sorted(self._assigned_splits))}")
            self._on_error(error)

    def _next_task(self) -> Callable[[], None] | None:
        """Wait for something to do; None: the fetcher is closed."""
        with self._condition:
            while not self._closed:
                if self._tasks:
                    self._busy = True
                    return self._tasks.popleft()
                if self._may_fetch():
                    self._busy = True
                    return self._fetch
                self._condition.wait()
            return None

    def _may_fetch(self) -> bool:
        """Tell whether a split is there that is not paused."""
        splits = len(self._assigned_splits)
        return not self._paused if self._pause_whole and splits else splits > len(self._paused)

    def _task_done(self) -> None:
        with self._condition:
            self._busy = False
            idle = self._idle()
        if idle:
            self._queue.notify_available()

    def _idle(self) -> bool:
        return not self._assigned_splits and not self._tasks and not self._busy

    def _fetch(self) -> None:
        """Fetch, unless something was fetched that is not in the queue yet, and put it there; both may be woken."""
        try:
            if self._fetched is None:
                if not self._enter(_Stage.FETCHING):
                    return
                self._fetched = self._checked(self.split_reader.fetch())
            if self._fetched.is_empty():
                self._drop_fetched()
                self._wait_a_moment()
            elif self._enter(_Stage.PUTTING):
                # The reader may already be through with the records when put returns.
                finished = self._fetched.finished_splits()
                if self._queue.put(self.number, self._fetched):
                    self._fetched = None
                    self._forget(finished)
        finally:
            with self._condition:
                self._stage = None

    def _enter(self, stage: _Stage) -> bool:
        """Begin what may block, unless something is more urgent; from here on :meth:`_wake_up` ends it."""
        with self._condition:
            if self._closed or self._tasks:
                return False
            self._stage = stage
            return True

    def _wake_up(self) -> None:
        """Have the thread look for what to do next (the condition is held)."""
        self._condition.notify_all()
        if self._stage is _Stage.FETCHING:
            self.split_reader.wake_up()
        elif self._stage is _Stage.PUTTING:
            self._queue.wake_up_putting_thread(self.number)

    def _wait_a_moment(self) -> None:
        with self._condition:
            self._stage = None
            self._condition.wait_for(lambda: self._closed or self._tasks, EMPTY_FETCH_PAUSE)

    def _checked(self, fetched: object) -> RecordsWithSplitIds[E]:
        if isinstance(fetched, RecordsWithSplitIds):
            return fetched
        msg = (
            f"fetch of {type(self.split_reader).__name__} returned {fetched!r} ({type(fetched).__name__}); it must "
            "return RecordsWithSplitIds: RecordsBySplits, for example, which may be empty"
        )
        raise UsageError(msg)

    def _splits_of(self, split_ids: Collection[str]) -> list[SplitT]:
        with self._condition:
            return [self._assigned_splits[split_id] for split_id in split_ids if split_id in self._assigned_splits]

    def _forget(self, split_ids: Collection[str]) -> None:
        with self._condition:
            for split_id in split_ids:
                self._assigned_splits.pop(split_id, None)
            self._paused.difference_update(split_ids)

    def _remove(self, split_ids: Collection[str]) -> None:
        if splits := self._splits_of(split_ids):
            self.split_reader.handle_splits_changes(SplitsRemoval(splits))
            self._forget(split_ids)
            if not self._assigned_splits:
                self._drop_fetched()

    def _drop_fetched(self) -> None:
        if self._fetched is not None:
            self._fetched.recycle()
            self._fetched = None

    def _pause_or_resume(self, to_pause: Collection[str], to_resume: Collection[str]) -> None:
        """A split may have ended since it was asked for."""
        pause, resume = self._splits_of(to_pause), self._splits_of(to_resume)
        if not self._pause_whole:
            self.split_reader.pause_or_resume_splits(pause, resume)
        with self._condition:
            self._paused.difference_update(split.split_id() for split in resume)
            self._paused.update(split.split_id() for split in pause)
