"""What triggers, evictors and assigners refuse to be made with."""

import pytest

from windrow.common.time import Time
from windrow.datastream.window import (
    CountEvictor,
    CountSlidingWindowAssigner,
    CountTrigger,
    CountTumblingWindowAssigner,
    DeltaEvictor,
    DeltaTrigger,
    EventTimeSessionWindows,
    ProcessingTimeoutTrigger,
    PurgingTrigger,
    SessionWindowTimeGapExtractor,
    TimeEvictor,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError


class Gap(SessionWindowTimeGapExtractor):
    def extract(self, element):
        return 1


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: CountTrigger.of(None), "CountTrigger needs a whole number as window_size, but got None"),
        (lambda: CountTrigger.of(1.5), "window_size, but got 1.5"),
        (lambda: CountEvictor.of("3"), "CountEvictor needs a whole number as max_count, but got '3'"),
        (lambda: CountEvictor.of(True), "max_count, but got True"),
        (lambda: CountTumblingWindowAssigner.of(None), "window_size, but got None"),
        (lambda: CountSlidingWindowAssigner.of(2, None), "window_slide, but got None"),
        (lambda: DeltaTrigger.of(None, max), "DeltaTrigger needs a number as threshold, but got None"),
        (lambda: DeltaEvictor.of(None, max), "DeltaEvictor needs a number as threshold, but got None"),
        (lambda: PurgingTrigger.of(None), "PurgingTrigger needs a Trigger as nested_trigger, but got None"),
        (lambda: PurgingTrigger.of(CountTrigger), "make an object of the class"),
        (lambda: ProcessingTimeoutTrigger.of(None, Time.seconds(1)), "nested_trigger, but got None"),
        (lambda: ProcessingTimeoutTrigger.of(CountTrigger.of(1), None), "timeout takes a Time"),
        (lambda: TumblingEventTimeWindows.of(5, 0, None), "needs a WindowStagger as window_stagger, but got None"),
        (lambda: TumblingProcessingTimeWindows.of(5, 0, "RANDOM"), "window_stagger, but got 'RANDOM'"),
        (lambda: EventTimeSessionWindows.with_dynamic_gap(Gap), "make an object of the class"),
    ],
)
def test_what_is_of_the_wrong_type_is_refused(make, said):
    """None, a text or a class where a number or an object is needed fails where it is given, by name."""
    with pytest.raises(ConfigurationTypeError, match=said):
        make()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: TimeEvictor.of(Time.seconds(-1)), "TimeEvictor needs window_size >= 0, but got -1000"),
        (lambda: ProcessingTimeoutTrigger.of(CountTrigger.of(1), -1), "timeout >= 0, but got -1"),
    ],
)
def test_negative_spans_are_refused(make, said):
    """A span of time that runs backwards is refused where the trigger or evictor is made."""
    with pytest.raises(ConfigurationError, match=said):
        make()
