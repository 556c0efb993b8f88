"""JSON values out of many pieces of bytes."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.json_values import EXACT, PYTHON, STRICT

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

texts = st.text(max_size=5) | st.builds(
    lambda value, before, after: before + json.dumps(value, ensure_ascii=False) + after,
    values | st.sampled_from([float("nan"), float("-inf")]),
    st.sampled_from(["", " ", "\r", "\x0b", "\ufeff"]),
    st.sampled_from(["", " ", "\r", "x", "1", ","]),
)


def refuse(constant):
    msg = f"{constant} is no JSON"
    raise ValueError(msg)


def outcome(load, data):
    try:
        return repr(load(data))
    except Exception as error:
        return type(error), str(error)


@given(st.lists(anything, max_size=4))
def test_each_is_what_json_loads_gives(messages):
    """Whatever the bytes are: values, their types, and errors with their messages."""
    assert outcome(PYTHON.loads_all, messages) == outcome(lambda all_: [json.loads(each) for each in all_], messages)


@pytest.mark.parametrize("data", [b"", b"1\x00", b'{"a": 1} {"b": 2}', b"\xff", b"[1", b"\xef\xbb\xbf1"])
def test_what_is_no_plain_json_is_left_to_json_loads(data):
    """Cut texts, other encodings, two values: the same value or error."""
    assert outcome(PYTHON.loads_all, [data]) == outcome(lambda all_: [json.loads(each) for each in all_], [data])


@given(st.lists(anything, max_size=4))
def test_options_are_those_of_json_loads(messages):
    """Constants that are no JSON are refused, and fractions may keep their digits; the error is the same one."""
    options = {"parse_constant": refuse, "parse_float": Decimal}
    for reading, given_options in ((STRICT, {"parse_constant": refuse}), (EXACT, options)):
        expected = outcome(lambda all_, with_=given_options: [json.loads(each, **with_) for each in all_], messages)
        assert outcome(reading.loads_all, messages) == expected


@given(st.lists(texts, max_size=4))
def test_texts_are_what_the_decoder_gives(lines):
    """Blanks around values, two values, halves of one, constants: the same value or error."""
    decode = json.JSONDecoder(parse_constant=refuse).decode
    expected = outcome(lambda all_: list(map(decode, all_)), lines)
    assert outcome(STRICT.decode_all, lines) == expected
    assert outcome(lambda all_: [STRICT.decode(line) for line in all_], lines) == expected


@pytest.mark.parametrize(
    "read",
    [EXACT.decode, EXACT.prefix, lambda text: EXACT.decode_all([text]), lambda text: EXACT.loads_all([text.encode()])],
)
def test_exponents_that_no_decimal_number_has_are_a_value_error(read):
    """Those who read skip what is a ValueError, as they do what is no JSON; the decimal module's own is none."""
    with pytest.raises(ValueError, match="exponent"):
        read('{"n": 1e9999999999999999999}')


def test_a_prefix_ends_where_its_value_does():
    """Whatever stands behind it; a blank in front of it is no JSON."""
    assert STRICT.prefix("x[1] 2", 1) == ([1], 4)
    with pytest.raises(ValueError, match="Expecting value"):
        STRICT.prefix(" 1")
    with pytest.raises(ValueError, match="NaN is no JSON"):
        STRICT.prefix("NaN")
