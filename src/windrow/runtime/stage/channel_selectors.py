"""Choose the subtasks that the elements of one producer go to, where keys do not say it.

A selector's ``position`` is how many elements it has placed. It is kept with the state of the producer's subtask, so
neither the end of a batch nor a restart moves an element to another subtask.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import length_hint
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import ConfigurationError, shorten, user_function_error
from windrow.graph.job_graph import Edge
from windrow.graph.partitioners import (
    CustomPartitioner,
    ForwardPartitioner,
    RebalancePartitioner,
    RescalePartitioner,
    ShufflePartitioner,
)

Subtasks = NDArray[np.int32]


class ChannelSelector:
    """Base of all selectors.

    Args:
        edge: The exchange.
        producer: The subtask that sends.
        name: Who sends, for error messages.
    """

    def __init__(self, edge: Edge, producer: int, name: str) -> None:
        self._subtasks = edge.subtasks
        self._producer = producer
        self._name = name
        self.position = 0

    def select(self, values: Sequence[Any]) -> Subtasks:
        """The subtask of each element."""
        raise NotImplementedError

    def _positions(self, count: int) -> NDArray[np.int64]:
        """The numbers of the next ``count`` elements; they count as placed."""
        self.position += count
        return np.arange(self.position - count, self.position)


class FirstSubtask(ChannelSelector):
    """All to the first one."""

    def select(self, values: Sequence[Any]) -> Subtasks:
        return np.zeros(len(values), np.int32)


class SameSubtask(ChannelSelector):
    """All to the one of the producer's number."""

    def select(self, values: Sequence[Any]) -> Subtasks:
        return np.full(len(values), self._producer, np.int32)


class InTurn(ChannelSelector):
    """To each of ``targets`` in turn, from that of the number ``first`` on."""

    def __init__(self, edge: Edge, producer: int, name: str, targets: range, first: int) -> None:
        super().__init__(edge, producer, name)
        self._targets = targets
        self._first = first

    def select(self, values: Sequence[Any]) -> Subtasks:
        turns = (self._positions(len(values)) + self._first) % len(self._targets)
        return (self._targets.start + turns).astype(np.int32)


class ByLot(ChannelSelector):
    """As if drawn by lot; but the lots follow from the element's number, so a batch run again draws the same."""

    def select(self, values: Sequence[Any]) -> Subtasks:
        mixed = self._positions(len(values)).astype(np.uint64) + np.uint64(self._producer << 40)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # SplitMix64
            mixed = (mixed + np.uint64(0x9E3779B97F4A7C15) ^ mixed >> np.uint64(shift)) * np.uint64(factor)
        return ((mixed >> np.uint64(33)) % np.uint64(self._subtasks)).astype(np.int32)


class ByPartitioner(ChannelSelector):
    """Asks the user's partitioner for each element's subtask."""

    def __init__(self, edge: Edge, producer: int, name: str, partitioner: CustomPartitioner) -> None:
        super().__init__(edge, producer, f"partition_custom after {name}")
        self._partitioner = partitioner

    def select(self, values: Sequence[Any]) -> Subtasks:
        remaining = iter(values)
        partition, key_of, subtasks = self._partitioner.partition, self._partitioner.key_selector, self._subtasks
        try:
            chosen = [partition(key_of(value), subtasks) for value in remaining]
        except BaseException as error:
            raise user_function_error(self._name, values[-1 - length_hint(remaining)], error) from error
        for index, subtask in enumerate(chosen):
            if not hasattr(subtask, "__index__") or not 0 <= int(subtask) < subtasks:
                msg = (
                    f"{self._name}: the partitioner returned {shorten(subtask)} for element {shorten(values[index])}; "
                    f"it has to return the number of a subtask, an int from 0 to {subtasks - 1}"
                )
                raise ConfigurationError(msg)
        return np.array(chosen, np.int32)


def channel_selector(edge: Edge, producer: int, name: str) -> ChannelSelector:
    """The selector that the edge's partitioner asks for."""
    match edge.partitioner:
        case ForwardPartitioner():
            return SameSubtask(edge, producer, name)
        case RebalancePartitioner():
            # Flink begins anywhere; this way few elements of many producers do not all go to one subtask.
            return InTurn(edge, producer, name, range(edge.subtasks), first=producer)
        case RescalePartitioner():
            return InTurn(edge, producer, name, rescale_targets(producer, edge.producers, edge.subtasks), first=0)
        case ShufflePartitioner():
            return ByLot(edge, producer, name)
        case CustomPartitioner() as partitioner:
            return ByPartitioner(edge, producer, name, partitioner)
    return FirstSubtask(edge, producer, name)


def rescale_targets(producer: int, producers: int, subtasks: int) -> range:
    """The subtasks that one of ``producers`` sends to (Flink's pointwise distribution).

    Example:
        >>> [list(rescale_targets(producer, 2, 4)) for producer in range(2)]
        [[0, 1], [2, 3]]
        >>> [list(rescale_targets(producer, 4, 2)) for producer in range(4)]
        [[0], [0], [1], [1]]
    """
    if producers >= subtasks:
        # Subtask i takes from producers i * producers // subtasks to those of the next one.
        only = ((producer + 1) * subtasks - 1) // producers
        return range(only, only + 1)
    first = (producer * subtasks + producers - 1) // producers
    last = ((producer + 1) * subtasks + producers - 1) // producers
    return range(first, last)
