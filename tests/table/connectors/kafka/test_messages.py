"""Messages as tuples."""

import datetime as dt

import pytest

from tests.table.connectors.kafka.building import Message
from windrow.connectors.kafka.fetched import FetchedMessages
from windrow.metrics import Counter
from windrow.operators.table.changes import DELETE, UPDATE_AFTER
from windrow.operators.table.json_lines import JsonLines
from windrow.table import data_types as t
from windrow.table.connectors.csv_lines import CsvLines
from windrow.table.connectors.kafka.messages import Messages
from windrow.table.connectors.kafka.parts import Part

INT, TEXT = t.IntType(), t.VarCharType(t.LONGEST)


def value(*, ignore=False):
    return Part(JsonLines(["a", "b"], [INT, TEXT], ignore_errors=ignore), (0, 1))


def read(reading, messages):
    """What a reader makes of messages whose times the source has taken already."""
    fetched = FetchedMessages("t", 1, messages)
    return reading.of_fetched(fetched, fetched.timestamps())


def test_a_message_without_a_value_is_skipped():
    """A tombstone is no row where rows are appended."""
    assert read(Messages(2, value(), None, []), [Message(b'{"a": 1}'), Message(None)]) == [(1, None), None]


def test_metadata_is_what_the_client_knows():
    """A header that comes more than once has its last value, as in Flink."""
    wanted = ["topic", "partition", "offset", "timestamp", "timestamp-type", "headers", "leader-epoch"]
    message = Message(b"{}", time=(2, 5_000), of_headers=[("x", b"1"), ("y", None), ("x", b"2")])
    (row,) = read(Messages(2, value(), None, wanted), [message])
    time = dt.datetime(1970, 1, 1, 0, 0, 5, tzinfo=dt.UTC)
    assert row == (None, None, "t", 1, 17, time, "LogAppendTime", [("x", b"2"), ("y", None)], None)


def test_a_record_without_a_time_is_just_before_1970():
    """Kafka's client says -1 of it."""
    ((_, _, time, kind),) = read(
        Messages(2, value(), None, ["timestamp", "timestamp-type"]), [Message(b"{}", time=(0, 0))]
    )
    assert time == dt.datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=dt.UTC)
    assert kind == "NoTimestampType"


@pytest.mark.parametrize(
    ("wanted", "timestamps", "expected"),
    [([], True, True), ([], False, False), (["offset"], False, False), (["timestamp"], False, True)],
)
def test_timestamps_are_asked_for_where_somebody_sees_them(wanted, timestamps, expected):
    """A table whose own columns say what time rows have does not need those of messages, unless it reads them."""
    assert Messages(2, value(), None, wanted, timestamps=timestamps).has_timestamps is expected


def test_the_value_has_the_last_word():
    """Where a column is in both, its value is that of the value."""
    key = Part(CsvLines(["a"], [INT]), (0,))
    reading = Messages(2, value(), key, [])
    assert read(reading, [Message(b'{"a": 1, "b": "x"}', b"7")]) == [(1, "x")]
    alone = Part(JsonLines(["b"], [TEXT]), (1,))
    assert read(Messages(2, alone, key, []), [Message(b'{"b": "x"}', b"7")]) == [(7, "x")]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"a": "x"}', b"\xff", b"[" * 100_000])
def test_what_cannot_be_read_is_an_error(content):
    """It says whether it is the key or the value."""
    with pytest.raises(ValueError, match="the value: "):
        read(Messages(2, value(), None, []), [Message(content)])


def test_what_cannot_be_read_is_left_out_and_counted_if_the_table_says_so():
    """A field that cannot be read is NULL, and its message stays."""
    errors = Counter()
    reading = Messages(2, value(ignore=True), None, []).counted_by(errors)
    found = read(reading, [Message(b"{"), Message(b'{"a": "x", "b": "y"}'), Message(b"\xff")])
    assert found == [None, (None, "y"), None]
    assert errors.get_count() == 2


def test_csv_that_cannot_be_read_is_left_out_and_counted_as_well():
    """A value may be of any length, and what stands behind the first line does not count."""
    errors = Counter()
    part = Part(CsvLines(["a", "b"], [INT, TEXT], ignore_errors=True), (0, 1))
    long = "x" * 200_000
    contents = [f"1,{long}".encode(), b"2,x\n3,y", b'4,"x', b'5,"x"y']
    found = read(Messages(2, part, None, []).counted_by(errors), [Message(content) for content in contents])
    assert found == [(1, long), (2, "x"), None, None]
    assert errors.get_count() == 2


def test_changes_have_a_kind():
    """A message without a value deletes the row of its key."""
    key = Part(JsonLines(["a"], [INT]), (0,))
    reading = Messages(2, value(), key, ["offset"], changes=True)
    found = read(reading, [Message(b'{"a": 1, "b": "x"}', b'{"a": 1}'), Message(None, b'{"a": 1}')])
    assert found == [(1, "x", 17, UPDATE_AFTER), (1, None, 17, DELETE)]


@pytest.mark.parametrize("broken", [None, b"{", b'{"a": "7"}', b"[1]"])
def test_many_messages_are_columns_unless_one_is_not_read_so(broken):
    """They have what rows have; with one that has to be looked at by itself all are rows, or an error."""
    wanted = ["timestamp", "partition", "headers"]
    messages = [
        Message(b'{"a": %d, "b": "x"}' % number, time=(number % 2, number % 2 * number - 1)) for number in range(40)
    ]
    one_by_one = [row for message in messages for row in read(Messages(2, value(), None, wanted), [message])]
    if broken is not None:
        messages[7] = Message(broken)
    reading = Messages(2, value(ignore=True), None, wanted).counted_by(Counter())
    found = read(reading, messages)
    assert isinstance(found, list) == (broken is not None)
    assert [row for place, row in enumerate(found) if place != 7] == [*one_by_one[:7], *one_by_one[8:]]
