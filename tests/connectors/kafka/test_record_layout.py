"""Where records are that were found at once: they are the decoder's, or the decoder reads them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("aiokafka", reason="no decoder of record batches: pip install aiokafka")

from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

from windrow.connectors.kafka.record_batches import BatchRecords, Part, batches
from windrow.connectors.kafka.record_layout import record_layout
from windrow.elements.byte_slices import ByteSlices

HEADER = 61
MANY = 150
ATTRIBUTES_AT, LOG_APPENDED = 21, 0x08
KEYS = st.none() | st.binary(max_size=3) | st.just(b"}" * 70)
OBJECTS = st.sampled_from([b"{}", b'{"a": 1}', b'{"a": "' + b"x" * 100 + b'"}'])
TIMES = st.integers(-3, 3) | st.integers(0, 2**40) | st.sampled_from([-63, 8_000])
#: Some that are like no others are among many that are alike.
OTHERS = st.lists(st.tuples(TIMES, KEYS, OBJECTS | st.none() | st.just(b"}\0"), st.booleans()), max_size=3)


def built(records, compression=0, step=1):
    """A batch of timestamps, keys, values and whether there is a header; and each of them with its offset."""
    builder = DefaultRecordBatchBuilder(2, compression, 0, -1, 0, 0, 1 << 24)
    for offset, (time, key, value, has_header) in enumerate(records):
        builder.append(offset * step, 10**12 + time, key, value, [("h", b"}")] if has_header else [])
    return bytes(builder.build())


def decoded(data):
    return [(each.timestamp, each.value) for each in DefaultRecordBatch(bytearray(data))]


def opened(data):
    (one,) = batches(data)
    one.open(check=True)
    return one


@given(st.lists(st.tuples(TIMES, KEYS, OBJECTS), min_size=1, max_size=4), OTHERS, st.integers(0, MANY))
def test_records_are_the_decoders(like, others, place):
    """With keys or without, however long; where one has headers, or no object, they are read one by one."""
    records = [(*like[number % len(like)], False) for number in range(MANY)]
    records[place:place] = others
    data = built(records)
    layout = record_layout(memoryview(data)[HEADER:], len(records))
    if any(value is None or not value.endswith(b"}") or headers for _, _, value, headers in records):
        assert layout is None
    one = opened(data)
    found = [*zip(one.timestamps().tolist(), one.values(), strict=True)]
    assert found == decoded(data)


def test_objects_are_found_at_once():
    """In batches of many, whatever their keys are, and however they are compressed."""
    for key in (None, b"", b"k", b"}" * 70):
        records = [(number, key, b'{"a": %d}' % number, False) for number in range(MANY)]
        for compression in range(5):
            one = opened(built(records, compression))
            assert isinstance(one.values(), ByteSlices)
            assert list(one.values()) == [value for _, _, value, _ in records]
            assert one.column("key") == [key] * MANY


def test_offsets_may_have_gaps():
    """Where a log was compacted offsets do not follow each other; values and timestamps are found all the same."""
    records = [(3 * number, None, b'{"a": %d}' % number, False) for number in range(MANY)]
    data = built(records, step=7)
    one = opened(data)
    assert isinstance(one.values(), ByteSlices)
    assert [*zip(one.timestamps().tolist(), one.values(), strict=True)] == decoded(data)
    assert list(one.offsets()) == [*range(0, 7 * MANY, 7)]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-1] + b"\x02", id="a header is said to be there"),
        pytest.param(lambda data: data[:-2] + b"]\0", id="the last one is no object"),
        pytest.param(lambda data: b"\x10" + data[1:], id="a length is another"),
        pytest.param(lambda data: data[:-9] + b"\x04" + data[-8:], id="a value is said to be shorter"),
        pytest.param(lambda data: data[:-9] + b"\xff" * 9, id="no end"),
        pytest.param(lambda data: data[:1] + b"\x8a" + data[2:], id="attributes go on"),
    ],
)
def test_what_does_not_say_so_itself_is_not_taken(damage):
    """The decoder finds out what is wrong."""
    content = built([(0, None, b'{"a":1}', False)] * MANY)[HEADER:]
    assert record_layout(memoryview(content), MANY) is not None
    assert record_layout(memoryview(damage(content)), MANY) is None


def test_the_time_of_appending_is_that_of_all():
    """The broker says so of the whole batch, and its records have their own times nevertheless."""
    data = bytearray(built([(number, None, b"{}", False) for number in range(MANY)]))
    data[ATTRIBUTES_AT : ATTRIBUTES_AT + 2] = struct.pack(">h", LOG_APPENDED)
    (one,) = batches(bytes(data))
    one.open(check=False)
    assert isinstance(one.values(), ByteSlices)
    assert (
        one.timestamps().tolist() == [10**12 + MANY - 1] * MANY == [each.timestamp for each in DefaultRecordBatch(data)]
    )


def test_records_of_several_batches_lie_in_one_piece():
    """Or, where one was decoded, in a list of all."""
    contents = [b'{"a": %d}' % number for number in range(MANY)]
    one, other = (opened(built([(0, None, value, False) for value in contents])) for _ in range(2))
    few = opened(built([(0, None, b"{}", False)]))
    both = BatchRecords("t", 0, [Part(one, 2, MANY), Part(other, 0, 3)])
    assert isinstance(both.values(), ByteSlices)
    assert list(both.values()) == [*contents[2:], *contents[:3]]
    mixed = BatchRecords("t", 0, [Part(few, 0, 1), Part(one, 0, 2)])
    assert mixed.values() == [b"{}", *contents[:2]]
