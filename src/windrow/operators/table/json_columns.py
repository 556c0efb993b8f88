"""Objects of JSON as columns, read by Arrow, where it reads what the format itself does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windrow.expressions.logical_types import arrow_of, is_integer, is_text
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa


#: Where Arrow sees NaN or Infinity, which are no JSON; perhaps within a text.
_CONSTANT = re.compile(rb"[:,\[]\s*-?(?:NaN|Inf)")


def can_read(names: Sequence[str], types: Sequence[DataType]) -> bool:
    """Whether Arrow reads fields of these types as the format does: it, too, is strict about numbers and texts.

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

    try:
        data = b"\n".join(contents)  # type: ignore[arg-type]
    except TypeError:
        return None  # there is a content that is none
    # Each content has at least one object, so if there are as many objects as contents each has one.
    if not (_all_in_braces(data, len(contents)) or all(_in_braces(content) for content in contents)):
        return None
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


def _all_in_braces(data: bytes, count: int) -> bool:
    """Whether so many contents, a line between each two of them, are certain to be in braces, and to have no line."""
    octets = np.frombuffer(data, np.uint8)
    lines = np.flatnonzero(octets == ord("\n"))
    if lines.size != count - 1 or not _in_braces(data):
        return False
    # A line at an end of the data would have been no brace.
    return bool(np.all(octets[lines - 1] == ord("}")) and np.all(octets[lines + 1] == ord("{")))


def _in_braces(content: bytes | None) -> bool:
    return content is not None and content[:1] == b"{" and content[-1:] == b"}"


def _has_constants(data: bytes) -> bool:
    # A letter is found in a tenth of the time that a word takes, and most data have no capitals.
    may = (b"N" in data and b"NaN" in data) or (b"I" in data and b"Inf" in data)
    return may and _CONSTANT.search(data) is not None
