import json

import pytest

from windrow.common import Row, SimpleStringSchema, Types
from windrow.common.serialization import ByteArraySchema, DeserializationSchema
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema, RecordFunction, ValueOnly
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.datastream.formats.json import JsonRowDeserializationSchema
from windrow.errors import ConfigurationTypeError

RECORD = ConsumerRecord("orders", 1, 17, 5, b"k", b'{"n": 3}', (("h", b"1"),))


class Length(DeserializationSchema):
    def deserialize(self, message):
        return len(message)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (SimpleStringSchema(), '{"n": 3}'),
        (ByteArraySchema(), b'{"n": 3}'),
        (Length(), 8),
        (json.loads, {"n": 3}),
    ],
)
def test_values_alone_are_read_by_schemas_and_functions(schema, value):
    """Any DeserializationSchema, or a function of bytes."""
    assert KafkaRecordDeserializationSchema.value_only(schema).deserialize(RECORD) == value


def test_strings_have_their_character_set():
    """The short cut decodes as the schema does."""
    assert ValueOnly(SimpleStringSchema("latin-1")).of_value(b"\xfc") == "ü"


def test_elements_of_known_schemas_have_a_type():
    """That of others is not known."""
    assert ValueOnly(SimpleStringSchema()).produced_type() == Types.STRING()
    assert ValueOnly(json.loads).produced_type() is None


@pytest.mark.parametrize("schema", [SimpleStringSchema, "utf-8", None, lambda: 1])
def test_anything_else_is_refused(schema):
    """A class, a text, or a function that takes no bytes."""
    with pytest.raises(ConfigurationTypeError, match="set_value_only_deserializer"):
        ValueOnly(schema)


def test_a_function_may_take_whole_records():
    """With key and headers; one that cannot be called with a record is refused."""
    assert RecordFunction(lambda record: (record.key, dict(record.headers))).deserialize(RECORD) == (b"k", {"h": b"1"})
    with pytest.raises(ConfigurationTypeError, match="set_deserializer"):
        RecordFunction(lambda key, value: 1)


def test_rows_have_their_type_and_are_read_many_at_a_time(monkeypatch):
    """One by one only if one of them cannot be read."""
    row_type = Types.ROW_NAMED(["n"], [Types.INT()])
    values = ValueOnly(JsonRowDeserializationSchema.builder().type_info(row_type).ignore_parse_errors().build())
    assert values.produced_type() == row_type
    assert values.of_values([b'{"n": 1}', b"x", None]) == [Row(n=1), None, None]
    monkeypatch.setattr(JsonRowDeserializationSchema, "deserialize", None)
    assert values.of_values([b'{"n": 1}', b"null"]) == [Row(n=1), None]


def test_what_a_schema_raises_is_not_the_end_of_the_records():
    """A StopIteration neither, as of a ``next()`` that finds nothing: the record is malformed, and none is lost."""

    def first_of_three(value):
        return next(part for part in [value] if len(part) == 3)

    with pytest.raises(StopIteration):
        ValueOnly(first_of_three).of_values([b"abc", b"ab", b"def"])


@pytest.mark.parametrize("call", [ValueOnly, RecordFunction])
def test_a_schema_that_is_async_is_refused(call):
    """Nobody would await what it gives."""

    async def reads(value):
        return value

    with pytest.raises(ConfigurationTypeError, match="is async def, and nobody would await what it gives"):
        call(reads)
