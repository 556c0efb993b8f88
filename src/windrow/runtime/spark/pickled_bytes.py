"""Bytes that are the only field of rows which Java has pickled: taken out where they stand.

Such a row says its type, as JSON, and how to make one, which PySpark reads each time: 20 us for a page of 4 KB. Of two
rows of one type nothing differs but the text that the bytes are made of, a character for each, so where it stands is
learnt from the first: 4 us.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: What is in front of the text: bytes are made of the characters from U+0000 to U+00FF.
_OF_TEXT = b"\nbytearray\nX"
#: The text's length in UTF-8.
_LENGTH_BYTES = 4


class PickledBytes:
    """Gives the bytes of a row.

    Args:
        loads: Makes any row of its pickle: rows of another form than the one known here are read by it.
    """

    def __init__(self, loads: Callable[[bytes], Any]) -> None:
        self._loads = loads
        #: What stands around the text and its length; empty: that is not known.
        self._head = self._tail = b""

    def __call__(self, pickled: bytes) -> bytes:
        head = self._head
        if head and pickled.startswith(head) and pickled.endswith(self._tail):
            start, end = len(head) + _LENGTH_BYTES, len(pickled) - len(self._tail)
            if int.from_bytes(pickled[len(head) : start], "little") == end - start:
                return _bytes_of(pickled[start:end])
        data = bytes(self._loads(pickled)[0])
        self._learn(pickled, data)
        return data

    def _learn(self, pickled: bytes, data: bytes) -> None:
        found = pickled.find(_OF_TEXT)
        if found < 0:
            return
        head = found + len(_OF_TEXT)
        start = head + _LENGTH_BYTES
        end = start + int.from_bytes(pickled[head:start], "little")
        with suppress(UnicodeError):  # it is no such text
            if end < len(pickled) and _bytes_of(pickled[start:end]) == data:
                self._head, self._tail = pickled[:head], pickled[end:]


def _bytes_of(text: bytes) -> bytes:
    return text.decode().encode("latin-1")
