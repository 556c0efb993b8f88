"""Tables of streams, statements, and results in Python."""

import datetime as dt

import pytest

from tests.table.columns import columns_of
from tests.table.events import EVENT, EVENTS, schema_of_events
from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError, UsageError
from windrow.table import DataTypes, EnvironmentSettings, Schema, StreamTableEnvironment, TableEnvironment
from windrow.table.connectors.tables import Datagen

COUNTS = (
    "SELECT k, window_start, SUM(n) AS total FROM TUMBLE(TABLE events, DESCRIPTOR(rt), INTERVAL '1' MINUTE) "
    "GROUP BY k, window_start, window_end"
)


@pytest.fixture
def local():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def events_of(tables, env):
    """A view of a stream, whose event time is computed."""
    tables.create_temporary_view("events", env.from_collection(EVENTS, EVENT), schema_of_events())


def test_windows_of_a_stream_are_a_stream_again(env):
    """On both runtimes: a stream becomes a table, its windows rows with their last millisecond as timestamp."""
    tables = StreamTableEnvironment.create(env)
    events_of(tables, env)
    rows = tables.to_data_stream(tables.sql_query(COUNTS)).execute_and_collect(limit=99)
    first, second = dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, 0, 1)
    assert sorted(map(tuple, rows)) == [("a", first, 1), ("a", second, 7), ("b", first, 5)]
    assert isinstance(rows[0], Row)


def test_a_streams_own_watermarks_are_taken(local):
    """SOURCE_WATERMARK() lets time be that of the stream."""
    env = local._environment
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event.ts)
    stream = env.from_collection(EVENTS, EVENT).assign_timestamps_and_watermarks(times)
    schema = (
        Schema.new_builder()
        .column("ts", DataTypes.BIGINT())
        .column_by_expression("rt", "CAST(TO_TIMESTAMP_LTZ(ts, 3) AS TIMESTAMP(3))")
        .watermark("rt", "SOURCE_WATERMARK()")
        .build()
    )
    local.create_temporary_view("events", stream, schema)
    counted = local.sql_query(
        "SELECT COUNT(*) AS c FROM TUMBLE(TABLE events, DESCRIPTOR(rt), INTERVAL '1' MINUTE) "
        "GROUP BY window_start, window_end"
    )
    assert [row.c for row in counted.execute().collect()] == [2, 2]


def test_results_are_rows_frames_and_tables(local):
    """collect gives Rows by name, to_pandas a frame, to_arrow a table of the logical types."""
    table = local.sql_query("SELECT n, n / 2 AS half, CAST(n AS DECIMAL(5, 2)) AS d FROM (VALUES (1), (5)) AS t(n)")
    with table.execute().collect() as rows:
        assert [(row.n, row.half) for row in rows] == [(1, 0), (5, 2)]
    assert list(table.to_pandas()["half"]) == [0, 2]
    assert str(table.to_arrow().schema.field("d").type) == "decimal128(5, 2)"
    assert columns_of(table) == [("n", "INT NOT NULL"), ("half", "INT NOT NULL"), ("d", "DECIMAL(5, 2) NOT NULL")]


def test_tables_of_elements_and_frames(local):
    """from_elements and from_pandas make tables of what a program has."""
    row = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.BIGINT()), DataTypes.FIELD("s", DataTypes.STRING())])
    local.create_temporary_view("t", local.from_elements([(1, "a"), (2, None)], row))
    assert [tuple(r) for r in local.sql_query("SELECT s, id + 1 FROM t").execute().collect()] == [("a", 2), (None, 3)]
    frame = local.from_pandas(local.from_path("t").to_pandas())
    assert [tuple(r) for r in frame.execute().collect()] == [(1, "a"), (2, None)]


