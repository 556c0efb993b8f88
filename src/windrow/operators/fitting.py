"""Whether many elements fit a declared type as they are: asked of a whole batch, a few steps in C for each field."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from types import NoneType
from typing import Any

from windrow.common.typeinfo import BasicType, BasicTypeInfo, TupleTypeInfo, TypeInformation

#: Type codes of the ``array`` module, which raises for an integer that does not fit: quicker than looking at bounds.
_INTEGERS = {BasicType.BYTE: "b", BasicType.SHORT: "h", BasicType.INT: "i", BasicType.LONG: "q"}
_CLASSES: dict[BasicType, frozenset[type]] = {
    BasicType.STRING: frozenset({str, NoneType}),
    BasicType.BOOLEAN: frozenset({bool}),
    BasicType.DOUBLE: frozenset({float}),
}


def all_fit(declared: TypeInformation, values: Sequence[Any]) -> bool:
    """Whether all ``values`` are what conversion to ``declared`` would make of them.

    False where it is not known: then each value has to be converted.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> pair = Types.TUPLE([Types.STRING(), Types.INT()])
        >>> all_fit(pair, [("a", 1), ("b", 2)]), all_fit(pair, [("a", 1), ["b", 2]]), all_fit(pair, [("a", 2**40)])
        (True, False, False)
    """
    if not len(values):
        return True
    if isinstance(declared, TupleTypeInfo):
        field_types = declared.get_field_types()
        if set(map(type, values)) != {tuple} or set(map(len, values)) != {len(field_types)}:
            return False
        columns = zip(*values, strict=True)
        return all(all_fit(field_type, column) for field_type, column in zip(field_types, columns, strict=True))
    if not isinstance(declared, BasicTypeInfo):
        return not declared.need_conversion()
    basic_type = declared.basic_type
    if basic_type in _INTEGERS:
        return set(map(type, values)) == {int} and _fit_bits(_INTEGERS[basic_type], values)
    return basic_type in _CLASSES and set(map(type, values)) <= _CLASSES[basic_type]


def _fit_bits(type_code: str, values: Sequence[int]) -> bool:
    try:
        array(type_code, values)
    except OverflowError:
        return False
    return True
