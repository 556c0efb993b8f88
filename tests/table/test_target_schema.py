"""Changes of a table as those of a schema that a program wants."""

import pytest

from windrow.common import Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError
from windrow.table import ChangelogMode, DataTypes, Schema, StreamTableEnvironment

COUNTS = "SELECT word, COUNT(*) AS n FROM (VALUES ('a'), ('a')) AS t(word) GROUP BY word"


@pytest.fixture
def tables():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def changes(tables, query, schema, mode=None):
    stream = tables.to_changelog_stream(tables.sql_query(query), schema, mode)
    rows = stream.execute_and_collect(limit=9)
    return stream.get_type(), [(str(row.get_row_kind()), *row.as_dict().items()) for row in rows]


def schema_of(*columns):
    builder = Schema.new_builder()
    for name, kind in columns:
        builder.column(name, kind)
    return builder


def test_columns_are_those_of_the_schema_by_their_places(tables):
    """With its names, and types that are wider, as INSERT INTO writes them."""
    schema = schema_of(("w", DataTypes.STRING()), ("many", "DOUBLE")).build()
    kind, rows = changes(tables, COUNTS, schema)
    assert kind == Types.ROW_NAMED(["w", "many"], [Types.STRING(), Types.DOUBLE()])
    assert rows == [
        ("+I", ("w", "a"), ("many", 1.0)), ("-U", ("w", "a"), ("many", 1.0)), ("+U", ("w", "a"), ("many", 2.0)),
    ]  # fmt: skip


def test_upserts_have_the_primary_key_of_the_schema(tables):
    """No row says what was there before; another key is none of these changes."""
    schema = schema_of(("w", DataTypes.STRING(False)), ("many", DataTypes.BIGINT()))
    _, rows = changes(tables, COUNTS, schema.primary_key("w").build(), ChangelogMode.upsert())
    assert rows == [("+I", ("w", "a"), ("many", 1)), ("+U", ("w", "a"), ("many", 2))]
    with pytest.raises(ConfigurationError, match="is many, and the key of the table's changes is w"):
        changes(tables, COUNTS, schema.primary_key("many").build(), ChangelogMode.upsert())


def test_rows_that_stay_are_insertions(tables):
    """insert_only takes them, and no changes."""
    schema = schema_of(("n", DataTypes.BIGINT())).build()
    _, rows = changes(tables, "SELECT x FROM (VALUES (1), (2)) AS t(x)", schema, ChangelogMode.insert_only())
    assert rows == [("+I", ("n", 1)), ("+I", ("n", 2))]
    with pytest.raises(ConfigurationError, match="and the table gives update changes"):
        changes(tables, COUNTS, None, ChangelogMode.insert_only())


def test_null_in_a_column_that_takes_none_is_an_error(tables):
    """Where the schema alone says so, when such a row comes."""
    query = "SELECT n FROM (VALUES (1), (CAST(NULL AS INT))) AS t(n)"
    with pytest.raises(UserFunctionError, match="'m' of the table is NOT NULL"):
        changes(tables, query, schema_of(("m", DataTypes.INT(False))).build())


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (schema_of(("w", DataTypes.STRING())), "has 1 columns, and the table 2: w; word, n"),
        (schema_of(("w", "STRING"), ("n", "INT")), "column 'n' is INT, and 'n' of the table BIGINT NOT NULL: CAST it"),
        (Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)"), "'rowtime' is computed, of metadata"),
        (Schema.new_builder().column_by_expression("m", "n + 1"), "'m' is computed"),
        (Schema.new_builder().primary_key("wrd"), "no column 'wrd': did you mean 'word'"),
    ],
)
def test_a_schema_that_does_not_fit_is_refused(tables, schema, said):
    """With what it says and what the table has."""
    with pytest.raises(ConfigurationError) as caught:
        changes(tables, COUNTS, schema.build())
    assert said in str(caught.value)


def test_what_is_no_schema_is_refused(tables):
    """And what is no mode."""
    table = tables.sql_query(COUNTS)
    with pytest.raises(ConfigurationTypeError, match="target_schema must be an object of Schema"):
        tables.to_changelog_stream(table, DataTypes.ROW([]))
    with pytest.raises(ConfigurationTypeError, match="changelog_mode must be an object of ChangelogMode"):
        tables.to_changelog_stream(table, None, "all")
