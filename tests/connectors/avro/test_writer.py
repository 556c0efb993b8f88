"""Avro's files, written."""

import io

import fastavro
import pytest

from tests.connectors.avro.records import schema_of
from windrow.common import Row
from windrow.datastream.formats.avro import AvroBulkWriters
from windrow.errors import ConfigurationError, TypeConversionError


@pytest.mark.parametrize("codec", ["null", "deflate", "bzip2", "xz"])
def test_records_and_rows_are_written(codec):
    """With the codec that was asked for."""
    file = io.BytesIO()
    writer = AvroBulkWriters.for_generic_record(schema_of(n="int"), codec=codec).create(file)
    writer.add_elements([{"n": 1}, Row(n=2)])
    writer.finish()
    file.seek(0)
    reader = fastavro.reader(file)
    assert (list(reader), reader.codec) == ([{"n": 1}, {"n": 2}], codec)


def test_what_does_not_fit_is_refused():
    """With the element."""
    writer = AvroBulkWriters.for_generic_record(schema_of(n="int")).create(io.BytesIO())
    with pytest.raises(TypeConversionError, match=r"{'n': 'x'} does not fit the Avro schema: an integer is required"):
        writer.add_elements([{"n": "x"}])
    with pytest.raises(ConfigurationError, match=r"codec of .* is one of null, deflate, bzip2, xz; got 'zip'"):
        AvroBulkWriters.for_generic_record(schema_of(n="int"), codec="zip")
