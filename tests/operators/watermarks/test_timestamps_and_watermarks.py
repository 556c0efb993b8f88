"""The operator that assigns timestamps and emits watermarks, beyond Flink's own cases."""

import threading
from itertools import pairwise
from typing import Any

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN, NO_TIMESTAMP
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator, WatermarkOutput, WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.errors import UsageError, UserFunctionError
from windrow.operators.base import OperatorContext, Time
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator
from windrow.state.keyed import KeyedState

BOUNDED = WatermarkStrategy.for_bounded_out_of_orderness(10)


def itself(value: int, _: int) -> int:
    return value


class Punctuated(WatermarkGenerator):
    """Emits each even timestamp as a watermark at once; -1 makes the stream idle."""

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        if event == -1:
            output.mark_idle()
        elif event_timestamp % 2 == 0:
            output.emit_watermark(Watermark(event_timestamp))

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Nothing."""


class EachEvent(WatermarkGenerator):
    """Bounded out-of-orderness that looks at each event."""

    def __init__(self) -> None:
        self.newest = LONG_MIN + 11

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self.newest = max(self.newest, event_timestamp)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        output.emit_watermark(Watermark(self.newest - 11))


def opened(strategy: WatermarkStrategy, output: Any, time: Time | None = None, **options: Any) -> Any:
    operator = TimestampsAndWatermarksOperator(strategy, **options)
    operator.open(OperatorContext("events", output, time or Time(), KeyedState(), None))
    return operator


def feed(operator: Any, values: list[int]) -> None:
    operator.process_batch(Batch(values, [NO_TIMESTAMP] * len(values)))


def advance(operator: Any, now: int) -> None:
    operator.context.time.processing_time = now
    operator.advance_processing_time(now)


def test_watermarks_follow_the_nth_element(output: Any) -> None:
    """The periodic emit comes right after every emit_every-th element, also within a batch."""
    operator = opened(BOUNDED.with_timestamp_assigner(itself), output, emit_every=2)
    feed(operator, [100, 90, 120, 130, 140])
    assert output.take() == [(100, 100), (90, 90), 89, (120, 120), (130, 130), 119, (140, 140)]


def test_it_emits_after_so_many_elements(output: Any) -> None:
    """The watermark is behind element number 8192 exactly."""
    operator = opened(BOUNDED.with_timestamp_assigner(itself), output, emit_every=8192)
    feed(operator, list(range(8191)))
    feed(operator, [8191, 8192])
    assert output.items.index(8180) == 8192
    assert len(output.items) == 8194


@pytest.mark.parametrize("timestamps", [[100, 90], np.array([100, 90])])
def test_without_an_assigner_the_sources_timestamps_count(output: Any, timestamps: Any) -> None:
    """Timestamps that elements bring drive the generator, from a list or an array."""
    operator = opened(BOUNDED, output, emit_every=2)
    operator.process_batch(Batch(["a", "b"], timestamps))
    assert output.take() == [("a", 100), ("b", 90), 89]


def test_an_element_without_timestamp_does_not_move_the_watermark(output: Any) -> None:
    """No timestamp reads as -2^63, as in Flink."""
    operator = opened(BOUNDED, output, emit_every=1)
    operator.process_element("a", NO_TIMESTAMP)
    assert output.take() == [("a", NO_TIMESTAMP)]


def test_an_empty_batch_is_nothing(output: Any) -> None:
    """No element: no output and no count."""
    feed(opened(BOUNDED, output, emit_every=1), [])
    assert output.take() == []


def test_punctuated_watermarks_come_right_behind_their_element(output: Any) -> None:
    """Element first, then what on_event emitted, within a batch (SEMANTICS 15: never going down)."""
    operator = opened(WatermarkStrategy.for_generator(Punctuated).with_timestamp_assigner(itself), output)
    feed(operator, [1, 4, 3, 2, 6, 7])
    assert output.take() == [(1, 1), (4, 4), 4, (3, 3), (2, 2), (6, 6), 6, (7, 7)]


def test_a_generator_may_mark_its_stream_idle(output: Any) -> None:
    """IDLE goes out behind the element, and ACTIVE before the next watermark that rises."""
    operator = opened(WatermarkStrategy.for_generator(Punctuated).with_timestamp_assigner(itself), output)
    feed(operator, [4, -1, -1, 2, 6])
    assert output.take() == [(4, 4), 4, (-1, -1), "idle", (-1, -1), (2, 2), (6, 6), "active", 6]


def test_a_custom_generator_is_asked_periodically_too(output: Any) -> None:
    """emit_every counts elements for any generator."""
    operator = opened(WatermarkStrategy.for_generator(EachEvent), output, emit_every=2)
    operator.process_batch(Batch(["a", "b", "c"], [100, 90, 200]))
    assert output.take() == [("a", 100), ("b", 90), 89, ("c", 200)]


def test_the_end_of_input_emits_what_the_generator_has(output: Any) -> None:
    """At the end the generator is asked once more; then only the maximum watermark goes on (SEMANTICS 19)."""
    operator = opened(BOUNDED, output, emit_every=100)
    operator.process_element("a", 100)
    operator.end_of_input()
    operator.process_watermark(95)
    operator.process_watermark(LONG_MAX)
    assert output.take() == [("a", 100), 89, LONG_MAX]


def test_upstream_time_does_not_pass(output: Any) -> None:
    """Watermarks and statuses of the input stay out, and the runtime is told not to forward them."""
    operator = opened(BOUNDED, output)
    operator.process_watermark(50)
    operator.process_status(idle=True)
    operator.process_status(idle=False)
    assert output.take() == []
    assert operator.forwards_time is False


def test_the_maximum_watermark_ends_idleness(output: Any) -> None:
    """A stream that was idle is active before its last watermark."""
    operator = opened(BOUNDED.with_idleness(100), output, auto_interval=50)
    for now in (50, 200):
        advance(operator, now)
    operator.process_watermark(LONG_MAX)
    assert output.take() == ["idle", "active", LONG_MAX]


def test_batch_execution_has_timestamps_but_no_watermarks(output: Any) -> None:
    """No generator, neither by count nor by time nor at the end; the final watermark passes (SEMANTICS 21)."""
    strategy = WatermarkStrategy.for_generator(Punctuated).with_timestamp_assigner(itself).with_idleness(1)
    operator = opened(strategy, output, emit_every=1, emit_progressive=False)
    feed(operator, [2, 4])
    advance(operator, 1000)
    operator.end_of_input()
    operator.process_watermark(LONG_MAX)
    assert output.take() == [(2, 2), (4, 4), LONG_MAX]


def test_ticks_emit_once_an_interval(output: Any) -> None:
    """The next emit is one interval after the tick that emitted, however late that was."""
    operator = opened(BOUNDED, output, Time(processing_time=1000), auto_interval=50)
    emitted = {}
    for now in (1049, 1050, 1070, 1175, 1200, 1225):
        operator.process_element("a", now)
        advance(operator, now)
        emitted[now] = [item for item in output.take() if isinstance(item, int)]
    assert emitted == {1049: [], 1050: [1039], 1070: [], 1175: [1164], 1200: [], 1225: [1214]}


def test_an_interval_of_zero_switches_ticks_off(output: Any) -> None:
    """As in Flink, 0 means no periodic watermarks by time."""
    operator = opened(BOUNDED, output, auto_interval=0)
    operator.process_element("a", 100)
    advance(operator, 10_000)
    assert output.take() == [("a", 100)]


def test_idleness_is_found_by_ticks_and_ended_by_the_next_watermark(output: Any) -> None:
    """Idle means more than the timeout of processing time without elements."""
    operator = opened(BOUNDED.with_idleness(100), output, auto_interval=50)
    operator.process_element("a", 100)
    for now in (50, 100, 200, 250):
        advance(operator, now)
    assert output.take() == [("a", 100), 89, "idle"]
    operator.process_element("b", 200)
    advance(operator, 300)
    assert output.take() == [("b", 200), "active", 189]


def snapshots_and_restores(operator: Any, strategy: WatermarkStrategy, output: Any, **options: Any) -> Any:
    """A new operator with what the old one had, through bytes."""
    snapshot = cloudpickle.dumps(operator.snapshot())
    restored = opened(strategy, output, operator.context.time, **options)
    restored.restore(cloudpickle.loads(snapshot))
    return restored


def test_a_restored_operator_does_not_repeat_or_regress(output: Any) -> None:
    """The last watermark, the count, idleness and its clock are in the snapshot."""
    strategy = BOUNDED.with_idleness(100)
    options: dict[str, Any] = {"emit_every": 3, "auto_interval": 50}
    operator = opened(strategy, output, **options)
    operator.process_batch(Batch(["a", "b", "c", "d"], [100, 101, 102, 103]))
    for now in (50, 100):
        advance(operator, now)
    assert output.take()[3:] == [91, ("d", 103), 92]
    operator = snapshots_and_restores(operator, strategy, output, **options)
    advance(operator, 201)
    assert output.take() == ["idle"]
    operator = snapshots_and_restores(operator, strategy, output, **options)
    advance(operator, 251)
    operator.process_batch(Batch(["e", "f"], [90, 200]))
    assert output.take() == [("e", 90), ("f", 200), "active", 189]


def test_an_operator_that_is_restored_forgets_what_it_had(output: Any) -> None:
    """One operator shows the state of several key groups in turn; None is the state of one that is new."""
    strategy = WatermarkStrategy.for_generator(EachEvent)
    operator = opened(strategy, output, emit_every=2)
    new = operator.snapshot()
    operator.process_batch(Batch(["a", "b", "c"], [100, 200, 300]))
    output.take()
    for nothing in (None, new):
        operator.restore(nothing)
        operator.process_batch(Batch(["d", "e"], [50, 60]))
        assert output.take() == [("d", 50), ("e", 60), 49]


def test_a_clock_that_starts_anew_does_not_silence_ticks(output: Any) -> None:
    """A harness restores at processing time 0 (SEMANTICS 16): the next tick is one interval from there."""
    operator = opened(BOUNDED, output, Time(processing_time=5000), auto_interval=50)
    operator.process_element("a", 100)
    restored = opened(BOUNDED, output, Time(), auto_interval=50)
    restored.restore(operator.snapshot())
    advance(restored, 50)
    assert output.take() == [("a", 100), 89]


def test_a_count_restored_above_a_smaller_emit_every_emits_at_the_next_element(output: Any) -> None:
    """A program that is started again with another emit_every goes on."""
    operator = opened(BOUNDED, output, emit_every=10)
    operator.process_batch(Batch(["a"] * 5, [100] * 5))
    operator = snapshots_and_restores(operator, BOUNDED, output, emit_every=3)
    output.take()
    operator.process_batch(Batch(["b", "c"], [100, 100]))
    assert output.take() == [("b", 100), 89, ("c", 100)]


def test_a_generators_state_that_cannot_be_pickled_is_named(output: Any) -> None:
    """The error names operator and generator, and says what to do."""

    class Locked(EachEvent):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    operator = opened(WatermarkStrategy.for_generator(Locked), output)
    with pytest.raises(UsageError, match=r"'events'.*Locked.*snapshot_state"):
        operator.snapshot()


def test_a_later_event_does_not_change_an_earlier_snapshot(output: Any) -> None:
    """A snapshot is a copy, also of a user's mutable fields."""

    class Remembers(EachEvent):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[int] = []

        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            self.seen.append(event_timestamp)

        def on_periodic_emit(self, output: WatermarkOutput) -> None:
            output.emit_watermark(Watermark(sum(self.seen)))

    strategy = WatermarkStrategy.for_generator(Remembers)
    operator = opened(strategy, output)
    operator.process_element("a", 1)
    snapshot = operator.snapshot()
    operator.process_element("b", 2)
    restored = opened(strategy, output)
    restored.restore(snapshot)
    output.take()
    restored.end_of_input()
    assert output.take() == [1]


