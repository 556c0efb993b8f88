"""Whether many elements fit a declared type as they are: asked of a whole batch, a few steps in C for each field."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from types import NoneType
from typing import Any

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.typeinfo import BasicType, BasicTypeInfo, TupleTypeInfo, TypeInformation

_INTEGERS = {
    BasicType.BYTE: (-(2**7), 2**7 - 1),
    BasicType.SHORT: (-(2**15), 2**15 - 1),
    BasicType.INT: (-(2**31), 2**31 - 1),
    BasicType.LONG: (LONG_MIN, LONG_MAX),
}
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
        return all(all_fit(each, list(map(itemgetter(i), values))) for i, each in enumerate(field_types))
    if not isinstance(declared, BasicTypeInfo):
        return not declared.need_conversion()
    basic_type = declared.basic_type
    if basic_type in _INTEGERS:
        least, greatest = _INTEGERS[basic_type]
        return set(map(type, values)) == {int} and least <= min(values) and max(values) <= greatest
    return basic_type in _CLASSES and set(map(type, values)) <= _CLASSES[basic_type]
