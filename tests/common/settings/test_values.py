"""Values of settings in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.settings.values import parse_duration, parse_list, parse_map, parse_memory, show_value
from windrow.common.time import Duration

TEXTS = st.text(alphabet="ab ,:;'\"[]{}#", max_size=8)


@pytest.mark.parametrize(
    ("text", "nanos"),
    [
        ("7", 7_000_000),
        ("7 ms", 7_000_000),
        ("2s", 2_000_000_000),
        ("3 minutes", 180_000_000_000),
        ("1 H", 3_600_000_000_000),
        ("2 days", 172_800_000_000_000),
        ("5 µs", 5_000),
        ("9ns", 9),
    ],
)
def test_spans_of_time(text, nanos):
    """Flink's units, short and long, in any case; without one, milliseconds."""
    assert parse_duration(text).to_nanos() == nanos


@pytest.mark.parametrize("text", ["", "s", "-1 s", "1.5 s", "2 weeks", "1 s 2 ms"])
def test_what_is_no_span_of_time(text):
    """A number of one unit, and not below 0."""
    with pytest.raises(ValueError):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "size"), [("20", 20), ("20 b", 20), ("4kb", 4096), ("1 m", 1 << 20), ("2 TB", 2 << 40)]
)
def test_amounts_of_memory(text, size):
    """Units are powers of 1024; without one, bytes."""
    assert parse_memory(text) == size


@pytest.mark.parametrize(
    ("text", "read"),
    [("", []), ("[]", []), ("[a, 'b, c']", ["a", "b, c"]), ("a;b", ["a", "b"]), ("- a\n- b", ["a", "b"])],
)
def test_lists(text, read):
    """YAML's forms and Flink's older one."""
    assert parse_list(text) == read


def test_maps():
    """YAML's form and Flink's older one; a value may have colons."""
    assert parse_map("{a: 1, b: 'x, y'}") == {"a": "1", "b": "x, y"}
    assert parse_map("a:1,b:hdfs://host") == {"a": "1", "b": "hdfs://host"}
    with pytest.raises(ValueError):
        parse_map("a")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (3, "3"),
        (1e10, "1.0E10"),
        (0.5, "0.5"),
        ("a, b", "a, b"),
        (["a", "b, c"], "[a, 'b, c']"),
        ({"a": 1, "b": "it's"}, "{a: 1, b: 'it''s'}"),
        (Duration.of_millis(1500), "1500 ms"),
        (Duration.of_minutes(120), "2 h"),
        (Duration.of_nanos(1_001), "1001 ns"),
    ],
)
def test_values_are_shown_as_flink_writes_them(value, text):
    """Numbers as in Java, lists and maps in YAML's form, spans of time in their largest unit."""
    assert show_value(value) == text


@given(st.lists(TEXTS))
def test_lists_come_back(texts):
    """What show_value writes of a list, parse_list reads, apart from items that are empty."""
    kept = [text for text in texts if text]
    assert parse_list(show_value(kept)) == kept
