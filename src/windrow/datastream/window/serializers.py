"""Writes windows to a byte stream and reads them back."""

from __future__ import annotations

import pickle
import struct
from abc import ABC, abstractmethod
from typing import BinaryIO, Generic, TypeVar

from windrow.datastream.window.windows import CountWindow, GlobalWindow, TimeWindow, Window

W = TypeVar("W", bound=Window)
"""Type of the windows."""

_TWO_LONGS = struct.Struct(">qq")
_ONE_LONG = struct.Struct(">q")


class WindowSerializer(ABC, Generic[W]):
    """Writes windows of one type to a binary stream and reads them back."""

    @abstractmethod
    def serialize(self, element: W, stream: BinaryIO) -> None:
        """Write ``element``."""

    @abstractmethod
    def deserialize(self, stream: BinaryIO) -> W:
        """Read the next window."""


class TimeWindowSerializer(WindowSerializer[TimeWindow]):
    """A time window as two big-endian 64-bit integers.

    >>> import io
    >>> stream = io.BytesIO()
    >>> TimeWindowSerializer().serialize(TimeWindow(0, 10), stream)
    >>> TimeWindowSerializer().deserialize(io.BytesIO(stream.getvalue()))
    TimeWindow(start=0, end=10)
    """

    def serialize(self, element: TimeWindow, stream: BinaryIO) -> None:
        stream.write(_TWO_LONGS.pack(element.start, element.end))

    def deserialize(self, stream: BinaryIO) -> TimeWindow:
        return TimeWindow(*_TWO_LONGS.unpack(stream.read(_TWO_LONGS.size)))


class CountWindowSerializer(WindowSerializer[CountWindow]):
    """A count window as its number, a big-endian 64-bit integer."""

    def serialize(self, element: CountWindow, stream: BinaryIO) -> None:
        stream.write(_ONE_LONG.pack(element.id))

    def deserialize(self, stream: BinaryIO) -> CountWindow:
        return CountWindow(*_ONE_LONG.unpack(stream.read(_ONE_LONG.size)))


class GlobalWindowSerializer(WindowSerializer[GlobalWindow]):
    """The global window as a single zero byte, as in Flink."""

    def serialize(self, element: GlobalWindow, stream: BinaryIO) -> None:
        stream.write(b"\x00")

    def deserialize(self, stream: BinaryIO) -> GlobalWindow:
        stream.read(1)
        return GlobalWindow.get()


class PickledWindowSerializer(WindowSerializer[W]):
    """Any window through pickle: for assigners with window types of their own."""

    def serialize(self, element: W, stream: BinaryIO) -> None:
        pickle.dump(element, stream)

    def deserialize(self, stream: BinaryIO) -> W:
        window: W = pickle.load(stream)
        return window
