"""Values in other forms, in which keys are told apart and folds are made: nothing of these is SQL."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.casts import last_moments
from windrow.expressions.function import Kernel
from windrow.expressions.logical_types import arrow_of
from windrow.expressions.nodes import Call


def _key(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    """Several values as one text: equal ones, and no others, have the same."""
    parts = []
    for value in values:
        if pa.types.is_nested(value.type) or pa.types.is_binary(value.type):
            text = pa.array([None if each is None else repr(each) for each in value.to_pylist()], pa.string())
        elif pa.types.is_timestamp(value.type):
            text = value.cast(pa.int64()).cast(pa.string())
        else:
            text = value.cast(pa.string())
        length = pc.binary_length(text).cast(pa.string())
        parts.append(pc.binary_join_element_wise(length, text, ":").fill_null("N"))
    return pc.binary_join_element_wise(*parts, ",") if len(parts) > 1 else parts[0]


def _ticks(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    """Times as whole numbers of their unit."""
    (value,) = values
    if pa.types.is_date32(value.type) or pa.types.is_time32(value.type):
        value = value.cast(pa.int32())
    return value.cast(pa.int64())


def _of_ticks(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    kind = arrow_of(call.type)
    (value,) = values
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        value = value.cast(pa.int32())
    return value.cast(kind)


def _of_milliseconds(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pc.multiply(values[0], 1000).cast(arrow_of(call.type))


def _last_moment(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return last_moments(values[0].cast(pa.timestamp("us")), call.options[0]).cast(arrow_of(call.type))


def _unscaled(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    """A decimal number of 18 digits at most as a whole number of its last digit."""
    (value,) = values
    if value.offset == 0 and pa.types.is_decimal128(value.type):
        # Sixteen bytes each, the lower half first: that half is the number, as it has 18 digits.
        words = np.frombuffer(value.buffers()[1], np.int64, 2 * len(value))[::2]
        return pa.array(words, pa.int64(), mask=np.asarray(value.is_null()) if value.null_count else None)
    scale = value.type.scale
    made = [None if each is None else int(each.scaleb(scale)) for each in value.to_pylist()]
    return pa.array(made, pa.int64())


def _scaled(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    scale = call.options[0]
    made = [None if each is None else Decimal(int(each)).scaleb(-scale) for each in values[0].to_pylist()]
    return pa.array(made, arrow_of(call.type))


OPERATORS: dict[str, Kernel] = {
    "$KEY": _key,
    "$TICKS": _ticks,
    "$OF_TICKS": _of_ticks,
    "$OF_MILLISECONDS": _of_milliseconds,
    "$LAST_MOMENT": _last_moment,
    "$UNSCALED": _unscaled,
    "$SCALED": _scaled,
}
