"""A job whose windows are kept as columns is started again on its checkpoint."""

import pytest

from tests.runtime.local.window_programs import Sink
from windrow.common import WatermarkStrategy
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.window import SlidingEventTimeWindows
from windrow.errors import UserFunctionError

COUNT, SIZE, SLIDE = 12_000, 2_000, 500
TIMES = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])


def sums(env, fails_at=None):
    """Per key and window how many elements came, and the greatest time; by columns from the source on."""
    numbers = env.from_source(NumberSequenceSource(0, COUNT - 1), WatermarkStrategy.no_watermarks(), "numbers")
    checked = numbers.map(lambda n: n) if fails_at is None else numbers.map(lambda n: n if n != fails_at else [][n])
    half = COUNT // 2  # each of the two channels has one half of the numbers
    elements = checked.uid("checked").map(lambda n: (n * 7919 % 11, n % half, 1)).uid("elements")
    keyed = elements.assign_timestamps_and_watermarks(TIMES).uid("times").key_by(lambda element: element[0])
    windows = keyed.window(SlidingEventTimeWindows.of(SIZE, SLIDE))
    sink = Sink()
    windows.reduce(lambda a, b: (a[0], max(a[1], b[1]), a[2] + b[2])).uid("sums").sink_to(sink).uid("out")
    return sink


def expected():
    """By key and the last slide of the window."""
    found = {}
    for number in range(COUNT):
        key, time = number * 7919 % 11, number % (COUNT // 2)
        for start in range(time // SLIDE * SLIDE - SIZE + SLIDE, time + 1, SLIDE):
            latest, count = found.get((key, start), (0, 0))
            found[key, start] = max(time, latest), count + 1
    return sorted((key, time, count) for (key, _), (time, count) in found.items())


@pytest.mark.spark
@pytest.mark.parametrize("columns", [True, False])
def test_columns_are_read_by_columns_and_by_rows(columns, on_spark, tmp_path):
    """Windows that were open when the first run failed give all of their elements, whatever goes on with them."""
    settings = {
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
        "windrow.source.elements-per-split": "1500",
        "windrow.source.splits-per-batch": "1",
    }
    env = on_spark(settings)
    first = sums(env, fails_at=4_000)
    with pytest.raises(UserFunctionError):
        env.execute()
    env = on_spark({**settings, "windrow.columns.enabled": str(columns).lower()})
    second = sums(env)
    env.execute()
    assert sorted([*first.elements, *second.elements]) == expected()
