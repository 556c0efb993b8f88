"""Single JSON values of declared types, in rows."""

import datetime
from decimal import Decimal

import pytest

from windrow.common import Row, Types
from windrow.connectors.rows.json_reading import JsonRows
from windrow.connectors.rows.json_typed import typed_value
from windrow.errors import TypeConversionError


def read(kind, value):
    (row,) = JsonRows(Types.ROW_NAMED(["v"], [kind]), single=typed_value).rows([{"v": value}])
    return row.v


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Types.INT(), 7, 7),
        (Types.DOUBLE(), 7, 7.0),
        (Types.SQL_DATE(), "2020-02-29", datetime.date(2020, 2, 29)),
        (Types.SQL_TIME(), "01:02:03", datetime.time(1, 2, 3)),
        (Types.BIG_DEC(), "1.50", Decimal("1.50")),
        (Types.MAP(Types.STRING(), Types.SQL_DATE()), {"a": "2020-02-29"}, {"a": datetime.date(2020, 2, 29)}),
        (Types.LIST(Types.SQL_DATE()), ["2020-02-29", None], [datetime.date(2020, 2, 29), None]),
        (Types.PRIMITIVE_ARRAY(Types.INT()), [1, 2], [1, 2]),
        (Types.ROW_NAMED(["d"], [Types.SQL_DATE()]), {"d": "2020-02-29", "x": 1}, Row(d=datetime.date(2020, 2, 29))),
        (Types.SQL_DATE(), None, None),
    ],
)
def test_only_the_form_of_a_value_changes(kind, value, expected):
    """Times are ISO 8601, decimals may be text; rows, arrays and maps hold such values."""
    assert repr(read(kind, value)) == repr(expected)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Types.INT(), "7"),
        (Types.INT(), 1.5),
        (Types.STRING(), 7),
        (Types.BIG_DEC(), "seven"),
        (Types.SQL_DATE(), 7),
        (Types.LIST(Types.INT()), {"a": 1}),
        (Types.ROW_NAMED(["d"], [Types.INT()]), [1]),
        (Types.PRIMITIVE_ARRAY(Types.INT()), [1, None]),
    ],
)
def test_what_is_not_of_the_type_is_refused(kind, value):
    """Other than Jackson, which makes a number of a text, and a text of anything."""
    with pytest.raises((ValueError, TypeConversionError, TypeError)):
        read(kind, value)
