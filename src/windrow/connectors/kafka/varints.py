"""Numbers of Kafka's record batches, which take as many octets as they need, read at many places at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.byte_slices import Places, Words, before_first

#: The bit of each octet that says that another one follows.
_MORE = np.uint64(0x8080_8080_8080_8080)
_ONE = np.uint64(1)


class Varints(NamedTuple):
    """Numbers.

    Attributes:
        values: what they are.
        ends: the place behind each.
    """

    values: Places
    ends: Places


def varints(at: Words, places: Places) -> Varints | None:
    r"""The number at each place; None: one has more than eight octets.

    They are those of Protocol Buffers, in zigzag: 0, -1, 1, -2.

    Example:
        >>> from windrow.elements.byte_slices import padded, words
        >>> varints(words(padded(b"\x03\x80\x01")), np.array([0, 1]))
        Varints(values=array([-2, 64]), ends=array([1, 3]))
    """
    found = _found(at, places)
    if found is None:
        return None
    read, sizes = found
    number = read & _septet(0)
    for place in range(1, int(sizes.max(initial=1))):
        number |= (read & _septet(place)) >> np.uint64(place)
    values = (number >> _ONE).view(np.int64) ^ -(number & _ONE).view(np.int64)
    return Varints(values, places + sizes)


def ends_of_varints(at: Words, places: Places) -> Places | None:
    """The place behind the number at each place; None: one has more than eight octets."""
    found = _found(at, places)
    return None if found is None else places + found[1]


def _found(at: Words, places: Places) -> tuple[Words, NDArray[np.uint8]] | None:
    """The octets of each number, and how many they are."""
    read = at[places]
    last = ~read & _MORE
    if not last.all():
        return None
    below, before = before_first(last)
    read &= below
    return read, before + np.uint8(1)


def _septet(place: int) -> np.uint64:
    return np.uint64(0x7F << (8 * place))
