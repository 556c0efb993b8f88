"""Verbs of tables."""

import datetime as dt
from decimal import Decimal

import pandas as pd
import pytest

from tests.table.columns import columns_of
from tests.table.events import EVENT, EVENTS, schema_of_events
from windrow.common import Instant, Row, Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError, UserFunctionError
from windrow.table import (
    DataTypes,
    EnvironmentSettings,
    Over,
    Schema,
    Session,
    Slide,
    StreamTableEnvironment,
    TableDescriptor,
    Tumble,
)
from windrow.table.expression import JsonOnNull, JsonType
from windrow.table.expressions import (
    UNBOUNDED_ROW,
    array,
    call,
    col,
    current_database,
    json,
    json_array,
    json_array_agg,
    json_object,
    json_object_agg,
    lit,
    log,
    null_of,
    range_,
    row_interval,
    with_columns,
    without_columns,
)

FIRST, SECOND = dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, 0, 1)


@pytest.fixture
def tables():
    """Tables of an environment in this process, read at once."""
    environment = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    return StreamTableEnvironment.create(environment, EnvironmentSettings.in_batch_mode())


@pytest.fixture
def events(tables):
    """A table with an event time."""
    return tables.from_data_stream(tables._environment.from_collection(EVENTS, EVENT), schema_of_events())


@pytest.fixture
def words(tables):
    """A table of words and numbers."""
    kinds = DataTypes.ROW([DataTypes.FIELD("word", DataTypes.STRING()), DataTypes.FIELD("n", DataTypes.INT())])
    return tables.from_elements([("a", 1), ("b", 2), ("a", 3), (None, 4)], kinds)


def rows(table):
    return [tuple(row) for row in table.execute().collect()]


def test_select_and_where_are_those_of_sql(tables, words):
    """They give the relation that the same query gives, with the names of Flink's Table API."""
    made = words.where(col("n") > 1).select(col("word"), (col("n") * 2).alias("double"), col("n") + 1)
    assert rows(made) == [("b", 4, 3), ("a", 6, 4), (None, 8, 5)]
    assert made.get_schema().get_field_names() == ["word", "double", "_c2"]
    tables.create_temporary_view("words", words)
    same = tables.sql_query("SELECT word, n * 2 AS `double`, n + 1 AS `_c2` FROM words WHERE n > 1")
    assert made.explain() == same.explain()
    assert made.get_schema() == same.get_schema()
    assert rows(words.filter(words.n == 1).select(col("*"))) == [("a", 1)]


def test_columns_without_a_name_are_called_as_flink_calls_them(words):
    """By their place; aggregates by their number among all, wherever they stand; a CAST by what it is of."""
    n, word = col("n"), col("word")

    def names(table):
        return table.get_schema().get_field_names()

    assert names(words.select(col("*"), n + 1, n.cast(DataTypes.BIGINT()), (n + 2).cast(DataTypes.STRING()))) == [
        "word", "n", "_c2", "n-BIGINT", "_c4",
    ]  # fmt: skip
    grouped = words.group_by(word)
    assert names(grouped.select(n.sum.alias("s"), n.max, n.sum + n.min)) == ["s", "EXPR$1", "_c2"]
    assert names(grouped.select(word, n.sum.cast(DataTypes.BIGINT()))) == ["word", "EXPR$0-BIGINT"]
    row = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING())])
    assert names(words.select(call("ROW", n, word).cast(row).alias("r")).select(col("r").get("x"))) == ["r$x"]
    assert names(words.select(n + 1).add_columns(col("_c0") + 1)) == ["_c0", "_c1"]


