"""Numbers of as many octets as they need."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.connectors.kafka.varints import behind_counting, behind_sizes, varints
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


#: Around those that have one octet, two and three.
SIZES = st.integers(0, 70) | st.integers(8_180, 8_200) | st.just(2**20)


@given(st.lists(SIZES, min_size=1, max_size=6), st.integers(0, 5), st.sampled_from([-1, 1]))
def test_sizes_are_what_is_left_up_to_an_end(sizes, place, by):
    """If one says another size, none is taken."""
    parts = [written(size) + bytes(size) for size in sizes]
    ends = np.cumsum([len(part) for part in parts])
    begins = ends - [len(part) for part in parts]
    behind = behind_sizes(padded(*parts), begins, ends)
    assert behind.tolist() == (ends - sizes).tolist()
    other = np.zeros(len(sizes), np.int64)
    other[place % len(sizes)] = by
    assert behind_sizes(padded(*parts), begins, ends + other) is None


def test_a_size_of_nothing_but_itself_is_none():
    """Where an end is in front of its own size, nothing is read."""
    assert behind_sizes(padded(b"\0"), np.array([0]), np.array([0])) is None


@given(st.sampled_from([1, 2, 64, 65, 8_192, 8_193, 10_000]), st.data())
def test_what_counts_is_found_by_the_octets_that_it_has(count, data):
    """Another octet at one place is seen, wherever it is."""
    parts = [written(number) for number in range(count)]
    ends = np.cumsum([len(part) for part in parts])
    begins = ends - [len(part) for part in parts]
    assert behind_counting(padded(*parts), begins).tolist() == ends.tolist()
    octets = padded(*parts).copy()
    octets[data.draw(st.integers(0, int(ends[-1]) - 1))] ^= 0x82
    assert behind_counting(octets, begins) is None


def test_numbers_that_are_longer_than_need_be_are_for_others():
    """0 in two octets."""
    assert behind_counting(padded(b"\x80\x00\x02"), np.array([0, 2])) is None
    assert behind_sizes(padded(b"\x84\x00ab"), np.array([0]), np.array([4])) is None


def test_the_table_of_what_counts_has_an_end():
    """A batch of more records is read as any numbers are."""
    assert behind_counting(padded(b"\0"), np.zeros(2**20 + 1, np.int64)) is None
