"""Numbers of Kafka's record batches, which take as many octets as they need, read at many places at once.

They are those of Protocol Buffers, in zigzag: 0, -1, 1, -2. NumPy gathers octets six times faster than words at places
of any kind: so it is octets that are looked at, and of numbers that are known whether they are what is there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.byte_slices import Octets, Places

#: The bit of an octet that says that another one follows, and those that are the number's.
_MORE, _SEPTET = np.uint8(0x80), np.uint8(0x7F)
_BITS = 7
_MOST_OCTETS = 8
#: What is no more than this has one octet, or two.
_ONE, _TWO = 63, 8_191
_UNSIGNED = np.uint64(1)
#: How far is counted: what is counted is kept.
_MOST_COUNTED = 1 << 20


class Varints(NamedTuple):
    """Numbers.

    Attributes:
        values: what they are.
        ends: the place behind each.
    """

    values: Places
    ends: Places


def varints(octets: Octets, places: Places) -> Varints | None:
    r"""The number at each place; None: one has more than eight octets.

    Example:
        >>> from windrow.elements.byte_slices import padded
        >>> varints(padded(b"\x03\x80\x01"), np.array([0, 1]))
        Varints(values=array([-2, 64]), ends=array([1, 3]))
    """
    read = octets[places]
    number = (read & _SEPTET).astype(np.uint64)
    more = read >= _MORE
    ends = places + 1
    for place in range(1, _MOST_OCTETS):
        if not more.any():
            break
        read = octets[ends]
        number |= ((read & _SEPTET) * more).astype(np.uint64) << np.uint64(place * _BITS)
        ends += more
        more &= read >= _MORE
    if more.any():
        return None
    return Varints((number >> _UNSIGNED).view(np.int64) ^ -(number & _UNSIGNED).view(np.int64), ends)


def behind_sizes(octets: Octets, places: Places, ends: Places) -> Places | None:
    r"""The place behind the number at each place, which says how far it is from there to an end.

    None: one does not, or is written longer than it need be (not all of these are found).

    Example:
        >>> from windrow.elements.byte_slices import padded
        >>> behind_sizes(padded(b"\x04ab\x02c"), np.array([0, 3]), np.array([3, 5]))
        array([1, 4])
    """
    spans = ends - places
    least, most = int(spans.min()), int(spans.max())
    if least < 1:
        return None
    if most <= _ONE + 1:
        said = ((spans - 1) << 1).astype(np.uint8)
        return places + 1 if np.array_equal(octets[places], said) else None
    if most > _TWO + 2:
        read = varints(octets, places)
        return read.ends if read is not None and np.array_equal(read.ends + read.values, ends) else None
    has_two = spans > _ONE + 1
    sizes = (spans - 1 - has_two).astype(np.uint16) << np.uint16(1)
    behind = places + 1 + has_two
    first = (sizes & np.uint16(_SEPTET)).astype(np.uint8) | (has_two * _MORE)
    if not np.array_equal(octets[places], first):
        return None
    second = (sizes >> np.uint16(_BITS)).astype(np.uint8)
    return behind if bool(((octets[places + 1] == second) | ~has_two).all()) else None


def behind_counting(octets: Octets, places: Places) -> Places | None:
    r"""The place behind the number at each place, which is 0, 1, and so on.

    None: one is another, or is written longer than it need be; or there are more than a million.

    Example:
        >>> from windrow.elements.byte_slices import padded
        >>> behind_counting(padded(b"\x00\x02"), np.array([0, 1]))
        array([1, 2])
    """
    if places.size > _MOST_COUNTED:
        return None
    counting = _counting(max(places.size - 1, 1).bit_length())
    for place, (begin, expected) in enumerate(counting.octets):
        there = places[begin:] + place if place else places
        if not np.array_equal(octets[there], expected[: there.size]):
            return None
    return places + counting.sizes[: places.size]


class _Counting(NamedTuple):
    """The numbers from 0 on, written one by one.

    Attributes:
        sizes: how many octets each has.
        octets: their first octets, their second ones, and so on; and the first number that has one.
    """

    sizes: NDArray[np.uint8]
    octets: list[tuple[int, Octets]]


@lru_cache(maxsize=8)
def _counting(bits: int) -> _Counting:
    """The numbers of so many bits."""
    rest = np.arange(1 << bits) << 1
    sizes = np.zeros(rest.size, np.uint8)
    octets: list[tuple[int, Octets]] = []
    begin = 0
    while rest.size:
        sizes[begin:] += 1
        more = rest >> _BITS
        octets.append((begin, ((rest & _SEPTET) | ((more > 0) * _MORE)).astype(np.uint8)))
        left = int(np.count_nonzero(more))  # they are the last ones
        begin += rest.size - left
        rest = more[rest.size - left :]
    return _Counting(sizes, octets)
