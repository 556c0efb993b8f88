"""The columns of a table by name and type."""

import pytest

from windrow.errors import ConfigurationError
from windrow.table import DataTypes, EnvironmentSettings, TableEnvironment, TableSchema

NAMES = ["a", "b", "c"]
KINDS = [DataTypes.INT(), DataTypes.BIGINT(False), DataTypes.STRING()]


def test_columns_are_found_by_place_and_by_name():
    """None where there is none, as in PyFlink."""
    schema = TableSchema(NAMES, KINDS)
    assert (schema.get_field_count(), schema.get_field_names(), schema.get_field_data_types()) == (3, NAMES, KINDS)
    assert [schema.get_field_name(place) for place in (0, 2, 3, -1)] == ["a", "c", None, None]
    assert [schema.get_field_data_type(field) for field in ("b", 2, "d", 6)] == [KINDS[1], KINDS[2], None, None]
    with pytest.raises(TypeError, match="takes the place of a column or its name; got None"):
        schema.get_field_data_type(None)


def test_a_schema_is_shown_as_flink_shows_it():
    """A line for each column, and a line end behind the last one."""
    assert str(TableSchema(NAMES, KINDS)) == "root\n |-- a: INT\n |-- b: BIGINT NOT NULL\n |-- c: STRING\n"


def test_schemas_with_equal_columns_are_equal():
    """However they were made."""
    builder = TableSchema.builder()
    for name, kind in zip(NAMES, KINDS, strict=True):
        builder.field(name, kind)
    schema = TableSchema(NAMES, KINDS)
    assert builder.build() == schema.copy() == schema
    assert hash(builder.build()) == hash(schema)
    assert TableSchema(NAMES[:1], KINDS[:1]) != schema
    assert schema.to_row_data_type() == DataTypes.ROW(list(map(DataTypes.FIELD, NAMES, KINDS)))
    with pytest.raises(ConfigurationError, match="as many names as types; got 3 and 1"):
        TableSchema(NAMES, KINDS[:1])


def test_tables_and_results_have_a_schema():
    """Of their columns; that of an INSERT has one for each table."""
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.get_config().set("windrow.runtime", "local")
    query = "SELECT 1 AS n, CAST(NULL AS STRING) AS s"
    expected = TableSchema(["n", "s"], [DataTypes.INT(False), DataTypes.STRING()])
    assert tables.sql_query(query).get_schema() == expected
    assert tables.execute_sql(query).get_table_schema() == tables.execute_sql(query).get_schema() == expected
    tables.execute_sql("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')")
    written = tables.execute_sql("INSERT INTO b SELECT 1")
    written.wait()
    assert written.get_table_schema() == TableSchema(["default_catalog.default_database.b"], [DataTypes.BIGINT()])
    assert [tuple(row) for row in written.collect()] == [(-1,)]
