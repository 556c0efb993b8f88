import pytest

from tests.operators.two_input_harness import TwoInputHarness
from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream import BroadcastProcessFunction, KeyedBroadcastProcessFunction, TimeDomain
from windrow.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor
from windrow.errors import UserFunctionError
from windrow.operators.broadcast_process import BroadcastProcessOperator, KeyedBroadcastProcessOperator

RULES = MapStateDescriptor("rules")
LAST = ValueStateDescriptor("last")
OTHER = ListStateDescriptor("other")


def first(value):
    return value[0]


def records(harness):
    return [tuple(record) for record in harness.records()]


class Apply(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.get_broadcast_state(RULES)[value], ctx.timestamp(), ctx.current_watermark()

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(RULES).put(*value)
        yield "changed", ctx.timestamp(), ctx.current_watermark(), ctx.current_processing_time()


def apply(**settings):
    return TwoInputHarness(BroadcastProcessOperator(Apply(), [RULES]), **settings)


def test_one_side_writes_what_the_other_reads():
    """Both sides have a timestamp and the times; results carry the element's timestamp."""
    harness = apply()
    harness.process_watermark(3)
    harness.set_processing_time(9)
    harness.process_element2(("a", 1), 5)
    harness.process_element1("a", 6)
    harness.process_element1("b")
    assert records(harness) == [
        (("changed", 5, 3, 9), 5),
        (("a", 1, 6, 3), 6),
        (("b", None, NO_TIMESTAMP, 3), NO_TIMESTAMP),
    ]


def test_broadcast_state_is_in_the_snapshot():
    """A restored operator has the rules as they were when the snapshot was taken."""
    harness = apply()
    harness.process_element2(("a", 1))
    snapshot = harness.snapshot()
    harness.process_element2(("a", 2))
    restored = apply(snapshot=snapshot)
    restored.process_element1("a", 0)
    assert [value[1] for value in restored.values()] == [1]


class Keyed(KeyedBroadcastProcessFunction):
    """Remembers a key's last value; a broadcast function changes all of them."""

    def open(self, runtime_context):
        self.last = runtime_context.get_state(LAST)
        self.other = runtime_context.get_list_state(OTHER)

    def process_element(self, value, ctx):
        if value[1] == 0:
            self.other.add(value)
        else:
            self.last.update(value[1])
        ctx.timer_service().register_event_time_timer(10)
        ctx.timer_service().register_processing_time_timer(20)

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(RULES)["rule"] = "rule"
        ctx.apply_to_keyed_state(LAST, value)

    def on_timer(self, timestamp, ctx):
        rule = ctx.get_broadcast_state(RULES)["rule"]
        yield ctx.time_domain(), timestamp, ctx.get_current_key(), self.last.value(), rule


def keyed(function=None, **settings):
    operator = KeyedBroadcastProcessOperator(function or Keyed(), [RULES])
    return TwoInputHarness(operator, key1=first, **settings)


def test_timers_see_keyed_and_broadcast_state():
    """Timers of both domains fire on the keyed side, with the broadcast state to read."""
    harness = keyed()
    harness.process_element1(("a", 1), 0)
    harness.process_element2(lambda key, state: None)
    harness.process_watermark(10)
    harness.set_processing_time(20)
    assert records(harness) == [
        ((TimeDomain.EVENT_TIME, 10, "a", 1, "rule"), 10),
        ((TimeDomain.PROCESSING_TIME, 20, "a", 1, "rule"), NO_TIMESTAMP),
    ]


def test_a_timer_cannot_change_broadcast_state():
    """Timers fire at another time in each subtask, so what they change would differ."""

    class Writes(Keyed):
        def on_timer(self, timestamp, ctx):
            ctx.get_broadcast_state(RULES)["rule"] = "other"

    harness = keyed(Writes())
    harness.process_element1(("a", 1), 0)
    with pytest.raises(UserFunctionError, match="only be changed in process_broadcast_element"):
        harness.process_watermark(10)


def test_a_function_sees_all_keys_that_have_the_state():
    """Keys without this state are left out; what the function changes or clears is stored for its key."""
    seen = []

    def change(key, state):
        seen.append((key, state.value()))
        state.update(state.value() * 10)
        if key == "b":
            state.clear()

    harness = keyed()
    for value in [("a", 1), ("b", 2), ("c", 0), ("d", 4)]:
        harness.process_element1(value, 0)
    harness.process_element2(change)
    assert sorted(seen) == [("a", 1), ("b", 2), ("d", 4)]
    stored = {entry.key: entry.value for entry in harness.state_entries() if entry.name.endswith("last")}
    assert stored == {"a": 10, "d": 40}


def test_there_is_no_key_behind_apply_to_keyed_state():
    """A broadcast element has no key, neither before nor after; nor if the function has failed."""

    class Touches(Keyed):
        def process_broadcast_element(self, value, ctx):
            if value is None:
                return self.last.value()
            try:
                ctx.apply_to_keyed_state(LAST, value)
            except LookupError:
                return self.last.value()

    def fail(key, state):
        raise LookupError(key)

    harness = keyed(Touches())
    harness.process_element1(("a", 1), 0)
    for value in (None, fail):
        with pytest.raises(UserFunctionError, match="no current key"):
            harness.process_element2(value)


@pytest.mark.parametrize(("descriptor", "function"), [(LAST, "no function"), ("last", print)])
def test_apply_to_keyed_state_checks_what_it_is_given(descriptor, function):
    """It takes a descriptor and a function of a key and its state."""

    class Applies(Keyed):
        def process_broadcast_element(self, value, ctx):
            ctx.apply_to_keyed_state(descriptor, function)

    with pytest.raises(UserFunctionError, match=r"takes a function of a key|asked for with a descriptor"):
        keyed(Applies()).process_element2(1)


def test_contexts_are_those_of_the_function_classes():
    """Type annotations of a user's function hold."""
    seen = []

    class Asks(KeyedBroadcastProcessFunction):
        def process_element(self, value, ctx):
            seen.append(isinstance(ctx, KeyedBroadcastProcessFunction.ReadOnlyContext))
            assert ctx.current_watermark() == -(2**63)
            assert ctx.current_processing_time() == 0
            ctx.timer_service().register_event_time_timer(1)

        def process_broadcast_element(self, value, ctx):
            seen.append(isinstance(ctx, KeyedBroadcastProcessFunction.Context))

        def on_timer(self, timestamp, ctx):
            seen.append(isinstance(ctx, KeyedBroadcastProcessFunction.OnTimerContext))

    harness = keyed(Asks())
    harness.process_element1("a")
    harness.process_element2("b")
    harness.process_watermark(1)
    assert seen == [True, True, True]