def test_groups_have_keys_and_aggregates(words):
    """Keys may be computed, and have a name; a condition behind them is that of HAVING."""
    grouped = words.group_by(col("word")).select(col("word"), col("n").sum, col("n").count.distinct.alias("c"))
    assert sorted(rows(grouped), key=str) == [("a", 4, 2), ("b", 2, 1), (None, 4, 1)]
    assert grouped.get_schema().get_field_names() == ["word", "EXPR$0", "c"]
    odd = words.group_by((col("n") % 2).alias("odd")).select(col("odd"), col("n").max.alias("most"))
    assert rows(odd.where(col("odd") == 1)) == [(1, 3)]
    assert rows(words.select(col("n").sum, col("n").min)) == [(10, 1)]


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Tumble.over(lit(1).minutes).on(col("rt")).alias("w"), [("a", FIRST, 1), ("a", SECOND, 7), ("b", FIRST, 5)]),
        (
            Slide.over(lit(2).minutes).every(lit(1).minutes).on(col("rt")).alias("w"),
            [
                ("a", dt.datetime(1969, 12, 31, 23, 59), 1),
                ("a", FIRST, 8),
                ("a", SECOND, 7),
                ("b", dt.datetime(1969, 12, 31, 23, 59), 5),
                ("b", FIRST, 5),
            ],
        ),
        (
            Session.with_gap(lit(30).seconds).on(col("rt")).alias("w"),
            [
                ("a", FIRST + dt.timedelta(seconds=1), 1),
                ("a", SECOND + dt.timedelta(seconds=1), 7),
                ("b", FIRST + dt.timedelta(seconds=2), 5),
            ],
        ),
    ],
    ids=["tumble", "slide", "session"],
)
def test_windows_of_time_are_grouped(events, window, expected):
    """By the window's name, which has a start; what they give has a time attribute again."""
    made = events.window(window).group_by(col("w"), col("k")).select(
        col("k"), col("w").start.alias("s"), col("n").sum.alias("total"), col("w").rowtime.alias("t")
    )  # fmt: skip
    assert sorted(rows(made.select(col("k"), col("s"), col("total")))) == expected
    again = made.window(Tumble.over(lit(1).days).on(col("t")).alias("d")).group_by(col("d"))
    assert "WindowAggregate" in again.select(col("total").sum).explain()


def test_aggregates_over_the_rows_before(events):
    """So many rows, or a span of time."""
    two = Over.partition_by(col("k")).order_by(col("rt")).preceding(row_interval(1)).alias(col("w"))
    assert sorted(rows(events.over_window(two).select(col("k"), col("n").sum.over(col("w"))))) == [
        ("a", 1), ("a", 4), ("a", 7), ("b", 5),
    ]  # fmt: skip
    span = Over.order_by(col("rt")).preceding(lit(1).minutes).alias("w")
    assert [n for (n,) in rows(events.over_window(span).select(col("n").count.over("w")))] == [1, 2, 3, 3]
    every = Over.order_by(col("rt")).preceding(UNBOUNDED_ROW).alias("w")
    assert [n for (n,) in rows(events.over_window(every).select(col("n").sum.over("w")))] == [1, 6, 9, 13]


def test_columns_come_and_go(words):
    """Added, replaced, dropped and renamed; a name that is there, or is not, is an error."""
    more = words.add_columns((col("n") + 1).alias("m"))
    assert more.get_schema().get_field_names() == ["word", "n", "m"]
    assert more.drop_columns(col("word"), col("n")).get_schema().get_field_names() == ["m"]
    assert rows(words.add_or_replace_columns((col("n") * 10).alias("n")).limit(1)) == [("a", 10)]
    assert words.rename_columns(col("n").alias("m")).get_schema().get_field_names() == ["word", "m"]
    assert words.alias("x", "y").get_schema().get_field_names() == ["x", "y"]
    assert words.alias("x").get_schema().get_field_names() == ["x", "n"]
    with pytest.raises(ConfigurationError, match="there is a column 'n' already: take add_or_replace_columns"):
        words.add_columns(lit(1).alias("n"))
    with pytest.raises(ConfigurationError, match=r"drop_columns: there is no column .*did you mean 'word'"):
        words.drop_columns(col("worde"))


