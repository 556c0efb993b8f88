"""What drivers give, as values of SQL's types."""

import datetime as dt
from decimal import Decimal

import pytest

from windrow.table import data_types as t
from windrow.table.connectors.jdbc.values import of_database

TEXT, NOON = t.VarCharType(t.LONGEST), dt.datetime(2024, 3, 10, 12, 0)
NEW_YORK = dt.timezone(dt.timedelta(hours=-5))


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (t.BooleanType(), 1, True),
        (t.IntType(), Decimal(7), 7),
        (t.DoubleType(), Decimal("1.5"), 1.5),
        (t.DecimalType(5, 2), 1.005, Decimal("1.01")),
        (TEXT, {"a": 1}, '{"a": 1}'),
        (TEXT, 5, "5"),
        (t.VarBinaryType(t.LONGEST), memoryview(b"ab"), b"ab"),
        (t.DateType(), "2024-03-10", NOON.date()),
        (t.DateType(), NOON.date(), NOON.date()),
        (t.TimestampType(3), "2024-03-10 12:00:00", NOON),
        (t.TimestampType(3), NOON.replace(tzinfo=NEW_YORK), NOON + dt.timedelta(hours=5)),
        (t.LocalZonedTimestampType(3), NOON, NOON.replace(tzinfo=dt.UTC)),
        (t.LocalZonedTimestampType(3), NOON.replace(tzinfo=NEW_YORK), NOON.replace(tzinfo=NEW_YORK)),
        (t.ArrayType(t.IntType()), [1, None], [1, None]),
    ],
    ids=repr,
)
def test_a_value_is_of_its_type(kind, given, expected):
    """Whatever the driver has made of it."""
    found = of_database(kind)(given)
    assert (found, type(found)) == (expected, type(expected))
