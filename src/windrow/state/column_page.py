"""A page of columns: the keys of some key groups, and for each key a value in every column.

Numbers and truth values are arrays, integers in as many bytes as the page's range takes; what is neither is a list that
is pickled. Keys stand by their key groups, and the page says how many each group has: so it can be cut between groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windrow.elements.inert import loads_inert
from windrow.elements.stored import dumps, loads

Array: TypeAlias = NDArray[Any]

#: The version of what a page of columns holds.
VERSION = 1
#: So many keys a page has at most.
PAGE_KEYS = 1 << 14
_VERSION = bytes([VERSION])
_UNSIGNED = [np.dtype(kind) for kind in ("<u1", "<u2", "<u4")]


class Part(NamedTuple):
    """Some rows of a table, for a page of their own."""

    first_group: int
    data: bytes


class Table(NamedTuple):
    """Keys, and columns as long as they are; what is no number is an array of objects."""

    keys: Array
    columns: Sequence[Array]


def parts_of(table: Table, groups: NDArray[np.integer[Any]], page_keys: int) -> Iterable[Part]:
    """Cut a table into pages.

    Args:
        table: The rows, by their key groups.
        groups: The key group of each row, in ascending order.
        page_keys: How many keys a page has at most; a page ends between two key groups where it can.

    Example:
        >>> table = Table(np.array([7, 5, 3]), [np.array([0.5, 1.5, 2.5])])
        >>> [part.first_group for part in parts_of(table, np.array([1, 1, 2]), 2)]
        [1, 2]
    """
    for begin, end in pairwise(page_bounds(groups, page_keys)):
        rows = slice(begin, end)
        numbers, counts = np.unique(groups[rows], return_counts=True)
        columns = [_stored(column[rows]) for column in (table.keys, *table.columns)]
        data = _VERSION + dumps((numbers.tolist(), counts.tolist(), columns))
        yield Part(int(groups[begin]), data)


def page_bounds(groups: NDArray[np.integer[Any]], page_keys: int) -> list[int]:
    """Give the row at which each page of :func:`parts_of` begins, and the row behind the last page.

    Example:
        >>> page_bounds(np.array([1, 1, 2]), 2)
        [0, 2, 3]
    """
    bounds, count = [0], len(groups)
    while bounds[-1] < count:
        begin = bounds[-1]
        end = min(begin + page_keys, count)
        if end < count and groups[end - 1] == groups[end] and groups[begin] != groups[end]:
            end = int(np.searchsorted(groups, groups[end]))
        bounds.append(end)
    return bounds


def read_table(data: bytes) -> Table:
    """Read a page that :func:`parts_of` has made.

    Raises:
        ValueError: it is of another version.

    Example:
        >>> keys, objects = np.array([7, -5]), np.array(["a", None], object)
        >>> [part] = parts_of(Table(keys, [objects]), np.array([1, 2]), 2)
        >>> read_table(part.data)
        Table(keys=array([ 7, -5]), columns=[array(['a', None], dtype=object)])
    """
    _check_version(data)
    _groups, _counts, columns = loads(memoryview(data)[1:])
    keys, *others = [_read(column) for column in columns]
    return Table(keys, others)


def count_rows(data: bytes) -> int:
    """Count the rows of a page, of which no class of a user's is made.

    Raises:
        ValueError: it is of another version.
    """
    _check_version(data)
    _groups, counts, _columns = loads_inert(memoryview(data)[1:])
    return sum(counts)


def _check_version(data: bytes) -> None:
    if data[0] != VERSION:
        msg = f"a page of columns has version {data[0]}, and this program reads {VERSION}"
        raise ValueError(msg)


def _stored(column: Array) -> tuple[Any, ...]:
    """The type, what was taken from each number, and the bytes; or a list of objects."""
    if column.dtype.hasobject:
        return None, None, column.tolist()
    if column.dtype == np.int64 and column.size:
        least = int(column.min())
        span = int(column.max()) - least
        for narrow in _UNSIGNED:
            if span <= np.iinfo(narrow).max:
                return narrow.str, least, (column - least).astype(narrow).tobytes()
    column = column.astype(column.dtype.newbyteorder("<"), copy=False)
    return column.dtype.str, None, column.tobytes()


def _read(stored: tuple[Any, ...]) -> Array:
    kind, least, values = stored
    if kind is None:
        return np.fromiter(values, object, len(values))
    array: Array = np.frombuffer(values, kind)
    return array if least is None else array.astype(np.int64) + least