def test_rows_of_tables_are_joined_within_time(tables, events):
    """By a condition beside join, or by where behind it; rows without a partner have NULL beside them."""
    bounded = (col("k") == col("k2")) & col("rt2").between(col("rt"), col("rt") + lit(2).seconds)
    right = events.select(col("k").alias("k2"), col("n").alias("n2"), col("rt").alias("rt2"))
    joined = events.join(right).where(bounded).select(col("k"), col("n"), col("n2"))
    assert sorted(rows(joined)) == [("a", 1, 1), ("a", 3, 3), ("a", 3, 4), ("a", 4, 4), ("b", 5, 5)]
    assert sorted(rows(events.join(right, bounded).select(col("k"), col("n"), col("n2")))) == sorted(rows(joined))
    with pytest.raises(ConfigurationError, match="both have ts, k, n, rt: rename_columns"):
        events.join(events, bounded)
    with pytest.raises(SqlError, match="this join has no condition"):
        events.join(right).select(col("k"))
    window = "SELECT k AS {0}k, n AS {0}n, window_start AS {0}s, window_end AS {0}e FROM TUMBLE(TABLE events, "
    window += "DESCRIPTOR(rt), INTERVAL '1' MINUTE)"
    tables.create_temporary_view("events", events)
    left, other = (tables.sql_query(window.format(side)) for side in ("l", "r"))
    same = (col("ls") == col("rs")) & (col("le") == col("re")) & (col("lk") == col("rk"))
    outer = left.left_outer_join(other.where(col("rn") > 1), same).select(col("lk"), col("ln"), col("rn"))
    assert sorted(rows(outer), key=str)[0] == ("a", 1, None)


def test_literals_are_values_of_python(words):
    """Each of its type in SQL, on both sides of an operator; NULL is None."""
    values = (7, -7, 2**40, 1.5, -1e300, Decimal("1.50"), "it's", True, None, dt.date(2020, 1, 2))
    moment = dt.datetime(2020, 1, 2, 3, 4, 5, 6000)
    made = words.limit(1).select(*[lit(value) for value in (*values, moment)], 10 - col("n"), col("n") > 1)
    assert rows(made) == [(*values, moment, 9, False)]
    kinds = [kind for _, kind in columns_of(made)]
    assert kinds[:6] == ["INT NOT NULL"] * 2 + ["BIGINT NOT NULL", "DOUBLE NOT NULL", "DOUBLE NOT NULL"] + [
        "DECIMAL(3, 2) NOT NULL"
    ]
    assert kinds[10] == "TIMESTAMP(6) NOT NULL"


def test_functions_are_methods_and_calls(words):
    """By the names of PyFlink's expressions, and by those of SQL."""
    word = col("word")
    made = words.where(word.is_not_null & (col("n") < 3)).select(
        word.upper_case,
        word.concat("x").char_length,
        lit(" y ").trim(),
        lit("2020-05-06").to_date.extract(_month()),
        word.in_("a", "c"),
        ~(word == "a"),
        col("n").cast(DataTypes.STRING()),
        lit("z").try_cast(DataTypes.INT()),
        (col("n") > 1).then("many", "one"),
        call("REPEAT", word, 2),
        col("n") ** 2,
        word.like("a%"),
        word.substring(1, 1),
    )
    assert rows(made) == [
        ("A", 2, "y", 5, True, False, "1", None, "one", "aa", 1.0, True, "a"),
        ("B", 2, "y", 5, False, True, "2", None, "many", "bb", 4.0, False, "b"),
    ]


def _month():
    from windrow.table.expression import TimeIntervalUnit

    return TimeIntervalUnit.MONTH


def test_unions_and_distinct_rows(words):
    """union_all keeps rows that are there twice, distinct does not."""
    assert len(rows(words.union_all(words))) == 8
    assert sorted(rows(words.union_all(words).distinct()), key=str) == sorted(rows(words), key=str)


def test_a_union_has_what_both_sides_have_in_common(events, words):
    """The type that holds both, NULL where one side may be, and an event time where both have it."""
    wider = words.union_all(words.select(col("word"), lit(2**40)))
    assert columns_of(wider) == [("word", "STRING"), ("n", "BIGINT")]
    assert ("a", 2**40) in rows(wider)
    times = events.select(col("k"), col("rt"))
    window = Tumble.over(lit(1).minutes).on(col("rt")).alias("w")
    both = times.union_all(times).window(window).group_by(col("w"), col("k")).select(col("k"), col("k").count)
    assert sorted(rows(both)) == [("a", 2), ("a", 4), ("b", 2)]
    plain = times.union_all(events.select(col("k"), col("rt") + lit(1).seconds))
    with pytest.raises(SqlError, match="a time attribute on one side of UNION ALL only"):
        plain.window(window).group_by(col("w")).select(col("k").count)


