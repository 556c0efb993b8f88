"""Which operators of a job will work on columns, before it runs."""

import functools
import json

import pytest

from windrow.common import Configuration, Time, Types, WatermarkStrategy
from windrow.datastream import OutputTag, StreamExecutionEnvironment, WindowedStream
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import (
    AggregateFunction,
    ArrowAggregateFunction,
    ProcessJoinFunction,
    ProcessWindowFunction,
    ReduceFunction,
)
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    PurgingTrigger,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)


def environment(**settings):
    return StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(1)


def numbers(env):
    return env.from_source(NumberSequenceSource(0, 9), WatermarkStrategy.no_watermarks(), "numbers")


def forms(env):
    """What the plan says of each operator and source."""
    return {node["type"]: node.get("form") for node in json.loads(env.get_execution_plan())["nodes"]}


def test_operators_work_on_columns_as_long_as_all_before_them_do():
    """The first that does not says why; those behind it have rows for input."""
    env = environment()
    stream = numbers(env).map(lambda n: (n, n * 2)).name("pairs").filter(lambda pair: pair[0] > 3)
    stream.map(lambda pair: [*pair]).name("lists").map(lambda pair: pair[0]).name("first").print()
    found = forms(env)
    assert (found["Source: numbers"], found["pairs"], found["Filter"]) == ("columns", "columns", "columns")
    assert found["lists"].startswith("rows: its function ")
    assert found["first"] == "rows: its input is rows"


def test_a_filter_by_row_leaves_columns_that_cannot_change():
    """What its function sees as rows goes on as columns."""
    env = environment()
    numbers(env).filter(lambda n: f"{n}" > "3").map(lambda n: n + 1).print()
    assert forms(env)["Filter"] == "rows: its function contains an f-string"
    assert forms(env)["Map"] == "columns"


@pytest.mark.parametrize(("declared", "form"), [(Types.LONG(), "columns"), (Types.STRING(), "rows: its input is rows")])
def test_results_that_are_converted_are_rows(declared, form):
    """A declared type that is another one than that of the results."""
    env = environment()
    numbers(env).map(lambda n: n + 1, output_type=declared).name("typed").map(lambda n: n * 2).name("next").print()
    assert (forms(env)["typed"], forms(env)["next"]) == ("columns", form)


def test_streams_of_two_forms_come_to_one_operator_as_rows():
    """As columns they cross the exchange: what the operator sees is told by another reason than that of rows."""
    env = environment()
    pairs, singles = numbers(env).map(lambda n: (n, n)), numbers(env)
    met = pairs.join(singles).where(lambda pair: pair[0]).equal_to(lambda n: n)
    met.window(TumblingEventTimeWindows.of(5)).apply(lambda first, second: second).print()
    assert forms(env)["TumblingEventTimeWindows"] == "rows: its inputs are columns of several forms"
    env = environment()
    mixed = numbers(env).map(lambda n: [n]).union(numbers(env).map(lambda n: (n, n)))
    mixed.key_by(lambda each: each[0]).reduce(lambda a, b: a).name("sum").print()
    assert forms(env)["sum"] == "rows: its input is rows"


def alone(first, second):
    if not second:
        for pair in first:
            yield pair[1]


def co_grouped(env, function, windows=None, *, lateness=0, first=None, declared=None):
    """A co-group of pairs and numbers."""
    windows = windows or TumblingEventTimeWindows.of(5)
    pairs = numbers(env).map(lambda n: (n, n)) if first is None else first
    met = pairs.co_group(numbers(env)).where(lambda pair: pair[0]).equal_to(lambda n: n).window(windows)
    grouped = met.allowed_lateness(lateness).apply(function, output_type=declared).name("grouped")
    grouped.map(lambda n: n * 2).name("next").print()
    return forms(env)


@pytest.mark.parametrize("declared", [None, Types.LONG()])
def test_a_co_group_that_asks_who_has_a_key_works_on_columns(declared):
    """Its two streams have elements of different shapes, and what it gives is columns, too."""
    found = co_grouped(environment(), alone, declared=declared)
    assert (found["grouped"], found["next"]) == ("columns", "columns")
    by_clock = co_grouped(environment(), alone, TumblingProcessingTimeWindows.of(Time.milliseconds(5)))
    assert by_clock["grouped"] == "columns"


