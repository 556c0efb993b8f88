"""The keyed state store that user functions get their state from."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from windrow.datastream.functions import KeyedStateStore
from windrow.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    StateDescriptor,
    ValueState,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationTypeError, UsageError
from windrow.state.keyed import KeyedState
from windrow.state.view_of import view_of
from windrow.state.views import MergingStateView

#: Stands before the names users give: an operator's own state never starts with it.
USER_PREFIX = "user."


def user_state_name(descriptor: StateDescriptor) -> str:
    """The name that a user's state has in an entry."""
    if not isinstance(descriptor, StateDescriptor):
        msg = f"state is asked for with a descriptor, such as ValueStateDescriptor('name'); got {descriptor!r}"
        raise ConfigurationTypeError(msg)
    return USER_PREFIX + descriptor.name


class KeyedStateStoreView(KeyedStateStore):
    """State of the current key, whichever that is at the time, in one namespace."""

    def __init__(self, state: KeyedState, namespace: Hashable = None) -> None:
        self._state = state
        self._namespace = namespace

    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        return self._get(state_descriptor, ValueStateDescriptor)  # type: ignore[no-any-return]

    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        return self._get(state_descriptor, ListStateDescriptor)  # type: ignore[no-any-return]

    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        return self._get(state_descriptor, MapStateDescriptor)  # type: ignore[no-any-return]

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        return self._get(state_descriptor, ReducingStateDescriptor)  # type: ignore[no-any-return]

    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        return self._get(state_descriptor, AggregatingStateDescriptor)  # type: ignore[no-any-return]

    def get_partitioned_state(self, state_descriptor: StateDescriptor) -> Any:
        """The state of whichever kind the descriptor describes: what triggers ask for."""
        return view_of(self._state, state_descriptor, user_state_name(state_descriptor), self._namespace)

    def merge_partitioned_state(self, state_descriptor: StateDescriptor, sources: Collection[Hashable]) -> None:
        """Merge the state of the namespaces ``sources`` into that of this store's.

        Raises:
            UsageError: state of this kind cannot be merged.
        """
        view = self.get_partitioned_state(state_descriptor)
        if not isinstance(view, MergingStateView):
            msg = f"{state_descriptor!r} cannot be merged: use reducing, aggregating or list state"
            raise UsageError(msg)
        view.merge_namespaces(self._namespace, sources)

    def _get(self, descriptor: StateDescriptor, expected: type[StateDescriptor]) -> Any:
        if not isinstance(descriptor, expected):
            msg = f"this kind of state takes a {expected.__name__}; got {descriptor!r}"
            raise ConfigurationTypeError(msg)
        return self.get_partitioned_state(descriptor)