def test_functions_without_arguments_that_may_be_left_out(words):
    """None is no argument where PyFlink takes it so, and NULL elsewhere."""
    one, text = words.where(col("n") == 1), lit("a-b")
    numbers = array(3, 1, 3)
    assert rows(words.select(col("n").percentile(0.5), col("n").percentile(0.5, 1))) == [(2.5, 2.5)]
    assert rows(one.select(lit("10:11:12").to_time)) == [(dt.time(10, 11, 12),)]
    made = one.select(
        text.substr(3), text.split("-"), text.translate("a", "x"), text.ltrim(None), lit("%20").url_decode(),
        lit(2).elt("x", "y"),
        numbers.array_distinct(), numbers.array_sort(False), numbers.array_max(), numbers.array_append(None),
        numbers.array_contains(null_of(DataTypes.INT())), log(8, 2), lit("41").unhex,
        text.instr("b"), lit("b").locate(text), current_database(),
    )  # fmt: skip
    assert rows(made) == [
        (
            "b",
            ["a", "b"],
            "x-b",
            "a-b",
            " ",
            "y",
            [3, 1],
            [3, 3, 1],
            3,
            [3, 1, 3, None],
            False,
            3.0,
            b"A",
            3,
            3,
            "default_database",
        )
    ]


def test_aggregates_over_several_frames(env):
    """Of one partition and order: each frame counts its own rows, in a stream as in batch mode."""
    times = ("2024-01-01 10:00:00", "2024-01-01 10:00:30", "2024-01-01 10:05:00")
    frames = (
        "SELECT n, SUM(n) OVER (w ROWS 1 PRECEDING), COUNT(*) OVER w, "
        "MAX(n * 2) OVER (w RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) FROM t "
        "WINDOW w AS (ORDER BY ts)"
    )
    tables = StreamTableEnvironment.create(env)
    rows = [Row(ts=dt.datetime.fromisoformat(time), n=number) for number, time in enumerate(times, 1)]
    fields = ["ts", "n"], [Types.SQL_TIMESTAMP(), Types.LONG()]
    stream = env.from_collection(rows, type_info=Types.ROW_NAMED(*fields))
    schema = Schema.new_builder().column("ts", "TIMESTAMP(3)").column("n", "BIGINT").watermark("ts", "ts").build()
    tables.create_temporary_view("t", tables.from_data_stream(stream, schema))
    found = [tuple(row) for row in tables.sql_query(frames).execute().collect()]
    assert sorted(found) == [(1, 1, 1, 2), (2, 3, 2, 4), (3, 5, 3, 6)]


def test_frames_are_tables(tables):
    """With the columns that they have, or that are said."""
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert tables.from_pandas(frame).get_schema().get_field_names() == ["a", "b"]
    assert columns_of(tables.from_pandas(frame, ["n", "t"])) == [("n", "BIGINT"), ("t", "STRING")]
    typed = tables.from_pandas(frame, [DataTypes.INT(), DataTypes.STRING()])
    assert columns_of(typed) == [("a", "INT"), ("b", "STRING")]
    assert rows(typed) == [(1, "x"), (2, "y")]
    row = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.DOUBLE()), DataTypes.FIELD("t", DataTypes.STRING())])
    assert rows(tables.from_pandas(frame, row, splits_num=2)) == [(1.0, "x"), (2.0, "y")]


