"""Kinds of state and their descriptors: what a user function asks its ``RuntimeContext`` for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from windrow.common.typeinfo import DeclaredType, TypeInformation, as_type_information
from windrow.errors import ConfigurationError, ConfigurationTypeError

if TYPE_CHECKING:  # functions take descriptors, so this module must load without them
    from windrow.datastream.functions.simple import AggregateFunction, ReduceFunction

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
    """One value."""

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
        """What has been gathered; None if nothing was added."""

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
        """Whether ``key`` has a value."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """All keys with their values."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """All keys."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """All values."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is no entry."""

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
        """Whether ``key`` has a value."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """All keys with their values."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """All keys."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """All values."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is no entry."""

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


class StateDescriptor:
    """Name and type of a piece of state; the name tells it apart from the function's other state.

    Args:
        name: the name, which must stay the same for state to be found again after a restart.
        type_info: the type of what is stored; None for any Python object.

    Raises:
        ConfigurationError: the name is not a non-empty string.
    """

    def __init__(self, name: str, type_info: DeclaredType = None) -> None:
        if not isinstance(name, str) or not name:
            msg = f"the name of a {type(self).__name__} must be a non-empty string; got {name!r}"
            raise ConfigurationError(msg)
        self.name = name
        self.type_info: TypeInformation = as_type_information(type_info, f"the type of state {name!r}")

    def get_name(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class ValueStateDescriptor(StateDescriptor):
    """Describes a :class:`ValueState`."""

    def __init__(self, name: str, value_type_info: DeclaredType = None) -> None:
        super().__init__(name, value_type_info)


class ListStateDescriptor(StateDescriptor):
    """Describes a :class:`ListState`; the type is that of an element."""

    def __init__(self, name: str, elem_type_info: DeclaredType = None) -> None:
        super().__init__(name, elem_type_info)


class MapStateDescriptor(StateDescriptor):
    """Describes a :class:`MapState` or broadcast state."""

    def __init__(self, name: str, key_type_info: DeclaredType = None, value_type_info: DeclaredType = None) -> None:
        super().__init__(name, value_type_info)
        self.key_type_info: TypeInformation = as_type_information(key_type_info, f"the key type of state {name!r}")


class ReducingStateDescriptor(StateDescriptor):
    """Describes a :class:`ReducingState`; the reduce function may be a class or a plain function of two values.

    Raises:
        ConfigurationTypeError: the function is neither.
    """

    def __init__(self, name: str, reduce_function: Any, type_info: DeclaredType = None) -> None:
        super().__init__(name, type_info)
        from windrow.datastream.functions.simple import as_reduce_function

        self._reduce_function = as_reduce_function(reduce_function, f"state {name!r}")

    def get_reduce_function(self) -> ReduceFunction:
        return self._reduce_function


class AggregatingStateDescriptor(StateDescriptor):
    """Describes an :class:`AggregatingState`; the type is that of the accumulator.

    Raises:
        ConfigurationTypeError: the function is no ``AggregateFunction``.
    """

    def __init__(self, name: str, agg_function: AggregateFunction, state_type_info: DeclaredType = None) -> None:
        super().__init__(name, state_type_info)
        from windrow.datastream.functions.simple import AggregateFunction

        if not isinstance(agg_function, AggregateFunction):
            msg = f"state {name!r} takes an AggregateFunction; got {agg_function!r}"
            raise ConfigurationTypeError(msg)
        self._agg_function = agg_function

    def get_agg_function(self) -> AggregateFunction:
        return self._agg_function
