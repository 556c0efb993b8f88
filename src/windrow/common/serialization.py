"""How elements become bytes for systems outside, and back."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from typing import Any

from windrow.absent.explained import module_getattr
from windrow.common.printing import format_value
from windrow.common.typeinfo import TypeInformation
from windrow.errors import ConfigurationError


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
