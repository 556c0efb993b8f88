"""How splits and enumerators' checkpoints become bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from windrow.elements.stored import dumps_with_code, loads

T = TypeVar("T")


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


class PickleSerializer(SimpleVersionedSerializer[Any]):
    """Pickles, along with classes that only the user's main program knows.

    Example:
        >>> serializer = PickleSerializer()
        >>> serializer.deserialize(serializer.get_version(), serializer.serialize({"offset": 7}))
        {'offset': 7}
    """

    def get_version(self) -> int:
        return 1

    def serialize(self, obj: Any) -> bytes:
        return dumps_with_code(obj)

    def deserialize(self, version: int, serialized: bytes) -> Any:
        return loads(serialized)
