"""Elements as lines of text: a column for each of their fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

from windrow.common.types import Row
from windrow.errors import shorten

_WIDEST = 40


def text_table(elements: Sequence[Any]) -> list[str]:
    r"""A line of names, and one for each element; without elements nothing.

    Columns are the fields of tuples, Rows, dataclasses and dicts, if all elements have the same; else there is one.

    Example:
        >>> print(*text_table([("a", 10), ("bcd", 2)]), sep="\n")
        f0   f1
        a    10
        bcd   2
    """
    if not elements:
        return []
    names = _names(elements[0])
    if names is None or any(_names(element) != names for element in elements):
        names, rows = ["element"], [[element] for element in elements]
    else:
        rows = [_values(element) for element in elements]
    columns = [_column(name, [row[index] for row in rows]) for index, name in enumerate(names)]
    return ["  ".join(line).rstrip() for line in zip(*columns, strict=True)]


def _column(name: str, values: list[Any]) -> list[str]:
    cells = [name, *(value if isinstance(value, str) else shorten(value, _WIDEST) for value in values)]
    cells = [cell if len(cell) <= _WIDEST else cell[: _WIDEST - 3] + "..." for cell in cells]
    cells = [cell.encode("unicode_escape").decode() if not cell.isprintable() else cell for cell in cells]
    width = max(map(len, cells))
    are_numbers = all(isinstance(value, Number) for value in values)
    return [cell.rjust(width) if are_numbers else cell.ljust(width) for cell in cells]


def _names(element: Any) -> list[str] | None:
    """The names of an element's fields; None: it is one value."""
    if isinstance(element, Row):
        names = getattr(element, "_fields", None)
        return [f"f{index}" for index in range(len(element))] if not names else [str(name) for name in names]
    if isinstance(element, tuple) and element:
        return list(getattr(element, "_fields", None) or (f"f{index}" for index in range(len(element))))
    if isinstance(element, Mapping) and element:
        return [str(name) for name in element]
    if dataclasses.is_dataclass(element) and not isinstance(element, type):
        return [field.name for field in dataclasses.fields(element)]
    return None


def _values(element: Any) -> list[Any]:
    if isinstance(element, Mapping):
        return list(element.values())
    if dataclasses.is_dataclass(element):
        return [getattr(element, field.name) for field in dataclasses.fields(element)]
    return list(element)
