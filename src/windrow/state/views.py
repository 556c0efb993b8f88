"""Keyed state as user functions see it, over :class:`~windrow.state.keyed.KeyedState`.

A view is bound to a state name and a namespace, and looks up the current key's entry in every call, because the key
changes between them. State that has become empty leaves the entry. As in Flink's state backends None means that there
is nothing. A changed value is always put back, so a store may hand out copies.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterable, KeysView, Mapping, Sequence, ValuesView
from functools import reduce as fold
from typing import Any

from windrow.datastream.functions import AggregateFunction, ReduceFunction
from windrow.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    State,
    StateDescriptor,
    ValueState,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationTypeError
from windrow.state.keyed import KeyedState

_NOTHING: dict[Any, Any] = {}


class _View(State):
    """What all views share: where the value is."""

    def __init__(self, state: KeyedState, name: str, namespace: Hashable = None) -> None:
        self._state = state
        self._name = name
        self._slot = (name, namespace)

    def clear(self) -> None:
        self._state.entry.pop(self._slot, None)


class ValueStateView(_View, ValueState[Any]):
    """One value per key and namespace."""

    def value(self) -> Any:
        return self._state.entry.get(self._slot)

    def update(self, value: Any) -> None:
        if value is None:
            self.clear()
        else:
            self._state.entry[self._slot] = value


class MergingStateView(_View):
    """State that follows its window when windows merge (Flink's ``InternalMergingState``)."""

    def merge_namespaces(self, target: Hashable, sources: Iterable[Hashable]) -> None:
        """Move what the current key has in ``sources`` to ``target``, behind what is there already."""
        entry = self._state.entry
        stored = [entry.pop((self._name, source), None) for source in sources if source != target]
        found = [value for value in stored if value is not None]
        if not found:
            return
        current = entry.get((self._name, target))
        merged = fold(self._merge, found)
        entry[(self._name, target)] = merged if current is None else self._merge(current, merged)

    def _merge(self, first: Any, second: Any) -> Any:
        raise NotImplementedError


class ListStateView(MergingStateView, ListState[Any]):
    """A list per key and namespace."""

    def get(self) -> list[Any]:
        # A copy, so that a loop over it may change the state.
        return list(self._state.entry.get(self._slot, ()))

    def add(self, value: Any) -> None:
        self.add_all((value,))

    def add_all(self, values: Sequence[Any]) -> None:
        if not values:
            return
        entry = self._state.entry
        elements = entry.get(self._slot, [])
        elements.extend(values)
        entry[self._slot] = elements

    def update(self, values: Sequence[Any]) -> None:
        self.clear()
        self.add_all(values)

    def _merge(self, first: Any, second: Any) -> Any:
        first.extend(second)
        return first


class MapStateView(_View, MapState[Any, Any]):
    """A dictionary per key and namespace."""

    def get(self, key: Any) -> Any:
        return self._read().get(key)

    def put(self, key: Any, value: Any) -> None:
        self.put_all({key: value})

    def put_all(self, dict_value: Mapping[Any, Any]) -> None:
        if not dict_value:
            return
        entry = self._state.entry
        content = entry.get(self._slot, {})
        content.update(dict_value)
        entry[self._slot] = content

    def remove(self, key: Any) -> None:
        entry = self._state.entry
        content = entry.get(self._slot)
        if content is None:
            return
        content.pop(key, None)
        if content:
            entry[self._slot] = content
        else:
            self.clear()

    def contains(self, key: Any) -> bool:
        return key in self._read()

    def items(self) -> ItemsView[Any, Any]:
        return dict(self._read()).items()

    def keys(self) -> KeysView[Any]:
        return dict(self._read()).keys()

    def values(self) -> ValuesView[Any]:
        return dict(self._read()).values()

    def is_empty(self) -> bool:
        return not self._read()

    def _read(self) -> dict[Any, Any]:
        content: dict[Any, Any] = self._state.entry.get(self._slot, _NOTHING)
        return content


class ReducingStateView(MergingStateView, ReducingState[Any]):
    """One value per key and namespace, reduced from those added."""

    def __init__(self, state: KeyedState, name: str, namespace: Hashable, function: ReduceFunction) -> None:
        super().__init__(state, name, namespace)
        self._reduce = function.reduce

    def get(self) -> Any:
        return self._state.entry.get(self._slot)

    def add(self, value: Any) -> None:
        entry = self._state.entry
        current = entry.get(self._slot)
        reduced = value if current is None or value is None else self._reduce(current, value)
        if reduced is None:
            self.clear()
        else:
            entry[self._slot] = reduced

    def _merge(self, first: Any, second: Any) -> Any:
        return self._reduce(first, second)


class AggregatingStateView(MergingStateView, AggregatingState[Any, Any]):
    """One accumulator per key and namespace; reading it gives the function's result."""

    def __init__(self, state: KeyedState, name: str, namespace: Hashable, function: AggregateFunction) -> None:
        super().__init__(state, name, namespace)
        self._function = function

    def get(self) -> Any:
        accumulator = self._state.entry.get(self._slot)
        return None if accumulator is None else self._function.get_result(accumulator)

    def add(self, value: Any) -> None:
        entry = self._state.entry
        accumulator = entry.get(self._slot)
        if accumulator is None:
            accumulator = self._function.create_accumulator()
        accumulator = self._function.add(value, accumulator)
        if accumulator is None:
            self.clear()
        else:
            entry[self._slot] = accumulator

    def _merge(self, first: Any, second: Any) -> Any:
        return self._function.merge(first, second)


def view_of(state: KeyedState, descriptor: StateDescriptor, name: str, namespace: Hashable = None) -> Any:
    """The view that a descriptor asks for, bound to ``name`` and ``namespace``.

    Raises:
        ConfigurationTypeError: it is none of the five descriptors of keyed state.
    """
    match descriptor:
        case ValueStateDescriptor():
            return ValueStateView(state, name, namespace)
        case ListStateDescriptor():
            return ListStateView(state, name, namespace)
        case MapStateDescriptor():
            return MapStateView(state, name, namespace)
        case ReducingStateDescriptor():
            return ReducingStateView(state, name, namespace, descriptor.get_reduce_function())
        case AggregatingStateDescriptor():
            return AggregatingStateView(state, name, namespace, descriptor.get_agg_function())
    msg = f"keyed state is described by a ValueStateDescriptor or one of its siblings; got {descriptor!r}"
    raise ConfigurationTypeError(msg)
