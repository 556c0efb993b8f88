"""Schemas that make bytes of elements for systems outside, and elements of bytes."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from typing import Any

from windrow.absent.explained import module_getattr
from windrow.common.printing import format_value
from windrow.common.typeinfo import TypeInformation
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError, shorten


class SerializationSchema(ABC):
    """Says how an element becomes bytes."""

    @abstractmethod
    def serialize(self, element: Any) -> bytes:
        """The bytes of one element."""


class DeserializationSchema(ABC):
    """Says how bytes become an element."""

    @abstractmethod
    def deserialize(self, message: bytes) -> Any:
        """The element of some bytes; None to skip them."""


class SimpleStringSchema(SerializationSchema, DeserializationSchema):
    """Strings in a character set.

    Raises:
        ConfigurationError: there is no such character set.

    Example:
        >>> SimpleStringSchema().deserialize(SimpleStringSchema().serialize("Grüße"))
        'Grüße'
    """

    def __init__(self, charset: str = "UTF-8") -> None:
        self.charset = _known_charset(charset)

    def serialize(self, element: Any) -> bytes:
        return str(element).encode(self.charset)

    def deserialize(self, message: bytes) -> str:
        return message.decode(self.charset)


class ByteArraySchema(SerializationSchema, DeserializationSchema):
    """Bytes as they are."""

    def serialize(self, element: Any) -> bytes:
        return bytes(element)

    def deserialize(self, message: bytes) -> bytes:
        return message


class RowFieldExtractorSchema(SerializationSchema):
    """The bytes of one field of a row: for the key of a record of Kafka's, say (Flink's ``RowFieldExtractorSchema``).

    Args:
        field_index: Which field, from 0. It holds bytes, or None for no bytes.

    Raises:
        ConfigurationError: ``field_index`` is negative.

    Example:
        >>> from windrow.common.types import Row
        >>> RowFieldExtractorSchema(1).serialize(Row("a", b"b"))
        b'b'
    """

    def __init__(self, field_index: int) -> None:
        if isinstance(field_index, bool) or not isinstance(field_index, int):
            msg = f"field_index of RowFieldExtractorSchema takes a number; got {field_index!r}"
            raise ConfigurationTypeError(msg)
        if field_index < 0:
            msg = f"Field index must be non-negative, got: {field_index}; fields are counted from 0"
            raise ConfigurationError(msg)
        self.field_index = field_index

    def serialize(self, element: Any) -> bytes:
        """The field's bytes; none for a row that is None.

        Raises:
            TypeConversionError: the row has no such field, or the field holds something else than bytes.
        """
        try:
            value = None if element is None else element[self.field_index]
        except (TypeError, IndexError, KeyError):
            msg = f"RowFieldExtractorSchema({self.field_index}): {shorten(element)} has no such field"
            raise TypeConversionError(msg) from None
        if value is not None and not isinstance(value, bytes | bytearray):
            msg = (
                f"RowFieldExtractorSchema({self.field_index}) takes a field of bytes; got {shorten(value)} "
                f"({type(value).__name__}): encode it in a map before"
            )
            raise TypeConversionError(msg)
        return b"" if value is None else bytes(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowFieldExtractorSchema) and self.field_index == other.field_index

    def __hash__(self) -> int:
        return hash((RowFieldExtractorSchema, self.field_index))


class Encoder:
    r"""Says how an element is written to a file; a line of text each.

    Example:
        >>> Encoder.simple_string_encoder().encode(("a", 1))
        b"('a', 1)\n"
    """

    def __init__(self, charset_name: str, type_info: TypeInformation | None = None) -> None:
        self.charset = _known_charset(charset_name)
        self._type_info = type_info

    @staticmethod
    def simple_string_encoder(charset_name: str = "UTF-8") -> Encoder:
        """Each element on a line of its own, written as ``print`` writes it.

        That is Java's form where the stream's type is declared, ``(a,1)`` for a tuple, and else Python's ``str``.

        Raises:
            ConfigurationError: there is no such character set.
        """
        return Encoder(charset_name)

    def for_type(self, type_info: TypeInformation) -> Encoder:
        """The encoder for a stream of that type."""
        return Encoder(self.charset, type_info)

    def encode(self, element: Any) -> bytes:
        """The line of one element, with the line feed."""
        return f"{format_value(element, self._type_info)}\n".encode(self.charset)


def _known_charset(name: str) -> str:
    try:
        codecs.lookup(name)
    except (LookupError, TypeError):
        msg = f"charset names a character set such as 'UTF-8'; got {name!r}"
        raise ConfigurationError(msg) from None
    return name


__getattr__ = module_getattr(__name__)
