"""Stable hashes of whole columns: for each value what ``state/stable_hash.py`` gives for it, computed on arrays."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.state.stable_hash import NAN_HASH

#: Keys, or one field of keys that are tuples.
Column: TypeAlias = "pa.Array | NDArray[Any]"
Codes = NDArray[np.int32]

_MODULUS = np.uint64((1 << 61) - 1)  # of Python's hash of numbers
_INFINITY_HASH = 314159
#: Code units are summed so many at a time, or the tables of powers would grow with the column.
_UNITS = 1 << 16


def hashes(keys: Column | pa.ChunkedArray | Sequence[Column]) -> Codes | None:
    """Give the stable hash of each key; None if keys of this type are hashed one by one.

    Whole numbers, floats, booleans and strings are hashed as arrays, dictionaries of them by their distinct values, a
    null as None.

    Args:
        keys: An Arrow or NumPy array; a list or tuple of them: the fields of keys that are tuples.

    Example:
        >>> hashes(pa.array(["hello", None])), hashes([np.array([1, 2]), np.array([1.5, 2.0])])
        (array([99162322,        0], dtype=int32), array([268435488,        64], dtype=int32))
        >>> hashes(pa.array([b"bytes"]))
    """
    if isinstance(keys, list | tuple):
        return _of_tuples(keys)
    if isinstance(keys, np.ndarray):
        return _of_numbers(keys)
    return _of_arrow(keys.combine_chunks() if isinstance(keys, pa.ChunkedArray) else keys)


def columns_of(keys: Collection[Any]) -> Column | list[Column] | None:
    """Give keys as :func:`hashes` takes them; None where they are not all of one type that it knows.

    Example:
        >>> columns_of([1, 2]), columns_of([1, "a"])
        (array([1, 2]), None)
    """
    kinds = set(map(type, keys))
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    try:
        if kind is str:
            return pa.array(keys, pa.string(), size=len(keys))
        if kind is int or kind is float:
            return np.fromiter(keys, np.int64 if kind is int else np.float64, len(keys))
    except (UnicodeEncodeError, OverflowError):  # half of a character, more than 64 bits
        return None
    if kind is tuple and len(set(map(len, keys))) == 1:
        fields = [columns_of(field) for field in zip(*keys, strict=True)]
        known = [field for field in fields if field is not None and not isinstance(field, list)]
        return known if known and len(known) == len(fields) else None
    return None


def murmurs(codes: Codes) -> NDArray[np.uint32]:
    """Give Flink's ``MathUtils.murmurHash`` of each: from 0 to 2^31 - 1."""
    code = codes.view(np.uint32) * np.uint32(0xCC9E2D51)
    code = code << np.uint32(15) | code >> np.uint32(17)
    code *= np.uint32(0x1B873593)
    code = code << np.uint32(13) | code >> np.uint32(19)
    code = code * np.uint32(5) + np.uint32(0xE6546B64)
    code ^= np.uint32(4)
    code ^= code >> np.uint32(16)
    code *= np.uint32(0x85EBCA6B)
    code ^= code >> np.uint32(13)
    code *= np.uint32(0xC2B2AE35)
    code ^= code >> np.uint32(16)
    # Its absolute value; of the smallest number, which has none, 0.
    return np.where(code < np.uint32(0x80000000), code, -code & np.uint32(0x7FFFFFFF))


def _of_tuples(fields: Sequence[Column]) -> Codes | None:
    codes = [hashes(field) for field in fields]
    known = [code for code in codes if code is not None]
    if not known or len(known) < len(codes):
        return None
    combined = reduce(lambda result, code: result * np.uint32(31) + code, [code.view(np.uint32) for code in known])
    return combined.view(np.int32)


def _of_arrow(keys: pa.Array) -> Codes | None:
    if pa.types.is_dictionary(keys.type):
        distinct = _of_arrow(keys.dictionary)
        return None if distinct is None else _with_nulls(keys, lambda: distinct[_numbers(keys.indices)])
    if pa.types.is_string(keys.type) or pa.types.is_large_string(keys.type):
        return _with_nulls(keys, lambda: _of_strings(keys))
    if pa.types.is_integer(keys.type) or pa.types.is_floating(keys.type) or pa.types.is_boolean(keys.type):
        return _with_nulls(keys, lambda: _of_numbers(_numbers(keys)))
    return None


def _numbers(keys: pa.Array) -> NDArray[Any]:
    """An array without nulls: what stands in their place counts for nothing."""
    filled = keys.fill_null(False if pa.types.is_boolean(keys.type) else 0) if keys.null_count else keys
    return np.asarray(filled)


def _with_nulls(keys: pa.Array, codes_of: Any) -> Codes | None:
    if keys.null_count == len(keys):
        return np.zeros(len(keys), np.int32)
    codes: Codes | None = codes_of()
    if codes is None or not keys.null_count:
        return codes
    return np.where(np.asarray(keys.is_valid()), codes, np.int32(0))


