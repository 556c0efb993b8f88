"""A source reader whose records are fetched in other threads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

from windrow.common.configuration import Configuration
from windrow.connectors.source.reader import (
    InputStatus,
    ReaderOutput,
    SourceOutput,
    SourceReader,
    SourceReaderContext,
    available,
)
from windrow.connectors.source.split import SourceSplit
from windrow.connectors.source_reader.end_of_stream import EndOfStreamOutput
from windrow.connectors.source_reader.fetchers.manager import SplitFetcherManager
from windrow.connectors.source_reader.fetchers.threading_models import SingleThreadFetcherManager
from windrow.connectors.source_reader.options import SourceReaderOptions
from windrow.connectors.source_reader.record_emitter import RecordEmitter, RecordEvaluator
from windrow.connectors.source_reader.records import RecordsWithSplitIds
from windrow.connectors.source_reader.split_reader import SplitReader
from windrow.errors import UsageError

E = TypeVar("E")
T = TypeVar("T")
SplitT = TypeVar("SplitT", bound=SourceSplit)
StateT = TypeVar("StateT")


class _SplitContext(Generic[T, StateT]):
    """Holds what the reader keeps of a split that has not ended."""

    def __init__(self, split_id: str, state: StateT) -> None:
        self.split_id = split_id
        self.state = state
        self.output: SourceOutput[T] | None = None


class SourceReaderBase(SourceReader[T, SplitT], Generic[E, T, SplitT, StateT]):
    """Hands what fetchers bring to an emitter, split by split, and keeps the splits' states.

    Flink's ``org.apache.flink.connector.base.source.reader.SourceReaderBase``. Fetchers read ahead, but a split's state
    changes only as its records are emitted, so a snapshot says exactly what was emitted.

    Args:
        split_fetcher_manager: Has the splits read.
        record_emitter: Makes elements of fetched records.
        context: What ``Source.create_reader`` was given.
        config: Where settings are read; None is the job's configuration.
        eof_record_evaluator: Ends a split by one of its elements; None: splits end where their split reader says.
    """

    #: How many fetched records one ``poll_next`` emits at most. Flink: 1.
    records_per_poll = 8192

    def __init__(
        self,
        split_fetcher_manager: SplitFetcherManager[E, SplitT],
        record_emitter: RecordEmitter[E, T, StateT],
        context: SourceReaderContext,
        config: Configuration | None = None,
        *,
        eof_record_evaluator: RecordEvaluator[T] | None = None,
    ) -> None:
        self.split_fetcher_manager = split_fetcher_manager
        self.record_emitter = record_emitter
        self.context = context
        self.config = context.get_configuration() if config is None else config
        self._eof_record_evaluator = eof_record_evaluator
        self._queue = split_fetcher_manager.queue
        self._splits: dict[str, _SplitContext[T, StateT]] = {}
        #: Splits that ended by an element: what was fetched of them nevertheless is dropped.
        self._cut_off: set[str] = set()
        self._current_fetch: RecordsWithSplitIds[E] | None = None
        self._current_split: _SplitContext[T, StateT] | None = None
        self._no_more_splits = False

    @abstractmethod
    def on_split_finished(self, finished_split_states: Mapping[str, StateT]) -> None:
        """Splits have ended, and all their records are emitted; their states by id. The place to ask for more."""

    @abstractmethod
    def initialized_state(self, split: SplitT) -> StateT:
        """The state of a split that is added: an object of its own, which the emitter changes."""

    @abstractmethod
    def to_split_type(self, split_id: str, split_state: StateT) -> SplitT:
        """The split that begins where the state says; what the emitter does to the state later must not change it."""

    # Flink's SourceReader

    def start(self) -> None:
        """Nothing; override it to ask for splits."""

    def poll_next(self, output: ReaderOutput[T]) -> InputStatus:
        fetch = self._current_fetch or self._next_fetch()
        while fetch is not None:
            if self._emit_some(fetch, output):
                return InputStatus.MORE_AVAILABLE  # perhaps not, which the next call finds out
            self._finish_fetch(fetch, output)
            fetch = self._next_fetch()
        return self._finished_or_available_later()

    def snapshot_state(self, checkpoint_id: int) -> list[SplitT]:
        return [self.to_split_type(split.split_id, split.state) for split in self._splits.values()]

    def is_available(self) -> Future[None]:
        return self._queue.get_availability_future() if self._current_fetch is None else available()

    def add_splits(self, splits: Sequence[SplitT]) -> None:
        """Begin to read splits.

        Raises:
            UsageError: the reader has, or has cut off, a split of the same id.
        """
        for split in splits:
            split_id = split.split_id()
            if split_id in self._splits or split_id in self._cut_off:
                msg = f"{type(self).__name__} was given the split {split_id!r} twice; the ids of splits must differ"
                raise UsageError(msg)
            self._splits[split_id] = _SplitContext(split_id, self.initialized_state(split))
        self.split_fetcher_manager.add_splits(splits)

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        self._queue.notify_available()

    def pause_or_resume_splits(self, splits_to_pause: Collection[str], splits_to_resume: Collection[str]) -> None:
        self.split_fetcher_manager.pause_or_resume_splits(splits_to_pause, splits_to_resume)

    def close(self) -> None:
        timeout = self.config.get(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT)
        self.split_fetcher_manager.close(timeout or 0)

    def get_number_of_currently_assigned_splits(self) -> int:
        """Count the splits that have been added and have not ended."""
        return len(self._splits)

    # Fetches

    def _next_fetch(self) -> RecordsWithSplitIds[E] | None:
        self.split_fetcher_manager.check_errors()
        self._current_fetch = self._queue.poll()
        return self._current_fetch

    def _emit_some(self, fetch: RecordsWithSplitIds[E], output: ReaderOutput[T]) -> bool:
        """Emit the next records of one split; False: the fetch is through."""
        while True:
            split = self._current_split or self._next_split(fetch, output)
            if split is None:
                return False
            records = fetch.next_records_from_split(self.records_per_poll)
            if not len(records):
                self._current_split = None
                continue
            assert split.output is not None
            self.record_emitter.emit_records(records, split.output, split.state)
            if isinstance(split.output, EndOfStreamOutput) and split.output.ended:
                self._cut_off_split(split, output)
            return True

    def _next_split(self, fetch: RecordsWithSplitIds[E], output: ReaderOutput[T]) -> _SplitContext[T, StateT] | None:
        while (split_id := fetch.next_split()) in self._cut_off:
            pass
        if split_id is None:
            return None
        split = self._known(split_id, "records of")
        if split.output is None:
            split.output = output.create_output_for_split(split_id)
            if self._eof_record_evaluator is not None:
                split.output = EndOfStreamOutput(split.output, self._eof_record_evaluator)
        self._current_split = split
        return split

    def _finish_fetch(self, fetch: RecordsWithSplitIds[E], output: ReaderOutput[T]) -> None:
        self._current_fetch = self._current_split = None
        finished = [split_id for split_id in fetch.finished_splits() if split_id not in self._cut_off]
        if finished:
            self._end([self._known(split_id, "the end of") for split_id in finished], output)
        fetch.recycle()

    def _cut_off_split(self, split: _SplitContext[T, StateT], output: ReaderOutput[T]) -> None:
        self._current_split = None
        self._cut_off.add(split.split_id)
        self.split_fetcher_manager.remove_splits([split.split_id])
        self._end([split], output)

    def _end(self, splits: Sequence[_SplitContext[T, StateT]], output: ReaderOutput[T]) -> None:
        for split in splits:
            del self._splits[split.split_id]
            output.release_output_for_split(split.split_id)
        self.on_split_finished({split.split_id: split.state for split in splits})

    def _known(self, split_id: str, what: str) -> _SplitContext[T, StateT]:
        split = self._splits.get(split_id)
        if split is None:
            there = ", ".join(map(repr, self._splits)) or "none"
            msg = f"a split reader gave {what} the split {split_id!r}, which its reader does not have; it has {there}"
            raise UsageError(msg)
        return split

    def _finished_or_available_later(self) -> InputStatus:
        all_ended = self.split_fetcher_manager.maybe_shutdown_finished_fetchers()
        if not (self._no_more_splits and all_ended):
            return InputStatus.NOTHING_AVAILABLE
        if not self._queue.is_empty():
            return InputStatus.MORE_AVAILABLE
        self.split_fetcher_manager.check_errors()
        return InputStatus.END_OF_INPUT


class SingleThreadMultiplexSourceReaderBase(SourceReaderBase[E, T, SplitT, StateT]):
    """A reader with one split reader, in one thread, for all of its splits.

    Flink's ``org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase``.

    Args:
        split_reader_supplier: Makes the split reader; its class will do.
        record_emitter: Makes elements of fetched records.
        context: What ``Source.create_reader`` was given.
        config: Where settings are read; None is the job's configuration.
        eof_record_evaluator: Ends a split by one of its elements.
    """

    def __init__(
        self,
        split_reader_supplier: Callable[[], SplitReader[E, SplitT]],
        record_emitter: RecordEmitter[E, T, StateT],
        context: SourceReaderContext,
        config: Configuration | None = None,
        *,
        eof_record_evaluator: RecordEvaluator[T] | None = None,
    ) -> None:
        config = context.get_configuration() if config is None else config
        manager = SingleThreadFetcherManager(split_reader_supplier, config)
        super().__init__(manager, record_emitter, context, config, eof_record_evaluator=eof_record_evaluator)
