"""Files of JSON lines of a job."""

import json

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource
from windrow.datastream.formats.json import JsonBulkWriters, JsonReaderFormat
from windrow.errors import ConfigurationTypeError


def test_a_job_writes_json_lines(env, tmp_path):
    """A line for each element."""
    sink = FileSink.for_bulk_format(tmp_path, JsonBulkWriters.for_row_type())
    elements = [{"n": 1}, {"n": 2}]
    env.from_collection(elements).sink_to(sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build())
    env.execute()
    lines = [line for file in tmp_path.glob("part-*") for line in file.read_text().splitlines()]
    assert sorted(map(json.loads, lines), key=str) == elements


def test_a_row_type_may_hold_any_python_object():
    """JSON says at the element what it cannot write."""
    JsonBulkWriters.for_row_type(Types.ROW_NAMED(["a"], [Types.PICKLED_BYTE_ARRAY()]))
    with pytest.raises(ConfigurationTypeError, match=r"JsonBulkWriters\.for_row_type takes a row type"):
        JsonBulkWriters.for_row_type(Types.STRING())


def test_a_job_reads_json_lines(env, tmp_path):
    """As Python's json gives them, without a row type."""
    (tmp_path / "in.jsonl").write_text('{"n": 1}\n{"n": 2}\n')
    source = FileSource.for_record_stream_format(JsonReaderFormat.for_row_type(), str(tmp_path)).build()
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").map(lambda entry: entry["n"])
    assert sorted(numbers.execute_and_collect()) == [1, 2]


def test_wrong_arguments_of_the_reader_are_refused():
    """At the call, which the error names."""
    with pytest.raises(ConfigurationTypeError, match=r"JsonReaderFormat\.for_row_type takes a row type"):
        JsonReaderFormat.for_row_type("n long")
    with pytest.raises(ConfigurationTypeError, match=r"dead_letter of .* takes an OutputTag"):
        JsonReaderFormat.for_row_type(dead_letter="bad")
