"""Finds columns that are of a declared type as they are, so that none of their elements has to be converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import BasicType, BasicTypeInfo, TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape

#: How many bits the integers of a type have.
_BITS = {BasicType.BYTE: 8, BasicType.SHORT: 16, BasicType.INT: 32, BasicType.LONG: 64}
_TYPES = {BasicType.STRING: "string", BasicType.BOOLEAN: "bool", BasicType.DOUBLE: "double"}


def may_fit(declared: TypeInformation, shape: Shape) -> bool:
    """Tell whether elements of the shape are of the declared type, but for integers that may be out of its range."""
    fields = _fields(declared, shape)
    return fields is not None and all(
        isinstance(field, BasicTypeInfo) and _is(field.basic_type, kind)
        for field, kind in zip(fields, shape.types, strict=True)
    )


def columns_fit(declared: TypeInformation, columns: Columns) -> bool:
    """Tell whether conversion to the declared type would leave all elements as they are; False if that is not known."""
    shape = columns.shape
    if not may_fit(declared, shape):
        return False
    fields = _fields(declared, shape) or ()
    return all(
        isinstance(field, BasicTypeInfo) and _fits(field.basic_type, column)
        for field, column in zip(fields, columns.batch.columns, strict=True)
    )


def _fields(declared: TypeInformation, shape: Shape) -> Sequence[TypeInformation] | None:
    """The declared types of the shape's fields; None if elements of the shape are no elements of the type."""
    from windrow.elements.shape import RowShape, ScalarShape, TupleShape

    fields: Sequence[TypeInformation] | None = None
    if isinstance(declared, BasicTypeInfo) and isinstance(shape, ScalarShape):
        fields = [declared]
    elif isinstance(declared, TupleTypeInfo) and isinstance(shape, TupleShape):
        fields = declared.get_field_types()
    elif isinstance(declared, RowTypeInfo) and isinstance(shape, RowShape):
        fields = declared.get_field_types() if shape.field_names == tuple(declared.get_field_names()) else None
    return fields if fields is not None and len(fields) == len(shape.types) and shape.declared is None else None


def _is(basic_type: BasicType, kind: pa.DataType) -> bool:
    if basic_type in _BITS:
        return bool(kind == "int64")
    return basic_type in _TYPES and bool(kind == _TYPES[basic_type])


def _fits(basic_type: BasicType, column: pa.Array) -> bool:
    if column.null_count and basic_type is not BasicType.STRING:
        return False
    bits = _BITS.get(basic_type, 64)
    if bits == 64 or not len(column):
        return True
    numbers = column.to_numpy()
    return bool(numbers.min() >= -(1 << bits - 1) and numbers.max() < 1 << bits - 1)