def test_inserts_write_files_that_are_read_again(env, tmp_path):
    """On both runtimes a statement set writes several tables in one job: CSV, JSON and Parquet."""
    tables = StreamTableEnvironment.create(env)
    columns = "(n INT, s STRING, d DECIMAL(10, 2), ts TIMESTAMP(3))"
    for kind in ("csv", "json", "parquet"):
        path = tmp_path / kind
        tables.execute_sql(
            f"CREATE TABLE {kind}_table {columns} "
            f"WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = '{kind}')"
        )
    values = (
        "SELECT n, s, d, TIMESTAMP '2020-01-01 00:00:00.5' FROM (VALUES (1, 'a,b', 1.5), (2, 'c', -0.25)) AS t(n, s, d)"
    )
    statements = tables.create_statement_set()
    for kind in ("csv", "json", "parquet"):
        statements.add_insert_sql(f"INSERT INTO {kind}_table {values}")
    statements.execute().wait()
    moment = dt.datetime(2020, 1, 1, 0, 0, 0, 500_000)
    for kind in ("csv", "json", "parquet"):
        rows = [tuple(row) for row in tables.sql_query(f"SELECT * FROM {kind}_table").execute().collect()]
        assert [(n, s, str(d), ts) for n, s, d, ts in sorted(rows)] == [
            (1, "a,b", "1.50", moment),
            (2, "c", "-0.25", moment),
        ]


def test_explain_shows_relations_and_operators(local):
    """Both what is asked for and what does it, with its form."""
    events_of(local, local._environment)
    shown = local.explain_sql(COUNTS)
    assert "WindowAggregate(groupBy=[k, window_start, window_end], select=[SUM])" in shown
    assert "TumblingEventTimeWindows" in shown
    assert local.sql_query(COUNTS).explain() == shown


def test_a_statement_set_is_explained_as_the_one_job_that_it_runs(local):
    """What its inserts read is there once, and each table is a sink."""
    local.execute_sql("CREATE TABLE drawn (n BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '3')")
    statements = local.create_statement_set()
    for name in ("one", "other"):
        local.execute_sql(f"CREATE TABLE {name} (n BIGINT) WITH ('connector' = 'blackhole')")
        statements.add_insert_sql(f"INSERT INTO {name} SELECT n + 1 FROM drawn")
    relations, operators = statements.explain().split("== Operators ==")
    assert relations.count("TableSourceScan(table=[drawn]") == 2
    assert operators.count("Source: drawn") == 1
    assert [operators.count(f"-> sink Sink: {name}") for name in ("one", "other")] == [1, 1]
    with pytest.raises(UsageError, match="the statement set has no INSERT INTO"):
        local.create_statement_set().explain()


def test_what_is_explained_takes_no_sink_of_the_program(local, capsys):
    """It is neither shown, nor is it forgotten by the job that the program runs then."""
    env = local._environment
    env.from_collection([7], Types.INT()).print()
    assert "Print" not in local.explain_sql("SELECT 1")
    env.execute()
    assert capsys.readouterr().out == "7\n"


def test_settings_are_set_and_shown(local):
    """SET sets a key of the environment, and alone shows all."""
    local.execute_sql("SET 'table.local-time-zone' = 'Asia/Tokyo'")
    assert local.get_config().get_local_timezone() == "Asia/Tokyo"
    assert ["table.local-time-zone", "Asia/Tokyo"] in [list(row) for row in local.execute_sql("SET").collect()]
    zoned = local.sql_query("SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING) AS s").execute().collect()
    assert [row.s for row in zoned] == ["1970-01-01 09:00:00.000"]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("SELECT pricee FROM bids", "there is no column 'pricee': did you mean 'price'?"),
        ("SELECT price + item FROM bids", "got INT and STRING"),
        ("SELECT * FROM TUMBLE(TABLE bids, DESCRIPTOR(price), INTERVAL '1' MINUTE)", "time attributes are ts"),
        ("SELECT * FROM TUMBLE(TABLE flat, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "declare WATERMARK FOR ts"),
        ("SELECT * FROM TUMBLE(TABLE bidz, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "did you mean 'bids'?"),
        ("SELECT SUM(price) OVER (ORDER BY item) FROM bids", "a single time attribute"),
        ("SELECT * FROM bids JOIN flat ON bids.price = flat.price", "a join without a bound in time"),
        ("SELECT price, FROM bids WHERE", "no SQL"),
    ],
)
def test_errors_say_what_and_where(local, statement, said):
    """A wrong statement ends with the nearest name, both types, or the reason; and with its place."""
    options = "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    local.execute_sql(f"CREATE TABLE bids (price INT, item STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) {options}")
    local.execute_sql(f"CREATE TABLE flat (price INT, ts TIMESTAMP(3)) {options}")
    with pytest.raises(ConfigurationError) as caught:
        local.execute_sql(statement)
    assert said in str(caught.value)


