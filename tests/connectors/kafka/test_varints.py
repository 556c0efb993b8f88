"""Numbers of as many octets as they need."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.connectors.kafka.varints import varints
from windrow.elements.byte_slices import padded


def written(number):
    """A number as Protocol Buffers have it, in zigzag."""
    rest = number * 2 if number >= 0 else -number * 2 - 1
    octets = []
    while rest > 0x7F:
        octets.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*octets, rest])


@given(st.lists(st.integers(-(2**55), 2**55 - 1), min_size=1))
def test_they_are_read_wherever_they_are(numbers):
    """Of up to eight octets, in any order."""
    parts = [written(number) for number in numbers]
    ends = np.cumsum([len(part) for part in parts])
    read = varints(padded(*parts), np.array([0, *ends[:-1]]))
    assert read.values.tolist() == numbers
    assert read.ends.tolist() == ends.tolist()


def test_longer_ones_are_for_others():
    """One of them is enough."""
    for number in (2**55, -(2**55) - 1, 2**63 - 1):
        content = written(1) + written(number)
        assert varints(padded(content), np.array([0, 1])) is None
