import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from windrow.common import Row, Types
from windrow.datastream import OutputTag
from windrow.datastream.functions import ArrowAllWindowFunction, ArrowWindowFunction
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    GlobalWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.errors import ConfigurationError, UserFunctionError
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing.harness import OperatorHarness
from windrow.testing.window_harness import window_harness

EVENTS = [(("a", 3), 1), (("b", 9), 2), (("a", 4), 3), (("a", 5), 12)]


class Returning(ArrowWindowFunction):
    """Gives what a function makes of the key, the context and the table."""

    def __init__(self, make):
        self.make = make

    def process(self, key, context, table):
        return self.make(key, context, table)


def values(harness, elements=EVENTS):
    harness.process_elements(elements)
    harness.process_watermark(100)
    return [record.value for record in harness.records()]


def fired(make, assigner=None, **named):
    assigner = assigner or TumblingEventTimeWindows.of(10)
    return values(window_harness(assigner, key=lambda event: event[0], function=Returning(make), **named))


def columns(key, context, table):
    yield key, context.window().start, table.to_pydict()["f1"]


def test_a_window_is_a_table():
    """A function gets the elements of one key and window as a table, with ProcessWindowFunction's context."""
    assert fired(columns) == [("a", 0, [3, 4]), ("b", 0, [9]), ("a", 10, [5])]


def test_windows_of_any_kind():
    """Sliding windows and sessions, evictors and global windows have tables as well."""
    sliding = fired(columns, SlidingEventTimeWindows.of(20, 10))
    assert sliding[:2] == [("a", -10, [3, 4]), ("b", -10, [9])]
    assert fired(columns, EventTimeSessionWindows.with_gap(5)) == [("b", 2, [9]), ("a", 1, [3, 4]), ("a", 12, [5])]
    last = fired(
        lambda key, _, table: [(key, table["f1"].to_pylist())],
        GlobalWindows.create(),
        trigger=CountTrigger.of(3),
        evictor=CountEvictor.of(2),
    )
    assert last == [("a", [4, 5])]


def test_results_may_be_tables():
    """The rows of a table that is returned or yielded are elements; others are as they are, None is nothing."""
    rows = [Row(f0="a", f1=3), Row(f0="a", f1=4)]
    assert fired(lambda key, _, table: table)[:2] == rows
    assert fired(lambda key, _, table: table.to_pandas())[:2] == rows
    assert fired(lambda key, _, table: [table, key])[:3] == [*rows, "a"]
    assert fired(lambda key, _, table: {"sum": [pc.sum(table["f1"]).as_py()]})[0] == Row(sum=7)
    assert fired(lambda key, _, table: None) == []


def test_side_outputs():
    """An (OutputTag, value) among the results goes to that side output."""
    harness = window_harness(
        TumblingEventTimeWindows.of(10),
        key=lambda event: event[0],
        function=Returning(lambda key, _, table: [(OutputTag("count"), table.num_rows)]),
    )
    assert values(harness) == []
    assert [record.value for record in harness.side_output(OutputTag("count"))] == [2, 1, 1]


def test_declared_types():
    """The input's type decides about columns, the output's about what rows become."""
    seen = []

    def look(key, context, table):
        seen.append(table.schema.field("f1").type)
        return table.select(["f1"])

    spec = WindowSpec(
        TumblingEventTimeWindows.of(10),
        function=Returning(look),
        input_type=Types.TUPLE([Types.STRING(), Types.INT()]),
        output_type=Types.INT(),
    )
    assert values(OperatorHarness(build(spec), lambda event: event[0])) == [3, 4, 9, 5]
    assert seen == [pa.int32()] * 3


def test_a_window_over_the_whole_stream():
    """An ArrowAllWindowFunction gets no key."""

    class Largest(ArrowAllWindowFunction):
        def process(self, context, table):
            return table.to_pandas().nlargest(1, "f1")

    assert values(window_harness(TumblingEventTimeWindows.of(10), function=Largest())) == [
        Row(f0="b", f1=9),
        Row(f0="a", f1=5),
    ]


@pytest.mark.parametrize("result", [5, "text", (OutputTag("tag"), 1)])
def test_what_is_no_result(result):
    """A single value that is no table is an error that names the operator."""
    with pytest.raises(Exception, match="'window' returned"):
        fired(lambda key, _, table: result)


def test_elements_that_are_no_columns():
    """Elements that have no table are an error that names the operator and the window."""
    harness = window_harness(
        TumblingEventTimeWindows.of(10), key=lambda _: "k", function=Returning(columns), name="by minute"
    )
    with pytest.raises(UserFunctionError, match="'f0' has int and, in 'x', str") as raised:
        values(harness, [(1, 1), ("x", 2)])
    assert raised.value.operator == "by minute"
    assert "'k'" in raised.value.element


def test_behind_reduce_there_is_no_table():
    """It takes elements, so behind a reduce it is refused where it is given."""
    with pytest.raises(ConfigurationError, match="Returning takes the elements of a window as a table"):
        window_harness(TumblingEventTimeWindows.of(10), key=str, reduce=max, function=Returning(columns))


def test_pandas_and_back():
    """A frame goes through without an index, and what it calls missing is None."""
    made = fired(lambda key, _, table: pd.concat([table.to_pandas(), pd.DataFrame({"f0": [None], "f1": [0]})]))
    assert made[:3] == [Row(f0="a", f1=3), Row(f0="a", f1=4), Row(f0=None, f1=0)]
