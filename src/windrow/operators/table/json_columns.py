"""Objects of JSON as columns: numbers at once, others by Arrow, where it reads what the format itself does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from windrow.elements.byte_slices import ByteSlices
from windrow.expressions.logical_types import arrow_of, is_integer, is_text
from windrow.operators.table.json_numbers import numbers_of_json
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa


#: Where Arrow sees NaN or Infinity, which are no JSON; perhaps within a text.
_CONSTANT = re.compile(rb"[:,\[]\s*-?(?:NaN|Inf)")


def can_read(names: Sequence[str], types: Sequence[DataType]) -> bool:
    """Tell whether Arrow reads fields of these types as the format does: it, too, is strict about numbers and texts.

    It is not asked for other types, nor for FLOAT, which the format rounds twice.
    """
    plain = all(is_integer(kind) or is_text(kind) or isinstance(kind, t.DoubleType | t.BooleanType) for kind in types)
    return plain and 0 < len(names) == len(set(names))


def columns_of_json(
    contents: Sequence[bytes | None], names: Sequence[str], types: Sequence[DataType]
) -> list[pa.Array] | None:
    """The fields of objects, one object in each content; None: they have to be read one by one.

    What Arrow does not take may be right, or wrong: whoever reads it by itself finds out.

    Example:
        >>> [array.to_pylist() for array in columns_of_json([b'{"a": 1}', b'{"b": 2}'], ["a"], [t.IntType()])]
        [[1, None]]
    """
    import pyarrow as pa
    import pyarrow.json as pj

    if not isinstance(contents, ByteSlices):
        try:
            contents = ByteSlices.of(cast("Sequence[bytes]", contents))
        except TypeError:
            return None  # there is a content that is none
    numbers = numbers_of_json(contents) if all(_is_number(kind) for kind in types) else None
    if numbers is not None:
        return _of_numbers(numbers, len(contents), names, types)
    # Each content has at least one object, so if there are as many objects as contents each has one.
    if not _are_in_braces(contents):
        return None
    data = contents.lines()
    if b"\0" in data or _has_constants(data):  # an end of the text to Arrow, and numbers
        return None
    schema = pa.schema([(name, arrow_of(kind)) for name, kind in zip(names, types, strict=True)])
    parse = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    read = pj.ReadOptions(use_threads=False, block_size=len(data) + 1)
    try:
        table = pj.read_json(pa.BufferReader(data), read, parse)
        if table.num_rows != len(contents):
            return None
        arrays = [table.column(name).combine_chunks() for name in names]
        for array, kind in zip(arrays, types, strict=True):
            if is_text(kind):
                array.validate(full=True)  # or bytes that are no UTF-8 would be text
    except pa.ArrowException:
        return None
    return arrays


def _is_number(kind: DataType) -> bool:
    return is_integer(kind) or isinstance(kind, t.DoubleType)


def _of_numbers(
    numbers: Mapping[str, NDArray[np.int64]], count: int, names: Sequence[str], types: Sequence[DataType]
) -> list[pa.Array] | None:
    import pyarrow as pa

    arrays = []
    for name, kind in zip(names, types, strict=True):
        if name not in numbers:
            arrays.append(pa.nulls(count, arrow_of(kind)))
            continue
        column = pa.array(numbers[name])
        try:
            arrays.append(column.cast(arrow_of(kind), safe=is_integer(kind)))  # a fraction is the nearest one
        except pa.ArrowInvalid:  # one is greater than its type has it
            return None
    return arrays


def _are_in_braces(contents: ByteSlices) -> bool:
    octets, begins, ends = contents.octets, contents.begins, contents.ends
    return bool((ends > begins).all() and (octets[begins] == ord("{")).all() and (octets[ends - 1] == ord("}")).all())


def _has_constants(data: bytes) -> bool:
    # A letter is found in a tenth of the time that a word takes, and most data have no capitals.
    may = (b"N" in data and b"NaN" in data) or (b"I" in data and b"Inf" in data)
    return may and _CONSTANT.search(data) is not None
