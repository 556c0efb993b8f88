"""Elements that wait until something depends on them."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.datastream.window import ContinuousEventTimeTrigger, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.operators.window.panes import operator as operator_module
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness, Record, WatermarkOut

LONGS = ScalarShape((pa.int64(),))


@pytest.fixture
def added(monkeypatch):
    """How many elements were added together, each time."""
    counts = []
    real = operator_module.PanesOperator._process_columns

    def count(self, keys, elements, times):
        counts.append(len(elements))
        return real(self, keys, elements, times)

    monkeypatch.setattr(operator_module.PanesOperator, "_process_columns", count)
    return counts


def harness(assigner, trigger=None):
    return OperatorHarness(build(WindowSpec(assigner, trigger, incremental=lambda a, b: a + b)))


def take(harness, *times):
    numbers = Columns.of(LONGS, [np.array(times)])
    harness._operator.process_batch(Batch(numbers, np.array(times), numbers))


def test_watermarks_that_fire_nothing_do_not_part_elements(added):
    """They are added together when a window fires, with what came before that was not waiting."""
    windows = harness(TumblingEventTimeWindows(100))
    windows.process_watermark(0)
    for watermark in (10, 20, 98):
        take(windows, watermark + 1, watermark + 200)
        windows.process_watermark(watermark)
    assert added == []
    windows.process_watermark(99)
    assert added == [6]
    assert windows.take_output()[-4:] == [*[Record(time, 99) for time in (11, 21, 99)], WatermarkOut(99)]


def test_elements_wait_no_longer_than_until_they_let_a_window_fire_early(added):
    """Nor if a window that has fired early before is due again."""
    windows = harness(TumblingEventTimeWindows(100), ContinuousEventTimeTrigger.of(20))
    windows.process_watermark(0)
    take(windows, 5, 45)
    windows.process_watermark(19)
    assert added == []
    windows.process_watermark(20)
    assert (added, windows.values()) == ([2], [5])
    take(windows, 65)
    windows.process_watermark(39)
    windows.process_watermark(40)
    assert (added, windows.values()) == ([2, 1], [5, 5])


def test_an_element_that_may_be_late_does_not_wait(added):
    """Nor does it overtake those that do."""
    windows = harness(SlidingEventTimeWindows(100, 50))
    windows.process_watermark(120)
    take(windows, 130)
    assert added == []
    take(windows, 99)
    assert added == [1, 1]


def test_elements_do_not_wait_in_large_numbers(added, monkeypatch):
    """What waits takes memory."""
    monkeypatch.setattr(operator_module, "_TOGETHER", 4)
    windows = harness(TumblingEventTimeWindows(100))
    for time in range(0, 12, 3):
        take(windows, time, time + 1, time + 2)
    assert added == [6, 6]


def test_stored_state_has_the_elements_that_waited(added):
    """A snapshot is of all that has come."""
    windows = harness(TumblingEventTimeWindows(100))
    take(windows, 5)
    windows.snapshot()
    assert added == [1]
    assert len(windows.event_timers()) == 1
