"""Jobs whose operators are asked what they wait for give what they give when nobody looks."""

from __future__ import annotations

import random

import pytest

from tests.runtime.sources.running import Shown
from windrow.common import Time, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.monitor.measures import measures_of

ASSIGNERS = {
    "tumbling": TumblingEventTimeWindows.of(Time.milliseconds(50)),
    "sliding": SlidingEventTimeWindows.of(Time.milliseconds(60), Time.milliseconds(20)),
    "sessions": EventTimeSessionWindows.with_gap(Time.milliseconds(4)),
}


class Sorted(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().start, sorted(elements)


def ran(assigner, kind, lateness, *, look, batch_size=37):
    """What comes out of windows over elements that are a little out of order, and what was measured of them."""
    lots = random.Random(7)
    elements = [(lots.randrange(5), number, number + lots.randrange(-8, 8)) for number in range(400)]
    env = StreamExecutionEnvironment.create_local_environment(1)
    stream = env.from_collection(elements, Types.TUPLE([Types.INT(), Types.INT(), Types.LONG()]))
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda each, _: each[2])
    keyed = stream.assign_timestamps_and_watermarks(strategy).key_by(lambda each: each[0])
    windows = keyed.window(assigner).allowed_lateness(lateness)
    shown = Shown()
    if kind == "folded":
        windows.reduce(lambda one, two: (one[0], one[1] + two[1], two[2])).sink_to(shown)
    else:
        windows.process(Sorted()).sink_to(shown)
    job = env._take_job("windows")
    job.monitored = look
    waiting = []
    with LocalExecutor(job, batch_size) as executor:
        while executor.run_batch():
            measured = measures_of(executor.totals).values()
            waiting += [each["waiting"]["0"] for each in measured if each.get("waiting")]
    return shown.events, waiting


@pytest.mark.parametrize("lateness", [0, 30])
@pytest.mark.parametrize("kind", ["folded", "elements"])
@pytest.mark.parametrize("name", ASSIGNERS)
def test_what_comes_out_is_the_same_whether_operators_are_asked(name, kind, lateness):
    """In the same order, with watermarks between; and each time the first window is one that fires later."""
    asked, waiting = ran(ASSIGNERS[name], kind, lateness, look=True)
    other, none = ran(ASSIGNERS[name], kind, lateness, look=False)
    assert asked == other
    assert waiting
    assert not none
    fired = {event[1] for event in asked if isinstance(event, tuple)}
    if name != "sessions":  # a session may become longer before it fires
        assert {watermark for watermark, start, _ in waiting if start is not None} <= fired
