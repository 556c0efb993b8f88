"""Processing time as a time attribute: what Flink has for it, with a clock that the test moves."""

import datetime as dt

import pytest

from tests.table.clock import PAIRS, by_batch, local_tables, tables_of
from tests.table.columns import columns_of
from windrow.common.time import Instant
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError
from windrow.table import EnvironmentSettings, Schema

TIMES = [0, 1_000, 61_000, 125_000, 200_000, 300_000]


def at(seconds):
    return dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)


def windows(function, times=TIMES, zone="UTC"):
    query = f"""
        SELECT k, window_start, window_end, window_time, SUM(n) FROM TABLE({function})
        GROUP BY k, window_start, window_end, window_time
    """
    found = by_batch(local_tables(zone=zone), query, times)
    return [sorted((k, start, end, time.seconds, n) for k, start, end, time, n in rows) for rows in found]


def test_windows_end_by_the_clock():
    """A window gives its results in the first batch behind its end; its time attribute is when it is looked at."""
    assert windows("TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE)") == [
        [],
        [],
        [("a", at(0), at(60), 61, 1), ("b", at(0), at(60), 61, 2)],
        [("a", at(60), at(120), 125, 3)],
        [("a", at(120), at(180), 200, 4)],
    ]


def test_windows_overlap_by_the_clock():
    """HOP has each row in several windows."""
    assert windows("HOP(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)") == [
        [],
        [],
        [("a", at(-60), at(60), 61, 1), ("b", at(-60), at(60), 61, 2)],
        [("a", at(0), at(120), 125, 4), ("b", at(0), at(120), 125, 2)],
        [("a", at(60), at(180), 200, 7)],
    ]


def test_windows_cumulate_by_the_clock():
    """CUMULATE gives growing windows that begin together."""
    assert windows("CUMULATE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)") == [
        [],
        [],
        [("a", at(0), at(60), 61, 1), ("b", at(0), at(60), 61, 2)],
        [("a", at(0), at(120), 125, 4), ("b", at(0), at(120), 125, 2)],
        [("a", at(120), at(180), 200, 4)],
    ]


def test_sessions_end_by_the_clock():
    """A session begins when its first row comes, and is over when none has come for its gap."""
    assert windows("SESSION(TABLE t PARTITION BY k, DESCRIPTOR(proc), INTERVAL '1' MINUTE)") == [
        [],
        [],
        [("a", at(0), at(60), 61, 1), ("b", at(1), at(61), 61, 2)],
        [("a", at(61), at(121), 125, 3)],
        [("a", at(125), at(185), 200, 4)],
    ]


@pytest.mark.parametrize(("function", "start"), [("TUMBLE", -1800), ("SESSION", 0)], ids=["tumbling", "sessions"])
def test_windows_by_the_clock_are_those_of_the_time_zone(function, start):
    """Processing time is a point in time: windows are cut, and shown, as clocks of the session's zone go."""
    table = "TABLE t PARTITION BY k" if function == "SESSION" else "TABLE t"
    found = windows(
        f"{function}({table}, DESCRIPTOR(proc), INTERVAL '1' HOUR)", [0, 1, 2, 3, 3_600_004], "Asia/Kolkata"
    )
    k, begin, end, *_ = found[-1][0]
    shown = 5.5 * 3600 + start
    assert (k, begin, end.replace(microsecond=0)) == ("a", at(shown), at(shown + 3600))


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
def test_windows_by_the_clock_take_every_aggregate(zone):
    """What needs all values of a window is computed row by row."""
    query = """
        SELECT k, TUMBLE_START(proc, INTERVAL '1' HOUR), LISTAGG(CAST(n AS STRING))
        FROM t GROUP BY k, TUMBLE(proc, INTERVAL '1' HOUR)
    """
    found = by_batch(local_tables(zone=zone), query, [0, 1, 2, 3, 3_600_004])[-1]
    start = at(0 if zone == "UTC" else 5 * 3600)
    assert found == [("b", start, "2"), ("a", start, "1,3,4")]


def test_group_windows_have_a_processing_time():
    """TUMBLE_PROCTIME is the time at which it is looked at, and a time attribute."""
    tables = local_tables()
    query = """
        SELECT TUMBLE_END(proc, INTERVAL '1' MINUTE), TUMBLE_PROCTIME(proc, INTERVAL '1' MINUTE) AS p, SUM(n)
        FROM t GROUP BY TUMBLE(proc, INTERVAL '1' MINUTE)
    """
    assert by_batch(tables, query, TIMES)[2:4] == [
        [(at(60), Instant(61, 0), 3)],
        [(at(120), Instant(125, 0), 3)],
    ]
    assert tables.sql_query(query)._relation.columns[1].proctime


