"""What a checkpoint is said to hold, beside what the job has done."""

import json

import pytest

from tests.runtime.sources.running import Shown
from tests.state_processor.conftest import FAR, environment
from windrow.common import WatermarkStrategy
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.errors import CheckpointError, ConfigurationTypeError
from windrow.state_processor import PlannedChannel, describe

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def summary(savepoint, spark_session):
    return describe(savepoint, spark_session)


def test_operators_are_listed_with_what_they_keep(summary):
    """In the order of the job; each key counts once, in whichever subtask it is."""
    assert [(each.uid, each.level, each.parallelism) for each in summary.operators] == [
        ("numbers", 0, 2),
        ("counts", 1, 2),
        ("sums", 2, 2),
    ]
    numbers, counts, sums = summary.operators
    assert (numbers.keys, counts.keys, sums.keys) == (0, 37, 0)
    assert (counts.rows, sums.rows) == (0, 3)
    assert counts.name == "Counts"
    assert all(each.bytes > 100 and each.pages for each in summary.operators)


def test_timers_and_watermarks_are_said(summary):
    """The watermark is in front of the last element of the split that is behind."""
    numbers, counts, sums = summary.operators
    assert (counts.event_timers, counts.processing_timers) == (10, 10)
    assert (counts.next_event_timer, counts.next_processing_timer) == (FAR, 2 * FAR)
    assert (sums.event_timers, sums.next_event_timer) == (0, None)
    assert (numbers.watermark, counts.watermark, sums.watermark) == (None, 997, 997)


def test_positions_of_readers_are_said_without_the_users_classes(summary):
    """A reader each, with its splits by the name of their class."""
    assert [(each.uid, each.reader, each.finished) for each in summary.readers] == [
        ("numbers", 0, False),
        ("numbers", 1, False),
    ]
    assert all("scripted.Script, not read" in split for each in summary.readers for split in each.splits)
    assert summary.planned == []


def test_sources_that_were_dealt_out_say_how_far_they_are(tmp_path, spark_session):
    """By the parts that each channel has read: all of them, when the job has ended."""
    env = environment(spark_session, tmp_path / "cp", **{"windrow.source.elements-per-split": "25"})
    env.from_source(NumberSequenceSource(1, 100), WatermarkStrategy.no_watermarks(), "numbers").sink_to(Shown())
    env.execute()
    summary = describe(str(tmp_path / "cp"), spark_session)
    assert summary.planned == [PlannedChannel(0, 2, 2), PlannedChannel(1, 2, 2)]


def test_what_is_no_checkpoint_is_refused(tmp_path, spark_session):
    """By what is missing."""
    with pytest.raises(CheckpointError, match=r"is no checkpoint and no savepoint: it has no windrow.json"):
        describe(str(tmp_path), spark_session)
    (tmp_path / "windrow.json").write_text(json.dumps({"version": 3}))
    with pytest.raises(CheckpointError, match="has format 3, of another version"):
        describe(str(tmp_path), spark_session)
    (tmp_path / "windrow.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"windrow.json cannot be read .* it is damaged"):
        describe(str(tmp_path), spark_session)
    with pytest.raises(ConfigurationTypeError, match="the path of a checkpoint takes a path"):
        describe("", spark_session)
