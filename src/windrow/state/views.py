"""Keyed state as user functions see it, over :class:`~windrow.state.keyed.KeyedState`.

A view is bound to a state name and a namespace, and looks up the current key's entry in every call, because the key
changes between them. State that has become empty leaves the entry. As in Flink's state backends None means that there
is nothing. Users get copies of what is stored, and what they give is copied, as Flink does with RocksDB: what a
function has changed is in the state when it puts it there.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterable, KeysView, Mapping, Sequence, ValuesView
from functools import reduce as fold
from typing import Any, ClassVar

from windrow.common.copies import copied, copied_each
from windrow.common.unchangeable import ATOMS
from windrow.datastream.functions import AggregateFunction, ReduceFunction
from windrow.datastream.state import AggregatingState, ListState, MapState, ReducingState, State, ValueState
from windrow.state.keyed import KeyedState
from windrow.state.ttl import without_ttl


class View(State):
    """The base of views: finds the content, reads it and writes it."""

    #: Whether what is stored is the content itself, with no time to live.
    is_plain: ClassVar[bool] = True

    def __init__(self, state: KeyedState, name: str, namespace: Hashable = None) -> None:
        self._is_plain = self.is_plain  # an attribute of the class takes longer to find
        self._state = state
        self._name = name
        self._slot = (name, namespace)

    def clear(self) -> None:
        self._state.entry.pop(self._slot, None)

    def _read(self) -> Any:
        """The content for the user; None if there is none. It may have been stored with a time to live."""
        stored = self._state.entry.get(self._slot)
        return without_ttl(stored) if type(stored) is tuple else stored

    def _copied(self, content: Any) -> Any:
        """Copy what is given to the user or taken from them, so that nobody changes what the other one has."""
        return content if self._state.object_reuse else copied(content)

    def _copied_each(self, contents: Sequence[Any]) -> Sequence[Any]:
        return contents if self._state.object_reuse else copied_each(contents)

    def _alive(self) -> Any:
        """The content that a write goes on from."""
        return self._read()

    def _write(self, content: Any) -> None:
        self._state.entry[self._slot] = content


class ValueStateView(View, ValueState[Any]):
    """One value per key and namespace; its class is another one while a table has the values."""

    #: What is looked at for each element: found as fast whichever class it has.
    __slots__ = ("_state", "_values")

    def __init__(self, state: KeyedState, name: str, namespace: Hashable = None) -> None:
        super().__init__(state, name, namespace)
        if self._is_plain and namespace is None:
            #: Has the values, by the slots of keys, or entries have them.
            self._table = state.table_of(name, namespace)
            self._table.add_view(self)

    def look_at(self, values: list[Any] | None, *, may_change: bool) -> None:
        """Read and write in another place from now on.

        Args:
            values: By the slots of keys; None: in entries.
            may_change: Whether there may be values that can be changed.
        """
        kind = ValueStateView if values is None else _CopiedTableValueView if may_change else _TableValueView
        if type(self) is not kind:
            # In place of a test in each call: this is asked for each element.
            self.__class__ = kind
        if values is not None:
            self._values = values

    def value(self) -> Any:
        stored = self._state.entry.get(self._slot)
        # The commonest first.
        return stored if type(stored) in ATOMS and self._is_plain else self._copied(self._read())

    def update(self, value: Any) -> None:
        if value is None:
            self.clear()
        elif type(value) in ATOMS and self._is_plain:
            self._state.entry[self._slot] = value
        else:
            self._write(self._copied(value))


class _TableValueView(ValueStateView):
    """One value per key, in a table of values that nobody can change."""

    __slots__ = ()

    def value(self) -> Any:
        slot = self._state.current_slot
        return self._values[self._state.slot_of_current() if slot is None else slot]

    def update(self, value: Any) -> None:
        slot = self._state.current_slot
        if slot is None:
            slot = self._state.slot_of_current()
        if type(value) in ATOMS:
            self._values[slot] = value
        else:
            self._values[slot] = self._copied(value)
            self._table.let_change()

    def clear(self) -> None:
        self.update(None)


class _CopiedTableValueView(_TableValueView):
    """One value per key, in a table."""

    __slots__ = ()

    def value(self) -> Any:
        stored = super().value()
        return stored if type(stored) in ATOMS else self._copied(stored)


class MergingStateView(View):
    """State that follows its window when windows merge (Flink's ``InternalMergingState``)."""

    def merge_namespaces(self, target: Hashable, sources: Iterable[Hashable]) -> None:
        """Move what the current key has in ``sources`` to ``target``, behind what is there already."""
        entry = self._state.entry
        stored = [entry.pop((self._name, source), None) for source in sources if source != target]
        merged = fold(self._merge_stored, stored, None)
        if merged is None:
            return
        merged = self._merge_stored(entry.get((self._name, target)), merged)
        if merged is None:
            entry.pop((self._name, target), None)
        else:
            entry[(self._name, target)] = merged

    def _merge_stored(self, first: Any, second: Any) -> Any:
        """One of two contents as they are stored; None is no content."""
        if first is None or second is None:
            return second if first is None else first
        return self._merge(without_ttl(first), without_ttl(second))

    def _merge(self, first: Any, second: Any) -> Any:
        raise NotImplementedError


class ListStateView(MergingStateView, ListState[Any]):
    """A list per key and namespace."""

    def get(self) -> list[Any]:
        # A list of its own, so that a loop over it may change the state.
        return list(self._copied_each(self._read() or ()))

    def add(self, value: Any) -> None:
        self.add_all((value,))

    def add_all(self, values: Sequence[Any]) -> None:
        if not values:
            return
        elements = self._alive() or []
        elements.extend(self._copied_each(list(values)))
        self._write(elements)

    def update(self, values: Sequence[Any]) -> None:
        self.clear()
        self.add_all(values)

    def _merge(self, first: Any, second: Any) -> Any:
        first.extend(second)
        return first


class MapStateView(View, MapState[Any, Any]):
    """A dictionary per key and namespace."""

    def get(self, key: Any) -> Any:
        content = self._read()
        return None if content is None else self._copied(content.get(key))

    def put(self, key: Any, value: Any) -> None:
        self.put_all({key: value})

    def put_all(self, dict_value: Mapping[Any, Any]) -> None:
        if not dict_value:
            return
        content = self._alive() or {}
        content.update(self._copied(dict(dict_value)))
        self._write(content)

    def remove(self, key: Any) -> None:
        content = self._alive()
        if content is None:
            return
        content.pop(key, None)
        if content:
            self._write(content)
        else:
            self.clear()

    def contains(self, key: Any) -> bool:
        content = self._read()
        return content is not None and key in content

    def items(self) -> ItemsView[Any, Any]:
        return self._copy().items()

    def keys(self) -> KeysView[Any]:
        return self._copy().keys()

    def values(self) -> ValuesView[Any]:
        return self._copy().values()

    def is_empty(self) -> bool:
        return not self._read()

    def _copy(self) -> dict[Any, Any]:
        # So that a loop over it may change the state.
        content: dict[Any, Any] = self._read() or {}
        return dict(content) if self._state.object_reuse else copied(content)


class ReducingStateView(MergingStateView, ReducingState[Any]):
    """One value per key and namespace, reduced from those added."""

    def __init__(self, state: KeyedState, name: str, namespace: Hashable, function: ReduceFunction) -> None:
        super().__init__(state, name, namespace)
        self._reduce = function.reduce

    def get(self) -> Any:
        stored = self._state.entry.get(self._slot)
        return stored if type(stored) in ATOMS and self._is_plain else self._copied(self._read())

    def add(self, value: Any) -> None:
        value = value if type(value) in ATOMS else self._copied(value)
        stored = self._state.entry.get(self._slot)
        current = stored if type(stored) in ATOMS and self._is_plain else self._alive()
        reduced = value if current is None or value is None else self._reduce(current, value)
        if reduced is None:
            self.clear()
        else:
            self._write(reduced)

    def _merge(self, first: Any, second: Any) -> Any:
        return self._reduce(first, second)


class AggregatingStateView(MergingStateView, AggregatingState[Any, Any]):
    """One accumulator per key and namespace; reading it gives the function's result."""

    def __init__(self, state: KeyedState, name: str, namespace: Hashable, function: AggregateFunction) -> None:
        super().__init__(state, name, namespace)
        self._function = function

    def get(self) -> Any:
        accumulator = self._read()
        return None if accumulator is None else self._copied(self._function.get_result(accumulator))

    def add(self, value: Any) -> None:
        value = self._copied(value)
        accumulator = self._alive()
        if accumulator is None:
            accumulator = self._function.create_accumulator()
        accumulator = self._function.add(value, accumulator)
        if accumulator is None:
            self.clear()
        else:
            self._write(accumulator)

    def _merge(self, first: Any, second: Any) -> Any:
        return self._function.merge(first, second)
