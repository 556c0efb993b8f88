"""A harness for a source's split enumerator."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from windrow.common.checks import positive
from windrow.connectors.source import (
    PickleSerializer,
    ReaderInfo,
    Source,
    SourceEvent,
    SourceSplit,
    SplitEnumerator,
    SplitEnumeratorContext,
)
from windrow.elements.codec import dumps, loads
from windrow.errors import UsageError


class EnumeratorHarness:
    """Drives a source's enumerator by hand: register readers, send requests and events, look at what it assigns.

    The enumerator is made, or restored from ``snapshot``, and started. What it has called by ``call_async`` runs in
    :meth:`run_async`, in the test's own thread.

    Args:
        source: The source, or a function that makes an enumerator of a ``SplitEnumeratorContext``.
        parallelism: How many readers the source has.
        snapshot: What to begin with, from :meth:`snapshot` of another harness; needs the source.

    Raises:
        UsageError: a snapshot was given without a source.

    Example:
        >>> from windrow.connectors.source import SourceSplit
        >>> from windrow.connectors.source_reader import StaticSplitEnumerator
        >>> class Letter(SourceSplit):
        ...     def __init__(self, name): self.name = name
        ...     def split_id(self): return self.name
        >>> harness = EnumeratorHarness(lambda context: StaticSplitEnumerator(context, [Letter("a")]))
        >>> harness.add_reader(0)
        >>> harness.request_split(0)
        >>> harness.request_split(0)
        >>> harness.assigned_ids(0), harness.no_more_splits
        (['a'], {0})
    """

    def __init__(
        self,
        source: Source[Any, Any, Any] | Callable[[SplitEnumeratorContext[Any]], SplitEnumerator[Any, Any]],
        *,
        parallelism: int = 1,
        snapshot: bytes | None = None,
    ) -> None:
        self._context = _HarnessContext(positive(parallelism, "parallelism"))
        self._serializer = (
            source.get_enumerator_checkpoint_serializer() if isinstance(source, Source) else PickleSerializer()
        )
        self.enumerator = self._made(source, snapshot)
        self.enumerator.start()

    # Input

    def add_reader(self, subtask: int, location: str = "") -> None:
        """Register a reader that runs on the host ``location``."""
        self._context.readers[subtask] = ReaderInfo(subtask, location)
        self.enumerator.add_reader(subtask)

    def remove_reader(self, subtask: int, splits_back: Sequence[SourceSplit] = ()) -> None:
        """A reader dies; the enumerator gets back the splits that no checkpoint knows it had."""
        del self._context.readers[subtask]
        self._context.no_more_splits.discard(subtask)
        if splits_back:
            self.enumerator.add_splits_back(splits_back, subtask)

    def request_split(self, subtask: int, hostname: str | None = None) -> None:
        """A reader asks for a split."""
        self.enumerator.handle_split_request(subtask, hostname)

    def send_event(self, subtask: int, event: SourceEvent) -> None:
        """A reader sends an event."""
        self.enumerator.handle_source_event(subtask, event)

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        """Tell the enumerator that a batch is committed."""
        self.enumerator.notify_checkpoint_complete(checkpoint_id)

    def run_async(self, after: int = 0) -> int:
        """Let ``after`` milliseconds pass; run what is due of ``call_async`` and ``run_in_coordinator_thread``.

        Returns:
            How many calls were run. A periodic one runs as often as it becomes due.
        """
        return self._context.run_until(self._context.now + after)

    # Output

    @property
    def assignments(self) -> dict[int, list[Any]]:
        """The splits that were assigned, by subtask, in the order they were."""
        return self._context.assignments

    def assigned_ids(self, subtask: int) -> list[str]:
        """The ids of the splits that a reader was assigned."""
        return [split.split_id() for split in self.assignments.get(subtask, [])]

    @property
    def no_more_splits(self) -> set[int]:
        """The subtasks that were told that no more splits come."""
        return self._context.no_more_splits

    @property
    def sent_events(self) -> list[tuple[int, SourceEvent]]:
        """Subtask and event of what was sent to readers, in order."""
        return self._context.sent_events

    @property
    def pending_calls(self) -> int:
        """The number of calls that :meth:`run_async` has left for later."""
        return len(self._context.calls)

    # State

    def snapshot(self) -> bytes:
        """The enumerator's checkpoint, as the source's serializer writes it, for a new harness."""
        checkpoint = self.enumerator.snapshot_state(0)
        return dumps((self._serializer.get_version(), self._serializer.serialize(checkpoint)))

    def close(self) -> None:
        """Close the enumerator."""
        self.enumerator.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _made(self, source: Any, snapshot: bytes | None) -> SplitEnumerator[Any, Any]:
        if snapshot is None:
            made: SplitEnumerator[Any, Any] = (
                source.create_enumerator(self._context) if isinstance(source, Source) else source(self._context)
            )
            return made
        if not isinstance(source, Source):
            msg = "a snapshot is restored by Source.restore_enumerator: give the harness the source, not a function"
            raise UsageError(msg)
        version, serialized = loads(snapshot)
        return source.restore_enumerator(self._context, self._serializer.deserialize(version, serialized))


class _Call(NamedTuple):
    due: int
    #: Those that are due at one time run in the order they were asked for.
    number: int
    run: Callable[[], None]
    period: int


class _HarnessContext(SplitEnumeratorContext[Any]):
    """Keeps what the enumerator decides, and what it wants called later."""

    def __init__(self, parallelism: int) -> None:
        self.now = 0
        self.readers: dict[int, ReaderInfo] = {}
        self.assignments: dict[int, list[Any]] = {}
        self.no_more_splits: set[int] = set()
        self.sent_events: list[tuple[int, SourceEvent]] = []
        self.calls: list[_Call] = []
        self._parallelism = parallelism
        self._numbers = itertools.count()

    def current_parallelism(self) -> int:
        return self._parallelism

    def registered_readers(self) -> Mapping[int, ReaderInfo]:
        return dict(self.readers)

    def assign_splits(self, assignments: Mapping[int, Sequence[Any]]) -> None:
        for subtask, splits in assignments.items():
            self._check(subtask, "assigned splits to")
            if subtask in self.no_more_splits:
                msg = f"the enumerator assigned splits to reader {subtask}, which it told that no more splits come"
                raise UsageError(msg)
            self.assignments.setdefault(subtask, []).extend(splits)

    def signal_no_more_splits(self, subtask: int) -> None:
        self._check(subtask, "signalled no more splits to")
        self.no_more_splits.add(subtask)

    def send_event_to_source_reader(self, subtask: int, event: SourceEvent) -> None:
        self._check(subtask, "sent an event to")
        self.sent_events.append((subtask, event))

    def call_async(
        self,
        callable: Callable[[], Any],  # noqa: A002  (Flink's name)
        handler: Callable[[Any, BaseException | None], None],
        initial_delay: int = 0,
        period: int = 0,
    ) -> None:
        def call() -> None:
            try:
                result, error = callable(), None
            except Exception as raised:
                result, error = None, raised
            handler(result, error)

        self._later(call, self.now + initial_delay, period)

    def run_in_coordinator_thread(self, runnable: Callable[[], None]) -> None:
        self._later(runnable, self.now, 0)

    def run_until(self, now: int) -> int:
        """Run what is due by then, in the order it is; how many calls there were."""
        ran = 0
        while self.calls and self.calls[0].due <= now:
            call = heapq.heappop(self.calls)
            self.now = max(self.now, call.due)
            if call.period > 0:
                self._later(call.run, call.due + call.period, call.period)
            call.run()
            ran += 1
        self.now = now
        return ran

    def _later(self, run: Callable[[], None], due: int, period: int) -> None:
        heapq.heappush(self.calls, _Call(due, next(self._numbers), run, period))

    def _check(self, subtask: int, what: str) -> None:
        if subtask not in self.readers:
            registered = sorted(self.readers) or "none"
            msg = f"the enumerator {what} reader {subtask}, which is not registered; registered are: {registered}"
            raise UsageError(msg)
