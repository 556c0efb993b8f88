"""The types that describe files."""

import pytest

import windrow.common
from windrow.common import Types
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes
from windrow.table.types import DataType, Row, RowKind, RowType

CASES = [
    (DataTypes.CHAR(3), Types.STRING()),
    (DataTypes.VARCHAR(3), Types.STRING()),
    (DataTypes.STRING(), Types.STRING()),
    (DataTypes.BOOLEAN(), Types.BOOLEAN()),
    (DataTypes.BINARY(3), Types.PRIMITIVE_ARRAY(Types.BYTE())),
    (DataTypes.VARBINARY(3), Types.PRIMITIVE_ARRAY(Types.BYTE())),
    (DataTypes.BYTES(), Types.PRIMITIVE_ARRAY(Types.BYTE())),
    (DataTypes.TINYINT(), Types.BYTE()),
    (DataTypes.SMALLINT(), Types.SHORT()),
    (DataTypes.INT(), Types.INT()),
    (DataTypes.BIGINT(), Types.LONG()),
    (DataTypes.FLOAT(), Types.FLOAT()),
    (DataTypes.DOUBLE(), Types.DOUBLE()),
    (DataTypes.DATE(), Types.SQL_DATE()),
    (DataTypes.TIME(), Types.SQL_TIME()),
    (DataTypes.TIMESTAMP(3), Types.SQL_TIMESTAMP()),
    (DataTypes.TIMESTAMP_LTZ(), Types.INSTANT()),
    (DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3), Types.INSTANT()),
    (DataTypes.ARRAY(DataTypes.INT()), Types.LIST(Types.INT())),
    (DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), Types.MAP(Types.STRING(), Types.INT())),
    (DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT())]), Types.ROW_NAMED(["n"], [Types.INT()])),
]


@pytest.mark.parametrize(("data_type", "type_info"), CASES, ids=repr)
def test_each_type_is_one_of_a_stream(data_type, type_info):
    """What a stream of such values declares."""
    assert data_type.to_type_info() == type_info


def test_types_are_equal_that_describe_the_same():
    """NULL, length and fields count; a hint at a Java class does not."""
    assert DataTypes.VARCHAR(3) == DataTypes.VARCHAR(3).bridged_to("java.lang.String") != DataTypes.VARCHAR(4)
    assert DataTypes.INT(nullable=False) == DataTypes.INT().not_null() != DataTypes.INT().not_null().nullable()
    assert hash(DataTypes.DATE()) == hash(DataTypes.DATE())
    one, other = (DataTypes.ROW([DataTypes.FIELD(name, DataTypes.INT())]) for name in "ab")
    assert one != other
    assert (str(DataTypes.BIGINT()), repr(DataTypes.DECIMAL(4, 2))) == ("BIGINT", "DecimalType(4, 2, true)")


def test_a_type_that_is_left_out_says_why():
    """Where PyFlink has it, as methods of other classes do; the classes of values are there by name."""
    with pytest.raises(AttributeError, match=r"DataTypes.NULL: it is deliberately not here: null_of takes"):
        DataTypes.NULL()
    with pytest.raises(AttributeError, match=r"DataTypes.INTEGER: there is no such type"):
        DataTypes.INTEGER()
    assert (Row, RowKind) == (windrow.common.Row, windrow.common.RowKind)


def test_a_row_has_its_fields_by_name_position_and_slice():
    """As PyFlink's rows have."""
    row_type = RowType().add("a", DataTypes.INT()).add(DataTypes.FIELD("b", DataTypes.STRING()))
    assert (row_type["b"], row_type[0].name, row_type[1:].names) == (row_type.fields[1], "a", ["b"])
    assert [field.name for field in row_type] == row_type.field_names() == ["a", "b"]
    with pytest.raises(KeyError, match="there is no field 'c'; there are a, b"):
        row_type["c"]


def test_what_is_no_type_is_refused():
    """The error names the parameter."""
    with pytest.raises(ConfigurationTypeError, match=r"element_type of ARRAY takes a type such as DataTypes.INT\(\)"):
        DataTypes.ARRAY(Types.INT())
    with pytest.raises(ConfigurationTypeError, match="ROW takes fields as"):
        DataTypes.ROW(["a"])
    with pytest.raises(ConfigurationTypeError, match="name of FIELD takes a str; got 1"):
        DataTypes.FIELD(1, DataTypes.INT())
    with pytest.raises(ConfigurationError, match="scale of DECIMAL takes a whole number from 0 to 3; got 4"):
        DataTypes.DECIMAL(3, 4)
    with pytest.raises(ConfigurationError, match="has no counterpart among"):
        DataType().to_type_info()
