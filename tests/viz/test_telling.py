"""A trace in sentences."""

from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    GlobalWindows,
    PurgingTrigger,
    TumblingEventTimeWindows,
)
from windrow.testing import window_harness
from windrow.viz import Recording


def told(assigner, act, **parts):
    recording = Recording()
    act(window_harness(assigner, key=lambda word: word[0], reduce=lambda a, b: a + b, recording=recording, **parts))
    return str(recording.trace()).splitlines()


def test_late_elements_and_time():
    """What is late is said behind its coming; processing time is said where something comes of it alone."""

    def act(harness):
        harness.set_processing_time(5)
        harness.process_watermark(30)
        harness.process_status(idle=True)
        harness.process_element("ab", 3)
        harness.end_of_input()

    assert told(TumblingEventTimeWindows(10), act) == [
        "1: the watermark is 30",
        "2: the input is idle",
        "3: 'ab' at 3 of 'a' comes",
        "   it is too late",
        "4: the input has ended",
    ]


def test_evictors_and_purging():
    """Elements that are evicted are said before the firing that does not see them."""

    def act(harness):
        harness.process_elements([("ab", None), ("ac", None)])

    trigger = PurgingTrigger.of(CountTrigger.of(2))
    assert told(GlobalWindows.create(), act, trigger=trigger, evictor=CountEvictor.of(1)) == [
        "0: 'ab' of 'a' comes",
        "   window GlobalWindow() opens",
        "1: 'ac' of 'a' comes",
        "   'ab' is evicted",
        "   GlobalWindow() of 'a' fires, with 'ac': 'ac'",
        "   it is emptied",
    ]
