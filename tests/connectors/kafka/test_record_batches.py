"""Record batches, without a broker."""

import struct
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("aiokafka", reason="no decoder of record batches: pip install aiokafka")

from aiokafka.record.default_records import DefaultRecordBatchBuilder

from windrow.connectors.kafka.fetched import CREATE_TIME, LOG_APPEND_TIME
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.kafka.record_batches import (
    Aborted,
    AbortedTransaction,
    BatchRecords,
    Part,
    UnreadableBatchError,
    batches,
)

#: Attributes of batches, and where they are.
LOG_APPENDED, TRANSACTIONAL, CONTROL = 0x08, 0x10, 0x20
ATTRIBUTES_AT, PRODUCER_AT = 21, 43
ABORT, COMMIT = 0, 1


def batch(offsets, *, compression=0, base=None, attributes=0, producer=-1, value=None, key=None):
    """The bytes of a batch whose records say their offsets."""
    builder = DefaultRecordBatchBuilder(2, compression, 0, producer, 0, 0, 1 << 20)
    base = offsets[0] if base is None else base
    for offset in offsets:
        content = b"value %d" % offset if value is None else value
        headers = [("h", b"%d" % offset), ("h", None)]
        builder.append(offset - base, 1_000 + offset, b"k%d" % offset if key is None else key, content, headers)
    data = bytearray(builder.build())
    struct.pack_into(">q", data, 0, base)
    struct.pack_into(">i", data, 12, 7)  # the leader's epoch, which the checksum leaves out
    if attributes or producer >= 0:
        (before,) = struct.unpack_from(">h", data, ATTRIBUTES_AT)
        struct.pack_into(">h", data, ATTRIBUTES_AT, before | attributes)
        struct.pack_into(">q", data, PRODUCER_AT, producer)
    return bytes(data)


def mark(offset, producer, kind):
    """The mark that ends a transaction."""
    attributes = CONTROL | TRANSACTIONAL
    return batch([offset], attributes=attributes, producer=producer, key=struct.pack(">hh", 0, kind), value=b"")


def opened(data):
    """The only batch, ready to be read."""
    (one,) = batches(data)
    one.open(check=True)
    return one


def record(offset):
    return ConsumerRecord(
        "t", 3, offset, 1_000 + offset, b"k%d" % offset, b"value %d" % offset, (("h", b"%d" % offset), ("h", None))
    )


@pytest.mark.parametrize("compression", range(5), ids=["none", "gzip", "snappy", "lz4", "zstd"])
def test_a_batch_has_its_records_however_it_is_compressed(compression):
    """With all that each has."""
    data = batch([5, 6, 7], compression=compression)
    one = opened(data)
    records = BatchRecords("t", 3, [Part(one, 0, one.count)])
    assert list(records) == [record(5), record(6), record(7)]
    assert records.timestamp_types() == [CREATE_TIME] * 3
    assert records.leader_epochs() == [7] * 3
    assert (one.base_offset, one.next_offset, records.next_offset()) == (5, 8, 8)


def test_records_of_several_batches_are_sliced_like_a_list():
    """Where one was compacted away its offset is missing, and the offset behind the last is that behind the batch."""
    one, other = opened(batch([0, 1, 3])), opened(batch([7, 9], base=5))
    records = BatchRecords("t", 3, [Part(one, 0, 3), Part(other, 0, 2)])
    expected = [record(offset) for offset in (0, 1, 3, 7, 9)]
    assert list(records) == expected
    for begin in range(6):
        for end in range(6):
            part = records[begin:end]
            assert list(part) == expected[begin:end]
            assert len(part) == len(expected[begin:end])
            assert part.offsets() == [each.offset for each in expected[begin:end]]
            assert part.timestamps().tolist() == [each.timestamp for each in expected[begin:end]]
    assert [records[place] for place in range(-5, 5)] == expected * 2
    assert [records[:end].next_offset() for end in range(1, 6)] == [1, 2, 4, 8, 10]
    with pytest.raises(IndexError):
        records[5]


def test_the_time_of_appending_is_that_of_all_records():
    """The broker says so of the whole batch."""
    one = next(batches(batch([0, 1], attributes=LOG_APPENDED)))
    one.open(check=False)
    records = BatchRecords("t", 0, [Part(one, 0, 2)])
    assert records.timestamps().tolist() == [1_001, 1_001]
    assert records.timestamp_types() == [LOG_APPEND_TIME] * 2


