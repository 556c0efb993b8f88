"""Files of JSON lines of a job."""

import json

import pytest

from windrow.common import Types
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink
from windrow.datastream.formats.json import JsonBulkWriters
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
