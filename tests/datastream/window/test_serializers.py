import io

import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.window import (
    CountWindow,
    CountWindowSerializer,
    GlobalWindow,
    GlobalWindowSerializer,
    TimeWindow,
    TimeWindowSerializer,
)
from windrow.datastream.window.serializers import PickledWindowSerializer


@pytest.mark.parametrize(
    ("serializer", "windows"),
    [
        (TimeWindowSerializer(), [TimeWindow(LONG_MIN, LONG_MAX), TimeWindow(-1, 0)]),
        (CountWindowSerializer(), [CountWindow(0), CountWindow(2**40)]),
        (GlobalWindowSerializer(), [GlobalWindow.get(), GlobalWindow.get()]),
        (PickledWindowSerializer(), [TimeWindow(0, 1), CountWindow(2)]),
    ],
)
def test_round_trip(serializer, windows):
    """Windows written one after the other are read back in that order."""
    stream = io.BytesIO()
    for window in windows:
        serializer.serialize(window, stream)
    stream.seek(0)
    assert [serializer.deserialize(stream) for _ in windows] == windows
    assert stream.read() == b""
