import numpy as np
import pytest

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream import KeyedProcessFunction, OutputTag, ProcessFunction, TimeDomain
from windrow.datastream.state import StateTtlConfig, ValueStateDescriptor
from windrow.elements.batch import ROWS_AT_A_TIME, Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG
from windrow.errors import UserFunctionError
from windrow.operators.process import KeyedProcessOperator, ProcessOperator
from windrow.testing.harness import OperatorHarness

LATE = OutputTag("late")


class Described(ProcessFunction):
    def process_element(self, value, ctx):
        timers = ctx.timer_service()
        yield value, ctx.timestamp(), timers.current_watermark(), timers.current_processing_time()
        if value == "side":
            yield LATE, value


def test_process_sees_timestamp_and_times():
    """The context of a ProcessFunction gives the element's timestamp and both times; results keep the timestamp."""
    harness = OperatorHarness(ProcessOperator(Described()))
    harness.process_watermark(7)
    harness.set_processing_time(9)
    harness.process_element("a", 10)
    harness.process_element("b")
    assert [tuple(record) for record in harness.records()] == [
        (("a", 10, 7, 9), 10),
        (("b", NO_TIMESTAMP, 7, 9), NO_TIMESTAMP),
    ]


def test_process_yields_to_side_outputs():
    """A yielded (OutputTag, value) goes to the side output with the element's timestamp."""
    harness = OperatorHarness(ProcessOperator(Described()))
    harness.process_element("side", 3)
    assert [tuple(record) for record in harness.side_output(LATE)] == [("side", 3)]
    assert len(harness.values()) == 1


def test_timers_need_a_key():
    """Setting a timer on a stream without keys is an error that says to call key_by, and names the element."""

    class Sets(ProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)

    with pytest.raises(UserFunctionError, match="call key_by") as raised:
        OperatorHarness(ProcessOperator(Sets()), name="op").process_element("v", 1)
    assert raised.value.element == "'v'"


class Timers(KeyedProcessFunction):
    def process_element(self, value, ctx):
        timers = ctx.timer_service()
        timers.register_event_time_timer(ctx.timestamp() + 10)
        timers.register_processing_time_timer(100)
        return [("element", ctx.get_current_key())]

    def on_timer(self, timestamp, ctx):
        assert ctx.timestamp() == timestamp
        yield ctx.time_domain().name, ctx.get_current_key()


def test_event_time_timers_fire_at_the_watermark_with_their_time():
    """An event-time timer fires once the watermark reaches it; what it emits carries the timer's time."""
    harness = OperatorHarness(KeyedProcessOperator(Timers()), key_selector=lambda value: value[0])
    harness.process_elements([("ax", 1), ("by", 2), ("az", 1)])
    harness.take_output()
    harness.process_watermark(10)
    assert harness.values() == []
    harness.process_watermark(12)
    assert [tuple(record) for record in harness.records()] == [
        ((TimeDomain.EVENT_TIME.name, "a"), 11),
        ((TimeDomain.EVENT_TIME.name, "b"), 12),
    ]


def test_processing_time_timers_fire_without_a_timestamp():
    """What a processing-time timer emits has no timestamp."""
    harness = OperatorHarness(KeyedProcessOperator(Timers()), key_selector=lambda value: value[0])
    harness.process_element("ax", 1)
    harness.take_output()
    harness.set_processing_time(100)
    assert [tuple(record) for record in harness.records()] == [((TimeDomain.PROCESSING_TIME.name, "a"), NO_TIMESTAMP)]


def test_on_timer_may_return_nothing():
    """A KeyedProcessFunction without on_timer, or one that returns None, emits nothing."""

    class Silent(KeyedProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)

    harness = OperatorHarness(KeyedProcessOperator(Silent()), key_selector=lambda value: value)
    harness.process_element("a", 1)
    harness.process_watermark(5)
    assert harness.values() == []


def test_an_error_in_on_timer_names_key_and_time():
    """There is no element when a timer fails: the error says whose timer it was."""

    class Fails(KeyedProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)

        def on_timer(self, timestamp, ctx):
            raise LookupError(timestamp)

    harness = OperatorHarness(KeyedProcessOperator(Fails()), key_selector=lambda value: value)
    harness.process_element("a", 1)
    with pytest.raises(UserFunctionError, match="timer of key 'a' at 5"):
        harness.process_watermark(5)


class Chain(KeyedProcessFunction):
    """Timers at the times an element names; one that fires at a multiple of 10 sets the next two, and deletes one."""

    def process_element(self, value, ctx):
        for time in value[1]:
            ctx.timer_service().register_event_time_timer(time)
            ctx.timer_service().register_processing_time_timer(time)

    def on_timer(self, timestamp, ctx):
        timers = ctx.timer_service()
        event_time = ctx.time_domain() is TimeDomain.EVENT_TIME
        register = timers.register_event_time_timer if event_time else timers.register_processing_time_timer
        delete = timers.delete_event_time_timer if event_time else timers.delete_processing_time_timer
        if timestamp % 10 == 0:
            register(timestamp + 1)
            register(timestamp + 2)
            delete(timestamp + 2)
        yield ctx.get_current_key(), timestamp


