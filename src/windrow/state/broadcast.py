"""Broadcast state: dictionaries that every subtask of an operator has a copy of, for all keys together."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, Sequence, ValuesView
from typing import Any, NoReturn

from windrow.common.copies import copied
from windrow.datastream.state import BroadcastState, MapStateDescriptor, ReadOnlyBroadcastState
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

Contents = dict[str, dict[Any, Any]]


class BroadcastStateStore:
    """The broadcast state of one operator in one subtask.

    Args:
        descriptors: What was declared when the stream was broadcast.
        operator: The operator's name, for error messages.
    """

    def __init__(self, descriptors: Sequence[MapStateDescriptor], operator: str) -> None:
        self._declared = [descriptor.name for descriptor in descriptors]
        self._operator = operator
        self.contents: Contents = {name: {} for name in self._declared}

    def writable(self, descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
        """The state as the broadcast side sees it.

        Raises:
            ConfigurationError: it was not declared.
        """
        return BroadcastStateView(self, self._name(descriptor))

    def read_only(self, descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
        """The state as the other side sees it.

        Raises:
            ConfigurationError: it was not declared.
        """
        return ReadOnlyBroadcastStateView(self, self._name(descriptor))

    def snapshot(self) -> Contents:
        """A copy of everything."""
        return {name: dict(content) for name, content in self.contents.items()}

    def restore(self, snapshot: Contents) -> None:
        """Hold what ``snapshot`` says; what is no longer declared is kept, in case it is declared again."""
        empty: Contents = {name: {} for name in self._declared}
        self.contents = empty | {name: dict(content) for name, content in snapshot.items()}

    def _name(self, descriptor: MapStateDescriptor) -> str:
        if not isinstance(descriptor, MapStateDescriptor):
            msg = f"broadcast state is asked for with a MapStateDescriptor; got {descriptor!r}"
            raise ConfigurationTypeError(msg)
        if descriptor.name not in self._declared:
            msg = (
                f"operator {self._operator!r} has no broadcast state {descriptor.name!r}; the stream was broadcast "
                f"with {', '.join(map(repr, self._declared))}: add the descriptor to that call"
            )
            raise ConfigurationError(msg)
        return descriptor.name


class _View(ReadOnlyBroadcastState[Any, Any]):
    """The base of both sides.

    Args:
        store: The operator's broadcast state.
        name: The name of the state.
    """

    def __init__(self, store: BroadcastStateStore, name: str) -> None:
        self._store = store
        self._name = name

    def get(self, key: Any) -> Any:
        return self._content().get(key)

    def contains(self, key: Any) -> bool:
        return key in self._content()

    def is_empty(self) -> bool:
        return not self._content()

    def _content(self) -> dict[Any, Any]:
        return self._store.contents[self._name]


class ReadOnlyBroadcastStateView(_View):
    """Shows broadcast state to the other side; changing it is an error that says where it can be changed."""

    def items(self) -> ItemsView[Any, Any]:
        return self._content().items()

    def keys(self) -> KeysView[Any]:
        return self._content().keys()

    def values(self) -> ValuesView[Any]:
        return self._content().values()

    def clear(self) -> NoReturn:
        self._refuse()

    def _refuse(self, *_: Any) -> NoReturn:
        msg = (
            f"broadcast state {self._name!r} can only be changed in process_broadcast_element: what other elements and "
            "timers change would differ between subtasks"
        )
        raise UsageError(msg)

    put = put_all = remove = __setitem__ = __delitem__ = _refuse


class BroadcastStateView(_View, BroadcastState[Any, Any]):
    """Shows broadcast state to the broadcast side; a loop over it may change it."""

    def items(self) -> ItemsView[Any, Any]:
        return dict(self._content()).items()

    def keys(self) -> KeysView[Any]:
        return dict(self._content()).keys()

    def values(self) -> ValuesView[Any]:
        return dict(self._content()).values()

    def put(self, key: Any, value: Any) -> None:
        self._content()[key] = copied(value)

    def put_all(self, dict_value: Mapping[Any, Any]) -> None:
        self._content().update(copied(dict(dict_value)))

    def remove(self, key: Any) -> None:
        self._content().pop(key, None)

    def clear(self) -> None:
        self._content().clear()
