"""The harness shows what an operator did, and no more."""

import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN, NO_TIMESTAMP
from windrow.datastream.functions import KeySelector
from windrow.datastream.output_tag import OutputTag
from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.testing import OperatorHarness, Record, StateEntry, StatusOut, WatermarkOut


class Remember(Operator):
    """Counts elements per key, and emits them again when timers are due."""

    def __init__(self):
        self.restored = None
        self.closed = False

    def process_element(self, value, timestamp):
        state = self.context.state
        state.put("count", None, state.get("count", None, 0) + 1)
        state.event_timers.register(10, state.current_key, None)
        state.processing_timers.register(20, state.current_key, "window")
        self.context.counters["seen"] += 1
        self.context.output.emit_side("all", value, timestamp)

    def process_watermark(self, timestamp):
        self.context.state.fire_event_timers(timestamp, self._emit)

    def advance_processing_time(self, now):
        self.context.state.fire_processing_timers(now, self._emit)

    def _emit(self, time, namespace):
        state = self.context.state
        self.context.output.emit_batch(Batch([(state.current_key, state.get("count"), namespace)], [time]))

    def process_status(self, *, idle):
        self.context.counters["idle" if idle else "active"] += 1

    def snapshot(self):
        return "not keyed"

    def restore(self, snapshot):
        self.restored = snapshot

    def close(self):
        self.closed = True


def key(value):
    return value % 2


def test_output_is_in_order():
    """Records come before the watermark that released them; status is in its place."""
    harness = OperatorHarness(Remember(), key)
    harness.process_element(1, 5)
    harness.process_watermark(9)
    harness.process_watermark(10)
    harness.process_status(idle=True)
    assert harness.output == [WatermarkOut(9), Record((1, 1, None), 10), WatermarkOut(10), StatusOut(True)]
    assert harness.records() == [Record((1, 1, None), 10)]
    assert harness.values() == [(1, 1, None)]
    assert harness.counters == {"seen": 1, "idle": 1}


def test_taking_output_forgets_it():
    """take_output gives what came since the last call."""
    harness = OperatorHarness(Remember(), key)
    harness.process_watermark(1)
    assert harness.take_output() == [WatermarkOut(1)]
    assert harness.take_output() == []


def test_side_outputs_by_tag_or_id():
    """Side outputs keep value and timestamp; an element without a timestamp has the marker."""
    harness = OperatorHarness(Remember(), key)
    harness.process_elements([(1, 5), (2, None)])
    assert (
        harness.side_output(OutputTag("all")) == harness.side_output("all") == [Record(1, 5), Record(2, NO_TIMESTAMP)]
    )
    assert harness.side_output("other") == []


def test_state_and_timers_are_visible():
    """Entries of all keys are listed, timers by domain."""
    harness = OperatorHarness(Remember(), key)
    harness.process_elements([(1, 0), (2, 0), (3, 0)])
    assert harness.state_entries() == [StateEntry(1, "count", None, 2), StateEntry(0, "count", None, 1)]
    assert (harness.num_state_entries(), harness.num_event_timers(), harness.num_processing_timers()) == (2, 2, 2)
    assert harness.processing_timers() == [(20, 1, "window"), (20, 0, "window")]
    harness.set_processing_time(20)
    assert harness.num_processing_timers() == 0


def test_time_begins_anew_after_a_restore():
    """State and timers are in a snapshot, time is not."""
    harness = OperatorHarness(Remember, key)
    harness.process_element(1, 0)
    harness.process_watermark(9)
    harness.set_processing_time(9)
    snapshot = harness.snapshot()
    harness.process_element(1, 0)
    operator = Remember()
    restored = OperatorHarness(operator, key, snapshot=snapshot)
    assert operator.restored == "not keyed"
    assert (operator.context.time.watermark, operator.context.time.processing_time) == (LONG_MIN, 0)
    restored.end_of_input()
    assert restored.output == [Record((1, 1, None), 10), WatermarkOut(LONG_MAX)]


def test_a_key_selector_may_be_an_object():
    """A KeySelector works as a function does."""

    class Even(KeySelector):
        def get_key(self, value):
            return value % 2 == 0

    harness = OperatorHarness(Remember(), Even())
    harness.process_element(3, 0)
    assert harness.state_entries()[0].key is False


def test_close_closes_the_operator():
    """Closing the harness closes the operator."""
    operator = Remember()
    OperatorHarness(operator, key).close()
    assert operator.closed


def test_operators_without_keys():
    """Without a key selector an operator gets no keys."""

    class Double(Operator):
        def process_batch(self, batch):
            assert batch.keys is None
            self.context.output.emit_batch(batch.with_elements([value * 2 for value in batch.elements]))

    harness = OperatorHarness(Double())
    harness.process_elements([(1, 7), (2, 8)])
    assert harness.records() == [Record(2, 7), Record(4, 8)]


def test_user_errors_come_out():
    """An error in the operator is the test's error."""
    with pytest.raises(TypeError):
        OperatorHarness(Remember(), key).process_element("text", 0)
