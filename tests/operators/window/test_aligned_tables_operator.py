"""Aggregate functions of tables give what functions give that add elements one by one."""

from collections import Counter
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.test_aligned_window_operator import (
    LATE,
    Concatenate,
    Looking,
    assigners,
    between_watermarks,
    first,
)
from tests.property_examples import examples
from windrow.common import Row, Types
from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.datastream.functions import AggregateFunction, ArrowAggregateFunction, ProcessAllWindowFunction
from windrow.datastream.state import AggregatingStateDescriptor
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.elements.inference import columns_from
from windrow.elements.shape import LONG
from windrow.errors import ConfigurationTypeError, UserFunctionError
from windrow.operators.window import aligned_tables_operator
from windrow.operators.window.aligned_tables_operator import AlignedTablesOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.why_rows import why_rows
from windrow.testing import OperatorHarness, Record
from windrow.testing.window_harness import window_harness

EVENTS = [(("a", 3), 1), (("b", 9), 2), (("a", 4), 3), (("a", 5), 12)]


class ConcatenateTables(ArrowAggregateFunction):
    """Keeps the order of its elements visible, as ``Concatenate`` does."""

    def create_accumulator(self):
        return ""

    def add(self, table, accumulator):
        return accumulator + "".join(f"{value} " for value in table["f1"].to_pylist())

    def get_result(self, accumulator):
        return accumulator.strip()

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Shown(ArrowAggregateFunction):
    """Gives a list of what it makes of each of its tables."""

    def __init__(self, of_table=lambda table: table.num_rows):
        self.of_table = of_table

    def create_accumulator(self):
        return []

    def add(self, table, accumulator):
        return [*accumulator, self.of_table(table)]

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


def values(harness, elements=EVENTS):
    harness.process_elements(elements)
    harness.process_watermark(MAX_WATERMARK)
    return [record.value for record in harness.records()]


def fired(function, assigner=None, elements=EVENTS, **named):
    assigner = assigner or TumblingEventTimeWindows.of(10)
    return values(window_harness(assigner, key=first, aggregate=function, **named), elements)


KEYS = ["abc", [-7, 10**15, 3], [1.5, -0.0, float("inf")], [("a", 1), ("a", 2), ("b", 1)], [1, "a", None]]
any_assigner = st.one_of(assigners, assigners, st.builds(EventTimeSessionWindows.with_gap, st.integers(2, 9)))
elements = st.lists(st.tuples(st.integers(0, 2), st.integers(-25, 25)), min_size=1, max_size=9)
form = st.sampled_from(["columns", "columns", "Rows as columns", "rows"])
steps = st.lists(
    st.one_of(
        st.tuples(form, st.booleans(), elements),
        st.tuples(form, st.booleans(), elements),
        st.integers(0, 12),
        st.just("restore"),
    ),
    max_size=12,
)


def play(specs, steps, keys, **how):
    """Output, late side output and counters of each run between restores, and what is stored then.

    After each restore it goes on with the next of the specifications.
    """
    played, number, snapshot, runs = [], 0, None, 0
    current, watermark = OperatorHarness(build(specs[0], **how), first), -20
    for step in [*steps, "restore", MAX_WATERMARK]:
        if isinstance(step, int):
            watermark = max(watermark, step if step == MAX_WATERMARK else watermark + step)
            current.process_watermark(watermark)
        elif step == "restore":
            snapshot, runs = current.snapshot(), runs + 1
            stored = sorted(map(str, current.state_entries()))
            played.append((current.output, current.side_output(LATE), current.counters, stored))
            current = OperatorHarness(build(specs[runs % len(specs)], **how), first, snapshot=snapshot)
            watermark = -20
        else:
            form, keys_as_columns, drawn = step
            own = [keys[index] for index, _ in drawn]
            rows = [(str(key), number + place) for place, key in enumerate(own)]
            if form == "Rows as columns":
                rows = [Row(f0=key, f1=n) for key, n in rows]
            number += len(drawn)
            as_columns = None if form == "rows" else columns_from(rows)
            key_columns = columns_from(own) if keys_as_columns else None
            current._operator.process_batch(
                Batch(
                    rows if as_columns is None else as_columns,
                    [time for _, time in drawn],
                    own if key_columns is None else key_columns,
                )
            )
    played.append((current.output, current.side_output(LATE), current.counters, []))
    return played


def altogether(played):
    """What came out between watermarks, in any order."""
    output = [item for output, *_ in played for item in output]
    late = [item for _, late, *_ in played for item in late]
    return between_watermarks(output), late, sum((counters for *_, counters, _ in played), Counter())


