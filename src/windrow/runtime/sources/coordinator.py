"""Runs the enumerator of a source, in the program's own process: one call after the other, in one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from windrow.common.waiting import is_done
from windrow.connectors.source import ReaderInfo, Source, SourceEvent, SplitEnumerator, SplitEnumeratorContext
from windrow.elements.stored import dumps_with_code
from windrow.errors import UsageError, WindrowError, user_function_error
from windrow.operators.user_function import NamingErrors, NoElement
from windrow.runtime.sources.coordinator_log import CoordinatorLog, LogEntry
from windrow.runtime.sources.messages import (
    AddSplits,
    EventToEnumerator,
    EventToReader,
    MaxWatermark,
    NoMoreSplits,
    ReaderFinished,
    ReaderResting,
    ReportedWatermark,
    SplitRequest,
    ToEnumerator,
    ToReader,
)
from windrow.runtime.stage.closing import close_after

#: How long is waited for calls of call_async that go on when the job ends, in seconds.
_PATIENCE = 5.0
#: Between two looks at what is decided, in seconds.
_PAUSE = 0.005


class SourceCoordinator:
    """One source's enumerator, and what it has decided (Flink's ``SourceCoordinator``).

    What it sends to readers is in its log together with its state, and the log is part of the checkpoint. So no split
    that was assigned is ever lost, and ``add_splits_back`` is never called: a reader that dies gets its splits again.

    Args:
        source: The source.
        name: Its name, for error messages.
        parallelism: How many readers it has.
        log: Where decisions are written; what it holds already was decided by an earlier run.
        watched: Whether somebody looks at the job, and wants to know how many splits no reader has yet.
    """

    def __init__(
        self, source: Source[Any, Any, Any], name: str, parallelism: int, log: CoordinatorLog, *, watched: bool = False
    ) -> None:
        self._watched = watched
        #: How many splits no reader has yet, behind the enumerator's last turn; None: it is not known.
        self.unassigned_splits: int | None = None
        self._source = source
        self._name = name
        self._named = f"{name}: enumerator"
        self.log = log
        self._context = _Context(self, parallelism)
        with NamingErrors(name, "its serializers"):
            self._serializer = source.get_enumerator_checkpoint_serializer()
            self._split_serializer = source.get_split_serializer()
        self._turns = ThreadPoolExecutor(1, f"windrow-enumerator-{name}")
        self._stopping = threading.Event()
        self._callers: list[threading.Thread] = []
        self._enumerator: SplitEnumerator[Any, Any] | None = None
        self._last = LogEntry()
        self._outgoing: dict[int, list[ToReader]] = {}
        self._failure: BaseException | None = None

    def start(self) -> None:
        """Make the enumerator, or restore it; registers all readers.

        Raises:
            UserFunctionError: the enumerator has failed; nothing of it is left behind.
        """
        try:
            self._wait_for(self._turns.submit(self._turn, "start", self._start))
        except BaseException as error:
            close_after(error, self.close)
            raise

    def handle(self, batch: int, messages: Mapping[int, Sequence[ToEnumerator]], limit: int | None = None) -> None:
        """Tell the enumerator what readers have sent in a batch; nothing if it has heard of that batch before.

        Args:
            batch: The batch's number.
            messages: By the reader's subtask.
            limit: The watermark up to which splits may be read from now on; None: as before.

        Raises:
            WindrowError: the enumerator has failed, here or since the last call.
        """
        self._wait_for(self._turns.submit(self._turn, "a message", lambda: self._handle(batch, messages, limit)))

    def assignments(self) -> dict[int, list[bytes]]:
        """For a source that assigns at the start: all that goes to each reader, pickled, once it was decided.

        Raises:
            WindrowError: the enumerator has failed.
        """
        everyone = range(self._context.current_parallelism())
        while not self._context.complete.issuperset(everyone):
            self.check()
            time.sleep(_PAUSE)
        with self.at_rest():  # what the last turn has decided is in the log
            entries = self.log.entries(0, self.log.count())
        return {
            subtask: [each.messages[subtask] for each in entries if subtask in each.messages] for subtask in everyone
        }

    @property
    def finished(self) -> frozenset[int]:
        """The readers that have ended."""
        return self._last.finished

    def check(self) -> None:
        """Raise what the enumerator has raised since, if it has."""
        if self._failure is not None:
            raise self._failure

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Nothing is decided and written meanwhile."""
        rests, goes_on = threading.Event(), threading.Event()

        def rest() -> None:
            rests.set()
            goes_on.wait()

        self._turns.submit(rest)
        rests.wait()
        try:
            yield
        finally:
            goes_on.set()

    def close(self) -> None:
        """Close the enumerator and end its threads.

        Raises:
            UserFunctionError: the enumerator's close has failed.
        """
        self._stopping.set()
        enumerator, self._enumerator = self._enumerator, None
        try:
            if enumerator is not None:
                closed = self._turns.submit(enumerator.close)
                is_done(closed)
                closed.result()
        except BaseException as error:
            raise user_function_error(self._named, NoElement("close"), error) from error
        finally:
            self._turns.shutdown()
            for caller in self._callers:
                caller.join(timeout=_PATIENCE)

    # In the enumerator's turn

    def _start(self) -> None:
        last = self.log.last()
        if last is None:
            self._enumerator = self._source.create_enumerator(self._context)
        else:
            self._last = last
            self._context.complete = set(last.complete)
            checkpoint = self._serializer.deserialize(last.version, last.snapshot)
            self._enumerator = self._source.restore_enumerator(self._context, checkpoint)
        self._enumerator.start()
        for subtask in range(self._context.current_parallelism()):
            self._context.readers[subtask] = ReaderInfo(subtask)
            self._enumerator.add_reader(subtask)
        if last is None:
            self._write()

    def _handle(self, batch: int, messages: Mapping[int, Sequence[ToEnumerator]], limit: int | None) -> None:
        assert self._enumerator is not None
        if batch > self._last.batch:
            finished = set(self._last.finished)
            heard = False
            for subtask in sorted(messages):
                for message in messages[subtask]:
                    heard |= self._hear(subtask, message, finished)
            if limit is not None:
                for subtask in set(range(self._context.current_parallelism())) - finished:
                    self.send(subtask, MaxWatermark(limit))
            if heard or limit is not None:
                self._last = replace(self._last, batch=batch, finished=frozenset(finished))
                self._write()
        if batch > 0:
            self._enumerator.notify_checkpoint_complete(batch - 1)

    def _hear(self, subtask: int, message: ToEnumerator, finished: set[int]) -> bool:
        """Take a reader's message; tell whether it may have changed anything."""
        assert self._enumerator is not None
        match message:
            case SplitRequest(host):
                self._enumerator.handle_split_request(subtask, host)
            case EventToEnumerator(event):
                self._enumerator.handle_source_event(subtask, event)
            case ReaderFinished():
                finished.add(subtask)
            case ReportedWatermark() | ReaderResting():
                return False
        return True

    def _turn(self, what: str, call: Callable[[], None]) -> None:
        """Call, then write down what was decided."""
        if self._failure is not None or self._stopping.is_set():
            return
        try:
            call()
            if self._outgoing:
                self._write()
            if self._watched and self._enumerator is not None:
                self.unassigned_splits = self._enumerator.unassigned_splits()
        except WindrowError as error:
            self._failure = error
        except BaseException as error:
            self._failure = user_function_error(self._named, NoElement(what), error)

    def _write(self) -> None:
        assert self._enumerator is not None
        outgoing, self._outgoing = self._outgoing, {}
        snapshot = self._serializer.serialize(self._enumerator.snapshot_state(self._last.batch))
        self._last = replace(
            self._last,
            messages={subtask: dumps_with_code(sent) for subtask, sent in outgoing.items()},
            snapshot=snapshot,
            version=self._serializer.get_version(),
            complete=frozenset(self._context.complete),
        )
        self.log.append(self._last)

    def send(self, subtask: int, message: ToReader) -> None:
        """A message to a reader."""
        self._outgoing.setdefault(subtask, []).append(message)

    def add_splits(self, subtask: int, splits: Sequence[Any]) -> None:
        """Send splits to the reader of a subtask."""
        serialized = [self._split_serializer.serialize(split) for split in splits]
        self.send(subtask, AddSplits(serialized, self._split_serializer.get_version()))

    def in_turn(self, what: str, call: Callable[[], None]) -> None:
        """Call in the enumerator's turn, some time later; nothing if the job has ended by then."""
        if not self._stopping.is_set():
            try:
                self._turns.submit(self._turn, what, call)
            except RuntimeError:  # the executor was shut down between the two lines
                if not self._stopping.is_set():
                    raise

    def call_async(
        self, call: Callable[[], Any], handler: Callable[[Any, BaseException | None], None], delay: int, period: int
    ) -> None:
        """Do what ``SplitEnumeratorContext.call_async`` does."""

        def run() -> None:
            wait = delay
            while not self._stopping.wait(wait / 1000):
                result, error = None, None
                try:
                    result = call()
                except BaseException as raised:
                    error = raised
                self.in_turn("a handler of call_async", lambda r=result, e=error: handler(r, e))  # type: ignore[misc]
                if period <= 0:
                    return
                wait = period

        self._callers = [each for each in self._callers if each.is_alive()]
        caller = threading.Thread(target=run, name=f"windrow-call-async-{self._name}", daemon=True)
        self._callers.append(caller)
        caller.start()

    def _wait_for(self, future: Future[None]) -> None:
        is_done(future)
        future.result()
        self.check()


