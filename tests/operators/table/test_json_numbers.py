"""Objects of whole numbers alone: they are JSON's, or are left to those who read any."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.elements.byte_slices import ByteSlices
from windrow.operators.table.json_numbers import Form, numbers_of_json

NUMBERS = (
    st.integers(-(10**16) + 1, 10**16 - 1) | st.integers(-11, 11) | st.sampled_from([10**8 - 1, 10**8, 10**16 - 1])
)
NAMES = st.lists(st.text("ab1 {,:", max_size=12), min_size=1, max_size=3, unique=True)


def rows(numbers):
    """Each object of what was read."""
    return [
        dict(zip(numbers, row, strict=True)) for row in zip(*[each.tolist() for each in numbers.values()], strict=True)
    ]


@given(NAMES, st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "\n:\r")]), st.data())
def test_numbers_are_those_of_json(names, separators, data):
    """Of up to sixteen digits, whatever they are called, and whatever is between them."""
    objects = data.draw(st.lists(st.tuples(*[NUMBERS for _ in names]), min_size=1, max_size=5))
    objects = [dict(zip(names, each, strict=True)) for each in objects]
    contents = [json.dumps(each, separators=separators).encode() for each in objects]
    assert rows(numbers_of_json(ByteSlices.of(contents))) == objects


@given(
    st.lists(
        st.from_regex(rb'\{"a": ?-?[0-9x]{0,18}[.e]?[0-9]?(, "b":[01])?\} ?', fullmatch=True), min_size=1, max_size=3
    )
)
@example([b'{"a":1}', b'{"a":01}'])
@example([b'{"a":0}', b'{"a":-0}'])
@example([b'{"a":1}', b'{"a":-}'])
@example([b'{"a":99999999}', b'{"a":99999999x}'])
@example([b'{"a":9999999999999999}', b'{"a":99999999999999999}'])
@example([b'{"a":1}', b'{"a":1} '])
def test_what_is_read_is_what_json_reads(contents):
    """Anything that is no whole number, that has another form than the first or too many digits is not read."""
    numbers = numbers_of_json(ByteSlices.of(contents))
    if numbers is not None:
        assert rows(numbers) == [json.loads(content) for content in contents]
        assert all(type(value) is int for row in map(json.loads, contents) for value in row.values())


def test_many_objects_are_read_in_parts():
    """The last of which may be what is no number."""
    objects = [{"a": number, "b": -number} for number in range(40_000)]
    contents = [json.dumps(each).encode() for each in objects]
    assert rows(numbers_of_json(ByteSlices.of(contents))) == objects
    assert numbers_of_json(ByteSlices.of([*contents, b'{"a": 1, "b": 1.5}'])) is None


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b"",
        b"[1]",
        b'{"a": 1',
        b'{"a": "1"}',
        b'{"a": {"b": 1}}',
        b'{"\\u0061": 1}',
        b'{"a": 1, "a": 2}',
        b'{"a": 1}}',
        '{"é": 1}'.encode(),
        b',"a": 1}',
        b'{"a": 1{"b": 2}',
        b'{"a": 1,}',
        b'{"a":\x0b1}',
        b'{"a\n": 1}',
    ],
)
def test_other_objects_have_no_form(content):
    """Empty ones, names that do not stand for themselves or come twice, and what is no JSON."""
    assert Form.of(content) is None
    assert numbers_of_json(ByteSlices.of([content])) is None
