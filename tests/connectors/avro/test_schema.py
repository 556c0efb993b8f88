"""Avro's schemas."""

import pickle
import sys

import pytest

from tests.connectors.avro.records import schema_of
from windrow.connectors.avro.schema import AvroSchema, MissingAvroError, checked_schema
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_a_schema_is_read_from_text_or_a_file(tmp_path):
    """They are equal if they say the same, blanks aside, and pickle."""
    (tmp_path / "r.avsc").write_text('{ "type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}] }')
    schema = AvroSchema.parse_file(tmp_path / "r.avsc")
    assert schema == schema_of(n="int") == pickle.loads(pickle.dumps(schema))
    assert str(schema) == '{"type":"record","name":"R","fields":[{"name":"n","type":"int"}]}'


def test_what_is_no_schema_is_refused(tmp_path):
    """The error says what was read, and what is wrong with it."""
    with pytest.raises(ConfigurationError, match="parse_string: this is no schema of Avro: JSONDecodeError"):
        AvroSchema.parse_string("{")
    with pytest.raises(ConfigurationError, match="no schema of Avro: UnknownType"):
        AvroSchema.parse_string('{"type": "recor", "name": "R"}')
    with pytest.raises(ConfigurationError, match=r"cannot read .*nowhere\.avsc.*No such file"):
        AvroSchema.parse_file(tmp_path / "nowhere.avsc")
    with pytest.raises(ConfigurationTypeError, match="takes a str; got None"):
        AvroSchema.parse_string(None)


def test_files_are_of_records():
    """A schema of something else, or no schema, is refused at the call that it was given to."""
    with pytest.raises(ConfigurationError, match='here takes a schema of records; got "int"'):
        checked_schema(AvroSchema.parse_string('"int"'), "here")
    with pytest.raises(ConfigurationTypeError, match="here takes an AvroSchema"):
        checked_schema("int", "here")


def test_the_library_that_is_missing_is_named(monkeypatch):
    """With how to install it."""
    monkeypatch.setitem(sys.modules, "fastavro", None)
    with pytest.raises(MissingAvroError, match="pip install fastavro"):
        AvroSchema.parse_string('"int"')
