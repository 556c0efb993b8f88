"""The record of a key group: what is known of each of its pages, as columns.

A state of ten million keys has some hundred thousand pages, of which a batch needs few: so their descriptions are read
as arrays, and no object is made of one that nobody asks for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.elements.stored import dumps, loads

#: The version of a record that has columns, and of those before, which had a tuple for each page.
VERSION = 2
_OF_TUPLES = 1

#: A page as its group's record describes it: its code, its earliest timers, its keys, when all has expired.
Described = tuple[int, int | None, int | None, int, int | None]

_Numbers = NDArray[np.unsignedinteger[Any]]
_Times = Sequence[int | None] | None
_UNSIGNED = [np.dtype(kind) for kind in ("<u1", "<u2", "<u4")]


class GroupRecord:
    """Descriptions of pages, in the order of their codes.

    Args:
        codes: The code of each page, in ascending order.
        keys: How many keys each has.
        times: Columns of the earliest timers in event time and in processing time, and of when all has expired. None:
            no page has any.
    """

    __slots__ = ("_code_of", "_codes", "_keys", "_times")

    def __init__(self, codes: _Numbers, keys: _Numbers, times: Sequence[_Times]) -> None:
        self._codes, self._keys, self._times = codes.astype(np.uint32), keys.astype(np.uint32), times
        #: The codes, each of which is taken out as Python's integer.
        self._code_of = self._codes.data

    @classmethod
    def of(cls, described: Iterable[Described]) -> GroupRecord:
        """Make a record of descriptions in any order.

        Example:
            >>> record = GroupRecord.of([(3, None, 7, 5, None), (2, None, None, 4, None)])
            >>> record.find(3), record.find(4), [record[at] for at in range(len(record))]
            (1, -1, [(2, None, None, 4, None), (3, None, 7, 5, None)])
            >>> read_record(record.data()).keys
            9
        """
        rows = sorted(described, key=lambda page: page[0])
        codes, event_times, processing_times, keys, ends = zip(*rows, strict=True) if rows else ((),) * 5
        times = [_unless_none(column) for column in (event_times, processing_times, ends)]
        return cls(np.array(codes, np.uint32), np.array(keys, np.uint32), times)

    def __len__(self) -> int:
        return len(self._code_of)

    def __getitem__(self, at: int) -> Described:
        event_time, processing_time, end = [None if column is None else column[at] for column in self._times]
        return self._code_of[at], event_time, processing_time, int(self._keys[at]), end

    def find(self, code: int) -> int:
        """Give the place of the page with this code; -1: there is none."""
        at = bisect_left(self._code_of, code)
        return at if at < len(self._code_of) and self._code_of[at] == code else -1

    @property
    def keys(self) -> int:
        """The number of keys in all pages together."""
        return int(self._keys.sum())

    @property
    def shallowest(self) -> int:
        """The least depth of a page."""
        return self._code_of[0].bit_length() - 1 if len(self) else 0

    def earliest(self, column: int) -> int | None:
        """Give the least time of a column; None if there is none."""
        times = self._times[column]
        return None if times is None else min([time for time in times if time is not None], default=None)

    def changed(self, gone: Iterable[int], others: Collection[Described]) -> GroupRecord:
        """Give what is described when pages with the codes ``gone`` are not, and others are."""
        new = GroupRecord.of(others)
        stay = np.ones(len(self), bool)
        stay[[at for at in [self.find(each) for each in gone] if at >= 0]] = False
        if not stay.any():
            return new
        codes = np.concatenate((self._codes[stay], new._codes))
        order = np.argsort(codes, kind="stable")
        keys = np.concatenate((self._keys[stay], new._keys))
        times: list[_Times] = []
        for mine, theirs in zip(self._times, new._times, strict=True):
            if mine is None and theirs is None:
                times.append(None)
                continue
            left = [None] * int(stay.sum()) if mine is None else [mine[at] for at in np.flatnonzero(stay).tolist()]
            both = [*left, *(theirs or [None] * len(new))]
            times.append(_unless_none([both[at] for at in order.tolist()]))
        return GroupRecord(codes[order], keys[order], times)

    def data(self) -> bytes:
        """Write the record."""
        codes = np.diff(self._codes, prepend=self._codes.dtype.type(0))
        return dumps((VERSION, _narrow(codes), _narrow(self._keys), *self._times))


def read_record(data: bytes) -> GroupRecord:
    """Read what was written, by a version of before as well.

    Raises:
        ValueError: it is of a version that is not known.
    """
    version, *columns = loads(data)
    if version == _OF_TUPLES:
        return GroupRecord.of(columns[0])
    if version != VERSION:
        msg = f"the record of a key group has version {version}, and this program reads {VERSION}"
        raise ValueError(msg)
    codes, keys, *times = columns
    return GroupRecord(np.cumsum(_wide(codes), dtype=np.uint32), _wide(keys), times)


def _unless_none(column: Sequence[int | None]) -> _Times:
    return None if column.count(None) == len(column) else list(column)


def _narrow(numbers: _Numbers) -> tuple[str, bytes]:
    most = int(numbers.max(initial=0))
    kind = next(kind for kind in _UNSIGNED if most <= np.iinfo(kind).max)
    return kind.str, numbers.astype(kind).tobytes()


def _wide(stored: tuple[str, bytes]) -> _Numbers:
    return np.frombuffer(stored[1], stored[0])
