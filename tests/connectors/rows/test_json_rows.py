"""The schemas for rows as JSON objects."""

import datetime
import pickle
from decimal import Decimal

import pytest

from windrow import common
from windrow.common import Row, Types
from windrow.connectors.rows.errors import MalformedRowError
from windrow.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

PAIR = Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
SCHEMA = JsonRowDeserializationSchema.builder().type_info(PAIR).build()
IGNORING = JsonRowDeserializationSchema.builder().type_info(PAIR).ignore_parse_errors().build()
STRICT = JsonRowDeserializationSchema.builder().type_info(PAIR).fail_on_missing_field().build()
BAD = [b"", b"[1]", b"5", b'{"n": NaN}', b'{"n": 1,', b"\xff", b'{"n": 1} x', None]


def test_objects_are_rows():
    """Found by name, in any encoding of JSON's; null is skipped."""
    assert SCHEMA.deserialize(b' {"x": 0, "s": "\xc3\xa9", "n": 1}\n') == Row(n=1, s="é")
    assert SCHEMA.deserialize('{"n": 1}'.encode("utf-16")) == Row(n=1, s=None)
    assert SCHEMA.deserialize(b"null") is None
    assert SCHEMA.get_produced_type() == PAIR


@pytest.mark.parametrize("message", BAD)
def test_what_is_no_object_is_an_error_or_skipped(message):
    """Constants that are no JSON, text behind the object and tombstones included."""
    with pytest.raises(MalformedRowError, match="JsonRowDeserializationSchema cannot read"):
        SCHEMA.deserialize(message)
    assert IGNORING.deserialize(message) is None


def test_a_field_that_cannot_be_read_is_an_error_or_none():
    """The error survives pickling."""
    with pytest.raises(MalformedRowError, match="field 'n': 'x' is no whole number") as raised:
        SCHEMA.deserialize(b'{"n": "x", "s": "a"}')
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    assert IGNORING.deserialize(b'{"n": "x", "s": "a"}') == Row(n=None, s="a")


def test_a_missing_field_may_be_an_error():
    """If that is asked for."""
    assert STRICT.deserialize(b'{"n": 1, "s": null}') == Row(n=1, s=None)
    with pytest.raises(MalformedRowError, match="field 's': it is missing"):
        STRICT.deserialize(b'{"n": 1}')


def test_many_are_what_each_is():
    """The first that cannot be read is the error."""
    good = [b'{"n": 1}', b"null", b'{"n": "2", "s": 3}']
    assert SCHEMA.deserialize_all(good) == list(map(SCHEMA.deserialize, good))
    assert SCHEMA.deserialize_all([]) == []
    assert IGNORING.deserialize_all([*good, *BAD]) == [*map(IGNORING.deserialize, good), *[None] * len(BAD)]
    with pytest.raises(MalformedRowError, match="'5'"):
        SCHEMA.deserialize_all([*good, b"5", b"6"])


def test_schemas_pickle_whether_they_were_used_or_not():
    """They go to workers."""
    writer = JsonRowSerializationSchema.builder().with_type_info(PAIR).build()
    for _ in range(2):
        assert pickle.loads(pickle.dumps(SCHEMA)).deserialize(b'{"n": 1}') == Row(n=1, s=None)
        assert pickle.loads(pickle.dumps(writer)).serialize((1, "a")) == b'{"n":1,"s":"a"}'
        writer.serialize((1, "a"))


def test_what_is_written_is_read_back():
    """Whatever the fields are."""
    row_type = Types.ROW_NAMED(
        ["day", "moment", "price", "data", "places", "inner"],
        [
            Types.SQL_DATE(),
            Types.SQL_TIMESTAMP(),
            Types.BIG_DEC(),
            Types.PRIMITIVE_ARRAY(Types.BYTE()),
            Types.MAP(Types.INT(), Types.LIST(Types.DOUBLE())),
            PAIR,
        ],
    )
    moment = datetime.datetime(2020, 1, 1, 2, 3, 4, 5)
    values = [moment.date(), moment, Decimal("1.5"), b"\xff", {1: [0.5, 1.0]}, Row(n=1, s="é")]
    writer = JsonRowSerializationSchema.builder().with_type_info(row_type).build()
    reader = JsonRowDeserializationSchema.builder().type_info(row_type).build()
    for row in (row_type.to_internal_type(values), row_type.to_internal_type([None] * 6)):
        assert reader.deserialize(writer.serialize(row)) == row


def test_elements_that_are_no_rows_are_refused():
    """With what was expected."""
    writer = JsonRowSerializationSchema.builder().with_type_info(PAIR).build()
    assert writer.serialize({"s": "a"}) == b'{"n":null,"s":"a"}'
    for element in (None, 5, ("x", "a")):
        with pytest.raises(TypeConversionError):
            writer.serialize(element)


def test_builders_refuse_what_cannot_be():
    """At the call."""
    reading, writing = JsonRowDeserializationSchema.Builder, JsonRowSerializationSchema.Builder
    for call in (reading().type_info, writing().with_type_info):
        with pytest.raises(ConfigurationTypeError, match="takes a row type"):
            call(Types.STRING())
        with pytest.raises(ConfigurationError, match="with fields"):
            call(Types.ROW([]))
        with pytest.raises(ConfigurationError, match="field 'f0': there is no JSON for"):
            call(Types.ROW([Types.INSTANT()]))
    for builder in (reading(), writing()):
        with pytest.raises(ConfigurationError, match="there is no type"):
            builder.build()
    with pytest.raises(ConfigurationError, match="cannot both"):
        reading().type_info(PAIR).ignore_parse_errors().fail_on_missing_field().build()
    with pytest.raises(ConfigurationError, match="takes a str"):
        reading().json_schema(None)


def test_a_json_schema_gives_the_type():
    """As Flink reads it."""
    schema = '{"type": "object", "properties": {"n": {"type": "integer"}}}'
    reader = JsonRowDeserializationSchema.builder().json_schema(schema).build()
    assert reader.deserialize(b'{"n": 1.250}') == Row(n=Decimal("1.25"))


def test_common_has_the_schemas_too():
    """As PyFlink's has."""
    assert common.JsonRowDeserializationSchema is JsonRowDeserializationSchema
    assert common.JsonRowSerializationSchema is JsonRowSerializationSchema