def test_what_was_cut_off_by_the_broker_is_left_out():
    """It comes whole with the next answer."""
    data = batch([0, 1]) + batch([2])
    assert [each.next_offset for each in batches(data)] == [2, 3]
    for length in range(len(batch([0, 1])), len(data)):
        assert [each.next_offset for each in batches(data[:length])] == [2]


@pytest.mark.parametrize("quick", [None, SimpleNamespace(implementation="python")])
def test_checksums_are_looked_at_without_their_own_library(monkeypatch, quick):
    """Where it is not installed, or has no wheel for the platform."""
    monkeypatch.setitem(sys.modules, "google_crc32c", quick)
    data = bytearray(batch([4]))
    opened(data)
    data[-1] ^= 1
    with pytest.raises(UnreadableBatchError, match="its checksum is wrong"):
        opened(data)


def test_what_is_broken_is_unreadable():
    """A wrong checksum, an unknown compression, and formats from before Kafka 0.11; the error names the offset."""
    data = bytearray(batch([4]))
    data[-1] ^= 1
    with pytest.raises(UnreadableBatchError, match="at offset 4 is unreadable: its checksum is wrong"):
        opened(data)
    unknown = next(batches(batch([4], attributes=5)))
    with pytest.raises(UnreadableBatchError, match="its compression cannot be undone"):
        unknown.open(check=False)
    old = bytearray(batch([4]))
    old[16] = 1
    with pytest.raises(UnreadableBatchError, match="at offset 4 has the format 1"):
        list(batches(old))
    long = bytearray(batch([4]))
    long[-8] = 0xFF
    with pytest.raises(UnreadableBatchError, match="its records cannot be decoded"):
        next(batches(long)).open(check=False)
    no_text = batch([4]).replace(b"\x02h", b"\x02\xff")
    with pytest.raises(UnreadableBatchError, match="its records cannot be decoded"):
        next(batches(no_text)).open(check=False)
    for length in (-12, 20):
        short = bytearray(batch([4]))
        struct.pack_into(">i", short, 8, length)
        with pytest.raises(UnreadableBatchError, match="is shorter than its header"):
            list(batches(short))


def test_a_transaction_that_came_to_nothing_is_hidden_up_to_its_mark():
    """Only its producer's, and only from where it began; marks are hidden always, and what stands in no transaction
    never."""
    log = b"".join(
        [
            batch([0], attributes=TRANSACTIONAL, producer=1),
            mark(1, 1, COMMIT),
            batch([2], attributes=TRANSACTIONAL, producer=1),  # comes to nothing
            batch([3], attributes=TRANSACTIONAL, producer=2),
            batch([4]),
            batch([5], producer=1),
            mark(6, 2, COMMIT),
            mark(7, 1, ABORT),
            batch([8], attributes=TRANSACTIONAL, producer=1),
            mark(9, 1, COMMIT),
        ]
    )
    aborted = Aborted([AbortedTransaction(1, 2)])
    assert [each.base_offset for each in batches(log) if not aborted.hides(each)] == [0, 3, 4, 5, 8]
    uncommitted = Aborted([])
    assert [each.base_offset for each in batches(log) if not uncommitted.hides(each)] == [0, 2, 3, 4, 5, 8]


def test_marks_that_were_compacted_away_end_nothing():
    """What is left is a batch without a record."""
    empty = bytearray(mark(1, 1, ABORT)[:61])
    struct.pack_into(">i", empty, 8, 61 - 12)
    struct.pack_into(">i", empty, 57, 0)
    log = bytes(empty) + batch([2], attributes=TRANSACTIONAL, producer=1)
    aborted = Aborted([AbortedTransaction(1, 0)])
    assert [each.base_offset for each in batches(log) if not aborted.hides(each)] == []


def test_the_mark_of_a_commit_ends_no_transaction_that_comes_to_nothing():
    """A commit in front of it is that of the producer's transaction before."""
    log = mark(1, 1, COMMIT) + batch([2], attributes=TRANSACTIONAL, producer=1) + mark(3, 1, ABORT)
    aborted = Aborted([AbortedTransaction(1, 1)])
    assert [each.base_offset for each in batches(log) if not aborted.hides(each)] == []
