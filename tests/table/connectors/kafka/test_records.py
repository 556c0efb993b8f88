"""Tuples as records."""

import datetime as dt

from windrow.common.limits import NO_TIMESTAMP
from windrow.operators.table.changes import DELETE, INSERT, UPDATE_BEFORE
from windrow.operators.table.json_lines import JsonLines
from windrow.table import data_types as t
from windrow.table.connectors.csv_lines import CsvLines
from windrow.table.connectors.kafka.parts import Part
from windrow.table.connectors.kafka.records import Records

INT, TEXT = t.IntType(), t.VarCharType(t.LONGEST)
VALUE = Part(JsonLines(["a", "b"], [INT, TEXT]), (0, 1))
KEY = Part(CsvLines(["a"], [INT]), (0,))


def test_the_time_of_a_row_is_not_that_of_its_record():
    """As in Flink, which gives records the time at which they are written, unless metadata says another."""
    record = Records("t", VALUE, None, {}).serialize((1, "x"), 5)
    assert record[:3] == ("t", b'{"a":1,"b":"x"}', None)
    assert record.timestamp == NO_TIMESTAMP


def test_metadata_that_is_written():
    """Headers and the timestamp; NULL is none."""
    records = Records("t", VALUE, KEY, {"timestamp": 2, "headers": 3})
    time = dt.datetime(1970, 1, 1, 0, 0, 5, 999_900, tzinfo=dt.UTC)
    record = records.serialize((1, "x", time, [("h", b"1"), ("i", None)]), 0)
    assert record.key == b"1"
    assert record.timestamp == 5_999
    assert record.headers == [("h", b"1"), ("i", None)]
    bare = records.serialize((1, "x", None, None), 0)
    assert (bare.timestamp, list(bare.headers)) == (NO_TIMESTAMP, [])


def test_a_row_that_takes_back_is_a_record_without_a_value():
    """Its key says which row."""
    records = Records("t", VALUE, KEY, {}, changes=True)
    found = [records.serialize((1, "x", kind), 0)[1:3] for kind in (INSERT, UPDATE_BEFORE, DELETE)]
    assert found == [(b'{"a":1,"b":"x"}', b"1"), (None, b"1"), (None, b"1")]