def test_times_of_frames_are_timestamps(tables):
    """With a zone points in time, without one local times, with the digits that they have; a day is a DATE."""
    moment = dt.datetime(2024, 3, 10, 8, 30, 0, 250_000)
    frame = pd.DataFrame(
        {
            "local": pd.Series([moment, None]),
            "millis": pd.Series([moment, None]).astype("datetime64[ms]"),
            "zoned": pd.Series([moment, None]).dt.tz_localize("Europe/Berlin"),
            "day": [moment.date(), None],
            "amount": [Decimal("1.50"), None],
            "kind": pd.Categorical(["a", "b"]),
        }
    )
    table = tables.from_pandas(frame)
    assert columns_of(table) == [
        ("local", "TIMESTAMP(6)"), ("millis", "TIMESTAMP(3)"), ("zoned", "TIMESTAMP_LTZ(6)"), ("day", "DATE"),
        ("amount", "DECIMAL(3, 2)"), ("kind", "STRING"),
    ]  # fmt: skip
    first, second = rows(table)
    instant = Instant(int(moment.replace(tzinfo=dt.UTC).timestamp()) - 3600, 250_000_000)
    assert first == (moment, moment, instant, moment.date(), Decimal("1.50"), "a")
    assert second == (None, None, None, None, None, "b")
    tables.create_temporary_view("frame", table)
    assert rows(tables.sql_query("SELECT EXTRACT(HOUR FROM local) FROM frame WHERE millis IS NOT NULL")) == [(8,)]
    assert columns_of(tables.from_pandas(frame[["local"]], [DataTypes.TIMESTAMP(3)])) == [("local", "TIMESTAMP(3)")]
    assert columns_of(tables.from_elements([(1, moment)], ["n", "t"])) == [("n", "BIGINT"), ("t", "TIMESTAMP(6)")]


def test_windows_of_verbs_run_where_jobs_run(env):
    """A stream becomes a table, is grouped in windows, and becomes a stream again, on each runtime."""
    tables = StreamTableEnvironment.create(env)
    events = tables.from_data_stream(env.from_collection(EVENTS, EVENT), schema_of_events())
    window = Tumble.over(lit(1).minutes).on(col("rt")).alias("w")
    made = (
        events.where(col("n") > 1)
        .window(window)
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start.alias("begin"), col("n").sum.alias("total"))
    )
    found = [tuple(row) for row in tables.to_data_stream(made).execute_and_collect()]
    assert sorted(found) == [("a", SECOND, 7), ("b", FIRST, 5)]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda t: t.select("word"), r"select takes expressions; got .*write col\('word'\)"),
        (lambda t: t.select(), "at least one expression"),
        (lambda t: t.select(col("wrod")), "there is no column 'wrod': did you mean 'word'"),
        (lambda t: t.where(col("n") + 1), "WHERE takes a BOOLEAN; got INT"),
        (lambda t: t.where(col("n") > 1 and col("n") < 5), "join conditions by &"),
        (lambda t: t.where(True), "a condition is an expression"),
        (lambda t: t.select(col("n") + "x"), "takes numbers"),
        (lambda t: t.select(lit(object())), "there is no literal of"),
        (lambda t: t.select(col("w").start), "start is asked of the name of a window"),
        (lambda t: t.select(col("n").sum, col("word")), "neither in GROUP BY nor in an aggregate"),
        (lambda t: t.select(col("n").sum.over("w")), "there is no window 'w' to aggregate over"),
        (lambda t: t.select(call("NOPE", col("n"))), "there is no function NOPE"),
        (lambda t: t.select(call("EXTRACT", col("n"))), "words among its arguments"),
        (lambda t: t.window(Tumble.over(lit(1).minutes).on(col("n"))), "give it a name with alias"),
        (
            lambda t: t.window(Tumble.over(lit(1).minutes).on(col("n")).alias("w")).group_by(col("word")),
            r"group_by takes the window as well: col\('w'\)",
        ),
        (
            lambda t: t.window(Tumble.over(row_interval(3)).on(col("n")).alias("w")).group_by(col("w")).select(lit(1)),
            "row_interval stands in preceding",
        ),
        (
            lambda t: t.window(Tumble.over(lit(1).minutes).on(col("n")).alias("w")).group_by(col("w")).select(lit(1)),
            "makes windows by a time attribute",
        ),
        (lambda t: t.map(len), "map takes a function, as udf gives it"),
        (lambda t: t.select(col("n"), (col("n") + 1).alias("n")), "select: two columns are called 'n'"),
        (lambda t: t.select(col("n").max, col("n").max), r"select: two columns are called 'EXPR\$0'"),
        (lambda t: t.select(col("*"), col("n")), "select: two columns are called 'n'"),
        (lambda t: t.group_by((col("n") % 2).alias("n")).select(col("n")), "group_by: two columns are called 'n'"),
        (lambda t: t.alias("x", "x"), "alias: two columns are called 'x'"),
        (lambda t: t.alias("x", "y", "z"), "3 names are given to 2 columns"),
        (lambda t: t.add_columns(col("n").sum.alias("s")), "add_columns takes no aggregate"),
        (lambda t: t.union_all(t.select(col("n"))), "UNION ALL of 2 and 1 columns"),
    ],
)
def test_wrong_verbs_are_refused_where_they_are_written(words, ask, said):
    """With what was given, and what there is."""
    with pytest.raises(ConfigurationError, match=said):
        ask(words)


