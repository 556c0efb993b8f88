"""JSON values out of many pieces of bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.connectors.json_bytes import loads_all

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
written = st.builds(
    lambda value, before, after, encoding: (before + json.dumps(value, ensure_ascii=False) + after).encode(
        encoding, "surrogatepass"
    ),
    values,
    st.sampled_from(["", " ", "\n", "\ufeff"]),
    st.sampled_from(["", " ", "\r\n", "x", "1"]),
    st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"]),
)
anything = written | st.binary(max_size=8) | st.text(max_size=5) | st.none() | st.sampled_from([b"NaN", b"-Infinity"])


def outcome(load, data):
    try:
        return repr(load(data))
    except Exception as error:
        return type(error), str(error)


@given(st.lists(anything, max_size=4))
def test_each_is_what_json_loads_gives(messages):
    """Whatever the bytes are: values, their types, and errors with their messages."""
    assert outcome(loads_all, messages) == outcome(lambda all_: [json.loads(each) for each in all_], messages)


@pytest.mark.parametrize("data", [b"", b"1\x00", b'{"a": 1} {"b": 2}', b"\xff", b"[1", b"\xef\xbb\xbf1"])
def test_what_is_no_plain_json_is_left_to_json_loads(data):
    """Cut texts, other encodings, two values: the same value or error."""
    assert outcome(loads_all, [data]) == outcome(lambda all_: [json.loads(each) for each in all_], [data])
