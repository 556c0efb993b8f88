"""The fields of elements as lists, whatever the elements are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape


def listed_fields(shape: Shape, elements: Sequence[Any]) -> list[list[Any]] | None:
    """The values of each field; None if an element is not of the shape.

    Example:
        >>> import pyarrow as pa
        >>> pairs = TupleShape((pa.int64(), pa.int64()))
        >>> listed_fields(pairs, [(1, 10), (2, 20)]), listed_fields(pairs, [(1, 10), 2])
        ([[1, 2], [10, 20]], None)
    """
    count = len(shape.types)
    match shape:
        case ScalarShape():
            return [list(elements)]
        case TupleShape():
            if not {tuple}.issuperset(map(type, elements)) or not {count}.issuperset(map(len, elements)):
                return None
            return [list(values) for values in zip(*elements, strict=True)]
        case DataclassShape():
            if any(type(element) is not shape.kind for element in elements):
                return None
            return [[getattr(element, name) for element in elements] for name in shape.names]
        case RowShape():
            names = None if shape.field_names is None else list(shape.field_names)
            if any(len(element) != count or (element._fields or None) != names for element in elements):
                return None
        case _:
            return None
    return [[element[index] for element in elements] for index in range(count)]
