"""A drawn stagger is the operator's state."""

import pytest

from windrow.datastream.window import (
    CountEvictor,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowStagger,
)
from windrow.operators.window.staggering import staggered
from windrow.testing import window_harness


def harness(evictor=None, snapshot=None):
    natural = TumblingEventTimeWindows.of(100, 0, WindowStagger.NATURAL)
    return window_harness(natural, key=lambda word: word, reduce=lambda a, b: a + b, evictor=evictor, snapshot=snapshot)


@pytest.mark.parametrize("evictor", [None, CountEvictor.of(5)])
def test_a_restored_operator_keeps_the_stagger(evictor):
    """What the first element drew goes into the snapshot, and is not drawn again from the time of the restart."""
    first = harness(evictor)
    first.set_processing_time(30)
    first.process_element("a", 10)

    second = harness(evictor, first.snapshot())
    second.set_processing_time(75)
    second.process_element("a", 20)
    second.process_watermark(29)

    assert second.values() == ["aa"]


def test_a_snapshot_without_elements_leaves_the_stagger_open():
    """An operator that is restored before its first element draws the stagger at that element."""
    second = harness(snapshot=harness().snapshot())
    second.set_processing_time(30)
    second.process_element("a", 10)
    second.process_watermark(28)
    assert second.values() == []
    second.process_watermark(29)
    assert second.values() == ["a"]


def test_aligned_windows_have_nothing_to_remember():
    """Windows without a stagger, and those of processing time with one, are told apart."""
    assert staggered(TumblingEventTimeWindows.of(10)) is None
    random = TumblingProcessingTimeWindows.of(10, 0, WindowStagger.RANDOM)
    assert staggered(random) is random
