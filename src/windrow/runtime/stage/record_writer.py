"""Collects a chain's output for one run where it crosses an exchange, and cuts a chunk per receiving subtask."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import length_hint
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
import pyarrow as pa

from windrow.common.limits import MIN_WATERMARK
from windrow.connectors.discarding import DiscardingSink
from windrow.elements.batch import Batch, Gathered, in_parts
from windrow.elements.columns import Columns
from windrow.elements.inference import Inferring
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.errors import UnhashableKeyError, WindrowError, user_function_error
from windrow.graph.job_graph import SINK_LEVEL, Edge, SinkEntry
from windrow.graph.partitioners import (
    BroadcastPartitioner,
    CustomPartitioner,
    KeyGroupPartitioner,
    SingleKeyPartitioner,
)
from windrow.operators.column_function import ColumnFunction
from windrow.operators.local_aggregate import WatermarkAt
from windrow.operators.redistribution import Redistribution
from windrow.operators.user_function import call_each, call_one_by_one
from windrow.runtime.stage.channel_selectors import Subtasks, channel_selector
from windrow.runtime.stage.chunk import EPOCHS_PER_SEQUENCE, PARTS_PER_EPOCH, Chunk, ChunkRow, Control
from windrow.state.key_groups import SubtaskCache
from windrow.state.keys import are_plain, comparable_key
from windrow.state.stable_hash import stable_hash

if TYPE_CHECKING:
    from windrow.operators.base import Operator


#: No chunk has more elements: each is one row of Spark's, which can have 2 GiB, and is packed and unpacked as a whole.
ELEMENTS_PER_PART = 1 << 20
#: How many elements stand before each control event; None: all before the first.
Cuts: TypeAlias = list[int] | None


class RecordWriter:
    """Takes what an operator emits towards one edge.

    Args:
        edge: The exchange.
        max_parallelism: The number of key groups.
        producer_name: The operator's name, for error messages.
        producer: The number of its subtask, or of the source's channel.
        dropped: Whether nobody looks at the elements behind the edge: only its end crosses it.
        object_reuse: Whether several subtasks may get the same objects.
        columns: Whether keys may be computed on columns.
        target: The operator behind the edge: rows become columns where it works on columns of their shape.
        combines: Whether elements may be combined before they cross the exchange, where the target knows how.
    """

    def __init__(
        self,
        edge: Edge,
        max_parallelism: int,
        producer_name: str,
        producer: int = 0,
        *,
        dropped: bool = False,
        object_reuse: bool = False,
        columns: bool = True,
        target: Operator | None = None,
        combines: bool = False,
        any_order: bool = False,
    ) -> None:
        self.edge = edge
        self._name = f"key_by after {producer_name}"
        self._selector = channel_selector(edge, producer, producer_name)
        self._subtasks = SubtaskCache(edge.subtasks, max_parallelism)
        self._dropped = dropped
        self._inferring = Inferring(target.takes_columns) if columns and target is not None else None
        self._inferring_keys = Inferring()
        partitioner = edge.partitioner
        selector = partitioner.key_selector if columns and isinstance(partitioner, KeyGroupPartitioner) else None
        self._column_keys = None if selector is None else ColumnFunction(self._name, selector)
        combines = combines and selector is not None
        self._local = target.local_aggregate(any_order=any_order) if combines and target is not None else None
        #: The channel's watermark, as far as this writer has seen it in the batch.
        self._watermark = MIN_WATERMARK
        #: Whether the channel was idle: from then on its watermark may be behind the receiver's.
        self._was_idle = False
        self._object_reuse = object_reuse
        self._elements = Gathered()
        #: Whether more elements wait than a chunk can have; kept, because it is asked for at each control event.
        self.is_full = False
        self._controls: list[Control] = []
        #: How many elements stood before each control event.
        self._positions: list[int] = []
        #: Where the next chunk begins: the epoch, which counts the run's control events, and the part of it.
        self._epoch = self._part = 0

    #: How :attr:`position` can be dealt out among another number of subtasks.
    redistribution: ClassVar[Redistribution] = Redistribution.LOTS

    def batch(self, batch: Batch) -> None:
        """Take elements, in order."""
        columns = batch.columns
        if columns is not None and columns.is_deferred:
            # All of it goes on, and what it is taken from need not wait with it. A sink that drops it has had it, too.
            batch.arrays()
        if self._dropped:
            return
        self._elements.extend(batch)
        self.is_full = len(self._elements) > ELEMENTS_PER_PART

    def control(self, control: Control) -> None:
        """Take a control event, behind the elements taken so far."""
        if self._dropped and control != "end":
            return
        self._was_idle |= control in ("idle", "active")
        self._controls.append(control)
        self._positions.append(len(self._elements))

    @property
    def takes_rows(self) -> bool:
        """True if some of the elements that wait are rows, and not columns."""
        return self._elements.are_rows

    @property
    def position(self) -> int:
        """The number of elements taken so far, those that wait included; kept with the producer's state.

        Where keys say the subtask nobody asks for the number, and it is less than 0 if the channel was idle.
        """
        position = self._selector.position + len(self._elements)
        return ~position if self._was_idle and isinstance(self.edge.partitioner, KeyGroupPartitioner) else position

    @position.setter
    def position(self, position: int) -> None:
        self._selector.position = max(position, ~position)
        self._was_idle, self._watermark = position < 0, MIN_WATERMARK
        self._epoch = self._part = 0

    def finish(self, now: int, channel: int, producer: int, sequence: int) -> Iterator[ChunkRow]:
        """The chunks of all that was taken, beginning with ``sequence``; the writer is empty again afterwards."""
        self.begin(sequence)
        yield from self.full_parts(now, channel, producer)
        yield from self._chunks(len(self._elements), len(self._controls), now, channel, producer)

    def begin(self, sequence: int) -> None:
        """Chunks of what waits, and of what comes, have at least this sequence number, in all subtasks."""
        if sequence * EPOCHS_PER_SEQUENCE > self._epoch:
            self._epoch, self._part = sequence * EPOCHS_PER_SEQUENCE, 0

    def full_parts(self, now: int, channel: int, producer: int) -> Iterator[ChunkRow]:
        """The chunks of what is too much for one; the others need not be asked where they cut."""
        while len(self._elements) > ELEMENTS_PER_PART:
            controls = bisect_right(self._positions, ELEMENTS_PER_PART)
            count = self._positions[controls - 1] if controls else 0
            if not count:
                if self._part == PARTS_PER_EPOCH - 1:  # the rest is one, however many they are
                    return
                count = ELEMENTS_PER_PART
            yield from self._chunks(count, controls, now, channel, producer)

    def _chunks(self, count: int, ends: int, now: int, channel: int, producer: int) -> Iterator[ChunkRow]:
        """The chunks of the first ``count`` elements, with so many control events.

        All subtasks of a level see the same control events, so those of the first one go out for all.
        """
        batch = self._elements.take_first(count)
        self.is_full = len(self._elements) > ELEMENTS_PER_PART
        controls, self._controls = self._controls[:ends], self._controls[ends:]
        positions, self._positions = self._positions[:ends], [place - count for place in self._positions[ends:]]
        sequence = self._epoch * PARTS_PER_EPOCH + self._part
        self._count(count, positions)
        watermarks = self._watermarks(controls, positions)
        chunks = {}
        if len(batch):
            cuts = positions if controls and positions[0] < len(batch) else None
            chunks = self._partition(batch, cuts, watermarks)
        if producer == 0 and controls:
            chunks = {subtask: chunks.get(subtask) or Chunk() for subtask in range(self.edge.subtasks)}
            for chunk in chunks.values():
                chunk.controls = controls
        edge = self.edge
        for subtask, chunk in chunks.items():
            yield ChunkRow(edge.target_level, edge.target, subtask, sequence, edge.id, channel, producer, now, chunk)

    def _count(self, count: int, positions: Sequence[int]) -> None:
        """So many elements go out, with the control events behind so many of them each."""
        if positions:
            self._epoch += len(positions)
            self._part = int(positions[-1] < count)
        elif count:
            self._part = min(self._part + 1, PARTS_PER_EPOCH - 1)

    def _watermarks(self, controls: Sequence[Control], positions: Sequence[int]) -> list[WatermarkAt]:
        """The watermarks that elements see, one for each control event; none if the receiver's may be beyond them."""
        if self._local is None or self._was_idle:
            return []
        seen = [WatermarkAt(0, self._watermark)]
        for control, position in zip(controls, positions, strict=True):
            if isinstance(control, int):
                self._watermark = max(self._watermark, control)
            seen.append(WatermarkAt(position, self._watermark))
        return seen

    def _partition(self, given: Batch, cuts: Cuts, watermarks: Sequence[WatermarkAt]) -> dict[int, Chunk]:
        partitioner, batch = self.edge.partitioner, self._as_columns(given)
        if isinstance(partitioner, KeyGroupPartitioner):
            key_columns = self._keys_as_columns(partitioner, batch)
            if key_columns is not None:
                keyed = Batch(batch.elements, batch.timestamps, key_columns)
                left, cuts_of_left = self._combined(keyed, cuts, watermarks)
                keys_of_left = left.key_columns
                subtasks = None if keys_of_left is None else self._subtasks.of_columns(keys_of_left)
                if subtasks is not None:
                    return _split(subtasks, left, cuts_of_left)
            keys, key_columns = self._keys(partitioner, given, batch)
            keyed = Batch(batch.elements, batch.timestamps, keys if key_columns is None else key_columns)
            if self.edge.subtasks == 1:
                if key_columns is None:
                    self._check_hashable(keys, batch.elements)
                return {0: Chunk(keyed, cuts)}
            subtasks = None if key_columns is None else self._subtasks_of_numbers(key_columns)
            return _split(self._subtasks_of(keys, batch.elements) if subtasks is None else subtasks, keyed, cuts)
        if isinstance(partitioner, SingleKeyPartitioner):
            return {0: Chunk(Batch(batch.elements, batch.timestamps, [partitioner.key] * len(batch)), cuts)}
        if isinstance(partitioner, BroadcastPartitioner):
            return self._to_all(batch, cuts)
        return _split(self._selector.select(batch.elements), batch, cuts)

    def _combined(self, batch: Batch, cuts: Cuts, watermarks: Sequence[WatermarkAt]) -> tuple[Batch, Cuts]:
        """Combine elements with the same key, if the receiver folds them; else all cross the exchange as they are."""
        combined = self._local.combined(batch, watermarks) if self._local is not None and watermarks else None
        if combined is None:
            return batch, cuts
        return combined.batch, None if cuts is None else np.searchsorted(combined.places, cuts).tolist()

    def _keys_as_columns(self, partitioner: KeyGroupPartitioner, batch: Batch) -> Columns | None:
        """The keys as columns; None: the selector is called for each element."""
        if self._column_keys is None:
            return None
        return self._column_keys.of(batch, lambda rows: call_each(self._name, partitioner.key_selector, rows.elements))

    def _as_columns(self, batch: Batch) -> Batch:
        if self._inferring is None or batch.columns is not None:
            return batch
        return batch.with_elements(self._inferring.of(batch.elements))

    def _to_all(self, batch: Batch, cuts: Cuts) -> dict[int, Chunk]:
        last = self.edge.subtasks - 1
        copies = [batch if self._object_reuse else batch.copied() for _ in range(last)]
        return {subtask: Chunk(given, cuts) for subtask, given in enumerate((*copies, batch))}

    def _subtasks_of_numbers(self, keys: Columns) -> Subtasks | None:
        """The subtask of each key; None for what costs less to look up one by one: texts, 57 against 75 ns."""
        return None if keys.shape.has(pa.types.is_string) else self._subtasks.of_columns(keys)

    def _subtasks_of(self, keys: Sequence[Any], values: Sequence[Any]) -> Subtasks:
        self._subtasks.learn(keys)
        remaining = iter(keys)
        try:
            return np.fromiter(map(self._subtasks.__getitem__, remaining), np.int32, len(keys))
        except BaseException as error:
            failed = -1 - length_hint(remaining)
            raise self._no_key(keys[failed], values[failed], _raised_by(keys[failed]) or error) from error

    def _keys(
        self, partitioner: KeyGroupPartitioner, given: Batch, batch: Batch
    ) -> tuple[Sequence[Any], Columns | None]:
        """The keys that the selector gives, called for each element; also as columns, if elements are and keys can be.

        Of numbers that are columns no list is kept: with a million elements each number would have a place of its own
        in memory, to which nobody goes again.

        Args:
            partitioner: Has the selector.
            given: The elements as they came.
            batch: As they go on.
        """
        of_batch = batch.columns
        # Rows of which columns were made are there already; where a selector can change one, that is to go on.
        values = batch.elements if of_batch is None or not of_batch.shape.never_changes else given.elements
        #: What is in columns alone, where nobody will ask for the keys one by one; else the keys as they came.
        parts: list[Sequence[Any]] = []
        inferred: list[Sequence[Any]] = []
        for rows in in_parts(values):
            part = call_one_by_one(self._name, partitioner.key_selector, rows)
            inferred.append(part if of_batch is None else self._inferring_keys.of(part))
            parts.append(inferred[-1] if _are_numbers(inferred[-1]) else part)
        columns = Columns.joined(inferred)
        if columns is not None and _are_numbers(columns):
            return columns, columns
        keys = [key for part in parts for key in part]
        if columns is not None and (not columns.shape.has(pa.types.is_floating) or are_plain(keys)):
            return keys, columns
        if are_plain(keys):
            return keys, None
        comparable = []
        try:
            for key in keys:
                comparable.append(comparable_key(key))  # noqa: PERF401  (how many there are says which one failed)
        except BaseException as error:
            failed = len(comparable)
            raise self._no_key(keys[failed], values[failed], error) from error
        return comparable, None

    def _check_hashable(self, keys: Sequence[Any], values: Sequence[Any]) -> None:
        remaining = iter(keys)
        try:
            for key in remaining:
                hash(key)
        except BaseException as error:
            failed = -1 - length_hint(remaining)
            raise self._no_key(keys[failed], values[failed], error) from error
        for kind in set(map(type, keys)):
            hash_method: Any = kind.__hash__
            if hash_method is object.__hash__:  # hashable, but by identity
                key, value = next(pair for pair in zip(keys, values, strict=True) if type(pair[0]) is kind)
                try:
                    stable_hash(key)
                except BaseException as error:
                    raise self._no_key(key, value, error) from error

    def _no_key(self, key: Any, value: Any, error: BaseException) -> WindrowError:
        if not isinstance(error, TypeError):  # raised by the key's own methods
            return user_function_error(self._name, value, error)
        reason = str(error)
        return UnhashableKeyError(self._name, key, *(() if reason.startswith("unhashable type") else (reason,)))


