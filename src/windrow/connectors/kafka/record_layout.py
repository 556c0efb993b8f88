"""Where the records of a batch are, found for all of them at once.

A record says how long it is, and those in front of it where it begins: one after the other they cost more than all else
that is done to them. But records whose values are objects of JSON end with a brace, and a zero: they have no headers.
What is found so is taken if it is what each record says itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.connectors.kafka.varints import ends_of_varints, varints
from windrow.elements.byte_slices import ByteSlices, Octets, Places, padded, words

#: Of fewer records this costs more than it saves.
_LEAST = 128
_BRACE, _NO_HEADERS = ord("}"), 0
#: The size -1.
_NO_KEY = 1
#: They take one octet, up to this; the decoder reads them as one more number.
_ATTRIBUTES, _MOST_ATTRIBUTES = 1, 0x7F


class RecordLayout(NamedTuple):
    """What all records of a batch have.

    Attributes:
        values: their values.
        times: their timestamps, without the batch's.
    """

    values: ByteSlices
    times: Places


def record_layout(content: memoryview, count: int) -> RecordLayout | None:
    """The layout of a batch's records; None: they have to be decoded one by one.

    Args:
        content: Of the records, not compressed.
        count: How many there are.
    """
    if count < _LEAST or len(content) < count or content[-1] != _NO_HEADERS or content[-2] != _BRACE:
        return None
    octets = padded(content)
    ends = _ends(octets[: len(content)])
    if ends.size != count or ends[-1] != len(content):
        return None
    begins = np.concatenate([[0], ends[:-1]])
    at = words(octets)
    lengths = varints(at, begins)
    if lengths is None or not np.array_equal(lengths.ends + lengths.values, ends):
        return None
    if octets[lengths.ends].max() > _MOST_ATTRIBUTES:
        return None
    times = varints(at, lengths.ends + _ATTRIBUTES)
    keys_at = None if times is None else ends_of_varints(at, times.ends)  # behind offsets
    if times is None or keys_at is None:
        return None
    values = keys_at + 1
    if (octets[keys_at] != _NO_KEY).any():
        keys = varints(at, keys_at)
        if keys is None:
            return None
        values = np.minimum(keys.ends + np.maximum(keys.values, 0), ends)
    sizes = varints(at, values)
    # The last octet is the number of headers; a value that is none has the size -1.
    if sizes is None or not np.array_equal(sizes.ends + sizes.values, ends - 1) or sizes.values.min() < 0:
        return None
    return RecordLayout(ByteSlices(octets, sizes.ends, ends - 1), times.values)


def _ends(octets: Octets) -> Places:
    """Behind each zero behind a brace."""
    return np.flatnonzero((octets[:-1] == _BRACE) & (octets[1:] == _NO_HEADERS)) + 2
