"""Gives keys their key groups, and key groups their subtasks (Flink's ``KeyGroupRangeAssignment``).

A key's group is the same in every process, today and after a restart: it follows from ``state/stable_hash.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.state.hashing import Codes, Column, columns_of, hashes, murmurs
from windrow.state.stable_hash import stable_hash

#: A cache keeps at least so many keys: those that were asked for last.
_CACHED_KEYS = 1 << 17
#: One key in so many that is not known is hashed by itself.
_SELDOM = 16
#: A table of numbers from 0 on has no more than so many.
_TABLE_KEYS = 1 << 18
_SIMPLE = frozenset((str, int, float))


def key_group(key: Any, max_parallelism: int) -> int:
    """Give the key group of a key, from 0 to ``max_parallelism`` - 1.

    For numbers of up to 64 bits, strings and tuples of them it is the one Flink computes in Java.

    Raises:
        TypeError: the key is not hashable, or compares by identity and so is another key in every process.

    Example:
        >>> key_group("hello", 128), key_group(("a", 1), 128), key_group(True, 128) == key_group(1.0, 128)
        (35, 29, True)
    """
    return group_of_hash(stable_hash(key), max_parallelism)


def group_of_hash(code: int, max_parallelism: int) -> int:
    """Give the key group of a key with this stable hash."""
    return _murmur(code) % max_parallelism


def key_groups_of(keys: Sequence[Any], max_parallelism: int) -> NDArray[np.int32]:
    """Give the key group of each key, as :func:`key_group` does.

    Example:
        >>> key_groups_of(["hello", ("a", 1)], 128)
        array([35, 29], dtype=int32)
    """
    columns = columns_of(keys) if _are_simple(keys) else None
    groups = None if columns is None else subtasks_of(columns, max_parallelism, max_parallelism)
    if groups is not None:
        return groups
    return np.fromiter([key_group(key, max_parallelism) for key in keys], np.int32, len(keys))


def hashes_and_groups(keys: Sequence[Any], max_parallelism: int) -> tuple[Codes, NDArray[np.uint32]] | None:
    """Give the stable hash and the key group of each key; None where they are hashed one by one.

    Example:
        >>> hashes_and_groups(["hello", "a"], 128)
        (array([99162322,       97], dtype=int32), array([35, 81], dtype=uint32))
        >>> hashes_and_groups(["hello", 1], 128)
    """
    columns = columns_of(keys) if _are_simple(keys) else None
    codes = None if columns is None else hashes(columns)
    return None if codes is None else (codes, murmurs(codes) % np.uint32(max_parallelism))


def operator_index(key_group: int, parallelism: int, max_parallelism: int) -> int:
    """Give the subtask that a key group belongs to.

    Example:
        >>> [operator_index(group, 2, 4) for group in range(4)]
        [0, 0, 1, 1]
    """
    return key_group * parallelism // max_parallelism


def subtasks_of(
    keys: Column | pa.ChunkedArray | Sequence[Column], parallelism: int, max_parallelism: int
) -> NDArray[np.int32] | None:
    """Give the subtask of each key of a column; None where keys of its type are hashed one by one.

    Args:
        keys: An Arrow or NumPy array of keys; a list or tuple of them: the fields of keys that are tuples.
        parallelism: The number of subtasks.
        max_parallelism: The number of key groups.

    Example:
        >>> subtasks_of(pa.array(["hello", "a"]), 2, 128), subtasks_of([pa.array(["a"]), np.array([1])], 128, 128)
        (array([0, 1], dtype=int32), array([29], dtype=int32))
    """
    codes = hashes(keys)
    if codes is None:
        return None
    groups = murmurs(codes) % np.uint32(max_parallelism)
    of_group = np.arange(max_parallelism, dtype=np.int64) * parallelism // max_parallelism
    subtasks: NDArray[np.int32] = of_group.astype(np.int32)[groups]
    return subtasks


class SubtaskCache(dict[Any, int]):
    """``cache[key]`` is the subtask of ``parallelism`` that the key's group belongs to, remembered.

    Two generations: when the young one is full it becomes the old one, from which a key that is asked for again comes
    back without being hashed. Where many keys are new, :meth:`learn` hashes them together.

    Example:
        >>> subtasks = SubtaskCache(2, 128)
        >>> [subtasks[key] for key in ("hello", "a")]
        [0, 1]
    """

    def __init__(self, parallelism: int, max_parallelism: int, max_keys: int = _CACHED_KEYS) -> None:
        super().__init__()
        self._parallelism = parallelism
        self._max_parallelism = max_parallelism
        self._max_keys = max_keys
        self._old: dict[Any, int] = {}
        self._missed = max_keys
        self._table = np.zeros(0, np.int32)

    def learn(self, keys: Collection[Any]) -> None:
        """Hash ``keys``, which are asked for next, as a column, if many of those before were not known.

        One by one a string costs some 2 us and more, as a column a tenth of it; a known key 0.1 us.
        """
        seldom = self._missed * _SELDOM < len(keys)
        self._missed = 0
        if seldom or not _are_simple(keys):
            return
        unknown = set(keys) - self.keys()
        columns = columns_of(unknown)
        subtasks = None if columns is None else subtasks_of(columns, self._parallelism, self._max_parallelism)
        if subtasks is not None:
            self._missed = len(unknown)
            self._make_room(len(unknown))
            self.update(zip(unknown, subtasks.tolist(), strict=True))

    def of_columns(self, keys: Columns) -> NDArray[np.int32] | None:
        """Give the subtask of each key; None where keys have to be rows: they are hashed one by one, or wrapped."""
        if not isinstance(keys.shape, ScalarShape | TupleShape):
            return None
        fields = keys.fields
        kinds = keys.shape.types
        if any(pa.types.is_floating(kind) and _is_wrapped(field) for kind, field in zip(kinds, fields, strict=True)):
            return None
        if not isinstance(keys.shape, ScalarShape):
            return subtasks_of(fields, self._parallelism, self._max_parallelism)
        numbers = keys.numbers(0)
        known = None if numbers is None or numbers.dtype != np.int64 or not numbers.size else self._of_small(numbers)
        return subtasks_of(fields[0], self._parallelism, self._max_parallelism) if known is None else known

    def _of_small(self, keys: NDArray[np.int64]) -> NDArray[np.int32] | None:
        """Look the subtask of each key up in a table; None where keys are too many or too large for one."""
        if int(keys.min()) < 0:
            return None
        greatest = int(keys.max())
        if greatest >= self._table.size:
            # A table is made where it costs no more than hashing these keys does.
            if greatest >= min(_TABLE_KEYS, 2 * keys.size):
                return None
            numbers = np.arange(1 << greatest.bit_length())
            self._table = cast("NDArray[np.int32]", subtasks_of(numbers, self._parallelism, self._max_parallelism))
        found: NDArray[np.int32] = self._table.take(keys)
        return found

    def __missing__(self, key: Any) -> int:
        subtask = self._old.get(key)
        if subtask is None:
            subtask = operator_index(key_group(key, self._max_parallelism), self._parallelism, self._max_parallelism)
        self._missed += 1
        self._make_room(1)
        self[key] = subtask
        return subtask

    def _make_room(self, count: int) -> None:
        if len(self) + count > self._max_keys:
            self._old = dict(self)
            self.clear()


def _is_wrapped(numbers: Column) -> bool:
    """Tell whether there are NaNs or negative zeros, which compare otherwise than in Python (``state/keys.py``)."""
    values = np.asarray(numbers)
    return bool(np.isnan(values).any() or ((values == 0) & np.signbit(values)).any())


def _are_simple(keys: Collection[Any]) -> bool:
    """Tell whether all are of one type that is hashed as a column, or tuples of it: no method of a user's is called."""
    kinds = set(map(type, keys))
    if kinds == {tuple}:
        return _SIMPLE.issuperset(map(type, chain.from_iterable(keys)))
    return len(kinds) == 1 and kinds <= _SIMPLE


def _murmur(code: int) -> int:
    """Flink's ``MathUtils.murmurHash``."""
    code = (code * 0xCC9E2D51) & 0xFFFFFFFF
    code = (code << 15 | code >> 17) & 0xFFFFFFFF
    code = (code * 0x1B873593) & 0xFFFFFFFF
    code = (code << 13 | code >> 19) & 0xFFFFFFFF
    code = (code * 5 + 0xE6546B64) & 0xFFFFFFFF
    code ^= 4
    code ^= code >> 16
    code = (code * 0x85EBCA6B) & 0xFFFFFFFF
    code ^= code >> 13
    code = (code * 0xC2B2AE35) & 0xFFFFFFFF
    code ^= code >> 16
    return code if code < 0x80000000 else -code & 0x7FFFFFFF
