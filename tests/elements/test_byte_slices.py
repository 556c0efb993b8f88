"""Contents in one piece of memory are the contents they were made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.byte_slices import PADDING, ByteSlices, padded, words

CONTENTS = st.lists(st.binary(max_size=9), min_size=1, max_size=9)


def apart(contents, between):
    """The contents, with something in front of each."""
    places = np.cumsum([len(part) for pair in zip(between, contents, strict=True) for part in pair]).reshape(-1, 2)
    octets = padded(*[part for pair in zip(between, contents, strict=True) for part in pair])
    return ByteSlices(octets, places[:, 0], places[:, 1])


@given(CONTENTS)
def test_contents_stay_what_they_are(contents):
    """Lines may be in them, and some may be empty."""
    slices = ByteSlices.of(contents)
    assert list(slices) == contents
    assert [slices[place] for place in range(len(slices))] == contents
    for begin in range(len(contents)):
        assert list(slices[begin:]) == contents[begin:]


@given(st.lists(CONTENTS, min_size=1, max_size=4), st.data())
def test_parts_are_joined(parts, data):
    """Whatever is between their contents, and where they are parts of others; an empty one adds nothing."""
    slices, expected = [], []
    for contents in parts:
        between = [data.draw(st.binary(max_size=3)) for _ in contents]
        begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(contents))] * 2)))
        slices.append(apart(contents, between)[begin:end])
        expected += contents[begin:end]
    joined = ByteSlices.joined(slices)
    assert list(joined) == expected
    assert joined.octets.size >= PADDING


def test_one_of_many_is_taken_without_the_others():
    """A copy of all that lies around it, for each, would cost the square of what all of them cost."""
    slices = ByteSlices.of([b"content"] * 1000)
    octets, begins, ends = slices[500:501]._own()
    assert (octets.size, begins.tolist(), ends.tolist()) == (7, [0], [7])
    assert list(slices[500:501]) == [b"content"]
    assert slices[500:502].lines() == b"content\ncontent"
    assert list(slices[:0]) == []


@given(CONTENTS, st.data())
def test_lines_have_nothing_else_between_them(contents, data):
    """Be it nothing, or more than is worth blanking out: split at lines and without spaces they are the contents."""
    contents = [content.replace(b"\n", b"").replace(b" ", b"").strip() for content in contents]
    sizes = data.draw(st.sampled_from([(0, 3), (1, 1), (1, 4), (60, 70)]))
    between = [b"x" * data.draw(st.integers(*sizes)) for _ in contents]
    slices = apart(contents, between)
    assert [line.strip(b" ") for line in slices.lines().split(b"\n")] == contents
    assert list(slices) == contents, "what they lie in is as it was"


@pytest.mark.parametrize("size", range(1, 9))
def test_a_word_is_eight_octets_from_any_place(size):
    """Behind the last content there are zeros."""
    octets = padded(bytes(range(1, size + 1)))
    for place in range(size):
        expected = int.from_bytes(bytes([*range(place + 1, size + 1)]).ljust(8, b"\0"), "little")
        assert words(octets)[place] == expected
