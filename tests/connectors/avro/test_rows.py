"""Rows as Avro's records."""

import datetime
import uuid
from decimal import Decimal

import pytest

from tests.connectors.avro.records import schema_of
from windrow.common import Row, Types
from windrow.connectors.avro.rows import OptionalTypeInfo, RowMapping
from windrow.errors import ConfigurationError

INNER = {"type": "record", "name": "I", "fields": [{"name": "n", "type": "int"}]}
DATE = datetime.datetime(2020, 2, 29, 1, 2, 3, 4000)
IN_UTC = DATE.replace(tzinfo=datetime.UTC)
NUMBER = Decimal("1.5")
ROW = Types.ROW_NAMED(["n"], [Types.INT()])
CASES = [
    ("boolean", Types.BOOLEAN(), True, True),
    ("int", Types.INT(), 1, 1),
    ("long", Types.LONG(), 1, 1),
    ("float", Types.FLOAT(), 1.5, 1.5),
    ("double", Types.DOUBLE(), 1.5, 1.5),
    ("string", Types.STRING(), "a", "a"),
    ("bytes", Types.PRIMITIVE_ARRAY(Types.BYTE()), b"a", b"a"),
    ({"type": "enum", "name": "E", "symbols": ["A"]}, Types.STRING(), "A", "A"),
    ({"type": "fixed", "name": "F", "size": 1}, Types.PRIMITIVE_ARRAY(Types.BYTE()), b"a", b"a"),
    (["null", "string"], Types.STRING(), None, None),
    (["null", "int"], OptionalTypeInfo(Types.INT()), None, None),
    (["int", "null"], OptionalTypeInfo(Types.INT()), 1, 1),
    (["int", "string"], Types.PICKLED_BYTE_ARRAY(), "a", "a"),
    ({"type": "array", "items": "int"}, Types.OBJECT_ARRAY(Types.INT()), [1], [1]),
    ({"type": "map", "values": "int"}, Types.MAP(Types.STRING(), Types.INT()), {"a": 1}, {"a": 1}),
    (INNER, ROW, Row(n=1), {"n": 1}),
    ({"type": "array", "items": INNER}, Types.OBJECT_ARRAY(ROW), [Row(n=1)], [{"n": 1}]),
    ({"type": "int", "logicalType": "date"}, Types.SQL_DATE(), DATE.date(), DATE.date()),
    ({"type": "int", "logicalType": "time-millis"}, Types.SQL_TIME(), DATE.time(), DATE.time()),
    ({"type": "long", "logicalType": "time-micros"}, Types.SQL_TIME(), DATE.time(), DATE.time()),
    ({"type": "long", "logicalType": "timestamp-millis"}, Types.SQL_TIMESTAMP(), DATE, IN_UTC),
    ({"type": "long", "logicalType": "timestamp-micros"}, Types.SQL_TIMESTAMP(), DATE, IN_UTC),
    ({"type": "long", "logicalType": "local-timestamp-millis"}, Types.SQL_TIMESTAMP(), DATE, DATE),
    ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 1}, Types.BIG_DEC(), NUMBER, NUMBER),
]


@pytest.mark.parametrize(("kind", "type_info", "value", "avro_value"), CASES, ids=repr)
def test_each_type_of_avro_has_one_of_windrow(kind, type_info, value, avro_value):
    """Values go there and back."""
    mapping = RowMapping(schema_of(f=kind).parsed)
    assert mapping.row_type.get_field_types() == [type_info]
    assert mapping.to_row({"f": avro_value}) == Row(f=value)
    assert mapping.to_record(mapping.row_type.to_internal_type(Row(f=value))) == {"f": avro_value}


def test_uuids_are_strings():
    """As in Flink."""
    mapping = RowMapping(schema_of(f={"type": "string", "logicalType": "uuid"}).parsed)
    one = uuid.uuid4()
    assert mapping.to_row({"f": one}) == Row(f=str(one))


def test_a_named_type_is_found_again():
    """Where it is used a second time only its name stands; a record within itself is refused."""
    mapping = RowMapping(schema_of(a=INNER, b="I").parsed)
    assert mapping.to_row({"a": {"n": 1}, "b": {"n": 2}}) == Row(a=Row(n=1), b=Row(n=2))
    with pytest.raises(ConfigurationError, match="the record 'R' is within itself"):
        RowMapping(schema_of(next=["null", "R"]).parsed)
