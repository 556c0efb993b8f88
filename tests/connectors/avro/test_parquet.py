"""Avro's records in Parquet files."""

import datetime
import io
from decimal import Decimal

import pyarrow.parquet as pq
import pytest

from tests.connectors.avro.records import schema_of
from windrow.common import Row
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.datastream.connectors.file_system import FileSource
from windrow.datastream.formats.parquet import AvroParquetReaders, AvroParquetWriters
from windrow.errors import ConfigurationError, JobExecutionError, TypeConversionError

INNER = {"type": "record", "name": "I", "fields": [{"name": "n", "type": "int"}]}
AT = datetime.datetime(2020, 2, 29, 1, 2, 3, 4000, tzinfo=datetime.UTC)
CASES = [
    ("null", None),
    ("boolean", True),
    ("int", 1),
    ("long", 2**40),
    ("float", 1.5),
    ("double", 1.5),
    ("string", "a"),
    ("bytes", b"a"),
    ({"type": "enum", "name": "E", "symbols": ["A"]}, "A"),
    ({"type": "fixed", "name": "F", "size": 1}, b"a"),
    (["null", "string"], None),
    (["int", "null", "string"], "a"),
    (["int", "null", "string"], 7),
    (["int", "null", "string"], None),
    (["string", INNER], {"n": 1}),
    ({"type": "array", "items": INNER}, [{"n": 1}, {"n": 2}]),
    ({"type": "array", "items": ["null", "int"]}, [1, None]),
    ({"type": "map", "values": {"type": "array", "items": "int"}}, {"a": [1]}),
    ({"type": "long", "logicalType": "timestamp-millis"}, AT),
    ({"type": "int", "logicalType": "time-millis"}, AT.time()),
    ({"type": "int", "logicalType": "date"}, AT.date()),
    ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 1}, Decimal("1.5")),
]


def written(path, schema, *records):
    with path.open("wb") as file:
        writer = AvroParquetWriters.for_generic_record(schema).create(file)
        writer.add_elements(records)
        writer.finish()


def read(path, schema):
    parquet_format = AvroParquetReaders.for_generic_record(schema)
    return [record for _, batch in elements(parquet_format, whole_file(str(path))) for record in batch.values]


@pytest.mark.parametrize(("kind", "value"), CASES, ids=repr)
def test_what_is_written_is_read(kind, value, tmp_path):
    """Every type of Avro's, and unions of several."""
    schema = schema_of(f=kind, k="int")
    written(tmp_path / "a", schema, {"f": value, "k": 1})
    assert read(tmp_path / "a", schema) == [{"f": value, "k": 1}]


def test_a_union_of_several_is_a_struct_of_members(tmp_path):
    """As parquet-avro writes it."""
    written(tmp_path / "a", schema_of(u=["null", "int", "string"]), {"u": "a"}, Row(u=1), {"u": None})
    assert pq.read_table(tmp_path / "a").to_pylist() == [
        {"u": {"member0": None, "member1": "a"}},
        {"u": {"member0": 1, "member1": None}},
        {"u": None},
    ]


def test_columns_are_those_of_the_schema(tmp_path):
    """A file may have more of them; one that is missing is named."""
    written(tmp_path / "a", schema_of(n="int", s="string"), {"n": 1, "s": "a"})
    assert read(tmp_path / "a", schema_of(s="string")) == [{"s": "a"}]
    with pytest.raises(JobExecutionError, match=r"the column 'm' of .*, which has only n, s"):
        read(tmp_path / "a", schema_of(m="string"))


def test_what_does_not_fit_is_refused(tmp_path):
    """A value of another type, one of none of a union's, and a record within itself."""
    writer = AvroParquetWriters.for_generic_record(schema_of(n="int")).create(io.BytesIO())
    writer.add_elements([{"n": "x"}])
    with pytest.raises(TypeConversionError, match="do not fit the Avro schema"):
        writer.finish()
    with pytest.raises(TypeConversionError, match=r"1\.5 is none of the union's types"):
        written(tmp_path / "a", schema_of(u=["int", "string"]), {"u": 1.5})
    with pytest.raises(ConfigurationError, match="the record 'R' is within itself"):
        AvroParquetReaders.for_generic_record(schema_of(next=["null", "R"]))


def test_a_file_source_takes_the_format_by_record(tmp_path):
    """As in PyFlink; a long file is read in regions of whole row groups."""
    schema = schema_of(n="int")
    builder = FileSource.for_record_stream_format(AvroParquetReaders.for_generic_record(schema), str(tmp_path))
    assert builder.build().produced_type is not None
    written(tmp_path / "a", schema, *({"n": n} for n in range(70_000)))
    parquet_format, size = AvroParquetReaders.for_generic_record(schema), (tmp_path / "a").stat().st_size
    assert len(parquet_format.regions(str(tmp_path / "a"), size, 1)) == 2
    assert len(parquet_format.sub_splits(whole_file(str(tmp_path / "a")), 40_000)) == 3
