"""Avro files of a job."""

import pytest

from tests.connectors.avro.records import schema_of
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource
from windrow.datastream.formats.avro import AvroBulkWriters, AvroInputFormat, AvroReaders, GenericRecordAvroTypeInfo
from windrow.errors import ConfigurationTypeError

SCHEMA = schema_of(word="string", n=["null", "int"])


def test_a_job_writes_avro_and_reads_it(env, tmp_path):
    """Records are dicts; a folder is read as its files are."""
    records = [{"word": "a", "n": 1}, {"word": "b", "n": None}]
    sink = FileSink.for_bulk_format(tmp_path, AvroBulkWriters.for_generic_record(SCHEMA)).with_bucket_assigner(
        BucketAssigner.base_path_bucket_assigner()
    )
    stream = env.from_collection(records).map(lambda record: record, output_type=GenericRecordAvroTypeInfo(SCHEMA))
    stream.sink_to(sink.build())
    env.execute()
    read = env.create_input(AvroInputFormat(str(tmp_path), SCHEMA))
    assert read.get_type() == AvroInputFormat(str(tmp_path), SCHEMA).get_produced_type()
    assert sorted(read.execute_and_collect(limit=10), key=str) == sorted(records, key=str)


def test_a_file_source_reads_avro(tmp_path):
    """The format is one for bulk files; another one is refused by create_input."""
    builder = FileSource.for_bulk_file_format(AvroReaders.for_generic_record(SCHEMA), str(tmp_path))
    assert builder.build().produced_type == GenericRecordAvroTypeInfo(SCHEMA)


def test_other_input_formats_are_refused(env):
    """The error names the parameter."""
    with pytest.raises(ConfigurationTypeError, match="input_format"):
        env.create_input(AvroReaders.for_generic_record())