def _are_numbers(keys: Sequence[Any]) -> bool:
    """Tell whether keys are columns of 64-bit integers, or of tuples of such."""
    if not isinstance(keys, Columns) or not isinstance(keys.shape, ScalarShape | TupleShape):
        return False
    return all(pa.types.is_int64(kind) for kind in keys.shape.types)


def _raised_by(key: Any) -> BaseException | None:
    """Find the error that hashing the key raises: where that is a StopIteration, a map ends and says no more."""
    try:
        stable_hash(key)
    except BaseException as error:
        return error
    return None


def _split(subtasks: Subtasks, batch: Batch, cuts: Cuts) -> dict[int, Chunk]:
    """A chunk for each subtask that gets elements."""
    chunks = {}
    for subtask, mine in batch.split(subtasks).items():
        if mine is None:
            chunks[subtask] = Chunk(batch, cuts)
        else:
            chunks[subtask] = Chunk(batch.take(mine), None if cuts is None else np.searchsorted(mine, cuts).tolist())
    return chunks


def is_dropped(edge: Edge, sinks: Sequence[SinkEntry]) -> bool:
    """Tell whether an edge leads to a sink that drops everything, past no function of the user's that sees elements."""
    if edge.target_level != SINK_LEVEL or isinstance(edge.partitioner, KeyGroupPartitioner | CustomPartitioner):
        return False
    return type(sinks[edge.target].sink) is DiscardingSink