def test_windows_of_the_clock_have_no_event_time():
    """TUMBLE_ROWTIME asks for what there is not."""
    with pytest.raises(SqlError, match="have no TUMBLE_ROWTIME: take TUMBLE_PROCTIME or TUMBLE_END"):
        local_tables().sql_query(
            "SELECT TUMBLE_ROWTIME(proc, INTERVAL '1' MINUTE) FROM t GROUP BY TUMBLE(proc, INTERVAL '1' MINUTE)"
        )


def test_windows_of_windows_by_the_clock():
    """Results of windows are put into longer ones by window_time, and into the same ones by their start and end."""
    by_minute = """
        SELECT k, window_start, window_end, window_time AS wt, SUM(n) AS n
        FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE))
        GROUP BY k, window_start, window_end, window_time
    """
    longer = f"""
        WITH m AS (SELECT wt, n FROM ({by_minute}))
        SELECT window_start, SUM(n) FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(wt), INTERVAL '2' MINUTE))
        GROUP BY window_start, window_end
    """
    same = f"SELECT window_start, SUM(n) FROM ({by_minute}) GROUP BY window_start, window_end"
    assert by_batch(local_tables(), longer, TIMES)[3] == [(at(0), 3)]
    assert by_batch(local_tables(), same, TIMES)[3:] == [[(at(0), 3)], [(at(60), 3)]]


def test_rows_of_one_time_have_one_result_over_a_range():
    """RANGE over processing time gives the rows of a time when the clock has moved on; older rows have left."""
    query = """
        SELECT k, n, SUM(n) OVER (PARTITION BY k ORDER BY proc
                                  RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) FROM t
    """
    assert by_batch(local_tables(), query, [1, *TIMES[1:]]) == [
        [],
        [("a", 1, 1)],
        [("b", 2, 2)],
        [("a", 3, 3)],
        [("a", 4, 4)],
    ]
    found = [sorted(rows) for rows in by_batch(local_tables(), query, [1, 1, 1, 2, 3])]
    assert found == [[], [], [], [("a", 1, 4), ("a", 3, 4), ("b", 2, 2)], [("a", 4, 8)]]


def test_rows_go_out_at_once_over_rows():
    """ROWS, and a frame without a bound, need not wait: each row has those that came before it."""
    two = "SUM(n) OVER (PARTITION BY k ORDER BY proc ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    every = "SUM(n) OVER (PARTITION BY k ORDER BY proc)"
    number = "ROW_NUMBER() OVER (PARTITION BY k ORDER BY proc)"
    for call, results in ((two, [1, 2, 4, 7, 7]), (every, [1, 2, 4, 8, 7]), (number, [1, 1, 2, 3, 2])):
        found = by_batch(local_tables(), f"SELECT k, n, {call} FROM t", [0, 0, 0, 0, 0])
        assert found == [[(*pair, result)] for pair, result in zip(PAIRS, results, strict=True)]


def numbered(order):
    return (
        f"SELECT k, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY proc {order}) AS r FROM t) WHERE r = 1"
    )


def test_the_first_row_of_a_key_stays():
    """In ascending order the first row is kept: it goes out at once, and all rows are insertions."""
    tables = local_tables()
    assert not tables.sql_query(numbered("ASC"))._relation.changes
    assert by_batch(tables, numbered("ASC"), TIMES)[:3] == [[("a", 1)], [("b", 2)], []]


def test_the_last_row_of_a_key_replaces_the_one_before():
    """In descending order each row takes the place of the last one, whatever the clock says."""
    tables = local_tables()
    assert tables.sql_query(numbered("DESC"))._relation.changes
    found = by_batch(tables, numbered("DESC"), [50, 50, 50, 20, 50])
    assert found == [[("a", 1)], [("b", 2)], [("a", 1), ("a", 3)], [("a", 3), ("a", 4)], [("b", 2), ("b", 5)]]


def test_rows_join_that_come_within_an_interval():
    """Of both sides a row's time is when it comes: here only rows of the same batch, or of two that are close."""
    tables = local_tables()
    tables.create_temporary_view("u", tables.sql_query("SELECT k, n * 10 AS m, PROCTIME() AS p FROM t"))
    query = """
        SELECT t.k, n, m FROM t JOIN u ON t.k = u.k AND t.proc BETWEEN u.p - INTERVAL '1' MINUTE AND u.p
    """
    found = [sorted(rows) for rows in by_batch(tables, query, [0, 0, 60_000, 130_000, 130_000])]
    assert found == [
        [("a", 1, 10)],
        [("b", 2, 20)],
        [("a", 1, 30), ("a", 3, 30)],
        [("a", 4, 40)],
        [("b", 5, 50)],
    ]