def test_the_place_is_shown_with_a_caret(local):
    """Below the line of the statement."""
    with pytest.raises(SqlError) as caught:
        local.execute_sql("SELECT 1,\n  nope\nFROM (VALUES (1)) AS t(a)")
    assert str(caught.value).splitlines()[-3:] == ["line 2:", "    nope", "    ^"]


def test_a_time_attribute_that_is_lost_says_why(local):
    """What was computed of one is none."""
    options = "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    local.execute_sql(f"CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) {options}")
    with pytest.raises(SqlError, match=r"'later'.* is none: it was computed"):
        local.sql_query(
            "SELECT * FROM TUMBLE((SELECT ts + INTERVAL '1' HOUR AS later FROM t), DESCRIPTOR(later), "
            "INTERVAL '1' MINUTE)"
        )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("'conector' = 'print'", "needs the option 'connector'; 'conector' is none"),
        ("'connector' = 'printt'", "did you mean 'print'?"),
        ("'connector' = 'filesystem', 'path' = 'x', 'fromat' = 'csv'", "needs the option 'format'; 'fromat' is none"),
        ("'connector' = 'datagen', 'rows-per-secnd' = '1'", "did you mean 'rows-per-second'?"),
    ],
)
def test_a_misspelt_option_is_named(local, options, said):
    """With what it was meant to be, when the table is made."""
    with pytest.raises(SqlError) as caught:
        local.execute_sql(f"CREATE TABLE t (n INT) WITH ({options})")
    assert said in str(caught.value)


def test_an_environment_in_batch_mode_shows_no_changes(capsys):
    """Its results are rows that stay, so there is no column for their kind."""
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    tables.get_config().set("windrow.runtime", "local")
    tables.execute_sql("SELECT 1 AS n").print()
    assert capsys.readouterr().out.splitlines()[1] == "|           n |"


def test_one_row_is_made_of_all_rows_in_batch_mode(env):
    """By subtasks of which all but one have got none: the row of no rows at all is not there as well."""
    tables = StreamTableEnvironment.create(env.set_parallelism(2), EnvironmentSettings.in_batch_mode())
    numbers = "(VALUES (1), (2)) AS t(n)"
    with tables.execute_sql(f"SELECT COUNT(*), SUM(n) FROM {numbers}").collect() as results:
        assert [tuple(row) for row in results] == [(2, 3)]
    with tables.execute_sql(f"SELECT COUNT(*), SUM(n) FROM {numbers} WHERE n > 2").collect() as results:
        assert [tuple(row) for row in results] == [(0, None)]


def test_what_is_named_twice_is_made_once(local):
    """A table's source, a view and a common query are one stream each, as in Flink's plans."""
    numbers = "'connector' = 'datagen', 'number-of-rows' = '3', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1'"
    local.execute_sql(f"CREATE TABLE numbers (n BIGINT) WITH ({numbers}, 'fields.n.end' = '3')")
    local.execute_sql("CREATE TEMPORARY VIEW doubled AS SELECT n * 2 AS n FROM numbers")
    query = (
        "WITH odd AS (SELECT n + 1 AS n FROM doubled) SELECT n FROM odd UNION ALL SELECT n FROM odd UNION ALL "
        "SELECT n FROM doubled UNION ALL SELECT n FROM numbers"
    )
    assert local.explain_sql(query).count("Source: numbers") == 1
    found = [row[0] for row in local.execute_sql(query).collect()]
    assert sorted(found) == sorted([3, 5, 7] * 2 + [2, 4, 6] + [1, 2, 3])


def test_a_view_may_be_of_windows_and_keeps_its_text(local, capsys):
    """Whatever a query may be a view may be, and it is shown as it was written."""
    events_of(local, local._environment)
    query = COUNTS.replace("k,", "TRIM(BOTH 'x' FROM k) AS k,", 1)
    local.execute_sql(f"CREATE TEMPORARY VIEW counts AS {query}; ")
    found = local.execute_sql("SELECT SUM(total) AS n FROM counts GROUP BY k").collect()
    assert [row.n for row in found][-1] == 8
    local.execute_sql("SHOW CREATE VIEW counts").print()
    assert query in capsys.readouterr().out


