"""Finds where the records of a batch are, all of them at once.

A record says how long it is, and those in front of it where it begins: one after the other they cost more than all else
that is done to them. But records whose values are objects of JSON end with a brace, and a zero: they have no headers.
What is found so is taken if it is what each record says itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.connectors.kafka.varints import behind_counting, behind_sizes, varints
from windrow.elements.byte_slices import WORD, ByteSlices, Octets, Places, before_first, padded

#: Of fewer records this costs more than it saves.
_LEAST = 128
_BRACE, _NO_HEADERS = ord("}"), 0
#: The size -1.
_NO_KEY = 1
#: They take one octet, up to this; the decoder reads them as one more number.
_ATTRIBUTES, _MOST_ATTRIBUTES = 1, 0x7F
_LOWEST = np.uint64(1)


class RecordLayout(NamedTuple):
    """The values and timestamps of all records of a batch.

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
    if ends is None or ends.size != count or ends[-1] != len(content):
        return None
    begins = np.concatenate([[0], ends[:-1]])
    attributes = behind_sizes(octets, begins, ends)
    if attributes is None or octets[attributes].max() > _MOST_ATTRIBUTES:
        return None
    times = varints(octets, attributes + _ATTRIBUTES)
    keys_at = None if times is None else _behind_offsets(octets, times.ends)
    if times is None or keys_at is None:
        return None
    sizes_at = keys_at + 1
    if (octets[keys_at] != _NO_KEY).any():
        keys = varints(octets, keys_at)
        if keys is None:
            return None
        sizes_at = keys.ends + np.maximum(keys.values, 0)
    # The last octet is the number of headers.
    values = behind_sizes(octets, sizes_at, ends - 1)
    return None if values is None else RecordLayout(ByteSlices(octets, values, ends - 1), times.values)


def _behind_offsets(octets: Octets, places: Places) -> Places | None:
    """Behind offsets, which follow each other if no record was compacted away."""
    behind = behind_counting(octets, places)
    if behind is not None:
        return behind
    offsets = varints(octets, places)
    return None if offsets is None else offsets.ends


def _ends(octets: Octets) -> Places | None:
    """Behind each zero behind a brace; None: two are closer to each other than a record is long.

    Words are looked through, most of which have none.
    """
    found = np.zeros(-(-octets.size // WORD.itemsize) * WORD.itemsize, bool)
    behind_braces = found[1 : octets.size]
    np.equal(octets[:-1], _BRACE, out=behind_braces)
    behind_braces &= octets[1:] == _NO_HEADERS
    of_words = found.view(WORD)
    places = np.flatnonzero(of_words != 0)
    marks = of_words[places]
    if (marks & (marks - _LOWEST)).any():
        return None
    places *= WORD.itemsize
    places += before_first(marks)[1]
    places += 1
    return places