def test_a_column_that_there_is_not_is_no_attribute(words):
    """With the nearest name."""
    with pytest.raises(AttributeError, match="did you mean 'word'"):
        words.wordd  # noqa: B018


def test_verbs_that_there_are_not_say_what_to_use_instead(words):
    """Where PyFlink has them."""
    with pytest.raises(AttributeError, match=r"Table.insert_into is deliberately not here: execute_insert"):
        words.insert_into("w")


def test_tables_are_sets_of_rows(tables):
    """What both have, and what the other has not, each row once."""
    one = tables.from_elements([(1, "a"), (1, "a"), (2, "b"), (None, "c")], ["n", "word"])
    other = tables.from_elements([(1, "a"), (None, "c"), (4, "d")], ["n", "word"])
    assert {tuple(row) for row in one.intersect(other).execute().collect()} == {(1, "a"), (None, "c")}
    assert [tuple(row) for row in one.minus(other).execute().collect()] == [(2, "b")]
    with pytest.raises(SqlError, match="EXCEPT of 2 and 1 columns"):
        one.minus(other.select(col("n")))


@pytest.mark.parametrize("mode", [EnvironmentSettings.in_streaming_mode, EnvironmentSettings.in_batch_mode])
def test_tables_are_bags_of_rows(mode):
    """What both have and what the other has not, each row as often as that is so."""
    environment = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(environment, mode())
    one = tables.from_elements([(1, "a"), (1, "a"), (1, "a"), (2, "b"), (None, "c")], ["n", "word"])
    other = tables.from_elements([(1, "a"), (None, "c"), (1, "a"), (None, "c"), (4, "d")], ["n", "word"])
    both, left = one.intersect_all(other).to_pandas(), one.minus_all(other).to_pandas()
    assert sorted(both["word"]) == ["a", "a", "c"]
    assert sorted(left["word"]) == ["a", "b"]
    with pytest.raises(SqlError, match="INTERSECT ALL of 2 and 1 columns"):
        one.intersect_all(other.select(col("n")))


def test_a_schema_that_is_printed_shows_time_attributes(capsys):
    """Of a stream; in batch mode an event time is a column like others, as in Flink."""
    for settings, mark in (
        (EnvironmentSettings.in_streaming_mode(), " *ROWTIME*"),
        (EnvironmentSettings.in_batch_mode(), ""),
    ):
        environment = StreamExecutionEnvironment.create_local_environment(parallelism=1)
        tables = StreamTableEnvironment.create(environment, settings)
        tables.execute_sql(
            "CREATE TABLE t (n INT NOT NULL, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) "
            "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
        )
        tables.from_path("t").print_schema()
        printed = capsys.readouterr().out
        assert (
            printed
            == f"(\n  `n` INT NOT NULL,\n  `ts` TIMESTAMP(3){mark},\n  `p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*\n)\n"
        )


def test_columns_are_chosen_by_name_and_place(words):
    """with_columns and without_columns, with ranges of names or of places from 1 on."""
    wide = words.add_columns((col("n") + 1).alias("more"))
    for fields, names in (
        ([with_columns(col("n"), 1)], ["n", "word"]),
        ([with_columns(range_("n", "more"))], ["n", "more"]),
        ([without_columns(range_(1, 2)), col("word")], ["more", "word"]),
        ([without_columns("word")], ["n", "more"]),
    ):
        assert wide.select(*fields).get_schema().get_field_names() == names
    with pytest.raises(ConfigurationError, match="no column 'wordd': did you mean 'word'"):
        wide.select(with_columns(col("wordd")))


