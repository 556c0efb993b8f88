"""sum, min, max, min_by and max_by, checked against what is known of the stream's type."""

from __future__ import annotations

from typing import TypeAlias

from windrow.common.typeinfo import BasicType, BasicTypeInfo, RowTypeInfo, TupleTypeInfo, TypeInformation
from windrow.datastream.functions import ReduceFunction
from windrow.datastream.streams.keys import field_index
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.operators.aggregations import ComparableAggregator, SumAggregator

#: A field's index or name.
Position: TypeAlias = int | str

_NOT_SUMMED = frozenset({BasicType.STRING, BasicType.CHAR, BasicType.BOOLEAN, BasicType.INSTANT})


def aggregation(kind: str, position: Position, element_type: TypeInformation, *, first: bool = True) -> ReduceFunction:
    """Make the reduce function for ``sum``, ``min``, ``max``, ``min_by`` or ``max_by`` of a field.

    Raises:
        ConfigurationTypeError: the position is neither an index nor a name, or ``first`` no bool.
        ConfigurationError: the stream's type has no such field, or one that cannot be summed.
    """
    if isinstance(position, bool) or not isinstance(position, int | str):
        msg = f"{kind} takes a field's index or name; got {position!r} ({type(position).__name__})"
        raise ConfigurationTypeError(msg)
    if not isinstance(first, bool):
        msg = f"first of {kind} takes True or False; got {first!r} ({type(first).__name__})"
        raise ConfigurationTypeError(msg)
    if isinstance(position, int) and position < 0:
        msg = f"{kind} takes a field's index from 0 on; got {position}"
        raise ConfigurationError(msg)
    field_type = element_type
    if isinstance(element_type, TupleTypeInfo | RowTypeInfo):
        position = field_index(position, element_type, kind)
        field_type = element_type.get_field_types()[position]
    elif isinstance(element_type, BasicTypeInfo) and position != 0:
        msg = f"{kind}: the stream's elements are {element_type}, which has no field {position!r}; leave it out"
        raise ConfigurationError(msg)
    if kind == "sum":
        if isinstance(field_type, BasicTypeInfo) and field_type.basic_type in _NOT_SUMMED:
            msg = f"sum: field {position!r} is {field_type}, which cannot be summed"
            raise ConfigurationError(msg)
        return SumAggregator(position)
    greatest, whole_element = kind.startswith("max"), kind.endswith("_by")
    return ComparableAggregator(position, greatest=greatest, whole_element=whole_element, first=first)
