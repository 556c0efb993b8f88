"""A field of an element, by position or name: how it is read, and how a copy with another value is made."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from windrow.common.types import Row
from windrow.errors import ElementError, shorten


class Field:
    """One field of tuples, named tuples, lists, rows, dicts or objects with attributes; elements are never changed.

    Position 0 of a value that has no fields is the value itself, as in Flink.

    Args:
        position: The field's index or name.

    Example:
        >>> Field(1).replaced(("a", 1), 5), Field("n").get({"n": 3}), Field(0).get(7)
        (('a', 5), 3, 7)
    """

    def __init__(self, position: int | str) -> None:
        self.position = position

    def get(self, element: Any) -> Any:
        """The field's value.

        Raises:
            ElementError: the element has no such field.
        """
        position = self.position
        try:
            if isinstance(position, int):
                if isinstance(element, Sequence | Row) and not isinstance(element, str | bytes):
                    return element[position]
                if position == 0:
                    return element
            elif isinstance(element, Mapping | Row):
                return element[position]
            elif hasattr(element, position):
                return getattr(element, position)
        except LookupError as error:
            raise self._missing(element) from error
        raise self._missing(element)

    def replaced(self, element: Any, value: Any) -> Any:
        """A copy of the element in which the field has another value."""
        position = self.position
        if isinstance(element, tuple):
            index = position if isinstance(position, int) else element._fields.index(position)  # type: ignore[attr-defined]
            fields = [*element]
            fields[index] = value
            return type(element)._make(fields) if hasattr(element, "_make") else tuple(fields)
        if isinstance(element, Row):
            row = Row.of_kind(element.get_row_kind(), *element)
            if element._fields is not None:
                row.set_field_names(element._fields)
            row[position] = value
            return row
        if isinstance(element, list | dict):
            changed: Any = copy.copy(element)
            changed[position] = value
            return changed
        if isinstance(position, str):
            changed = copy.copy(element)
            setattr(changed, position, value)
            return changed
        return value

    def _missing(self, element: Any) -> ElementError:
        return ElementError(f"an element has no field {self.position!r}: {shorten(element)} ({type(element).__name__})")