def _of_numbers(keys: NDArray[Any]) -> Codes | None:
    kind = keys.dtype.kind
    if kind in "bi":
        return _of_longs(keys.astype(np.int64, copy=False))
    if kind == "u":
        large = keys > np.uint64(0x7FFFFFFFFFFFFFFF)
        numbers = np.where(large, keys.astype(np.uint64) % _MODULUS, keys)
        codes = _of_longs(numbers.astype(np.int64))
        return np.where(large, _folded(numbers.astype(np.int64)), codes) if large.any() else codes
    if kind == "f" and keys.dtype.itemsize <= 8:
        return _of_doubles(keys.astype(np.float64, copy=False))
    return None


def _of_longs(keys: NDArray[np.int64]) -> Codes:
    small = keys.astype(np.int32)
    return small if (small == keys).all() else np.where(small == keys, small, _folded(keys))


def _folded(keys: NDArray[np.int64]) -> Codes:
    """``Long.hashCode``."""
    bits = keys.view(np.uint64)
    return (bits ^ bits >> np.uint64(32)).astype(np.uint32).view(np.int32)


def _of_doubles(keys: NDArray[np.float64]) -> Codes:
    whole = (keys >= -(2.0**63)) & (keys < 2.0**63) & (np.trunc(keys) == keys)
    codes = _of_longs(np.where(whole, keys, 0.0).astype(np.int64))
    if not whole.all():
        codes = np.where(whole, codes, _folded(_python_hashes(keys)))
        codes[np.isnan(keys)] = NAN_HASH
    return codes


def _python_hashes(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Python's ``hash``: the number modulo 2^61 - 1, in which a power of two is a rotation by its exponent."""
    finite = np.isfinite(keys)
    fractions, exponents = np.frexp(np.abs(np.where(finite, keys, 0.0)))
    mantissas = np.ldexp(fractions, 53).astype(np.uint64)
    turns = ((exponents.astype(np.int64) - 53) % 61).astype(np.uint64)
    rotated = (mantissas << turns & _MODULUS) | mantissas >> (np.uint64(61) - turns)
    result = np.where(finite, rotated.astype(np.int64) % np.int64(_MODULUS), np.int64(_INFINITY_HASH))
    result = np.where(keys < 0, -result, result)
    result[result == -1] = -2  # which CPython keeps for errors
    return result


def _of_strings(keys: pa.Array) -> Codes:
    """``String.hashCode``: the sum of each UTF-16 unit times 31 to the power of how many stand behind it."""
    width = np.int64 if pa.types.is_large_string(keys.type) else np.int32
    _, offsets_buffer, data = keys.buffers()
    offsets = np.frombuffer(offsets_buffer, width, len(keys) + 1, keys.offset * np.dtype(width).itemsize)
    first, last = int(offsets[0]), int(offsets[-1])
    if first == last:
        return np.zeros(len(keys), np.int32)
    ends = offsets.astype(np.int64) - first
    units: NDArray[Any] = np.frombuffer(data, np.uint8, last - first, first)
    if int(units.max()) >= 0x80:
        # A unit for each byte that begins a character, two for those that begin one of four bytes.
        counts = ((units & 0xC0) != 0x80).astype(np.int64) + (units >= 0xF0)
        ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))[ends]
        text = units.tobytes().decode()
        units = np.frombuffer(text.encode(f"utf-16-{sys.byteorder[0]}e"), np.uint16)
    return _polynomials(units, ends)


def _polynomials(units: NDArray[Any], ends: NDArray[np.int64]) -> Codes:
    """The hash of the units between each two of ``ends``.

    31 has an inverse modulo 2^32, so one running sum of ``units[i] / 31^i`` serves all strings: a string's hash is the
    difference of two of its sums, times 31 to the power of its last unit's place.
    """
    size = len(units)
    sums = np.zeros(size + 1, np.uint32)
    scaled = units.astype(np.uint32)
    for start in range(0, size, _UNITS):
        part = scaled[start : start + _UNITS]
        part *= _INVERSES[: len(part)]
        part *= np.uint32(pow(31, -start, 1 << 32))
    np.cumsum(scaled, dtype=np.uint32, out=sums[1:])
    lasts = np.maximum(ends[1:] - 1, 0)
    powers = _POWERS[lasts % _UNITS]
    if size > _UNITS:
        blocks = np.array([pow(31, start, 1 << 32) for start in range(0, size, _UNITS)], np.uint32)
        powers = powers * blocks[lasts // _UNITS]
    codes: Codes = ((sums[ends[1:]] - sums[ends[:-1]]) * powers).view(np.int32)
    return codes


def _powers(base: int) -> NDArray[np.uint32]:
    factors = np.full(_UNITS, base, np.uint32)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint32)


_POWERS = _powers(31)
_INVERSES = _powers(pow(31, -1, 1 << 32))
