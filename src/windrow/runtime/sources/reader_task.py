"""Runs one reader of a source in its subtask, batch after batch, with the operators that are chained behind it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.connectors.source import Source, SourceReader
from windrow.elements.batch import EMPTY, Batch
from windrow.elements.stored import dumps, loads
from windrow.errors import MalformedInputError, WindrowError, user_function_error
from windrow.graph.job_graph import Entry, JobGraph
from windrow.operators.redistribution import Redistribution
from windrow.operators.user_function import NamingErrors, NoElement
from windrow.runtime.sources.alignment import ReaderAlignment
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput, Records, Side, SplitItem, length
from windrow.runtime.sources.messages import (
    AddSplits,
    EventToReader,
    MaxWatermark,
    NoMoreSplits,
    ReaderFinished,
    ReaderResting,
    ReportedWatermark,
    ToEnumerator,
    ToReader,
)
from windrow.runtime.sources.read_record import ReadRecord, ReadRecords
from windrow.runtime.sources.reader_context import TaskReaderContext
from windrow.runtime.sources.reading import LiveRead, ReadSettings
from windrow.runtime.sources.repeating import RepeatedRead, unsent
from windrow.runtime.sources.resting import needs_clock
from windrow.runtime.sources.split_watermarks import SplitWatermarks
from windrow.runtime.stage.chunk import ChunkRow, Control
from windrow.runtime.stage.task import StageTask
from windrow.state.page_store import NoPages, PageStore

#: Takes the ticket of a reader that has something again.
Wake = Callable[[bytes], None]


@dataclass
class ReaderState:
    """The state of a reader between two batches."""

    #: How it can be dealt out among another number of readers.
    redistribution: str = Redistribution.SPLITS.value
    #: How many batches it has read.
    number: int = 0
    #: Its splits, as the source's serializer has written them, and the serializer's version.
    splits: list[bytes] = field(default_factory=list)
    version: int = 0
    #: What it has given, and no batch has taken: a batch that was run again got more than it was to read.
    waiting: list[SplitItem] = field(default_factory=list)
    no_more_splits: bool = False
    finished: bool = False
    watermarks: Any = None
    #: What it has to tell the enumerator with the next batch, as nobody may have listened to this one.
    unsent: list[ToEnumerator] = field(default_factory=list)
    #: For an aligned source: the watermark up to which splits may be read; None: it is not known yet.
    limit: int | None = None
    #: Drawn by who has left it: two attempts at a batch may both come to their ends, each with its own state.
    token: bytes = b""


class ReaderTask:
    """One reader of a source.

    Args:
        entry: The source's.
        job: The job.
        channel: Which of the source's readers.
        settings: How much it reads in a batch.
        records: Where is written down what a batch has read; None: no batch is ever run again.
        wake: Called with the reader's ticket when it has something again; None: nobody asks.
    """

    def __init__(
        self,
        entry: Entry,
        job: JobGraph,
        channel: int,
        settings: ReadSettings,
        records: ReadRecords | None,
        wake: Wake | None = None,
    ) -> None:
        assert isinstance(entry.source, Source)
        self._source: Source[Any, Any, Any] = entry.source
        self._name = entry.node.name
        self._page = f"{entry.node.tag}/reader"
        self._channel = channel
        self._number = entry.first_channel + channel
        self._settings = settings
        self._records = records
        self.task = StageTask(entry, job, channel)
        self._unbounded = job.unbounded
        self._context = TaskReaderContext(channel, entry.subtasks, job.configuration, self._name)
        self._output = BufferedReaderOutput()
        with NamingErrors(self._name, "get_split_serializer"):
            self._serializer = self._source.get_split_serializer()
        assert entry.strategy is not None
        self._watermarks = SplitWatermarks(
            self._name,
            entry.strategy,
            _IntoChain(self.task),
            progressive=not job.batch_mode,
            auto_interval=job.auto_watermark_interval,
        )
        alignment = entry.strategy.alignment
        self._alignment = (
            None
            if alignment is None or job.batch_mode
            else ReaderAlignment(self._name, alignment, job.configuration, self._watermarks)
        )
        self._reader: SourceReader[Any, Any] | None = None
        #: That of the state which the reader that lives here has left.
        self._token = b""
        self._sent: list[ToEnumerator] = []
        self._wake = None if wake is None or needs_clock(entry) else wake
        self._may_be_idle = entry.strategy.idle_timeout is not None
        #: Done when the reader, which had nothing in its last batch, has something again.
        self._available: Future[None] | None = None
        #: The one that was last asked to call us when it is done: readers give the same one again until then.
        self._watched: Future[None] | None = None
        #: What the reader, which rests, wakes with; empty: it does not rest.
        self._ticket = b""
        self._context.on_send = self._wake_up

    def run(self, messages: Iterable[ToReader], store: PageStore, now: int, *, end: bool = False) -> Iterator[ChunkRow]:
        """Read one batch; ``end``: read nothing, and let the input end here.

        Raises:
            UserFunctionError: the reader raised.
            CheckpointError: what a batch had read cannot be read again.
        """
        state = self._attach(store, now)
        if state.finished:
            return
        sequence = read = 0
        record = self._records.read(self._number, state.number) if self._records is not None else None
        made = ReadRecord()
        for split_id, item in self._read(state, messages, record, made, now, end=end):
            made.add(split_id, item)
            self._feed(split_id, item)
            read += max(length(item), 1)
            if read >= self.task.elements_per_chunk:
                yield from self.task.finish(now, sequence=sequence, channel=self._channel)
                sequence, read = sequence + 1, 0
        if made.finished or self._unbounded:
            self._watermarks.periodic_emit()
        else:
            # Where a bounded input's watermarks are does not depend on where batches end; what is idle, on their time.
            self._watermarks.periodic_idleness()
        self._send(state, record, made)
        if made.finished:
            state.finished = True
            self.task.end_of_input()
        self.task.end_of_batch()
        self._detach(state, store)
        self._rest(state, made)
        yield from self.task.finish(now, sequence=sequence, channel=self._channel)
        self.task.close_at_end()

    def take_sent(self) -> list[ToEnumerator]:
        """Take what the reader has sent to the enumerator in the batches since the last call."""
        sent, self._sent = self._sent, []
        return sent

    def close(self) -> None:
        """Close the reader and the functions behind it."""
        try:
            self._close_reader()
        finally:
            self.task.close()

    def _read(
        self,
        state: ReaderState,
        messages: Iterable[ToReader],
        record: ReadRecord | None,
        made: ReadRecord,
        now: int,
        *,
        end: bool,
    ) -> Iterator[SplitItem]:
        self._available, self._ticket = None, b""
        try:
            with NamingErrors(self._name, "its reader"):
                reader = self._ready(state)
                self._deliver(state, reader, messages)
            if record is not None:
                yield from self._read_again(state, reader, record)
                made.finished = record.finished
                return
            waiting, state.waiting = state.waiting, []
            if end:
                yield from waiting
                made.finished = True
                return
            is_ahead = None if self._alignment is None else self._alignment.is_ahead
            live = LiveRead(
                self._name,
                reader,
                self._output,
                self._settings,
                waiting,
                is_ahead,
                self._awaits_splits,
                bounded=self._source.bounded,
                begun=time.time() - now / 1000,
                work=self.task.chain.parts.work_of(self.task.entry.node),
            )
            yield from live.items()
            made.finished = live.finished
            self._available = live.available
        except MalformedInputError as error:
            raise error.in_source(self._name)  # noqa: B904  (it is the error that was caught)
        except WindrowError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # a GeneratorExit may be that of this generator
            raise user_function_error(self._name, NoElement("its reader"), error) from error

    def _awaits_splits(self) -> bool:
        """Tell whether nothing can come before the enumerator answers a request, which it does between batches."""
        return self._context.awaits_splits and not self._watermarks.split_ids()

    def _read_again(
        self, state: ReaderState, reader: SourceReader[Any, Any], record: ReadRecord
    ) -> Iterator[SplitItem]:
        repeated = RepeatedRead(self._name, reader, self._output, record, state.waiting)
        yield from repeated.items()
        state.waiting = repeated.left()
        if self._alignment is not None:
            self._alignment.attach(reader, repeated.paused)
        elif repeated.paused:
            reader.pause_or_resume_splits([], sorted(repeated.paused))

    def _send(self, state: ReaderState, record: ReadRecord | None, made: ReadRecord) -> None:
        """Tell the enumerator what the reader has sent, and write down what was read."""
        sent = self._context.take_sent()
        if record is not None:
            state.unsent = unsent(record.messages, [*state.unsent, *sent])
            self._sent += record.messages
            return
        made.messages = [*state.unsent, *sent]
        state.unsent = []
        slowest = None if self._alignment is None else self._alignment.slowest()
        if made.finished:
            made.messages.append(ReaderFinished())
        elif slowest is not None:
            made.messages.append(ReportedWatermark(slowest))
        if self._records is not None:
            self._records.write(self._number, state.number, made)
        self._sent += made.messages

    def _rest(self, state: ReaderState, made: ReadRecord) -> None:
        """Tell who plans batches if another one would do nothing, and wake them when it would."""
        available = self._available
        if self._wake is None or available is None or made.runs:
            return  # what an enumerator answers to messages is seen where batches are planned
        if self._may_be_idle and not self._watermarks.is_idle:
            return  # it is about to become so
        self._ticket = state.token
        if available is not self._watched:
            self._watched = available
            available.add_done_callback(lambda _: self._wake_up())
        # Behind the ticket: what comes from here on wakes with it, and what has come before is found.
        if available.done() or self._context.has_sent:
            self._ticket = b""
        else:
            self._sent.append(ReaderResting(state.token))

    def _wake_up(self) -> None:
        """Let a batch be run, if none is because the reader rests."""
        ticket, self._ticket = self._ticket, b""
        if ticket and self._wake is not None:
            self._wake(ticket)

    def _ready(self, state: ReaderState) -> SourceReader[Any, Any]:
        """The reader: the one that lives here, if it is where the state is, else a new one."""
        token, self._token = self._token, b""  # it is nowhere that is known if this batch fails
        if self._reader is not None and token and token == state.token:
            self._reader.notify_checkpoint_complete(state.number)
            return self._reader
        self._close_reader()
        self._output = BufferedReaderOutput()
        self._context.take_sent()
        self._reader = reader = self._source.create_reader(self._context)
        if self._alignment is not None:
            self._alignment.detach()
            self._alignment.attach(reader, set())
        splits = [self._serializer.deserialize(state.version, split) for split in state.splits]
        self._watermarks.register(split.split_id() for split in splits)
        if splits:
            reader.add_splits(splits)
        reader.start()
        if state.no_more_splits:
            reader.notify_no_more_splits()
        return reader

    def _deliver(self, state: ReaderState, reader: SourceReader[Any, Any], messages: Iterable[ToReader]) -> None:
        for message in messages:
            match message:
                case AddSplits(serialized, version):
                    splits = [self._serializer.deserialize(version, split) for split in serialized]
                    self._watermarks.register(split.split_id() for split in splits)
                    reader.add_splits(splits)
                case NoMoreSplits():
                    state.no_more_splits = True
                    reader.notify_no_more_splits()
                case EventToReader(event):
                    reader.handle_source_events(event)
                case MaxWatermark(watermark):
                    state.limit = watermark
        if self._alignment is not None:
            self._alignment.limit = state.limit

    def _feed(self, split_id: str | None, item: Any) -> None:
        if isinstance(item, Records):
            if split_id is not None and self.task.monitored_parts is not None:
                self.task.metrics.records_by_split[split_id] += len(item.values)
            self._watermarks.elements(split_id, item.values, item.timestamps)
        elif isinstance(item, Side):
            output = self.task.chain.source_output
            output.emit_side(item.tag_id, item.value, item.timestamp)
            output.flush()
        elif item == "release":
            assert split_id is not None
            self._watermarks.release(split_id)
        elif item == "emit":
            self._watermarks.periodic_emit()
        else:
            self._watermarks.mark(split_id, item)

    def _attach(self, store: PageStore, now: int) -> ReaderState:
        self.task.attach(store)
        self.task.advance_processing_time(now)
        self._watermarks.now = now
        stored = store.get(self._page)
        self._watermarks.reset()
        state = ReaderState()
        if stored is not None:
            state = loads(stored)
            self._watermarks.restore(state.watermarks)
        return state

    def _detach(self, state: ReaderState, store: PageStore) -> None:
        active = self._watermarks.active_watermarks()
        self.task.metrics.split_watermarks = {
            split_id: watermark
            for split_id, watermark in active.items()
            if split_id is not None and watermark > MIN_WATERMARK
        }
        if self.task.monitored_parts is not None:
            held_back = set() if self._alignment is None else self._alignment.held_back()
            self.task.metrics.splits = {
                split_id: (watermark, idle, split_id in held_back)
                for split_id, (watermark, idle) in self._watermarks.split_statuses().items()
            }
            self.task.metrics.pending = self._pending_records(state)
        self.task.detach(store)
        if self._alignment is not None:
            self._alignment.stop_clocks()
        state.number += 1
        self._token = state.token = os.urandom(8)
        if state.finished:
            state.splits = []
            self._close_reader()
        elif self._reader is not None:
            try:
                splits = self._reader.snapshot_state(state.number)
            except BaseException as error:
                raise user_function_error(self._name, NoElement("snapshot_state"), error) from error
            state.splits = [self._serializer.serialize(split) for split in splits]
            state.version = self._serializer.get_version()
        state.watermarks = self._watermarks.snapshot()
        if not isinstance(store, NoPages):
            store.put(self._page, dumps(state))

    def _pending_records(self, state: ReaderState) -> dict[str, int]:
        """Ask the reader how many records are left, by split; those of which it does not know are left out."""
        if self._reader is None or state.finished:
            return {}
        try:
            return {str(split_id): int(count) for split_id, count in self._reader.pending_records().items()}
        except BaseException as error:
            raise user_function_error(self._name, NoElement("pending_records"), error) from error

    def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        self._wake_up()  # nobody else would, from now on
        if reader is not None:
            try:
                reader.close()
            except BaseException as error:
                raise user_function_error(self._name, NoElement("close of its reader"), error) from error


class _IntoChain:
    """The source's operators, as the place where a reader's elements go."""

    def __init__(self, task: StageTask) -> None:
        self._task = task

    def elements(self, values: Sequence[Any], timestamps: Any) -> None:
        self._task.step(0, Batch(values, timestamps), None)

    def control(self, control: Control) -> None:
        self._task.step(0, EMPTY, control)
