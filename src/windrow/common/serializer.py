"""Serializers of values that users define themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from io import BytesIO
from typing import Any, Generic, TypeVar

from windrow.common.checks import instance_of

T = TypeVar("T")


class TypeSerializer(ABC, Generic[T]):
    """Writes values to a stream and reads them back; a custom window assigner names one for its windows.

    Windrow pickles windows and so never asks it; a program that has one needs not change.
    """

    @abstractmethod
    def serialize(self, element: T, stream: BytesIO) -> None:
        """Write one value."""

    @abstractmethod
    def deserialize(self, stream: BytesIO) -> T:
        """Read one value."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self).__qualname__)

    def __repr__(self) -> str:
        return type(self).__name__


class SimpleVersionedSerializer(ABC, Generic[T]):
    """Writes one kind of object, and reads what earlier versions of itself have written.

    Flink's ``org.apache.flink.core.io.SimpleVersionedSerializer``.
    """

    @abstractmethod
    def get_version(self) -> int:
        """The version that :meth:`serialize` writes."""

    @abstractmethod
    def serialize(self, obj: T) -> bytes:
        """The object as bytes."""

    @abstractmethod
    def deserialize(self, version: int, serialized: bytes) -> T:
        """The object that ``version`` of this serializer has written."""


_SERIALIZER = "__windrow_serializer__"


def serialized_by(serializer: SimpleVersionedSerializer[Any]) -> Callable[[type[T]], type[T]]:
    """Have the objects of a class in state written and read by ``serializer``: a decorator of the class.

    Without one, objects of dataclasses and named tuples have their fields stored by name, and others are pickled.
    A serializer reads what its earlier versions have written, so it decides how state becomes that of a changed class:
    what ``TypeSerializer`` and its snapshots are for in Flink. Subclasses are not written by it.

    Args:
        serializer: It is the class's from now on; it goes to the workers with the class.

    Raises:
        ConfigurationTypeError: it is no ``SimpleVersionedSerializer``, or what it decorates is no class.

    Example:
        >>> class MoneySerializer(SimpleVersionedSerializer):
        ...     def get_version(self):
        ...         return 2
        ...     def serialize(self, obj):
        ...         return str(obj.cents).encode()
        ...     def deserialize(self, version, serialized):
        ...         number = int(serialized)
        ...         return Money(number if version == 2 else number * 100)  # version 1 had whole euros
        >>> @serialized_by(MoneySerializer())
        ... class Money:
        ...     def __init__(self, cents):
        ...         self.cents = cents
        >>> serializer_of(Money).deserialize(1, b"7").cents
        700
    """
    instance_of(serializer, SimpleVersionedSerializer, "serialized_by")

    def decorated(kind: type[T]) -> type[T]:
        instance_of(kind, type, "what serialized_by decorates")
        setattr(kind, _SERIALIZER, serializer)
        return kind

    return decorated


def serializer_of(kind: type) -> SimpleVersionedSerializer[Any] | None:
    """The serializer that a class names; None if it names none itself."""
    return vars(kind).get(_SERIALIZER)
