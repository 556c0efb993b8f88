"""How far Spark is, out of what a query reports."""

from __future__ import annotations

import pytest

from windrow.common import WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.runtime.spark.source_plan import ChannelPlan, SourcePlan
from windrow.runtime.spark.task_progress import unread_splits

OURS = {"split": 2, "tick": 0, "end": 0, "read": 0}


@pytest.mark.parametrize(
    ("reported", "left"),
    [
        (None, None),
        ({"sources": []}, None),
        ({"sources": [{"endOffset": None}]}, None),
        ({"sources": [{"endOffset": {"topic": {"0": 7}}}, {"endOffset": OURS}]}, 5),
        ({"sources": [{"endOffset": {**OURS, "split": 3}}]}, 3),
        ({"sources": [{"endOffset": {**OURS, "split": 9}}]}, 0),
    ],
    ids=["nothing is reported", "no source", "no offset yet", "beside another source", "further", "at the end"],
)
def test_what_no_batch_has_had_is_what_stands_behind_the_offset(reported, left):
    """Over all channels of the source, by its tag; where the offset is not known, nothing is said."""
    env = StreamExecutionEnvironment.create_local_environment(2)
    numbers = env.from_source(NumberSequenceSource(0, 9), WatermarkStrategy.no_watermarks(), "numbers")
    numbers.sink_to(DiscardingSink())
    job = env._take_job("numbers")
    (entry,) = (entry for entry, _ in job.sources())
    channels = [
        ChannelPlan(channel, 0, [b"part"] * (5 - number), ends=True)
        for number, channel in enumerate(entry.source_channels)
    ]
    plan = SourcePlan(channels, [], 1, 200, bounded=True)
    assert unread_splits(reported, job, plan) == ({} if left is None else {entry.node.tag: left})
