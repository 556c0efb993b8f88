"""Results as a table of text, as Flink's client shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from unicodedata import east_asian_width

from windrow.expressions.logical_types import is_binary
from windrow.expressions.text import to_text
from windrow.table import data_types as t
from windrow.table.data_types import DataType

NULL = "<NULL>"
_WIDTHS: dict[type[DataType], int] = {
    t.TinyIntType: 4,
    t.SmallIntType: 6,
    t.IntType: 11,
    t.BigIntType: 20,
    t.BooleanType: 5,
    t.DateType: 10,
}


def column_width(name: str, kind: DataType, widest: int) -> int:
    """The width of a column by its type: what is longer is cut off."""
    match kind:
        case t.DecimalType():
            width = kind.precision + 2
        case t.TimeType():
            width = 8 if kind.precision == 0 else kind.precision + 9
        case t.TimestampType() | t.LocalZonedTimestampType():
            width = 19 if kind.precision == 0 else 20 + kind.precision
        case _:
            width = _WIDTHS.get(type(kind), widest)
    return max(len(name), width, len(NULL))


def tableau(
    rows: Iterable[tuple[str, Sequence[Any]]],
    names: Sequence[str],
    types: Sequence[DataType],
    *,
    widest: int = 30,
    time_zone: str = "UTC",
    with_kind: bool = True,
) -> Iterator[str]:
    """The lines of a table: each as soon as its row is there.

    Args:
        rows: The kind of each row (``+I``), and its values.
        names: What columns are called.
        types: Their types.
        widest: How wide a column of text may be.
        time_zone: That points in time are shown in.
        with_kind: Whether there is a column for the kinds.

    Example:
        >>> for line in tableau([("+I", (1, None))], ["a", "b"], [t.IntType(), t.BooleanType()]):
        ...     print(line)
        +----+-------------+--------+
        | op |           a |      b |
        +----+-------------+--------+
        | +I |           1 | <NULL> |
        +----+-------------+--------+
        1 row in set
    """
    widths = [column_width(name, kind, widest) for name, kind in zip(names, types, strict=True)]
    write = cells(types, time_zone)
    heads = list(names)
    if with_kind:
        widths, heads = [2, *widths], ["op", *heads]
    yield from _lines(
        ((kind, *write(values)) if with_kind else write(values) for kind, values in rows),
        heads,
        widths,
    )


def cells(types: Sequence[DataType], time_zone: str = "UTC") -> Callable[[Sequence[Any]], list[str]]:
    """Give the function that makes text of the values of a row.

    Example:
        >>> cells([t.IntType(), t.BooleanType()])((1, None))
        ['1', '<NULL>']
    """
    writes = [_hexadecimal if is_binary(kind) else to_text(kind, time_zone) for kind in types]
    return lambda values: [NULL if v is None else write(v) for v, write in zip(values, writes, strict=True)]


def fitted(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Iterator[str]:
    """The lines of a table of text whose columns are as wide as what is in them."""
    widths = [max([len(name), *[len(row[place]) for row in rows]]) for place, name in enumerate(names)]
    yield from _lines(rows, names, widths)


def _hexadecimal(value: bytes) -> str:
    return f"x'{value.hex()}'"


def _lines(rows: Iterable[Sequence[str]], heads: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    border = f"+{'+'.join('-' * (width + 2) for width in widths)}+"
    count = 0
    for row in rows:
        if not count:
            yield from (border, _line(heads, widths), border)
        yield _line(row, widths)
        count += 1
    if count:
        yield border
        yield f"{count} row{'' if count == 1 else 's'} in set"
    else:
        yield "Empty set"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return f"|{'|'.join(f' {_cell(cell, width)} ' for cell, width in zip(cells, widths, strict=True))}|"


def _cell(text: str, width: int) -> str:
    shown = _width(text)
    if shown <= width:
        return " " * (width - shown) + text
    kept = ""
    for character in text:
        if _width(kept + character) > width - 3:
            break
        kept += character
    return " " * (width - 3 - _width(kept)) + kept + "..."


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
