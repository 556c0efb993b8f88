"""Calls a process function with each element of a batch, its context and its key brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from operator import length_hint
from typing import TYPE_CHECKING, Any, Protocol

from windrow.elements.batch import Batch, columns_of
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.results import emit_results
from windrow.state.keyed import NO_KEY, KeyedState

if TYPE_CHECKING:
    from windrow.operators.column_folds.key_index import Slots


class CurrentElement(Protocol):
    """A context that tells a function the timestamp of its element."""

    current_timestamp: int


#: Gives the results for an element; None is none.
Call = Callable[[Any, Any], "Iterable[Any] | None"]


def call_with_each(context: OperatorContext, call: Call, shown: CurrentElement, batch: Batch) -> None:
    """Call the function with each element in turn, and emit what it gives with the element's timestamp.

    Args:
        context: The operator's.
        call: The function's method.
        shown: What it is given beside an element.
        batch: The elements; with keys, if they are to be current.

    Raises:
        UserFunctionError: The function raised; it names the element.
    """
    if batch.keys is None:
        context.state.clear_current_key()
        for part in batch.in_parts():
            _without_keys(context, call, shown, part)
        return
    context.state.expect(batch.keys)
    context.state.forget_some_slots()
    found = _column_slots(context.state, batch.keys)
    start = 0
    for part in batch.in_parts():
        stop = start + len(part)
        _with_keys(context, call, shown, part, None if found is None else found[start:stop].tolist())
        start = stop


def _column_slots(state: KeyedState, keys: Sequence[Any]) -> Slots | None:
    """The slots of keys, found for all of them together; None: each is looked up when it is its turn."""
    slots = state.slots()
    if slots is None or columns_of(keys) is None:
        return None
    if slots.finder is None:
        # Here, because it imports Arrow.
        from windrow.operators.column_slots import ColumnSlots

        slots.finder = ColumnSlots(slots)
    return slots.finder.slots_of(keys)


def call_with_one(context: OperatorContext, call: Call, shown: CurrentElement, value: Any, timestamp: int) -> None:
    """The same for one element, whose key is current already."""
    key = context.state.current_key
    call_with_each(context, call, shown, Batch([value], [timestamp], None if key is NO_KEY else [key]))


def _without_keys(context: OperatorContext, call: Call, shown: CurrentElement, batch: Batch) -> None:
    values, timestamps, _ = batch.lists()
    value = None
    try:
        for value, timestamp in zip(values, timestamps, strict=True):
            shown.current_timestamp = timestamp
            results = call(value, shown)
            if results is not None:
                emit_results(context, results, timestamp)
    except BaseException as error:
        raise user_function_error(context.name, value, error) from error


def _with_keys(
    context: OperatorContext, call: Call, shown: CurrentElement, batch: Batch, found: Sequence[int] | None
) -> None:
    state = context.state
    values, timestamps, keys = batch.lists()
    assert keys is not None, "of a keyed stream"
    waiting, slots = state.entry_when_asked(), state.slots()
    remaining = iter(values)
    try:
        # An element is taken before its key is looked at: how many are left says where it was that failed.
        numbered: Iterable[int | None] | None = found
        if numbered is None:
            numbered = repeat(None, len(keys)) if slots is None else slots.slots_of(keys)
        if waiting is not None:
            state.entry = waiting
            for value, timestamp, key, slot in zip(remaining, timestamps, keys, numbered, strict=True):
                # What set_current_key does, without a call.
                state.current_key, state.current_slot = key, slot
                shown.current_timestamp = timestamp
                results = call(value, shown)
                if results is not None:
                    emit_results(context, results, timestamp)
            return
        bring_in = state.entry_of
        for value, timestamp, key, slot, entry in zip(
            remaining, timestamps, keys, numbered, state.entries_of(keys), strict=True
        ):
            state.current_key, state.current_slot = key, slot
            state.entry = bring_in(key) if entry is None else entry
            shown.current_timestamp = timestamp
            results = call(value, shown)
            if results is not None:
                emit_results(context, results, timestamp)
    except BaseException as error:
        raise user_function_error(context.name, values[-1 - length_hint(remaining)], error) from error
