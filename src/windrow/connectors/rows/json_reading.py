"""JSON values as rows: one walk over rows, arrays and maps, and what single values become in it.

:func:`jackson_value` converts single values as Flink's ``JsonRowDeserializationSchema`` does
(``common/json_scalars.py``); ``json_typed.py`` takes only what is of the declared type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from windrow.common.basic_types import BasicType, BasicTypeInfo, TypeInformation
from windrow.common.composite_types import (
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
)
from windrow.common.conversions import Convert, array_of, check_object, entries_of, lenient
from windrow.common.json_scalars import OF_TREE, base64_bytes
from windrow.common.parse_text import Parse, from_text, is_bytes
from windrow.common.types import Row
from windrow.connectors.rows.column_types import ColumnType
from windrow.connectors.rows.errors import FieldError
from windrow.elements.named_rows import named_rows
from windrow.errors import TypeConversionError

#: Gives the conversion of a field's values that are neither rows, arrays nor maps, from the field's name and type.
Single = Callable[[str, TypeInformation], Convert]

#: How many bits the greatest number of each type has.
_BITS: Final = {BasicType.BYTE: 7, BasicType.SHORT: 15, BasicType.INT: 31, BasicType.LONG: 63}


class JsonRows:
    """Makes rows of JSON values.

    Fields are converted column by column, so that a column whose values are of its type already costs one look.

    Args:
        row_type: The rows' fields.
        fail_on_missing_field: Whether an object has to have all fields; else those that it lacks are None.
        ignore_parse_errors: Whether a value that cannot be converted is None.
        single: What single values become; as Jackson converts them, if nothing is said.
    """

    def __init__(
        self,
        row_type: RowTypeInfo,
        *,
        fail_on_missing_field: bool = False,
        ignore_parse_errors: bool = False,
        single: Single | None = None,
    ) -> None:
        self._fail, self._ignore = fail_on_missing_field, ignore_parse_errors
        self._single = single or jackson_value
        self._names = row_type.get_field_names()
        self._required = frozenset(self._names) if fail_on_missing_field else frozenset()
        kinds = zip(self._names, row_type.get_field_types(), strict=True)
        self._columns = [_Column(name, kind, self._convert(name, kind)) for name, kind in kinds]

    def rows(self, values: Sequence[Any]) -> list[Row | None]:
        """A row for each object, None for each null.

        Raises:
            ValueError, TypeConversionError: a value is neither, or cannot be converted.
        """
        if set(map(type, values)) != {dict} or not self._names:
            return [None if value is None else self._row(value) for value in values]
        if self._fail:
            self._check_fields(values)
        return list(named_rows(self._names, [column.values(values) for column in self._columns]))

    def _row(self, value: Any) -> Row | None:
        check_object(value)
        return self.rows([value])[0] if self._names else Row()

    def _check_fields(self, values: Sequence[dict[str, Any]]) -> None:
        for value in values:
            if not self._required <= value.keys():
                name = next(name for name in self._names if name not in value)
                reason = "it is missing"
                raise FieldError(name, reason)

    def _convert(self, name: str, type_info: TypeInformation) -> Convert:
        """Conversion of a value that is not null."""
        convert = self._converter(name, type_info)
        return lenient(convert) if self._ignore else convert

    def _converter(self, name: str, type_info: TypeInformation) -> Convert:
        match type_info:
            case RowTypeInfo():
                return JsonRows(
                    type_info,
                    fail_on_missing_field=self._fail,
                    ignore_parse_errors=self._ignore,
                    single=self._single,
                )._row
            case MapTypeInfo():
                return self._map(name, type_info)
            case ListTypeInfo() | ObjectArrayTypeInfo():
                return array_of(self._convert(name, type_info.elem_type))
            case PrimitiveArrayTypeInfo() if self._single is jackson_value and not is_bytes(type_info):
                return array_of(self._convert(name, type_info.elem_type))  # Jackson converts its elements
        return self._single(name, type_info)

    def _map(self, name: str, type_info: MapTypeInfo) -> Convert:
        key = self._convert(name, type_info.key_type_info)
        entries = entries_of(key, self._convert(name, type_info.value_type_info))
        return lambda value: dict(entries(value))


def jackson_value(name: str, type_info: TypeInformation) -> Convert:
    """Converts single values as Jackson does.

    Raises:
        FieldError: there is no JSON for the type.
    """
    if is_bytes(type_info):
        return base64_bytes
    if isinstance(type_info, BasicTypeInfo):
        return _basic(name, type_info)
    return _as_text(_parse_of(name, type_info))


class _Column:
    """A field of many objects."""

    def __init__(self, name: str, type_info: TypeInformation, convert: Convert) -> None:
        self._name = name
        self._convert = convert
        self._column_type = ColumnType(type_info)

    def values(self, objects: Sequence[dict[str, Any]]) -> list[Any]:
        name, convert = self._name, self._convert
        values = [value.get(name) for value in objects]
        if self._column_type.holds(values):
            return values
        try:
            return [None if value is None else convert(value) for value in values]
        except (ValueError, TypeConversionError) as error:
            raise FieldError(name, error) from error


def _basic(name: str, type_info: BasicTypeInfo) -> Convert:
    match type_info.basic_type:
        case BasicType.STRING:
            return OF_TREE.string
        case BasicType.BOOLEAN:
            return OF_TREE.truth
        case BasicType.DOUBLE:
            return OF_TREE.real
        case BasicType.FLOAT:
            fit = type_info.converter()
            return lambda value: fit(OF_TREE.real(value))
        case basic if basic in _BITS:
            return OF_TREE.whole(_BITS[basic], cuts=basic in (BasicType.INT, BasicType.LONG))
    return _as_text(_parse_of(name, type_info))


def has_decimals(type_info: TypeInformation) -> bool:
    """Tell whether there is a decimal number in the type: then fractions are read as they are written."""
    match type_info:
        case BasicTypeInfo():
            return type_info.basic_type is BasicType.BIG_DEC
        case RowTypeInfo():
            return any(map(has_decimals, type_info.get_field_types()))
        case MapTypeInfo():
            return has_decimals(type_info.key_type_info) or has_decimals(type_info.value_type_info)
        case ListTypeInfo() | ObjectArrayTypeInfo():
            return has_decimals(type_info.elem_type)
    return False


def _as_text(parse: Parse) -> Convert:
    return lambda value: parse(OF_TREE.text(value))


def _parse_of(name: str, type_info: TypeInformation) -> Parse:
    parse = from_text(type_info)
    if parse is None:
        reason = f"there is no JSON for {type_info!r}"
        raise FieldError(name, reason)
    return parse
