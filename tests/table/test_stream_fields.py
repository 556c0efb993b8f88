"""Streams as tables: schemas that leave the fields to the stream, metadata, changes, and fields by expressions."""

import pytest

from tests.table.columns import columns_of
from windrow.common import Row, RowKind, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError
from windrow.table import ChangelogMode, Schema, StreamTableEnvironment, Tumble
from windrow.table.expressions import col, lit

ROW = Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.LONG()])
PAIR = Types.ROW([Types.STRING(), Types.INT()])


def stamped(env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda row, _: row[1])
    return env.from_collection([("a", 1_000), ("b", 61_000)], ROW).assign_timestamps_and_watermarks(strategy)


@pytest.fixture
def tables():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def test_a_schema_without_fields_takes_all_of_the_stream(tables):
    """In front of what it computes, as Flink does."""
    schema = Schema.new_builder().column_by_expression("p", "PROCTIME()").build()
    table = tables.from_data_stream(stamped(tables._environment), schema)
    assert table.get_schema().get_field_names() == ["k", "n", "p"]


def test_an_expression_may_name_a_field_that_is_no_column(tables):
    """PyFlink's examples compute the time of rows so."""
    builder = Schema.new_builder().column("k", "STRING").column_by_expression("rt", "TO_TIMESTAMP_LTZ(n, 3)")
    table = tables.from_data_stream(stamped(tables._environment), builder.watermark("rt", "rt").build())
    assert table.get_schema().get_field_names() == ["k", "rt"]
    assert list(table.to_pandas()["k"]) == ["a", "b"]


def test_the_timestamps_of_elements_are_metadata(env):
    """On both runtimes, with the stream's own watermarks: windows are made by them."""
    builder = Schema.new_builder().column_by_metadata("rt", "TIMESTAMP_LTZ(3)", "rowtime", True)
    tables = StreamTableEnvironment.create(env)
    table = tables.from_data_stream(stamped(env), builder.watermark("rt", "SOURCE_WATERMARK()").build())
    assert columns_of(table)[-1] == ("rt", "TIMESTAMP_LTZ(3)")
    window = Tumble.over(lit(1).minutes).on(col("rt")).alias("w")
    sums = table.window(window).group_by(col("w"), col("k")).select(col("k"), col("n").sum.alias("s"))
    assert sorted(map(tuple, sums.execute().collect())) == [("a", 1_000), ("b", 61_000)]


def test_other_metadata_is_refused(tables):
    """There is one, and it is a time."""
    stream = stamped(tables._environment)
    for kind, key, said in (("INT", "rowtime", "cannot be INT"), ("TIMESTAMP_LTZ(3)", "offset", "got 'offset'")):
        schema = Schema.new_builder().column_by_metadata("m", kind, key).build()
        with pytest.raises(ConfigurationError, match=said):
            tables.from_data_stream(stream, schema)


def test_an_element_without_a_timestamp_has_no_such_metadata(tables):
    """It fails the job, with what to do."""
    schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)").build()
    table = tables.from_data_stream(tables._environment.from_collection([("a", 1)], ROW), schema)
    with pytest.raises(UserFunctionError, match="assign_timestamps_and_watermarks"):
        table.to_pandas()


def test_fields_are_chosen_by_name_or_by_place(tables):
    """By name if one of them is the stream's; else they are new names, in the order of its fields."""
    stream = stamped(tables._environment)
    named = tables.from_data_stream(stream, col("n"), col("k").alias("key"))
    assert [tuple(row) for row in named.execute().collect()] == [(1_000, "a"), (61_000, "b")]
    assert named.get_schema().get_field_names() == ["n", "key"]
    placed = tables.from_data_stream(stream, col("x"), col("y"))
    assert placed.get_schema().get_field_names() == ["x", "y"]


def test_times_are_fields_behind_the_others(tables):
    """``rowtime`` is the elements' timestamp, ``proctime`` the time at which they come."""
    stream = stamped(tables._environment)
    tables.create_temporary_view("t", stream, col("k"), col("n"), col("rt").rowtime, col("pt").proctime)
    kinds = {row["name"]: row["type"] for row in tables.execute_sql("DESCRIBE t").collect()}
    assert kinds["rt"] == "TIMESTAMP_LTZ(3) *ROWTIME*"
    assert kinds["pt"] == "TIMESTAMP_LTZ(3) *PROCTIME*"


def test_wrong_fields_are_refused(tables):
    """With the nearest name, or what a field is."""
    stream = stamped(tables._environment)
    with pytest.raises(ConfigurationError, match="no field 'm'"):
        tables.from_data_stream(stream, col("k"), col("m"))
    with pytest.raises(ConfigurationError, match="3 fields for the 2 of the stream"):
        tables.from_data_stream(stream, col("x"), col("y"), col("z"))
    with pytest.raises(ConfigurationTypeError, match="a field of a stream is"):
        tables.from_data_stream(stream, col("k"), "n")


def test_rows_with_a_kind_are_changes(env):
    """On both runtimes: what they take back is taken out of sums again."""
    tables = StreamTableEnvironment.create(env)
    old, new = Row.of_kind(RowKind.UPDATE_BEFORE, "a", 1), Row.of_kind(RowKind.UPDATE_AFTER, "a", 3)
    stream = env.from_collection([Row("a", 1), Row("b", 5), old, new], PAIR)
    tables.create_temporary_view("t", tables.from_changelog_stream(stream))
    sums = tables.sql_query("SELECT f0, SUM(f1) AS s FROM t GROUP BY f0").to_pandas()
    assert sorted(zip(sums["f0"], sums["s"], strict=True)) == [("a", 3), ("b", 5)]


def test_rows_take_the_place_of_others_by_their_key(tables):
    """Without rows that say what was before; without a key that is an error."""
    env = tables._environment
    stream = env.from_collection([Row("a", 1), Row.of_kind(RowKind.UPDATE_AFTER, "a", 3)], PAIR)
    schema = Schema.new_builder().primary_key("f0").build()
    table = tables.from_changelog_stream(stream, schema, ChangelogMode.upsert())
    assert [(str(row.get_row_kind()), row.f1) for row in table.execute().collect()] == [("+I", 1), ("-U", 1), ("+U", 3)]
    with pytest.raises(ConfigurationError, match="need a primary_key"):
        tables.from_changelog_stream(stream, None, ChangelogMode.upsert())


def test_tables_become_streams_in_pyflinks_older_forms(tables):
    """Rows alone, or each behind whether it is added."""
    table = tables.from_elements([("a", 1), ("a", 2)], ["k", "n"])
    info = Types.ROW([Types.STRING(), Types.LONG()])
    rows = tables.to_append_stream(table, info).execute_and_collect(limit=9)
    assert [tuple(row) for row in rows] == [("a", 1), ("a", 2)]
    sums = table.group_by(col("k")).select(col("k"), col("n").sum)
    pairs = tables.to_retract_stream(sums, info).execute_and_collect(limit=9)
    assert [(added, tuple(row)) for added, row in pairs] == [(True, ("a", 1)), (False, ("a", 1)), (True, ("a", 3))]
