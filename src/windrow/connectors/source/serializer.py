"""Makes bytes of splits and enumerators' checkpoints."""

from __future__ import annotations

from typing import Any

from windrow.common.serializer import SimpleVersionedSerializer
from windrow.elements.stored import dumps_with_code, loads


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
