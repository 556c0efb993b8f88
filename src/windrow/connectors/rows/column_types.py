"""Columns of JSON values that are of their type already: most are, and one look at the column is enough to know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from windrow.common.basic_types import BasicType, BasicTypeInfo, TypeInformation
from windrow.common.limits import LONG_MAX, LONG_MIN

_KINDS: Final[dict[BasicType, type]] = {
    BasicType.STRING: str,
    BasicType.BOOLEAN: bool,
    BasicType.INT: int,
    BasicType.LONG: int,
    BasicType.DOUBLE: float,
}

#: The least and greatest number of a type.
BOUNDS: Final = {BasicType.INT: (-(1 << 31), (1 << 31) - 1), BasicType.LONG: (LONG_MIN, LONG_MAX)}


class ColumnType:
    """A type that the values of a column may have already: then none needs conversion.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> ColumnType(Types.INT()).holds([1, 2]), ColumnType(Types.INT()).holds([1, 2**40])
        (True, False)
    """

    def __init__(self, type_info: TypeInformation) -> None:
        basic = type_info.basic_type if isinstance(type_info, BasicTypeInfo) else None
        kind = None if basic is None else _KINDS.get(basic)
        self._kinds = set[type]() if kind is None else {kind, type(None)}
        self._bounds = None if basic is None else BOUNDS.get(basic)

    def holds(self, values: Sequence[Any]) -> bool:
        """Tell whether all values are of the type or None, as far as one look does."""
        kinds = set(map(type, values))
        if self._bounds is None:
            return kinds <= self._kinds
        return kinds == {int} and self._bounds[0] <= min(values) and max(values) <= self._bounds[1]