@pytest.mark.parametrize("kind", ["LEFT", "RIGHT", "FULL"])
def test_rows_are_alone_once_none_can_come_within_the_interval(kind):
    """By processing time too an outer join has rows beside NULL: in the first batch behind the interval."""
    tables = local_tables()
    tables.create_temporary_view("u", tables.sql_query("SELECT k, n * 10 AS m, PROCTIME() AS p FROM t"))
    query = f"""
        SELECT t.k, n, m FROM t {kind} JOIN u ON t.k = u.k AND m > 30
        AND t.proc BETWEEN u.p - INTERVAL '1' MINUTE AND u.p + INTERVAL '1' MINUTE
    """
    found = [set(rows) for rows in by_batch(tables, query, [0, 0, 60_000, 130_000, 200_000])]
    alone = {("a", 1, None), ("a", 3, None), ("b", 2, None)} if kind != "RIGHT" else set()
    alone |= {(None, None, 10), (None, None, 20), (None, None, 30)} if kind != "LEFT" else set()
    assert found == [set(), set(), set(), {("a", 4, 40)} | alone, {("b", 5, 50)}]


def test_rows_join_while_state_is_kept():
    """A join without a bound in time: of both sides rows wait for as long as table.exec.state.ttl says."""
    tables = local_tables()
    tables.create_temporary_view("u", tables.sql_query("SELECT k, n * 10 AS m FROM t"))
    query = "SELECT t.k, n, m FROM t JOIN u ON t.k = u.k AND m <> 30"
    with pytest.raises(SqlError, match=r"SET 'table.exec.state.ttl' = '1 h'"):
        tables.sql_query(query)
    tables.execute_sql("SET 'table.exec.state.ttl' = '2 min'")
    found = [sorted(rows) for rows in by_batch(tables, query, [0, 0, 60_000, 130_000, 200_000])]
    assert found == [[("a", 1, 10)], [("b", 2, 20)], [("a", 3, 10)], [("a", 3, 40), ("a", 4, 40)], [("b", 5, 50)]]
    assert columns_of(tables.sql_query("SELECT n, m FROM t CROSS JOIN u")) == [("n", "INT"), ("m", "INT")]
    tables.create_temporary_view("pairs", tables.sql_query("SELECT proc, m FROM t JOIN u ON t.k = u.k"))
    with pytest.raises(SqlError, match=r"'proc' .* is none: it went through a join without a bound in time"):
        tables.sql_query("SELECT SUM(m) FROM TABLE(TUMBLE(TABLE pairs, DESCRIPTOR(proc), INTERVAL '1' MINUTE))")


def test_a_join_by_two_kinds_of_time_has_no_bound():
    """Event time and processing time do not bound each other."""
    tables = local_tables()
    tables.execute_sql(
        "CREATE TABLE e (k STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')"
    )
    with pytest.raises(SqlError, match="without a bound in time"):
        tables.sql_query("SELECT 1 FROM t JOIN e ON t.k = e.k AND t.proc BETWEEN e.ts AND e.ts + INTERVAL '1' MINUTE")


@pytest.mark.parametrize(
    "query",
    [
        """SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n) AS r
           FROM (SELECT window_start, window_end, k, SUM(n) AS n FROM TABLE({w}) GROUP BY window_start, window_end, k)
           ) WHERE r <= 1""",
        """WITH s AS (SELECT window_start, window_end, SUM(n) AS n FROM TABLE({w}) GROUP BY window_start, window_end)
           SELECT 1 FROM s AS a JOIN s AS b ON a.window_start = b.window_start AND a.window_end = b.window_end""",
    ],
    ids=["top", "join"],
)
def test_what_flink_has_for_event_time_alone_is_refused(query):
    """The first rows of windows and joins of windows are errors that say what to do."""
    window = "TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE)"
    with pytest.raises(ConfigurationError, match="not supported by processing time, as in Flink"):
        local_tables().sql_query(query.format(w=window)).execute()


def test_rows_are_put_into_the_windows_of_their_time():
    """Rows that are not aggregated come at once, with their window, and in sessions when these are over."""
    query = "SELECT k, n, window_start, window_end, window_time FROM TABLE({})"
    window = "TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE)"
    assert by_batch(local_tables(), query.format(window), TIMES)[2:4] == [
        [("a", 3, at(60), at(120), Instant(61, 0))],
        [("a", 4, at(120), at(180), Instant(125, 0))],
    ]
    window = "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(proc), INTERVAL '1' MINUTE)"
    assert by_batch(local_tables(), query.format(window), TIMES)[3:] == [
        [("a", 3, at(61), at(121), Instant(125, 0))],
        [("a", 4, at(125), at(185), Instant(200, 0))],
    ]


