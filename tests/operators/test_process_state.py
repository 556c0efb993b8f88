"""State of process functions in tables of values (a batch query's) is what it is in the entries of keys."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Time
from windrow.datastream import KeyedProcessFunction
from windrow.datastream.state import ListStateDescriptor, StateTtlConfig, ValueStateDescriptor
from windrow.elements.batch import Batch
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


@settings(deadline=None, max_examples=200)
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