@settings(print_blob=True, max_examples=examples(800))
@given(
    assigner=any_assigner,
    steps=steps,
    keys=st.sampled_from(KEYS),
    lateness=st.sampled_from([0, 0, 3, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, LATE]),
    purging=st.booleans(),
    function=st.sampled_from([None, Looking()]),
    changes=st.booleans(),
    together=st.sampled_from([1, 4, 1 << 20]),
)
def test_equals_adding_one_by_one(assigner, steps, keys, lateness, late_tag, purging, function, changes, together):
    """Results, their order, and what is stored are those of the same function of elements, whatever comes together."""
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None

    def spec(incremental):
        return WindowSpec(
            assigner,
            trigger,
            allowed_lateness=lateness,
            late_tag=late_tag,
            incremental=incremental,
            function=function,
        )

    tables, one_by_one = spec(ConcatenateTables()), spec(Concatenate())
    assert isinstance(build(tables), AlignedTablesOperator) or isinstance(assigner, EventTimeSessionWindows)
    with patch.object(aligned_tables_operator, "_TOGETHER", together):
        found = play([tables, one_by_one] if changes else [tables], steps, keys, columns=False)
    assert found == play([one_by_one], steps, keys, columns=False)
    assert altogether(found) == altogether(play([one_by_one], steps, keys, aligned=False))


@settings(print_blob=True, max_examples=examples(200))
@given(
    assigner=st.one_of(
        st.builds(TumblingProcessingTimeWindows.of, st.integers(3, 9)),
        st.builds(SlidingProcessingTimeWindows.of, st.integers(3, 20), st.integers(3, 9)),
    ),
    steps=st.lists(st.one_of(elements, st.integers(0, 9)), max_size=12),
)
def test_windows_of_processing_time(assigner, steps):
    """Elements that come together are one table there, too, and results those of elements one by one."""
    played = []
    for function in (ConcatenateTables(), Concatenate()):
        current = OperatorHarness(build(WindowSpec(assigner, incremental=function), columns=False), first)
        now = number = 0
        for step in [*steps, 50]:
            if isinstance(step, int):
                now += step
                current.set_processing_time(now)
            else:
                current.process_elements([(("abc"[key], number + place), None) for place, (key, _) in enumerate(step)])
                number += len(step)
        played.append(current.output)
    assert played[0] == played[1]


@pytest.mark.parametrize("as_columns", [True, False])
def test_a_key_and_window_is_called_once_for_a_batch(as_columns):
    """In tumbling and sliding windows elements of a batch come together; late ones that fire again come alone."""

    def play(assigner, batches, watermarks):
        harness = window_harness(assigner, key=first, aggregate=Shown(), allowed_lateness=100)
        for batch, watermark in zip(batches, watermarks, strict=True):
            rows = [element for element, _ in batch]
            chosen = columns_from(rows) if as_columns else rows
            keys = [row[0] for row in rows]
            harness._operator.process_batch(Batch(chosen, np.array([time for _, time in batch]), keys))
            harness.process_watermark(watermark)
        return [record.value for record in harness.records()]

    assert play(TumblingEventTimeWindows.of(10), [EVENTS], [100]) == [[2], [1], [1]]
    assert play(SlidingEventTimeWindows.of(20, 10), [EVENTS], [100]) == [[2], [1], [3], [1], [1]]
    mixed = [*EVENTS, (("a", 6), 4)]
    assert play(SlidingEventTimeWindows.of(20, 10), [mixed], [100]) == [[3], [1], [4], [1], [1]]
    assert play(TumblingEventTimeWindows.of(10), [EVENTS, EVENTS[:3]], [9, 9]) == [[2], [1], [2, 1], [1, 1], [2, 1, 1]]


@pytest.mark.parametrize(
    ("assigner", "named", "results"),
    [
        (EventTimeSessionWindows.with_gap(5), {}, [[1], [1, 1], [1]]),
        (GlobalWindows.create(), {"trigger": PurgingTrigger.of(CountTrigger.of(2))}, [[1, 1]]),
        (TumblingEventTimeWindows.of(10), {"trigger": CountTrigger.of(2)}, [[1, 1]]),
        (TumblingEventTimeWindows.of(10), {"evictor": CountEvictor.of(2)}, [[1, 1], [1], [1]]),
    ],
)
def test_tables_of_one_row(assigner, named, results):
    """Where a firing may come between elements, each of them is a table."""
    assert fired(Shown(), assigner, **named) == results


def test_a_window_at_the_end_of_the_stream():
    """The global window that fires there has tables of what comes together."""
    assert fired(Shown(), GlobalWindows.create_with_end_of_stream_trigger()) == [[3], [1]]


def test_a_result_is_one_element():
    """A table, a dict or a list that get_result gives is an element as it is."""

    class Given(Shown):
        def get_result(self, accumulator):
            return {"tables": accumulator}

    assert fired(Given()) == [{"tables": [2]}, {"tables": [1]}, {"tables": [1]}]


def test_behind_it_a_window_function():
    """It is called with the result; over a whole stream, too."""

    class Called(ProcessAllWindowFunction):
        def process(self, context, elements):
            yield context.window().start, list(elements)

    harness = window_harness(TumblingEventTimeWindows.of(10), aggregate=Shown(), function=Called())
    assert values(harness) == [(0, [[3]]), (10, [[1]])]


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows.of(10), EventTimeSessionWindows.with_gap(5)])
def test_declared_types(assigner):
    """The input's type decides about columns, of one row as of several."""
    spec = WindowSpec(
        assigner,
        incremental=Shown(lambda table: table.schema),
        input_type=Types.ROW_NAMED(["name", "n"], [Types.STRING(), Types.INT()]),
    )
    schema = pa.schema([("name", pa.string()), ("n", pa.int32())])
    found = values(OperatorHarness(build(spec), lambda event: event[0]))
    assert {each for result in found for each in result} == {schema}


