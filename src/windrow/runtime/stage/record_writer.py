"""Where a chain's output crosses an exchange: collected for one run, then cut into a chunk per receiving group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter, length_hint
from typing import Any

import numpy as np

from windrow.errors import UnhashableKeyError, user_function_error
from windrow.graph.job_graph import Edge
from windrow.graph.partitioners import KeyGroupPartitioner, SingleKeyPartitioner
from windrow.runtime.stage.chunk import Chunk, ChunkRow, Control, Timestamps, as_array
from windrow.state.key_groups import KeyGroupCache


class RecordWriter:
    """Takes what an operator emits towards one edge."""

    def __init__(self, edge: Edge, max_parallelism: int, producer_name: str) -> None:
        self.edge = edge
        self._name = f"key_by after {producer_name}"
        self._key_groups = KeyGroupCache(max_parallelism)
        self._values: list[Any] = []
        self._timestamps: list[Timestamps] = []
        self._controls: list[Control] = []
        #: How many elements stood before each control event.
        self._positions: list[int] = []

    def __len__(self) -> int:
        return len(self._values)

    def batch(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        """Elements, in order."""
        self._values.extend(values)
        self._timestamps.append(as_array(timestamps))

    def control(self, control: Control) -> None:
        """A control event behind the elements taken so far."""
        self._controls.append(control)
        self._positions.append(len(self._values))

    def finish(self, now: int, channel: int, producer: int, sequence: int, *, elected: bool) -> Iterator[ChunkRow]:
        """The chunks of all that was taken; the writer is empty again afterwards.

        ``elected``: this chain's control events go out; those of the level's other groups are the same.
        """
        values, timestamps, controls, positions = self._values, self._timestamps, self._controls, self._positions
        self._values, self._timestamps, self._controls, self._positions = [], [], [], []
        sent = controls if elected else []
        if not values and not sent:
            return
        edge = self.edge
        chunks: dict[int, Chunk] = {}
        if values:
            stamps = np.concatenate(timestamps) if len(timestamps) > 1 else timestamps[0]
            epochs = None
            if controls and positions[0] < len(values):
                epochs = np.searchsorted(positions, np.arange(len(values)), side="right").astype(np.int32)
            chunks = self._partition(values, stamps, epochs)
        for group in edge.groups if sent else chunks:
            chunk = chunks.get(group) or Chunk((), ())
            chunk.controls = sent
            yield ChunkRow(group, edge.target_level, edge.id, channel, producer, sequence, now, chunk)

    def _partition(self, values: list[Any], timestamps: Timestamps, epochs: Any) -> dict[int, Chunk]:
        partitioner = self.edge.partitioner
        if isinstance(partitioner, KeyGroupPartitioner):
            return self._partition_by_key(partitioner, values, timestamps, epochs)
        keys = [partitioner.key] * len(values) if isinstance(partitioner, SingleKeyPartitioner) else None
        return {self.edge.groups[0]: Chunk(values, timestamps, keys, epochs)}

    def _partition_by_key(
        self, partitioner: KeyGroupPartitioner, values: list[Any], timestamps: Timestamps, epochs: Any
    ) -> dict[int, Chunk]:
        keys = self._keys(partitioner, values)
        groups = self._groups(keys)
        if len(self.edge.groups) <= 2**15:
            groups = groups.astype(np.int16)  # NumPy sorts 16-bit integers by radix
        order = np.argsort(groups, kind="stable")
        present, starts = np.unique(groups[order], return_index=True)
        if len(present) == 1:
            return {int(present[0]): Chunk(values, timestamps, keys, epochs)}
        take = itemgetter(*order.tolist())
        sorted_values, sorted_keys = take(values), take(keys)
        sorted_timestamps = timestamps[order]
        sorted_epochs = None if epochs is None else epochs[order]
        chunks = {}
        for group, start, end in zip(present.tolist(), starts.tolist(), [*starts[1:].tolist(), len(keys)], strict=True):
            chunks[group] = Chunk(
                sorted_values[start:end],
                sorted_timestamps[start:end],
                sorted_keys[start:end],
                None if sorted_epochs is None else sorted_epochs[start:end],
            )
        return chunks

    def _groups(self, keys: list[Any]) -> Any:
        remaining = iter(keys)
        try:
            return np.fromiter(map(self._key_groups.__getitem__, remaining), np.int32, len(keys))
        except TypeError as error:
            raise UnhashableKeyError(self._name, keys[-1 - length_hint(remaining)]) from error

    def _keys(self, partitioner: KeyGroupPartitioner, values: list[Any]) -> list[Any]:
        selector = partitioner.key_selector
        remaining = iter(values)
        try:
            return list(map(selector, remaining))
        except Exception as error:
            failed = values[-1 - length_hint(remaining)]
            raise user_function_error(self._name, failed, error) from error
