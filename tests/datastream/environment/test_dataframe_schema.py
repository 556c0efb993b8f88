import pytest

from windrow.common import Types
from windrow.datastream.environment.dataframe_schema import spark_schema
from windrow.errors import ConfigurationError


@pytest.mark.parametrize(
    ("declared", "schema"),
    [
        (Types.INT(), "`value` int"),
        (Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.LONG()]), "`word` string, `n` bigint"),
        (Types.TUPLE([Types.DOUBLE(), Types.BOOLEAN()]), "`f0` double, `f1` boolean"),
        (Types.MAP(Types.STRING(), Types.LIST(Types.FLOAT())), "`value` map<string, array<float>>"),
        (Types.TUPLE([Types.ROW_NAMED(["d"], [Types.SQL_DATE()])]), "`f0` struct<`d`: date>"),
        (Types.SQL_TIMESTAMP(), "`value` timestamp_ntz"),
        (Types.PRIMITIVE_ARRAY(Types.SHORT()), "`value` array<smallint>"),
    ],
)
def test_declared_types_have_spark_types(declared, schema):
    """A row's or tuple's fields are columns, anything else is a column named value."""
    assert spark_schema(declared, "to_dataframe") == schema


@pytest.mark.parametrize("declared", [Types.PICKLED_BYTE_ARRAY(), Types.TUPLE([Types.INSTANT()]), Types.BIG_INT()])
def test_types_that_spark_does_not_know_need_a_schema(declared):
    """Where Spark has no type the error says to give a schema."""
    with pytest.raises(ConfigurationError, match="needs a schema"):
        spark_schema(declared, "to_dataframe")