class Failing(Shown):
    def add(self, table, accumulator):
        if 4 in table["f1"].to_pylist():
            raise ValueError("no four")
        return accumulator


@pytest.mark.parametrize(
    ("assigner", "element"),
    [
        (TumblingEventTimeWindows.of(10), "(a table of 2 elements, the first of them ('a', 3))"),
        (EventTimeSessionWindows.with_gap(5), "('a', 4)"),
    ],
)
def test_errors_of_the_function(assigner, element):
    """They name the operator, and the elements that it was called with."""
    with pytest.raises(UserFunctionError, match="no four") as raised:
        fired(Failing(), assigner, name="by minute")
    assert (raised.value.operator, raised.value.element) == ("by minute", element)


def test_elements_that_are_no_columns():
    """Elements of one key that have no table are an error that names the operator and one of them."""
    mixed = [((1, 1), 1), (("x", 2), 2)]
    harness = window_harness(TumblingEventTimeWindows.of(10), key=lambda _: "k", aggregate=Shown(), name="by minute")
    with pytest.raises(UserFunctionError, match="column 'f0' has int and, in \\('x', 2\\), str") as raised:
        values(harness, mixed)
    assert raised.value.operator == "by minute"
    assert raised.value.element == "(a table of 2 elements, the first of them (1, 1))"


def test_keys_may_have_elements_of_different_types():
    """Elements of one key need the same fields, not those of others that come with them."""
    assert fired(Shown(), elements=[(("a", 3), 1), (("b", "x"), 2), (("a", 4), 3)]) == [[2], [1]]


def test_keys_are_those_of_a_dictionary():
    """Equal ones of different types are one key, and what is not equal to itself is one each time."""

    class Keyed(ProcessAllWindowFunction):
        def process(self, context, elements):
            yield from elements

    keys = [1, True, 1.0, float("nan"), float("nan")]
    harness = window_harness(TumblingEventTimeWindows.of(10), aggregate=Shown(), function=Keyed())
    harness._operator.process_batch(Batch([(str(key), 1) for key in keys], [1] * len(keys), keys))
    harness.process_watermark(9)
    assert [record.value for record in harness.records()] == [[3], [1], [1]]


def test_single_values_are_a_column():
    """As they come in columns, they are in the table, without a copy."""
    harness = window_harness(
        TumblingEventTimeWindows.of(10),
        aggregate=Shown(lambda table: (table.column_names, pc.sum(table["f0"]).as_py())),
    )
    harness._operator.process_batch(Batch(columns_from([4, 5, 6]), [1, 2, 30], [b"", b"", b""]))
    harness.process_watermark(100)
    assert harness.records() == [Record([(["f0"], 9)], 9), Record([(["f0"], 6)], 39)]


def test_how_it_works_is_told():
    """On columns in tumbling and sliding windows; elsewhere the plan says that it is called for each element."""
    aligned = build(WindowSpec(SlidingEventTimeWindows.of(20, 10), incremental=Shown()))
    assert aligned.takes_columns(LONG)
    assert str(aligned.forecast(LONG)) == "columns, its results rows: its get_result is called for each key and window"
    assert str(aligned.forecast(None)) == "rows: its input is rows"
    sessions = WindowSpec(EventTimeSessionWindows.with_gap(5), incremental=Shown())
    assert not build(sessions).takes_columns(LONG)
    assert why_rows(sessions) == "its Shown is given a table of one row for each element of such windows"
    assert str(build(sessions).forecast(LONG)) == f"rows: {why_rows(sessions)}"


def test_it_is_not_traced():
    """Its method add would be given something else than a table."""

    class Typed(Shown):
        def add(self, table, accumulator):
            assert type(table) is pa.Table
            return super().add(table, accumulator)

    for assigner in (TumblingEventTimeWindows.of(10), EventTimeSessionWindows.with_gap(5)):
        operator = build(WindowSpec(assigner, incremental=Typed()))
        assert operator.local_aggregate() is None
        operator.forecast(LONG)
        assert fired(Typed(), assigner)


def test_one_that_may_look_at_the_key_is_called_for_each_element():
    """With a method open it sees the runtime context, and its state is that of the element's key."""

    class Opened(Shown):
        def open(self, runtime_context):
            self.context = runtime_context

    assert fired(Opened()) == [[1, 1], [1], [1]]


def test_state_takes_no_function_of_tables():
    """An aggregating state adds values one at a time."""
    with pytest.raises(ConfigurationTypeError, match="Shown takes tables, which windows alone make"):
        AggregatingStateDescriptor("sum", Shown())
    assert issubclass(ArrowAggregateFunction, AggregateFunction)
