"""Rows that a program gives, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.types import Row
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

if TYPE_CHECKING:
    import pyarrow as pa


def columns_of(rows: Sequence[Any], names: Sequence[str] | None) -> pa.Table:
    """A column for each field that a row has: in the order of the first row, and behind it what others have more.

    A field that a row lacks is NULL there.

    Args:
        rows: Tuples, lists, Rows, dicts, or objects with fields; the fields of the last two are sorted by name.
        names: The fields of tuples, lists and Rows; None: their own, and where they have none ``_1``, ``_2``, ...

    Raises:
        ConfigurationError: there are no rows, so that nothing says what type columns have, or names do not fit.
        ConfigurationTypeError: an element is no row.

    Example:
        >>> columns_of([{"b": 1, "a": "x"}, {"c": True}], None).to_pylist()
        [{'a': 'x', 'b': 1, 'c': None}, {'a': None, 'b': None, 'c': True}]
    """
    import pyarrow as pa

    if not rows:
        msg = (
            "from_elements got no elements, which say what types the columns have: give the schema "
            "DataTypes.ROW([DataTypes.FIELD('a', DataTypes.BIGINT()), ...])"
        )
        raise ConfigurationError(msg)
    given = [_fields(row, place, names) for place, row in enumerate(rows)]
    found = list(dict.fromkeys(name for row in given for name in row))
    return pa.table({name: [row.get(name) for row in given] for name in found})


def _fields(row: Any, place: int, names: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(row, Row):
        return _named(list(row), row._fields, place, names)
    if isinstance(row, tuple | list):
        return _named(row, getattr(row, "_fields", None), place, names)
    if isinstance(row, dict):
        fields = row
    elif hasattr(row, "__dict__"):
        fields = vars(row)
    else:
        msg = f"from_elements takes tuples, Rows or dicts; element {place} is {shorten(row)} ({type(row).__name__})"
        raise ConfigurationTypeError(msg)
    if names is not None and not fields.keys() <= set(names):
        other = ", ".join(sorted(str(name) for name in fields.keys() - set(names)))
        msg = (
            f"from_elements: element {place} has fields that schema does not name: {other}; a dict names its columns "
            "itself: leave schema out, or select(col(...).alias(...)) behind it"
        )
        raise ConfigurationError(msg)
    return dict(sorted(fields.items()))


def _named(values: Sequence[Any], own: Sequence[str] | None, place: int, names: Sequence[str] | None) -> dict[str, Any]:
    known = list(names if names is not None else own or ())
    if len(known) > len(values):
        msg = (
            f"from_elements: schema has {len(known)} names, and element {place} {len(values)} values: {shorten(values)}"
        )
        raise ConfigurationError(msg)
    known += [f"_{number + 1}" for number in range(len(known), len(values))]
    return dict(zip(known, values, strict=True))
