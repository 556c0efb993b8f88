"""The harness of a windowed stream is made of the parts that a program gives."""

import pytest

from windrow.datastream.functions import AllWindowFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.window import CountEvictor, CountTrigger, EventTimeSessionWindows, TumblingEventTimeWindows
from windrow.errors import ConfigurationError
from windrow.testing import Record, window_harness


class Elements(AllWindowFunction):
    def apply(self, window, inputs):
        yield window.start, list(inputs)


def test_without_a_key_the_whole_stream_is_windowed():
    """Without a key the elements of a window are one group, as with window_all."""
    harness = window_harness(TumblingEventTimeWindows(10), function=Elements())
    harness.process_elements([("a", 1), ("b", 2), ("c", 11)])
    harness.end_of_input()
    assert harness.values() == [(0, ["a", "b"]), (10, ["c"])]


def test_all_parts_arrive():
    """Trigger, evictor, lateness and late side output are the operator's."""
    late = OutputTag("late")
    harness = window_harness(
        TumblingEventTimeWindows(10),
        function=Elements(),
        trigger=CountTrigger.of(2),
        evictor=CountEvictor.of(1),
        allowed_lateness=5,
        late_tag=late,
    )
    harness.process_watermark(13)
    harness.process_elements([("a", 1), ("b", 2)])
    harness.process_watermark(14)
    harness.process_element("c", 3)
    assert harness.values() == [(0, ["b"])]
    assert harness.side_output(late) == [Record("c", 3)]


def test_restored_sessions_go_on():
    """A harness made from a snapshot has sessions, contents and timers."""
    parts = {"assigner": EventTimeSessionWindows(10), "reduce": lambda a, b: a + b}
    harness = window_harness(**parts)
    harness.process_element("a", 0)
    restored = window_harness(**parts, snapshot=harness.snapshot())
    restored.process_element("b", 10)
    restored.process_watermark(19)
    assert restored.records() == [Record("ab", 19)]


def test_reduce_and_aggregate_exclude_each_other():
    """Elements are reduced or aggregated, not both."""
    with pytest.raises(ConfigurationError, match="reduce or aggregate; got both"):
        window_harness(TumblingEventTimeWindows(10), reduce=max, aggregate=max)
