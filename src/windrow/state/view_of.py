"""Finds the view of keyed state that a descriptor asks for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateDescriptor,
    ValueStateDescriptor,
)
from windrow.errors import ConfigurationTypeError, UsageError
from windrow.state.keyed import KeyedState
from windrow.state.ttl import Ttl
from windrow.state.ttl_views import (
    TtlAggregatingStateView,
    TtlListStateView,
    TtlMapStateView,
    TtlReducingStateView,
    TtlValueStateView,
)
from windrow.state.views import (
    AggregatingStateView,
    ListStateView,
    MapStateView,
    ReducingStateView,
    ValueStateView,
)


def view_of(state: KeyedState, descriptor: StateDescriptor, name: str, namespace: Hashable = None) -> Any:
    """The view that a descriptor asks for, bound to ``name`` and ``namespace``.

    Raises:
        ConfigurationTypeError: it is none of the five descriptors of keyed state.
        UsageError: the name stands for another kind of state already.
    """
    _check_kind(state, descriptor, (name, namespace is None))
    if isinstance(descriptor, StateDescriptor) and descriptor.get_ttl_config().is_enabled():
        return _view_with_ttl(state, descriptor, name, namespace)
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
    raise _no_keyed_state(descriptor)


def _view_with_ttl(state: KeyedState, descriptor: StateDescriptor, name: str, namespace: Hashable) -> Any:
    ttl: Ttl = state.expiry.register(name, descriptor.get_ttl_config())
    match descriptor:
        case ValueStateDescriptor():
            state.keep_in_entries(name, namespace)  # a value has its time beside it
            return TtlValueStateView(ttl, state, name, namespace)
        case ListStateDescriptor():
            return TtlListStateView(ttl, state, name, namespace)
        case MapStateDescriptor():
            return TtlMapStateView(ttl, state, name, namespace)
        case ReducingStateDescriptor():
            return TtlReducingStateView(ttl, state, name, namespace, descriptor.get_reduce_function())
        case AggregatingStateDescriptor():
            return TtlAggregatingStateView(ttl, state, name, namespace, descriptor.get_agg_function())
    raise _no_keyed_state(descriptor)


def _check_kind(state: KeyedState, descriptor: StateDescriptor, slot: tuple[str, bool]) -> None:
    """One name is one state: two kinds would read what the other one has written."""
    before = state.descriptors.setdefault(slot, descriptor)
    if type(before) is not type(descriptor):
        msg = (
            f"keyed state {descriptor.name!r} was asked for with a {type(before).__name__}, and now with a "
            f"{type(descriptor).__name__}; one name stands for one state of an operator: give them different names"
        )
        raise UsageError(msg)


def _no_keyed_state(descriptor: object) -> ConfigurationTypeError:
    msg = f"keyed state is described by a ValueStateDescriptor or one of its siblings; got {descriptor!r}"
    return ConfigurationTypeError(msg)