@pytest.mark.parametrize(
    "kind", [Types.LIST(Types.INT()), Types.BASIC_ARRAY(Types.INT()), Types.OBJECT_ARRAY(Types.INT())]
)
def test_a_list_of_a_stream_of_lists_is_the_value_of_its_column(local, kind):
    """It is no row of fields, of which the first would be taken."""
    lists = local._environment.from_collection([[7, 8], []], kind)
    assert [row.f0 for row in local.from_data_stream(lists).execute().collect()] == [[7, 8], []]


class EachMovesTime(WatermarkGenerator):
    """A watermark at each element."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output):
        pass


def test_a_window_in_an_hour_that_there_is_twice_loses_nothing(local):
    """In New York 01:00 to 01:30 of a night in November is over when clocks have shown it for the second time."""
    local.get_config().set("table.local-time-zone", "America/New_York")
    first = 1_730_610_000_000  # 01:00, an hour before clocks go back
    times = WatermarkStrategy.for_generator(EachMovesTime).with_timestamp_assigner(lambda event, _: event.ts)
    events = local._environment.from_collection([(first + each * 600_000, "k", 1) for each in range(18)], EVENT)
    schema = (
        Schema.new_builder()
        .column("ts", DataTypes.BIGINT())
        .column_by_expression("rt", "TO_TIMESTAMP_LTZ(ts, 3)")
        .watermark("rt", "SOURCE_WATERMARK()")
        .build()
    )
    local.create_temporary_view("events", events.assign_timestamps_and_watermarks(times), schema)
    counted = local.sql_query(
        "SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE events, DESCRIPTOR(rt), INTERVAL '30' MINUTES) "
        "GROUP BY window_start, window_end"
    )
    found = [(row.window_start.strftime("%H:%M"), row.c) for row in counted.execute().collect()]
    assert found == [("01:00", 6), ("01:30", 6), ("02:00", 3), ("02:30", 3)]


def test_inserts_of_a_set_share_what_they_read(local, monkeypatch):
    """The source that two of them name is read once."""
    read = []
    stream = Datagen.stream
    monkeypatch.setattr(Datagen, "stream", lambda self, environment: read.append(1) or stream(self, environment))
    local.execute_sql("CREATE TABLE drawn (n BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '3')")
    statements = local.create_statement_set()
    for name in ("one", "other"):
        local.execute_sql(f"CREATE TABLE {name} (n BIGINT) WITH ('connector' = 'blackhole')")
        statements.add_insert_sql(f"INSERT INTO {name} SELECT n FROM drawn")
    statements.execute().wait()
    assert read == [1]


def test_what_draws_lots_is_made_for_each_name(local):
    """A random column of a view is another one for each place that reads the view."""
    local.execute_sql("CREATE TEMPORARY VIEW drawn AS SELECT n, UUID() AS id FROM (VALUES (1), (2)) AS v(n)")
    query = "SELECT id FROM drawn UNION ALL SELECT id FROM drawn"
    assert len({row[0] for row in local.execute_sql(query).collect()}) == 4


def test_settings_of_the_environment_of_streams_are_looked_at():
    """One that would change results is refused where tables are made, and one that is read counts."""
    tokyo = Configuration.from_dict({"table.local-time-zone": "Asia/Tokyo"})
    made = StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(tokyo))
    assert made.get_config().get_local_timezone() == "Asia/Tokyo"
    short = Configuration.from_dict({"table.exec.sink.not-null-enforcer": "DROP"})
    with pytest.raises(ConfigurationError, match=r"'table.exec.sink.not-null-enforcer' is not supported"):
        StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(short))


def test_parts_of_types_may_be_not_null(local):
    """In columns of CREATE TABLE and in CAST."""
    nested = "ROW<x INT NOT NULL, y ARRAY<STRING NOT NULL>>"
    local.execute_sql(f"CREATE TABLE nested (r {nested}) WITH ('connector' = 'blackhole')")
    kinds = [row["type"] for row in local.execute_sql("DESCRIBE nested").collect()]
    assert kinds == ["ROW<`x` INT NOT NULL, `y` ARRAY<STRING NOT NULL>>"]
    made = local.sql_query(f"SELECT CAST(ROW(1, ARRAY['a']) AS {nested}) AS r").execute().collect()
    assert [tuple(row.r) for row in made] == [(1, ["a"])]
