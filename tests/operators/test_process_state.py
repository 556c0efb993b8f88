"""State of process functions in tables of values (a batch query's) is what it is in the entries of keys."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common import Time
from windrow.datastream import KeyedProcessFunction
from windrow.datastream.state import ListStateDescriptor, StateTtlConfig, ValueStateDescriptor
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG
from windrow.errors import UserFunctionError
from windrow.operators.base import OperatorContext
from windrow.operators.base import Time as OperatorTime
from windrow.operators.process import KeyedProcessOperator
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.state.keyed import KeyedState
from windrow.state.page_store import MemoryPageStore, NoPages
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

KEPT = ValueStateDescriptor("kept")
ELEMENTS = ListStateDescriptor("elements")
EXPIRING = ValueStateDescriptor("kept")
EXPIRING.enable_time_to_live(StateTtlConfig.new_builder(Time.milliseconds(5)).build())


class Does(KeyedProcessFunction):
    """Does what an element says, and tells what it sees; state is asked for when it is first needed."""

    def open(self, runtime_context):
        self._runtime_context = runtime_context
        self._kept = runtime_context.get_state(KEPT)

    def process_element(self, value, ctx):
        do, given = value
        if do == "update":
            self._kept.update(given)
            if isinstance(given, list):
                given.append("changed behind its back")
        elif do == "change":
            held = self._kept.value()
            if isinstance(held, list):
                held.append(given)
        elif do == "clear":
            self._kept.clear()
        elif do == "again":
            self._kept = self._runtime_context.get_state(KEPT)
        elif do == "list":
            elements = self._runtime_context.get_list_state(ELEMENTS)
            elements.add(given)
            yield list(elements.get())
        elif do == "expiring":
            self._runtime_context.get_state(EXPIRING).update(given)
        elif do == "timer":
            ctx.timer_service().register_event_time_timer(ctx.timestamp() + 3)
        elif do == "no timer":
            ctx.timer_service().delete_event_time_timer(ctx.timestamp() + 3)
        yield ctx.get_current_key(), self._kept.value()

    def on_timer(self, timestamp, ctx):
        held = self._kept.value()
        self._kept.update(("fired", held))
        yield ctx.get_current_key(), timestamp, held


class Opened:
    def __init__(self, state, function):
        runtime_context = OperatorRuntimeContext("does", state=state)
        self.output, self.state = RecordingOutput(), state
        self.context = OperatorContext("does", self.output, OperatorTime(), state, runtime_context)
        self.operator = KeyedProcessOperator(function)
        self.operator.open(self.context)

    def process(self, batch):
        self.operator.process_batch(Batch(*[list(part) for part in zip(*batch, strict=True)]))

    def advance(self, watermark):
        self.context.time.watermark = self.context.time.processing_time = watermark
        self.operator.process_watermark(watermark)


def opened_states():
    in_tables = PagedKeyedState()
    operators = [Opened(in_tables, Does()), Opened(KeyedState(), Does())]
    in_tables.attach(NoPages(), "does")
    return operators


WHAT = st.tuples(
    st.sampled_from(["update", "update", "change", "clear", "again", "list", "expiring", "timer", "timer", "no timer"]),
    st.one_of(st.none(), st.integers(), st.tuples(st.integers()), st.builds(list, st.lists(st.integers(), max_size=2))),
)
ELEMENT = st.tuples(WHAT, st.integers(0, 20), st.sampled_from(["a", "b", 1, 2, (1, "c")]))


@settings(deadline=None, max_examples=examples(200))
@given(batches=st.lists(st.tuples(st.lists(ELEMENT, min_size=1, max_size=8), st.integers(0, 3), st.booleans())))
def test_state_in_tables_is_state_in_entries(batches):
    """Whatever a function does to its state, it sees the same, whether entries or tables hold it."""
    in_tables, in_entries = opened_states()
    watermark = 0
    for elements, step, looks in batches:
        watermark += step
        for each in (in_tables, in_entries):
            each.process(
                [((do, list(given) if isinstance(given, list) else given), *rest) for (do, given), *rest in elements]
            )
            each.advance(watermark)
        assert in_tables.output.items == in_entries.output.items
        assert in_tables.state.is_empty() == in_entries.state.is_empty()
        if looks:
            assert entries(in_tables) == entries(in_entries)
    assert entries(in_tables) == entries(in_entries)
    assert list(in_tables.state.event_timers) == list(in_entries.state.event_timers)


def entries(opened):
    return dict(opened.state.entries())


def test_a_table_is_for_one_store():
    """Values that a batch query has left are gone in the next one; where state is stored entries hold it."""
    state = PagedKeyedState()
    opened = Opened(state, Does())
    state.attach(NoPages(), "does")
    opened.process([(("update", 1), 0, "a")])
    assert not state.entries_in_memory
    state.attach(NoPages(), "does")
    assert state.is_empty()
    opened.process([(("none", None), 0, "a")])
    store = MemoryPageStore()
    state.attach(store, "does")
    opened.process([(("update", 2), 0, "a"), (("timer", None), 0, "b")])
    state.flush()
    state.attach(store, "does")
    opened.process([(("none", None), 0, "a"), (("none", None), 0, "b")])
    assert [record.value for record in opened.output.items] == [
        *(("a", 1), ("a", None), ("a", 2), ("b", None)),
        *(("a", 2), ("b", None)),
    ]
    assert list(state.event_timers) == [(3, "b", None)]


@pytest.mark.parametrize("touch", ["value", "update", "update to a list", "clear"])
def test_a_table_needs_a_key(touch):
    """State in a table is refused where no key is current, as in open."""

    class InOpen(KeyedProcessFunction):
        def open(self, runtime_context):
            state = runtime_context.get_state(KEPT)
            {
                "value": state.value,
                "update": lambda: state.update(1),
                "update to a list": lambda: state.update([]),
                "clear": state.clear,
            }[touch]()

        def process_element(self, value, ctx):
            """Nothing comes."""

    state = PagedKeyedState()
    state.attach(NoPages(), "does")
    with pytest.raises(UserFunctionError, match="no current key"):
        Opened(state, InOpen())


class SetsTimers(KeyedProcessFunction):
    """Registers and deletes what elements say, and what timers say that fire the first time."""

    def __init__(self, at_timers):
        self._at_timers = dict(at_timers)

    def open(self, runtime_context):
        self._count = runtime_context.get_state(KEPT)

    def process_element(self, value, ctx):
        for time in value[1]:
            self._do(time, ctx)

    def on_timer(self, timestamp, ctx):
        count = (self._count.value() or 0) + 1
        self._count.update(count if count % 3 else None)
        for time in self._at_timers.pop((ctx.get_current_key(), timestamp), ()):
            self._do(time, ctx)
        yield ctx.get_current_key(), timestamp, count

    def _do(self, time, ctx):
        if time >= 0:
            ctx.timer_service().register_event_time_timer(time)
        else:
            ctx.timer_service().delete_event_time_timer(-time)


TIMES = st.lists(st.integers(-6, 6), max_size=4)
KEYS = st.integers(0, 5)


@settings(deadline=None, max_examples=examples(400))
@given(
    batches=st.lists(st.tuples(st.lists(st.tuples(KEYS, TIMES), min_size=1, max_size=8), st.integers(0, 3))),
    at_timers=st.dictionaries(st.tuples(KEYS, st.integers(0, 6)), TIMES),
    timers_of_a_time=st.integers(1, 3),
    as_columns=st.booleans(),
    looks=st.booleans(),
)
def test_timers_by_slot_are_timers_by_key(batches, at_timers, timers_of_a_time, as_columns, looks):
    """They fire in the same order, whatever is registered and deleted in between, and however few make a list."""
    with (
        patch("windrow.operators.timers._TIMERS_OF_A_TIME", timers_of_a_time),
        patch("windrow.operators.column_slots.FEWEST", 1),
        patch("windrow.state.key_slots._FEWEST_TO_FORGET", 2),
    ):
        by_slot, by_key = PagedKeyedState(), KeyedState()
        operators = [Opened(by_slot, SetsTimers(at_timers)), Opened(by_key, SetsTimers(at_timers))]
        by_slot.attach(NoPages(), "does")
        watermark = 0
        for elements, step in batches:
            watermark += step
            for each in operators:
                keys = [key for key, _ in elements]
                as_seen = Columns.of(LONG, [np.array(keys)]) if as_columns and each is operators[0] else keys
                each.operator.process_batch(Batch(elements, [0] * len(keys), as_seen))
                each.advance(watermark)
            assert operators[0].output.items == operators[1].output.items
            assert by_slot.next_event_time() == by_key.next_event_time()
            assert len(by_slot.event_timers) == len(by_key.event_timers)
            if looks:
                assert list(by_slot.event_timers) == list(by_key.event_timers)
        for each in operators:
            each.advance(10)
        assert operators[0].output.items == operators[1].output.items
        assert by_slot.is_empty() == by_key.is_empty()


def test_many_timers_of_a_time_are_held_by_slot():
    """The test above is about something: elements of many keys that set a timer make such a list."""
    state = PagedKeyedState()
    opened = Opened(state, SetsTimers({}))
    state.attach(NoPages(), "does")
    keys = list(range(1000))
    opened.operator.process_batch(Batch([(key, [5]) for key in keys], [0] * 1000, keys))
    assert not state.event_timers.buckets
    opened.operator.process_batch(Batch([(1000.0, [5])], [0], [1000.0]))
    opened.advance(5)
    assert [record.value[0] for record in opened.output.items] == [*keys, 1000.0]


def test_a_timer_fires_with_the_key_that_set_it():
    """Of keys that are equal each is as it was given."""
    state = PagedKeyedState()
    opened = Opened(state, SetsTimers({}))
    state.attach(NoPages(), "does")
    keys = list(range(1000))
    opened.operator.process_batch(Batch([(key, [5]) for key in keys], [0] * 1000, keys))
    opened.operator.process_batch(Batch([(None, [-5, 5])] * 2, [0] * 2, [True, 999.0]))
    opened.advance(5)
    assert [repr(record.value[0]) for record in opened.output.items][-2:] == ["True", "999.0"]


class Unfinished:
    """A key whose hash ends an iteration."""

    def __hash__(self):
        raise StopIteration


def test_a_key_that_raises_is_no_end_of_the_elements():
    """Nothing is lost without a word where slots of keys are looked up."""
    state = PagedKeyedState()
    opened = Opened(state, Does())
    state.attach(NoPages(), "does")
    with pytest.raises(UserFunctionError) as failed:
        opened.process([(("none", 1), 0, "a"), (("none", 2), 0, Unfinished())])
    assert failed.value.element == "('none', 2)"
