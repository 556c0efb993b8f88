"""Rows as Arrow tables."""

import datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from windrow.common import Instant, Row, Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.common.composite_types import ExternalTypeInfo
from windrow.connectors.files.arrow_rows import RowTables
from windrow.errors import ConfigurationError, TypeConversionError

DAY = datetime.date(2024, 2, 29)
NOON = datetime.time(12, 0, 0, 5)
WHEN = datetime.datetime(2024, 2, 29, 12, 0, 0, 5)
UTC = datetime.UTC

CASES = [
    (Types.STRING(), "ä", pa.string(), "ä"),
    (Types.CHAR(), "a", pa.string(), "a"),
    (Types.BYTE(), -128, pa.int8(), -128),
    (Types.BOOLEAN(), True, pa.bool_(), True),
    (Types.SHORT(), 1, pa.int16(), 1),
    (Types.INT(), 1, pa.int32(), 1),
    (Types.LONG(), 2**40, pa.int64(), 2**40),
    (Types.FLOAT(), 0.5, pa.float32(), 0.5),
    (Types.DOUBLE(), 0.1, pa.float64(), 0.1),
    (Types.BIG_INT(), 10**30, pa.decimal128(38, 0), Decimal(10**30)),
    (Types.BIG_DEC(), Decimal("1.5"), pa.decimal128(38, 18), Decimal("1.5")),
    (
        Types.INSTANT(),
        Instant.of_epoch_milli(1500),
        pa.timestamp("ns", tz="UTC"),
        datetime.datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC),
    ),
    (Types.SQL_DATE(), DAY, pa.date32(), DAY),
    (Types.SQL_TIME(), NOON, pa.time64("us"), NOON),
    (Types.SQL_TIMESTAMP(), WHEN, pa.timestamp("us"), WHEN),
    (LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE), DAY, pa.date32(), DAY),
    (ExternalTypeInfo(Types.INT()), 1, pa.int32(), 1),
    (Types.LIST(Types.INT()), [1, 2], pa.list_(pa.int32()), [1, 2]),
    (Types.BASIC_ARRAY(Types.STRING()), ["a", None], pa.list_(pa.string()), ["a", None]),
    (Types.LIST(Types.TUPLE([Types.INT()])), [(1,)], pa.list_(pa.struct([("f0", pa.int32())])), [{"f0": 1}]),
    (Types.MAP(Types.STRING(), Types.LIST(Types.INT())), {"a": [1]}, None, [("a", [1])]),
    (Types.ROW_NAMED(["a"], [Types.BIG_INT()]), Row(a=1), pa.struct([("a", pa.decimal128(38, 0))]), {"a": Decimal(1)}),
]


@pytest.mark.parametrize(("type_info", "value", "data_type", "read"), CASES, ids=[str(case[0]) for case in CASES])
def test_a_value_of_each_type_and_none(type_info, value, data_type, read):
    """Every type that can be declared has one in Arrow; a field of a row may be None."""
    table = RowTables(Types.ROW_NAMED(["x"], [type_info])).table([Row(x=value), Row(x=None)])
    if data_type is not None:
        assert table.schema.field("x").type == data_type
    assert table.column("x").combine_chunks().to_pylist() == [read, None]


def test_rows_come_in_every_form():
    """Rows, dicts, tuples and lists; by name where there are names."""
    tables = RowTables(Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]))
    rows = [Row(b="x", a=1), Row(2, "y"), {"b": "z"}, (4, "t"), [5, None]]
    assert tables.table(rows).to_pydict() == {"a": [1, 2, None, 4, 5], "b": ["x", "y", "z", "t", None]}


def test_no_rows_are_an_empty_table():
    """With all columns."""
    assert RowTables(Types.ROW_NAMED(["a"], [Types.INT()])).table([]).to_pydict() == {"a": []}


def test_a_value_that_does_not_fit_is_an_error_that_names_the_field():
    """Values that the declared type refuses, and such that only Arrow's type cannot hold."""
    with pytest.raises(TypeConversionError, match=r"INT\(\) takes an int.*'one'"):
        RowTables(Types.ROW_NAMED(["a"], [Types.INT()])).table([("one",)])
    with pytest.raises(TypeConversionError, match=r"field 'a' is written as decimal128\(38, 0\)"):
        RowTables(Types.ROW_NAMED(["a"], [Types.BIG_INT()])).table([(10**40,)])


def test_a_type_that_cannot_be_written_is_refused():
    """Where any Python object may be, no column can be."""
    row_type = Types.ROW_NAMED(["a"], [Types.LIST(Types.PICKLED_BYTE_ARRAY())])
    with pytest.raises(ConfigurationError, match=r"field 'a' has the type .* cannot be written"):
        RowTables(row_type)
