import pytest

from tests.operators.two_input_harness import TwoInputHarness
from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream import CoProcessFunction, KeyedCoProcessFunction, OutputTag, TimeDomain
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import UserFunctionError
from windrow.operators.co_process import CoProcessOperator, KeyedCoProcessOperator

SIDE = OutputTag("side")


def first(value):
    return value[0]


def records(harness):
    return [tuple(record) for record in harness.records()]


class Described(CoProcessFunction):
    def process_element1(self, value, ctx):
        timers = ctx.timer_service()
        yield value, ctx.timestamp(), timers.current_watermark(), timers.current_processing_time()

    def process_element2(self, value, ctx):
        yield SIDE, value


def test_contexts_give_timestamp_and_times():
    """The context gives the element's timestamp and both times; results keep the timestamp."""
    harness = TwoInputHarness(CoProcessOperator(Described()))
    harness.process_watermark(7)
    harness.set_processing_time(9)
    harness.process_element1("a", 10)
    harness.process_element2("b", 11)
    assert records(harness) == [(("a", 10, 7, 9), 10)]
    assert [tuple(record) for record in harness.side_output(SIDE)] == [("b", 11)]


def test_without_keys_there_are_no_timers():
    """A timer is an error that says to call key_by, also if one of the inputs has keys."""

    class Sets(Described):
        def process_element2(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)

    with pytest.raises(UserFunctionError, match="call key_by") as raised:
        TwoInputHarness(CoProcessOperator(Sets()), key2=first).process_element2("v", 1)
    assert raised.value.element == "'v'"


class Timers(KeyedCoProcessFunction):
    """Counts a key's elements of both inputs; the first input sets timers, the second deletes them."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count"))

    def process_element1(self, value, ctx):
        self.count.update((self.count.value() or 0) + 1)
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 10)
        ctx.timer_service().register_processing_time_timer(100)

    def process_element2(self, value, ctx):
        self.count.update((self.count.value() or 0) + 100)
        ctx.timer_service().delete_event_time_timer(20)
        return [("second", ctx.get_current_key(), ctx.timestamp())]

    def on_timer(self, timestamp, ctx):
        assert ctx.timestamp() == timestamp
        yield ctx.time_domain(), ctx.get_current_key(), self.count.value()
        yield SIDE, timestamp


def timers(**settings):
    return TwoInputHarness(KeyedCoProcessOperator(Timers()), first, first, **settings)


def test_timers_of_both_domains_see_the_state_of_their_key():
    """Event-time timers fire at the watermark with their time, processing-time timers without a timestamp."""
    harness = timers()
    harness.process_element1("a", 1)
    harness.process_element2("a", 2)
    harness.process_element1("b", 3)
    harness.process_watermark(12)
    harness.set_processing_time(100)
    assert records(harness) == [
        (("second", "a", 2), 2),
        ((TimeDomain.EVENT_TIME, "a", 101), 11),
        ((TimeDomain.PROCESSING_TIME, "a", 101), NO_TIMESTAMP),
        ((TimeDomain.PROCESSING_TIME, "b", 1), NO_TIMESTAMP),
    ]
    assert [tuple(record) for record in harness.side_output(SIDE)] == [
        (11, 11),
        (100, NO_TIMESTAMP),
        (100, NO_TIMESTAMP),
    ]


def test_one_input_can_delete_timers_of_the_other():
    """Timers belong to the key, whichever input sets them."""
    harness = timers()
    harness.process_element1("a", 10)
    harness.process_element2("a", 11)
    assert harness.num_event_timers() == 0


def test_state_and_timers_are_in_the_snapshot():
    """A restored operator goes on with the state and the timers of both inputs."""
    harness = timers()
    harness.process_element1("a", 1)
    harness.process_element2("a", 2)
    restored = timers(snapshot=harness.snapshot())
    restored.process_watermark(11)
    assert restored.values() == [(TimeDomain.EVENT_TIME, "a", 101)]


def test_a_co_process_function_may_be_on_keyed_streams():
    """It has the same context there; without an on_timer of its own its timers do nothing."""

    class Sets(CoProcessFunction):
        def process_element1(self, value, ctx):
            ctx.timer_service().register_event_time_timer(5)
            yield ctx.get_current_key()

        process_element2 = process_element1

    harness = TwoInputHarness(KeyedCoProcessOperator(Sets()), first, first)
    harness.process_element1("ab", 1)
    harness.process_watermark(5)
    assert harness.values() == ["a"]


def test_contexts_are_those_of_the_function_classes():
    """Type annotations of a user's function hold."""
    seen = []

    class Keyed(KeyedCoProcessFunction):
        def process_element1(self, value, ctx):
            seen.append(isinstance(ctx, KeyedCoProcessFunction.Context))
            ctx.timer_service().register_event_time_timer(1)

        def process_element2(self, value, ctx):
            """Not called."""

        def on_timer(self, timestamp, ctx):
            seen.append(isinstance(ctx, KeyedCoProcessFunction.OnTimerContext))

    class Plain(CoProcessFunction):
        def process_element1(self, value, ctx):
            """Not called."""

        def process_element2(self, value, ctx):
            seen.append(isinstance(ctx, CoProcessFunction.Context))

    keyed = TwoInputHarness(KeyedCoProcessOperator(Keyed()), first, first)
    keyed.process_element1("a")
    keyed.process_watermark(1)
    TwoInputHarness(CoProcessOperator(Plain())).process_element2("a")
    assert seen == [True, True, True]


@pytest.mark.parametrize("which", [1, 2])
def test_errors_name_the_element(which):
    """What a method raises is shown with the element that it was called with."""

    class Fails(KeyedCoProcessFunction):
        def process_element1(self, value, ctx):
            raise LookupError(value)

        process_element2 = process_element1

    harness = TwoInputHarness(KeyedCoProcessOperator(Fails()), first, first, name="op")
    with pytest.raises(UserFunctionError, match="LookupError") as raised:
        getattr(harness, f"process_element{which}")("v")
    assert (raised.value.operator, raised.value.element) == ("op", "'v'")