def test_errors_of_generators_name_operator_and_element(output: Any) -> None:
    """on_event's errors name the element; on_periodic_emit has none."""

    class Broken(WatermarkGenerator):
        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            if event == "bad":
                raise KeyError(event)

        def on_periodic_emit(self, output: WatermarkOutput) -> None:
            raise ArithmeticError

    operator = opened(WatermarkStrategy.for_generator(Broken), output)
    with pytest.raises(UserFunctionError, match="KeyError") as caught:
        operator.process_batch(Batch(["good", "bad"], [1, 2]))
    assert (caught.value.operator, caught.value.element) == ("events", "'bad'")
    with pytest.raises(UserFunctionError, match="ArithmeticError"):
        operator.end_of_input()


def test_generators_get_python_integers(output: Any) -> None:
    """on_event's timestamp never wraps around."""
    kinds = []

    class Kinds(EachEvent):
        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            kinds.append(type(event_timestamp))

    opened(WatermarkStrategy.for_generator(Kinds), output).process_batch(Batch(["a"], np.array([5])))
    assert kinds == [int]


@given(
    events=st.lists(st.integers(-50, 50), max_size=40),
    cuts=st.sets(st.integers(0, 40), max_size=5),
    emit_every=st.integers(1, 7),
)
def test_batch_cuts_and_restores_change_nothing(
    new_output: Any, events: list[int], cuts: set[int], emit_every: int
) -> None:
    """Whole batches, any cuts with a restore at each, and one element at a time by a custom generator: all the same."""

    def run(strategy: WatermarkStrategy, bounds: list[int]) -> list[Any]:
        output = new_output()
        strategy = strategy.with_timestamp_assigner(itself)
        operator = opened(strategy, output, emit_every=emit_every)
        for start, end in pairwise(bounds):
            feed(operator, events[start:end])
            operator = snapshots_and_restores(operator, strategy, output, emit_every=emit_every)
        operator.end_of_input()
        operator.process_watermark(LONG_MAX)
        items: list[Any] = output.take()
        return items

    whole = run(BOUNDED, [0, len(events)])
    bounds = [0, *sorted(cut for cut in cuts if cut < len(events)), len(events)]
    assert run(BOUNDED, bounds) == whole
    assert run(WatermarkStrategy.for_generator(EachEvent), list(range(len(events) + 1))) == whole
    assert run(WatermarkStrategy.for_generator(EachEvent), bounds) == whole
    watermarks = [item for item in whole if isinstance(item, int)]
    assert watermarks == sorted(set(watermarks))


def test_a_subclass_of_a_built_in_generator_sees_each_event(output: Any) -> None:
    """Overriding on_event switches batches off."""

    class Marks(BoundedOutOfOrdernessWatermarks):
        def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
            output.emit_watermark(Watermark(event_timestamp))

    operator = opened(WatermarkStrategy.for_generator(lambda: Marks(10)), output)
    operator.process_batch(Batch(["a", "b"], [1, 2]))
    assert output.take() == [("a", 1), 1, ("b", 2), 2]
