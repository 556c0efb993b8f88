"""Entries of keys out of buffers that are stored as columns."""

from __future__ import annotations

from windrow.operators.interval_join.buffer import ElementBuffer
from windrow.operators.interval_join.interval import Interval
from windrow.operators.interval_join.kept_buffers import buffers_by_key, read_buffers
from windrow.operators.interval_join.operator import LEFT, RIGHT
from windrow.state.keyed import KeyedState


def buffers_to_entries(state: KeyedState, interval: Interval) -> None:
    """Make entries and timers, as the operator over rows keeps them, of what is stored as columns.

    Args:
        state: The operator's state.
        interval: Says how long elements are kept.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    left = ElementBuffer(state, LEFT, interval.retention)
    right = ElementBuffer(state, RIGHT, interval.mirrored.retention)
    for key, (left_times, lefts, right_times, rights) in buffers_by_key(*read_buffers(columns)):
        state.set_current_key(key)
        for buffer, times, elements in ((left, left_times, lefts), (right, right_times, rights)):
            for timestamp, element in zip(times, elements, strict=True):
                buffer.add(timestamp, element)
    columns.clear()
