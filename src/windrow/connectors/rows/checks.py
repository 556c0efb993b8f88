"""Checks for the builders of row schemas, and for how schemas pickle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.rows.errors import FieldError
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table.data_types import RowType, row_type_info


def row_type_of(row_type: Any, call: str) -> RowTypeInfo:
    """The row type, checked at the user's call; one of ``DataTypes`` becomes one of ``Types``."""
    if isinstance(row_type, RowType):
        return row_type_info(row_type)
    if not isinstance(row_type, RowTypeInfo):
        msg = (
            f"{call} takes a row type such as Types.ROW_NAMED(['name'], [Types.STRING()]); got {row_type!r} "
            f"({type(row_type).__name__})"
        )
        raise ConfigurationTypeError(msg)
    return row_type


def checked_row_type(type_info: Any, call: str, compile_type: Callable[[RowTypeInfo], Any]) -> RowTypeInfo:
    """A row type for whose fields the format has a form.

    Args:
        type_info: What the user gave.
        call: What it was given to.
        compile_type: Raises FieldError for a type that the format cannot express.

    Raises:
        ConfigurationTypeError: it is no row type.
        ConfigurationError: it has no fields, or the format has no form for one.
    """
    row_type = row_type_of(type_info, call)
    if not row_type.get_field_names():
        msg = f"{call} takes a row type with fields; got one without"
        raise ConfigurationError(msg)
    try:
        compile_type(row_type)
    except FieldError as error:
        msg = f"{call}: {error}; declare the field in another way, or make it of a text in a map"
        raise ConfigurationError(msg) from None
    return row_type


def without_cached(*names: str) -> Callable[[Any], dict[str, Any]]:
    """A ``__getstate__`` that leaves out what is made anew in another process."""

    def __getstate__(self: Any) -> dict[str, Any]:  # noqa: N807
        return {name: value for name, value in vars(self).items() if name not in names}

    return __getstate__
