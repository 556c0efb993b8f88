"""Contents that lie in one piece of memory, so that NumPy finds its way in all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

Octets = NDArray[np.uint8]
Places = NDArray[np.int64]
Words = NDArray[np.uint64]

#: So many octets are behind the last content: who looks at a word at any place of it, or just behind it, finds one.
PADDING = 16
#: Eight octets, the first of which counts least.
WORD = np.dtype("<u8")
_SPACE, _LINE = ord(" "), ord("\n")
#: So many octets between two contents are blanked out one after the other.
_FEW = 64


def padded(*parts: bytes | memoryview) -> Octets:
    """The octets of all parts, with zeros behind them.

    >>> padded(b"a", b"b").size - 2 == PADDING
    True
    """
    return np.frombuffer(b"".join([*parts, bytes(PADDING)]), np.uint8)


def words(octets: Octets) -> Words:
    """At each place the number that it makes with the seven octets behind it, the first of which counts least.

    >>> [hex(word) for word in words(padded(b"ab"))[:2]]
    ['0x6261', '0x62']
    """
    return np.ndarray((octets.size - WORD.itemsize + 1,), WORD, octets, 0, (1,))


def before_first(marks: Words) -> tuple[Words, NDArray[np.uint8]]:
    """The bits below the lowest one of each word, and how many octets are in front of that which has it.

    >>> [part.tolist() for part in before_first(np.array([0x80_00, 0x10], np.uint64))]
    [[32767, 15], [1, 0]]
    """
    below = (marks & -marks) - np.uint64(1)
    return below, np.bitwise_count(below) >> np.uint8(3)


class ByteSlices(Sequence[bytes]):
    """Contents, in order, with or without something between them.

    Args:
        octets: What they lie in, padded.
        begins: Where each begins.
        ends: The place behind each.

    Example:
        >>> slices = ByteSlices(padded(b"one, two"), np.array([0, 5]), np.array([3, 8]))
        >>> slices[1], list(slices[:1])
        (b'two', [b'one'])
    """

    def __init__(self, octets: Octets, begins: Places, ends: Places) -> None:
        self.octets, self.begins, self.ends = octets, begins, ends

    @classmethod
    def of(cls, contents: Sequence[bytes]) -> Self:
        """Contents that lie elsewhere, at least one, with a line between each two of them.

        >>> list(ByteSlices.of([b"a", b"", b"bc"]))
        [b'a', b'', b'bc']
        """
        octets = padded(b"\n".join(contents))
        size = octets.size - PADDING
        lines = np.flatnonzero(octets[:size] == _LINE)
        if lines.size != len(contents) - 1:  # there are others in them
            lines = np.array([*accumulate([len(content) + 1 for content in contents])][:-1], np.int64) - 1
        return cls(octets, np.concatenate([[0], lines + 1]), np.concatenate([lines, [size]]))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The contents of all parts, of which there is at least one.

        >>> one = ByteSlices(padded(b"one, two"), np.array([0, 5]), np.array([3, 8]))
        >>> list(ByteSlices.joined([one[1:], one]))
        [b'two', b'one', b'two']
        """
        if len(parts) == 1:
            return parts[0]
        pieces, begins, ends = [], [], []
        size = 0
        for part in parts:
            if len(part):
                first, last = int(part.begins[0]), int(part.ends[-1])
                pieces.append(part.octets[first:last].data)
                begins.append(part.begins + (size - first))
                ends.append(part.ends + (size - first))
                size += last - first
        if not pieces:
            return parts[0]
        return cls(padded(*pieces), np.concatenate(begins), np.concatenate(ends))

    def __len__(self) -> int:
        return self.begins.size

    @overload
    def __getitem__(self, place: int) -> bytes: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> bytes | Self:
        if isinstance(place, slice):
            return type(self)(self.octets, self.begins[place], self.ends[place])
        return self.octets[self.begins[place] : self.ends[place]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        octets, begins, ends = self._own()
        whole = octets.tobytes()
        return iter([whole[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)])

    def _own(self) -> tuple[Octets, Places, Places]:
        """Give the bytes from the first content to the last, and where each is in them: others may lie around."""
        if not len(self):
            return self.octets[:0], self.begins, self.ends
        first = self.begins[0]
        return self.octets[first : self.ends[-1]], self.begins - first, self.ends - first

    def lines(self) -> bytes:
        r"""The contents, with a line and perhaps spaces between each two of them: whatever was there.

        >>> ByteSlices(padded(b"one, two"), np.array([0, 5]), np.array([3, 8])).lines()
        b'one\n two'
        >>> ByteSlices(padded(b"onetwo"), np.array([0, 3]), np.array([3, 6])).lines()
        b'one\ntwo'
        """
        between = self.begins[1:] - self.ends[:-1]
        most = int(between.max(initial=1))
        if not len(self) or not 1 <= between.min(initial=1) <= most <= _FEW:
            return b"\n".join(self)
        own, _, ends = self._own()
        octets = own.copy()
        places = ends[:-1]
        octets[places] = _LINE
        for step in range(1, most):
            octets[places[between > step] + step] = _SPACE
        return octets.tobytes()