@pytest.mark.parametrize("move", ["process_watermark", "set_processing_time"])
def test_timers_fire_in_the_order_of_their_times_over_all_keys(move):
    """Those that one sets and that are due fire in the same step, in their turn; deleted ones do not; others wait."""
    harness = OperatorHarness(KeyedProcessOperator(Chain()), key_selector=lambda value: value[0])
    harness.process_elements([(("a", [20, 5, 50]), 0), (("b", [10, 21]), 0)])
    getattr(harness, move)(21)
    assert harness.values() == [("a", 5), ("b", 10), ("b", 11), ("a", 20), ("b", 21), ("a", 21)]
    harness.take_output()
    getattr(harness, move)(49)
    assert harness.values() == []
    getattr(harness, move)(50)
    assert harness.values() == [("a", 50)]


def test_a_timer_behind_the_watermark_fires_with_the_next_one():
    """A timer set for a time that has passed fires as soon as the watermark moves, as in Flink."""
    harness = OperatorHarness(KeyedProcessOperator(Chain()), key_selector=lambda value: value[0])
    harness.process_watermark(100)
    harness.process_element(("a", [7]), 50)
    assert harness.values() == []
    harness.process_watermark(101)
    assert harness.values() == [("a", 7)]


def test_a_timer_belongs_to_its_key():
    """The same time for two keys is two timers; deleting one leaves the other."""

    class Toggles(KeyedProcessFunction):
        def process_element(self, value, ctx):
            timers = ctx.timer_service()
            (timers.register_event_time_timer if value[1] else timers.delete_event_time_timer)(5)

        def on_timer(self, timestamp, ctx):
            yield ctx.get_current_key()

    harness = OperatorHarness(KeyedProcessOperator(Toggles()), key_selector=lambda value: value[0])
    harness.process_elements([(("a", True), 0), (("b", True), 0), (("a", False), 0), (("c", False), 0)])
    harness.process_watermark(5)
    assert harness.values() == ["b"]


def test_on_timer_yields_to_side_outputs():
    """With the timer's time for event time."""

    class Late(KeyedProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)

        def on_timer(self, timestamp, ctx):
            yield LATE, ctx.get_current_key()
            yield "main"

    harness = OperatorHarness(KeyedProcessOperator(Late()), key_selector=lambda value: value)
    harness.process_element("k", 1)
    harness.process_watermark(6)
    assert [tuple(record) for record in harness.side_output(LATE)] == [("k", 5)]
    assert [tuple(record) for record in harness.records()] == [("main", 5)]


class Counts(KeyedProcessFunction):
    """How often each key was there, and an error at one element."""

    def __init__(self, wrong=-1):
        self.wrong = wrong

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count"))

    def process_element(self, value, ctx):
        self.count.update((self.count.value() or 0) + 1)
        yield value, ctx.timestamp(), ctx.get_current_key(), self.count.value() // (value != self.wrong)


def many(count):
    numbers = np.arange(count)
    return Batch(Columns.of(LONG, [numbers]), numbers + 5, Columns.of(LONG, [numbers % 7]))


def test_columns_are_processed_in_their_order_under_their_keys():
    """Also where they are more than rows are made of at a time."""
    harness = OperatorHarness(KeyedProcessOperator(Counts()), key_selector=lambda value: value % 7)
    count = 2 * ROWS_AT_A_TIME + 3
    harness._operator.process_batch(many(count))
    assert harness.values() == [(number, number + 5, number % 7, number // 7 + 1) for number in range(count)]


def test_an_error_names_its_element_among_many():
    """Behind the first rows that are made of columns, too."""
    wrong = ROWS_AT_A_TIME + 10
    harness = OperatorHarness(KeyedProcessOperator(Counts(wrong)), key_selector=lambda value: value % 7)
    with pytest.raises(UserFunctionError) as raised:
        harness._operator.process_batch(many(2 * ROWS_AT_A_TIME))
    assert raised.value.element == str(wrong)


class Ends:
    """A key whose hash is wrong, when it is asked for the second time."""

    def __init__(self):
        self.asked = 0

    def __hash__(self):
        self.asked += 1
        if self.asked > 1:
            raise StopIteration
        return 1


def test_a_key_that_stops_an_iteration_does_not_end_the_batch():
    """A StopIteration of its own hash is an error, and not the end of the elements."""
    operator = KeyedProcessOperator(Timers())
    OperatorHarness(operator, key_selector=lambda value: value)
    key = Ends()
    hash(key)
    with pytest.raises(UserFunctionError) as raised:
        operator.process_batch(Batch(["a", "b", "c"], [1, 2, 3], ["k", key, "k"]))
    assert raised.value.element == "'b'"


def test_a_time_to_live_follows_processing_time():
    """State with a time to live expires when processing time has moved so far, whatever the watermark is."""

    class Seen(KeyedProcessFunction):
        def open(self, runtime_context):
            descriptor = ValueStateDescriptor("seen")
            descriptor.enable_time_to_live(StateTtlConfig.new_builder(100).build())
            self.seen = runtime_context.get_state(descriptor)

        def process_element(self, value, ctx):
            yield self.seen.value()
            if self.seen.value() is None:
                self.seen.update(value)

    harness = OperatorHarness(KeyedProcessOperator(Seen()), key_selector=lambda value: value)
    harness.process_element("k")
    harness.process_watermark(1000)
    harness.set_processing_time(99)
    harness.process_element("k")
    harness.set_processing_time(100)
    harness.process_element("k")
    assert harness.values() == [None, "k", None]
