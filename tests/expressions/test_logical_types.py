"""What types have in common, and how they are called."""

import pytest

from windrow.expressions.logical_types import BIGINT, DATE, DOUBLE, INT, NULL, STRING, TIMESTAMP_3, common, name_of
from windrow.table import DataTypes
from windrow.table import data_types as t


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([INT, BIGINT], BIGINT),
        ([INT, t.DecimalType(4, 2)], t.DecimalType(12, 2)),
        ([t.DecimalType(4, 2), DOUBLE], DOUBLE),
        ([t.FloatType(), INT], t.FloatType()),
        ([t.CharType(3), t.CharType(3)], t.CharType(3)),
        ([t.CharType(3), t.CharType(5)], t.VarCharType(5)),
        ([DATE, TIMESTAMP_3], TIMESTAMP_3),
        ([NULL, INT.not_null()], INT),
        ([t.ArrayType(INT), t.ArrayType(BIGINT)], t.ArrayType(BIGINT)),
        ([INT, STRING], None),
        ([INT, t.BooleanType()], None),
    ],
)
def test_types_have_a_type_in_common_or_none(kinds, expected):
    """It holds the values of all; NULL is in it if it is in one."""
    assert common(kinds) == expected


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (DataTypes.STRING(), "STRING"),
        (DataTypes.VARCHAR(5).not_null(), "VARCHAR(5) NOT NULL"),
        (DataTypes.MAP(DataTypes.CHAR(1), DataTypes.INT()), "MAP<CHAR(1), INT>"),
        (DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT())]), "ROW<`a` BIGINT>"),
        (DataTypes.TIMESTAMP_LTZ(3), "TIMESTAMP_LTZ(3)"),
    ],
)
def test_types_are_called_as_flink_calls_them(kind, name):
    """With NOT NULL where it is said."""
    assert name_of(kind) == name