def test_groups_of_windows_that_are_not_over_are_refused():
    """Groups of the window table function know when their windows are over; others would be told in parts."""
    window = "TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' MINUTE)"
    query = f"SELECT MAX(window_end), COUNT(*) FROM TABLE({window}) GROUP BY window_start, window_end"
    with pytest.raises(ConfigurationError, match="made of the window table function as it is"):
        local_tables().sql_query(query).execute()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1 FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' DAY)) GROUP BY window_start, window_end",
        "SELECT window_start FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(proc), INTERVAL '1' DAY))",
        "SELECT SUM(n) FROM t GROUP BY SESSION(proc, INTERVAL '1' DAY)",
        "SELECT SUM(n) OVER (PARTITION BY k ORDER BY proc) FROM t",
        "SELECT 1 FROM t AS a JOIN t AS b ON a.k = b.k AND a.proc BETWEEN b.proc - INTERVAL '1' DAY AND b.proc",
    ],
)
def test_batch_mode_has_no_time_that_goes_on(query):
    """Windows, ranges and intervals of processing time are refused there, as in Flink."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = tables_of(env, mode=EnvironmentSettings.in_batch_mode())
    with pytest.raises(ConfigurationError, match="not supported in batch mode, as in Flink"):
        tables.sql_query(query).execute()


def test_processing_time_takes_no_watermark():
    """It is no event time: a watermark for it is an error, in SQL and in a schema."""
    with pytest.raises(SqlError, match="p is processing time, which needs none"):
        local_tables().execute_sql(
            "CREATE TABLE w (n INT, p AS PROCTIME(), WATERMARK FOR p AS p) WITH ('connector' = 'datagen')"
        )
    tables = local_tables()
    stream = tables._environment.from_collection(PAIRS)
    schema = Schema.new_builder().column("k", "STRING").column_by_expression("p", "PROCTIME()").watermark("p", "p")
    with pytest.raises(ConfigurationError, match="'p' is processing time"):
        tables.from_data_stream(stream, schema.build())


def test_what_is_computed_of_it_is_no_attribute():
    """A column of PROCTIME() is one; once something is computed of it, the error says so."""
    tables = local_tables()
    tables.create_temporary_view("c", tables.sql_query("SELECT n, proc + INTERVAL '1' SECOND AS q FROM t"))
    with pytest.raises(SqlError, match=r"'q' .* is none: it was computed"):
        tables.sql_query("SELECT SUM(n) FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(q), INTERVAL '1' MINUTE))")


def test_union_all_keeps_it_where_both_sides_have_it():
    """Both sides' columns are looked at then; of one side's alone it is a value."""
    tables = local_tables()
    both = tables.sql_query("SELECT proc FROM t UNION ALL SELECT PROCTIME() AS proc FROM t")
    one = tables.sql_query("SELECT proc FROM t UNION ALL SELECT CURRENT_TIMESTAMP FROM t")
    assert [each._relation.columns[0].proctime for each in (both, one)] == [True, False]


def test_a_group_of_a_window_has_the_windows_time_alone():
    """Another time among the keys is older than the watermark then: windows by it would drop all rows."""
    tables = local_tables()
    tables.execute_sql("CREATE TABLE e (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')")
    inner = "SELECT ts, window_time AS wt FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
    made = tables.sql_query(f"{inner} GROUP BY ts, window_start, window_end, window_time")
    assert [column.rowtime for column in made._relation.columns] == [False, True]
    tables.create_temporary_view("g", made)
    with pytest.raises(SqlError, match=r"'ts' .* is none: GROUP BY of a window gives its results when"):
        tables.sql_query("SELECT 1 FROM TABLE(TUMBLE(TABLE g, DESCRIPTOR(ts), INTERVAL '1' MINUTE))")


@pytest.mark.parametrize(
    ("call", "least"),
    [("SUM(n) OVER (PARTITION BY k ORDER BY proc)", 1), ("COUNT(*) OVER (PARTITION BY k ORDER BY proc)", 1)],
)
def test_counts_do_not_depend_on_the_clock_or_the_runtime(env, call, least):
    """On both runtimes, with several subtasks, what is counted as rows come is the same in the end."""
    tables = tables_of(env)
    rows = list(tables.sql_query(f"SELECT k, {call} AS s FROM t").execute().collect())
    last = {key: max(s for k, s in rows if k == key) for key in ("a", "b")}
    assert len(rows) == len(PAIRS)
    assert last == ({"a": 8, "b": 7} if call.startswith("SUM") else {"a": 3, "b": 2})
    assert min(s for _, s in rows) == least


def test_one_row_of_each_key_is_left_on_both_runtimes(env):
    """Keeping the first row gives each key once, on Spark as well."""
    rows = list(tables_of(env).sql_query(numbered("ASC")).execute().collect())
    assert sorted(row[0] for row in rows) == ["a", "b"]
