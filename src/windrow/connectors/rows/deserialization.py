"""The base of schemas that make rows of bytes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from windrow.common.composite_types import RowTypeInfo
from windrow.common.serialization import DeserializationSchema
from windrow.common.types import Row
from windrow.connectors.rows.errors import MalformedRowError
from windrow.errors import TypeConversionError


class RowDeserializationSchema(DeserializationSchema):
    """Makes rows of messages, many at a time where a connector has many.

    Args:
        row_type: The rows' fields.
        ignore_parse_errors: Whether what cannot be read is None: a field, or the message, which is skipped then.
    """

    #: Whether the user can let it ignore parse errors.
    can_ignore: ClassVar[bool] = True

    def __init__(self, row_type: RowTypeInfo, *, ignore_parse_errors: bool) -> None:
        self._row_type = row_type
        self._ignore_parse_errors = ignore_parse_errors

    def get_produced_type(self) -> RowTypeInfo:
        """The type of the rows."""
        return self._row_type

    def deserialize(self, message: bytes) -> Row | None:
        """The row of a message; None to skip it.

        Raises:
            MalformedRowError: it cannot be read, and parse errors are not ignored.
        """
        try:
            return self._rows([message])[0]
        except (ValueError, TypeConversionError, RecursionError) as error:
            if self._ignore_parse_errors:
                return None
            raise MalformedRowError(type(self).__name__, message, error, can_ignore=self.can_ignore) from error

    def deserialize_all(self, messages: Sequence[Any]) -> list[Row | None]:
        """Do what :meth:`deserialize` does, for each."""
        try:
            return self._rows(messages)
        except (ValueError, TypeConversionError, RecursionError):
            return [self.deserialize(message) for message in messages]

    @abstractmethod
    def _rows(self, messages: Sequence[Any]) -> list[Row | None]:
        """The rows of all messages; raises ValueError or TypeConversionError if one cannot be read."""


def check_bytes(messages: Sequence[Any]) -> None:
    """Records may have no value: a tombstone is no row.

    Raises:
        TypeConversionError: one of the messages is None.
    """
    if None in messages:
        msg = "there are no bytes, as in a tombstone of Kafka's"
        raise TypeConversionError(msg)
