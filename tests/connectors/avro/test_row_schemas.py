"""Rows as bytes of Avro."""

import datetime
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.connectors.avro.records import schema_of
from windrow.common import Row, Types
from windrow.connectors.rows.errors import MalformedRowError
from windrow.datastream.formats.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

TEXT = str(schema_of(name="string", n=["null", "long"], at={"type": "long", "logicalType": "timestamp-micros"}))
TIMES = st.datetimes(min_value=datetime.datetime(1, 1, 2))


@settings(deadline=None, print_blob=True)
@given(name=st.text(), n=st.none() | st.integers(-(2**63), 2**63 - 1), at=TIMES)
def test_what_is_written_is_read(name, n, at):
    """Through pickling, as on the way to a worker."""
    write = pickle.loads(pickle.dumps(AvroRowSerializationSchema(avro_schema_string=TEXT)))
    read = pickle.loads(pickle.dumps(AvroRowDeserializationSchema(avro_schema_string=TEXT)))
    row = Row(name=name, n=n, at=at)
    assert read.deserialize(write.serialize(row)) == row
    assert read.deserialize_all([write.serialize((name, n, at))] * 2) == [row, row]


def test_the_rows_type_follows_from_the_schema():
    """It is what a source of such records produces."""
    assert AvroRowDeserializationSchema(None, str(schema_of(n="int"))).get_produced_type() == Types.ROW_NAMED(
        ["n"], [Types.INT()]
    )


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"", "the record ends too early, behind 0 bytes"),
        (b"\x06ab", "ends too early"),
        (b"\x02\xff\x00", "UnicodeDecodeError"),
        (b"\x00\x00\x00\x00\x01\x02a", "bytes are left behind the record; Confluent's schema registry puts five"),
        (b"\x02aa", "1 bytes are left behind the record"),
        (None, "a tombstone of Kafka's"),
    ],
)
def test_malformed_messages_are_told(message, reason):
    """With what is wrong; a message of a schema registry is known by its first byte."""
    schema = AvroRowDeserializationSchema(avro_schema_string=str(schema_of(s="string")))
    with pytest.raises(MalformedRowError, match=reason):
        schema.deserialize(message)


def test_what_does_not_fit_is_refused():
    """Before anything is written."""
    text = str(schema_of(e={"type": "enum", "name": "E", "symbols": ["A"]}))
    schema = AvroRowSerializationSchema(avro_schema_string=text)
    with pytest.raises(TypeConversionError, match="does not fit the Avro schema"):
        schema.serialize(Row(e="B"))
    with pytest.raises(TypeConversionError, match="takes a row; got None"):
        schema.serialize(None)


@pytest.mark.parametrize("schema", [AvroRowDeserializationSchema, AvroRowSerializationSchema])
def test_a_class_of_javas_is_refused(schema):
    """It is not here; nor is there a schema without a text."""
    with pytest.raises(ConfigurationError, match="names a class of Java's, which is not here; give"):
        schema(record_class="org.example.User")
    with pytest.raises(ConfigurationTypeError, match="takes an avro_schema_string"):
        schema()
    with pytest.raises(ConfigurationError, match="takes a schema of records"):
        schema(avro_schema_string='"int"')