def test_a_co_group_of_rows_says_why():
    """Its function, what comes to it, or windows that may fire again."""
    counted = co_grouped(environment(), lambda first, second: [len(first)])
    assert (counted["grouped"], counted["next"]) == (
        "rows: its function does __len__ with a group",
        "rows: its input is rows",
    )
    late = co_grouped(environment(), alone, lateness=5)
    assert late["grouped"] == "rows: its windows are kept for late elements, with which they fire again"
    env = environment()
    lists = co_grouped(env, alone, first=numbers(env).map(lambda n: [n, n]))
    assert lists["grouped"] == "rows: its input is rows"
    env = environment()
    several = numbers(env).map(lambda n: (n, n)).union(numbers(env).map(lambda n: (n, n * 0.5)))
    assert co_grouped(env, alone, first=several)["grouped"] == "rows: its inputs are columns of several forms"


class Sum(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left + right[1]


class Texts(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield f"{left} {right}"


@pytest.mark.parametrize("declared", [None, Types.LONG()])
@pytest.mark.parametrize(
    ("function", "form"), [(Sum(), "columns"), (Texts(), "rows: its function contains an f-string")]
)
def test_a_join_is_told_what_comes_by_each_input(function, form, declared):
    """Elements of its two streams need not be of one shape."""
    env = environment()
    first = numbers(env).key_by(lambda n: n)
    second = numbers(env).map(lambda n: (n, n * 2)).key_by(lambda pair: pair[0])
    joined = first.interval_join(second).between(-1, 1).process(function, output_type=declared)
    joined.map(lambda n: n * 2).name("next").print()
    assert forms(env)["Interval Join"] == form
    assert forms(env)["next"] == ("columns" if form == "columns" else "rows: its input is rows")


def test_an_element_of_rows_makes_a_join_one_of_rows():
    """Of either stream."""
    env = environment()
    lists = numbers(env).map(lambda n: [n]).key_by(lambda each: each[0])
    numbers(env).key_by(lambda n: n).interval_join(lists).between(-1, 1).process(Sum()).print()
    assert forms(env)["Interval Join"] == "rows: its input is rows"


def test_columns_that_are_switched_off_are_said_to_be():
    """Of every operator."""
    env = environment(**{"windrow.columns.enabled": "false"})
    numbers(env).map(lambda n: n).print()
    assert forms(env)["Map"] == "rows: windrow.columns.enabled is false"


def test_the_form_of_keys_is_told():
    """A selector that cannot be traced is called for each element."""
    env = environment()
    stream = numbers(env)
    stream.key_by(lambda n: n % 3).map(lambda n: n).print()
    stream.key_by(lambda n: f"{n}").map(lambda n: n).print()
    text = env.explain()
    assert "-> HASH to Map, keys as columns (f0 int64)" in text
    assert "-> HASH to Map, keys as rows: its function contains an f-string" in text


class Counted(ArrowAggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, table, accumulator):
        return accumulator + table.num_rows

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


def test_where_aggregate_functions_of_tables_are_given_several_rows_is_told():
    """Tumbling windows put elements together; sessions say that they do not."""
    env = environment()
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda n, _: n)
    keyed = numbers(env).assign_timestamps_and_watermarks(times).key_by(lambda n: n % 3)
    keyed.window(TumblingEventTimeWindows.of(5)).aggregate(Counted()).print()
    keyed.window(EventTimeSessionWindows.with_gap(5)).aggregate(Counted()).print()
    text = env.explain()
    assert "TumblingEventTimeWindows: columns, its results rows: its get_result is called for each key" in text
    assert "EventTimeSessionWindows: rows: its Counted is given a table of one row for each element" in text
    assert "Local aggregate" not in text


SUM = "  Local aggregate: columns (f0 int64, f1 int64)\n  -> HASH to TumblingEventTimeWindows"


@pytest.mark.parametrize(
    ("settings", "combines"), [({}, False), ({"windrow.columns.float-sums-in-any-order": "true"}, True)]
)
def test_floats_are_combined_where_any_order_will_do(settings, combines):
    """Their sums depend on it, in the last digits."""
    env = environment(**settings)
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda pair, _: 5)
    keyed = (
        numbers(env).map(lambda n: (n % 3, n / 2)).assign_timestamps_and_watermarks(times).key_by(lambda pair: pair[0])
    )
    keyed.window(TumblingEventTimeWindows.of(5)).reduce(lambda a, b: (a[0], a[1] + b[1])).print()
    assert ("  Local aggregate: columns (f0 int64, f1 double)" in env.explain()) is combines