def test_tables_are_put_in_order(words):
    """order_by, with offset and fetch behind it; limit takes the first that come."""
    assert rows(words.order_by(col("n").desc)) == sorted(rows(words), key=lambda row: -row[1])
    assert rows(words.order_by(col("n")).offset(1).fetch(1)) == sorted(rows(words), key=lambda row: row[1])[1:2]
    assert rows(words.limit(1, 1)) == rows(words.offset(1).fetch(1)) == rows(words)[1:2]
    assert len(rows(words.union(words))) == len(set(rows(words)))


def test_a_table_is_written_to_another_one(tables, words, capsys):
    """execute_insert does what INSERT INTO does."""
    tables.execute_sql("CREATE TABLE p (word STRING, n INT) WITH ('connector' = 'print')")
    words.where(col("n") == 2).execute_insert("p").wait()
    assert capsys.readouterr().out == "+I[b, 2]\n"


def test_methods_of_expressions_take_arguments_by_pyflinks_names():
    """What may be left out is left out; one that is missing or too many is an error where it is written."""
    a = col("a")
    assert repr(a.substring(begin_index=1, length=2)) == repr(a.substring(1, 2))
    assert repr(a.substring(1, None)) == repr(a.substring(1)) == repr(a.substring(begin_index=1))
    assert repr(a.array_concat(a, a)) == repr(a.array_concat(*[a, a]))
    with pytest.raises(TypeError, match="missing a required argument: 'begin_index'"):
        a.substring()
    with pytest.raises(TypeError, match="too many positional arguments"):
        a.round(1, 2)


def test_a_name_that_is_there_may_be_kept(tables):
    """``ignoreIfExists`` leaves the table as it is; else it is an error."""
    descriptor = (
        TableDescriptor.for_connector("datagen").schema(Schema.new_builder().column("a", "INT").build()).build()
    )
    tables.create_temporary_table("kept", descriptor)
    tables.create_temporary_table("kept", descriptor, ignoreIfExists=True)
    with pytest.raises(SqlError, match="kept"):
        tables.create_temporary_table("kept", descriptor)


def test_an_outer_join_without_a_condition_joins_every_row(tables):
    """As a condition that is always true does."""
    left, right = tables.from_elements([(1,), (2,)], ["a"]), tables.from_elements([(3,)], ["b"])
    assert sorted(rows(left.left_outer_join(right))) == [(1, 3), (2, 3)]


def test_json_that_is_made_of_values_and_rows(words):
    """Text that is JSON already is a part as it is; aggregates are made of all rows."""
    made = words.where(col("n") == 1).select(
        json_object(JsonOnNull.NULL, "w", json(lit(' {"b": 1.50} ')), "t", col("word")),
        json_array(JsonOnNull.ABSENT, json(lit("[1, 2] 3")), col("n")),
    )
    assert rows(made) == [('{"t":"a","w":{"b":1.50}}', "[[1,2],1]")]
    known = words.where(col("word").is_not_null)
    *_, (found,) = rows(known.select(json_array_agg(JsonOnNull.ABSENT, col("n"))))
    assert sorted(found.strip("[]").split(",")) == ["1", "2", "3"]
    grouped = words.where(col("n") < 3).select(json_object_agg(JsonOnNull.NULL, col("word"), col("n")))
    assert rows(grouped)[-1] == ('{"a":1,"b":2}',)


def test_text_that_is_json_stands_in_objects_and_arrays_alone(words):
    """Elsewhere it would be text."""
    with pytest.raises(SqlError, match=r"JSON\(text\) is a value of JSON_OBJECT or JSON_ARRAY itself"):
        words.select(json(col("word")))


def test_text_that_should_be_json_and_is_none_is_an_error_of_its_row(words):
    """It would make of an object what nobody can read."""
    with pytest.raises(UserFunctionError, match=r"JSON takes text that is JSON; 'a' is none: Expecting value"):
        rows(words.select(json_array(JsonOnNull.NULL, json(col("word")))))


def test_text_is_asked_what_kind_of_json_it_is(words):
    """By ``JsonType``: without one whatever it is."""
    text = lit('{"a": [1]}')
    kinds = [None, JsonType.VALUE, JsonType.OBJECT, JsonType.ARRAY, JsonType.SCALAR]
    made = words.where(col("n") == 1).select(*[text.is_json(kind) for kind in kinds])
    assert rows(made) == [(True, True, True, False, False)]
