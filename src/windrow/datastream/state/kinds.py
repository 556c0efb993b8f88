"""Kinds of state: what a user function gets from its ``RuntimeContext``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from windrow.datastream.state.descriptors import MapStateDescriptor

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
IN = TypeVar("IN")
OUT = TypeVar("OUT")


class State(ABC):
    """A piece of state of the current key."""

    @abstractmethod
    def clear(self) -> None:
        """Forget what is stored for the current key."""


class ValueState(State, Generic[T]):
    """A value for each key (Flink's ``ValueState``)."""

    @abstractmethod
    def value(self) -> T | None:
        """The value, or None if there is none."""

    @abstractmethod
    def update(self, value: T | None) -> None:
        """Replace the value; None clears it."""


class AppendingState(State, Generic[IN, OUT]):
    """State that elements are added to."""

    @abstractmethod
    def get(self) -> OUT | None:
        """Give what has been gathered; None if nothing was added."""

    @abstractmethod
    def add(self, value: IN) -> None:
        """Add one element."""


class MergingState(AppendingState[IN, OUT]):
    """State that can be merged when windows merge."""


class ReducingState(MergingState[T, T]):
    """The elements added so far, reduced to one by a ``ReduceFunction``."""


class AggregatingState(MergingState[IN, OUT]):
    """The elements added so far, aggregated by an ``AggregateFunction``."""


class ListState(MergingState[T, Iterable[T]]):
    """A list of elements in the order they were added; an empty list if there are none."""

    @abstractmethod
    def get(self) -> Iterable[T]:
        """The elements."""

    @abstractmethod
    def update(self, values: Sequence[T]) -> None:
        """Replace all elements; an empty list clears."""

    @abstractmethod
    def add_all(self, values: Sequence[T]) -> None:
        """Add many elements."""

    def __iter__(self) -> Iterator[T]:
        return iter(self.get())


class ReadOnlyBroadcastState(State, Generic[K, V]):
    """Broadcast state as the side that is not broadcast sees it."""

    @abstractmethod
    def get(self, key: K) -> V | None:
        """The value of ``key``; None if it has none."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Tell whether ``key`` has a value."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """All keys with their values."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """Give the keys that have a value."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """Give the values of all keys."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Tell whether there is no entry."""

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class BroadcastState(ReadOnlyBroadcastState[K, V]):
    """Broadcast state as the broadcast side sees it: it may be changed."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Set the value of ``key``."""

    @abstractmethod
    def put_all(self, dict_value: Mapping[K, V]) -> None:
        """Set many values."""

    @abstractmethod
    def remove(self, key: K) -> None:
        """Remove ``key``; nothing happens if it has no value."""

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)


class MapState(State, Generic[K, V]):
    """A dictionary per key of the stream. A missing entry reads as None, with ``get`` and with ``[]``."""

    @abstractmethod
    def get(self, key: K) -> V | None:
        """The value of ``key``; None if it has none."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Set the value of ``key``."""

    @abstractmethod
    def put_all(self, dict_value: Mapping[K, V]) -> None:
        """Set many values."""

    @abstractmethod
    def remove(self, key: K) -> None:
        """Remove ``key``; nothing happens if it has no value."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Tell whether ``key`` has a value."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """All keys with their values."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """Give the keys that have a value."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """Give the values of all keys."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Tell whether there is no entry."""

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class OperatorStateStore(ABC):
    """State that belongs to an operator and not to a key."""

    @abstractmethod
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
        """The broadcast state of that name."""
