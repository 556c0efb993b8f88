"""How far aligned sources may read."""

from windrow.common.watermark_strategy import WatermarkAlignment
from windrow.runtime.sources.alignment_groups import AlignmentGroups
from windrow.runtime.sources.messages import ReaderFinished, ReportedWatermark


def reported(*watermarks):
    return {subtask: [ReportedWatermark(each)] for subtask, each in enumerate(watermarks) if each is not None}


def test_the_slowest_of_all_readers_of_a_group_counts():
    """Each source adds its own drift; those that report nothing hold nobody back."""
    groups = AlignmentGroups(
        {"a": WatermarkAlignment("g", 10, 1), "b": WatermarkAlignment("g", 20, 1), "c": WatermarkAlignment("h", 5, 1)}
    )
    sent = {"a": reported(100, 200), "b": reported(None, 50), "c": {0: [ReaderFinished()]}}
    assert groups.limits(sent) == {"a": 60, "b": 70}


def test_limits_are_said_when_they_change_and_not_more_often_than_the_interval():
    """Every interval is that of the source's strategy."""
    groups = AlignmentGroups({"often": WatermarkAlignment("g", 0, 0), "seldom": WatermarkAlignment("g", 0, 3_600_000)})
    assert groups.limits({"often": reported(1)}) == {"often": 1, "seldom": 1}
    assert groups.limits({"often": reported(1)}) == {}
    assert groups.limits({"often": reported(2)}) == {"often": 2}


def test_without_reports_nothing_is_limited():
    """No reader has a watermark yet."""
    assert AlignmentGroups({"a": WatermarkAlignment("g", 10, 1)}).limits({}) == {}
