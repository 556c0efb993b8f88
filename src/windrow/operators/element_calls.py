"""Calls a process function with each element of a batch, its context and its key brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import length_hint
from typing import Any, Protocol

from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.results import emit_results
from windrow.state.keyed import NO_KEY


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
        with_each = _without_keys
    else:
        context.state.expect(batch.keys)
        with_each = _with_keys
    for part in batch.in_parts():
        with_each(context, call, shown, part)


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


def _with_keys(context: OperatorContext, call: Call, shown: CurrentElement, batch: Batch) -> None:
    state = context.state
    bring_in = state.entry_of
    values, timestamps, keys = batch.lists()
    assert keys is not None, "of a keyed stream"
    remaining = iter(values)
    try:
        # An element is taken before its key is looked at: how many are left says where it was that failed.
        for value, timestamp, key, entry in zip(remaining, timestamps, keys, state.entries_of(keys), strict=True):
            # What set_current_key does, without a call.
            state.current_key = key
            state.entry = bring_in(key) if entry is None else entry
            shown.current_timestamp = timestamp
            results = call(value, shown)
            if results is not None:
                emit_results(context, results, timestamp)
    except BaseException as error:
        raise user_function_error(context.name, values[-1 - length_hint(remaining)], error) from error