@pytest.mark.parametrize(
    ("settings", "late", "combines"),
    [
        ({}, False, True),
        ({}, True, False),
        ({"windrow.columns.local-aggregation": "false"}, False, False),
        ({"execution.runtime-mode": "BATCH"}, False, False),
    ],
)
def test_what_is_combined_before_an_exchange_is_told(settings, late, combines):
    """Where nobody asks for late elements, and input is not sorted before it is combined."""
    env = environment(**settings)
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda pair, _: pair[1])
    keyed = numbers(env).map(lambda n: (n % 3, n)).assign_timestamps_and_watermarks(times).key_by(lambda pair: pair[0])
    windows = keyed.window(TumblingEventTimeWindows.of(5))
    if late:
        windows = windows.side_output_late_data(OutputTag("late", Types.PICKLED_BYTE_ARRAY()))
    windows.reduce(lambda a, b: (a[0], a[1] + b[1])).print()
    assert (SUM in env.explain()) is combines
    edges = [edge for node in json.loads(env.get_execution_plan())["nodes"] for edge in node.get("predecessors", ())]
    assert [edge.get("local_aggregate", False) for edge in edges if edge["ship_strategy"] == "HASH"] == [combines]


class Opened(ReduceFunction):
    def open(self, runtime_context):
        self.calls = 0

    def reduce(self, a, b):
        return (a[0], a[1] + b[1])


class Cleared(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield from elements

    def clear(self, context):
        pass


ADD = functools.partial(WindowedStream.reduce, reduce_function=lambda a, b: (a[0], a[1] + b[1]))


@pytest.mark.parametrize(
    ("changed", "finished", "reason"),
    [
        (
            lambda w: w.evictor(CountEvictor.of(2)),
            ADD,
            "its evictor CountEvictor(2) is asked for the elements of each window",
        ),
        (lambda w: w.trigger(CountTrigger.of(2)), ADD, "its trigger CountTrigger(2) is asked for each element"),
        (
            lambda w: w.trigger(PurgingTrigger.of(EventTimeTrigger.create())).allowed_lateness(1),
            ADD,
            "its trigger PurgingTrigger(EventTimeTrigger()) purges windows that wait for late elements",
        ),
        (lambda w: w, lambda w: w.reduce(Opened()), "its Opened has a method open, and may look at the key"),
        (lambda w: w, lambda w: w.process(Cleared()), "its function is given all elements of a window"),
        (
            lambda w: w,
            functools.partial(ADD, window_function=Cleared()),
            "its Cleared has a method clear, and hears when a window is over",
        ),
    ],
    ids=["evictor", "trigger", "purging", "open", "elements", "clear"],
)
def test_windows_say_why_they_work_on_rows(changed, finished, reason):
    """The part of a window that columns cannot do is named."""
    env = environment()
    pairs = numbers(env).map(lambda n: (n, n))
    finished(changed(pairs.key_by(lambda pair: pair[0]).window(TumblingEventTimeWindows.of(5)))).print()
    assert forms(env)["TumblingEventTimeWindows"] == f"rows: {reason}"


@pytest.mark.parametrize(
    ("counted", "reason"),
    [
        (lambda c: ADD(c, window_function=Whole()), "its window function is called when a count is reached"),
        (
            lambda c: c.evictor(CountEvictor.of(2)).reduce(max),
            "its evictor CountEvictor(2) is asked for the elements of each window",
        ),
        (
            lambda c: c.trigger(CountTrigger.of(2)).reduce(max),
            "its trigger CountTrigger(2) is asked for each element",
        ),
    ],
)
def test_windows_that_count_say_why_they_work_on_rows(counted, reason):
    """So do those of all elements that come."""
    env = environment()
    counted(numbers(env).map(lambda n: (n, n)).key_by(lambda pair: pair[0]).count_window(2)).print()
    assert forms(env)["GlobalWindows"] == f"rows: {reason}"


class Whole(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield f"{key}"


def test_a_window_function_that_is_called_says_why_its_results_are_rows():
    """What it is given is computed on columns all the same."""
    env = environment()
    windows = numbers(env).map(lambda n: (n, n)).key_by(lambda pair: pair[0]).window(TumblingEventTimeWindows.of(5))
    ADD(windows, window_function=Whole()).print()
    form = forms(env)["TumblingEventTimeWindows"]
    assert form == "columns, its results rows: its window function contains an f-string"


class Mean(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


def test_what_crosses_for_an_aggregate_function_is_told():
    """The fields of its accumulator, not those of elements."""
    env = environment()
    keyed = numbers(env).map(lambda n: (n, n, n)).key_by(lambda triple: triple[0])
    keyed.window(TumblingEventTimeWindows.of(5)).aggregate(Mean()).print()
    assert SUM in env.explain()


@pytest.mark.parametrize("declared", [None, Types.TUPLE([Types.LONG(), Types.LONG()])])
def test_a_declared_type_of_results_changes_nothing_of_what_comes_before_them(declared):
    """Elements are combined before the exchange, with a declared type as without."""
    env = environment()
    windows = numbers(env).map(lambda n: (n, n)).key_by(lambda pair: pair[0]).window(TumblingEventTimeWindows.of(5))
    ADD(windows, output_type=declared).print()
    assert env.explain().count("Local aggregate") == 1