class _Context(SplitEnumeratorContext[Any]):
    """The enumerator's side of the coordinator."""

    def __init__(self, coordinator: SourceCoordinator, parallelism: int) -> None:
        self._coordinator = coordinator
        self._parallelism = parallelism
        #: The readers that were told that no more splits come.
        self.complete: set[int] = set()
        self.readers: dict[int, ReaderInfo] = {}

    def current_parallelism(self) -> int:
        return self._parallelism

    def registered_readers(self) -> Mapping[int, ReaderInfo]:
        return dict(self.readers)

    def assign_splits(self, assignments: Mapping[int, Sequence[Any]]) -> None:
        for subtask, splits in assignments.items():
            self._check(subtask, "assigned splits to")
            if subtask in self.complete:
                msg = f"the enumerator assigned splits to reader {subtask}, which it told that no more splits come"
                raise UsageError(msg)
            self._coordinator.add_splits(subtask, splits)

    def signal_no_more_splits(self, subtask: int) -> None:
        self._check(subtask, "signalled no more splits to")
        self.complete.add(subtask)
        self._coordinator.send(subtask, NoMoreSplits())

    def send_event_to_source_reader(self, subtask: int, event: SourceEvent) -> None:
        self._check(subtask, "sent an event to")
        self._coordinator.send(subtask, EventToReader(event))

    def call_async(
        self,
        callable: Callable[[], Any],  # noqa: A002  (Flink's name)
        handler: Callable[[Any, BaseException | None], None],
        initial_delay: int = 0,
        period: int = 0,
    ) -> None:
        self._coordinator.call_async(callable, handler, initial_delay, period)

    def run_in_coordinator_thread(self, runnable: Callable[[], None]) -> None:
        self._coordinator.in_turn("run_in_coordinator_thread", runnable)

    def _check(self, subtask: int, what: str) -> None:
        if not 0 <= subtask < self._parallelism:
            msg = f"the enumerator {what} reader {subtask}; there are readers 0 to {self._parallelism - 1}"
            raise UsageError(msg)
