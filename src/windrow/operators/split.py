"""Splits a stream by the names that a function gives its elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.elements.batch import Batch
from windrow.errors import UsageError, shorten, user_function_error
from windrow.operators.user_function import UserFunctionOperator

#: From the id of a side output to the names whose elements go there.
Selections = dict[str, frozenset[str]]


class SplitOperator(UserFunctionOperator):
    """Emits every element, and again to each side output that takes one of its names.

    Args:
        selector: An ``OutputSelector`` or a function that gives an element's names.
        selections: The side outputs.
    """

    def __init__(self, selector: Any, selections: Selections) -> None:
        super().__init__(selector, "select")
        self._selections = selections

    def process_batch(self, batch: Batch) -> None:
        output = self.context.output
        selections = list(self._selections.items())
        for value, timestamp in zip(batch.elements, batch.timestamp_list(), strict=True):
            names = self._names(value)
            for tag_id, selected in selections:
                if not selected.isdisjoint(names):
                    output.emit_side(tag_id, value, timestamp)
        output.emit_batch(batch)

    def _names(self, value: Any) -> list[str]:
        try:
            given = self._call(value)
            names = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else given
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
        if names is None:
            return []
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            msg = (
                f"operator {self.context.name!r}: a split gives an element a list of names, which are texts; got "
                f"{shorten(names)} ({type(names).__name__}) for element {shorten(value)}"
            )
            raise UsageError(msg)
        return names
