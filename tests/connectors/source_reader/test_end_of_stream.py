"""An output that one of its elements ends."""

import pytest

from tests.connectors.source_reader.numbers import Until
from windrow.common.watermark import Watermark
from windrow.connectors.source_reader.end_of_stream import EndOfStreamOutput
from windrow.datastream import OutputTag
from windrow.testing.outputs import Record, StatusOut, WatermarkOut
from windrow.testing.recording_reader import RecordingReaderOutput, SourceMark, SourceRecord


@pytest.fixture
def whole():
    return RecordingReaderOutput()


@pytest.fixture
def output(whole):
    return EndOfStreamOutput(whole.create_output_for_split("a"), Until(3))


def test_elements_pass_until_one_ends_it(whole, output):
    """A later one that does not say so itself is dropped, too."""
    for value in (1, 2, 3, 1):
        output.collect(value, value * 10)
    assert whole.items == [SourceRecord(1, 10, "a"), SourceRecord(2, 20, "a")]
    assert output.ended


@pytest.mark.parametrize("timestamps", [None, [10, 20, 30, 40]])
def test_a_batch_is_cut_where_it_ends(whole, output, timestamps):
    """Timestamps are cut with it; the next batch is dropped."""
    output.collect_batch([1, 2, 3, 0], timestamps)
    output.collect_batch([0], None if timestamps is None else [50])
    assert [record.value for record in whole.items] == [1, 2]
    assert [record.timestamp for record in whole.items] == ([-(2**63)] * 2 if timestamps is None else [10, 20])


def test_a_batch_without_the_end_passes_whole(whole, output):
    """And the split goes on."""
    output.collect_batch([0, 1])
    output.collect_batch([2])
    assert [record.value for record in whole.items] == [0, 1, 2]
    assert not output.ended


def test_what_else_comes_passes_until_the_end(whole, output):
    """Watermarks, statuses and side outputs of a split that goes on; no watermark and no side output behind its end."""
    tag = OutputTag("side")
    for _ in range(2):
        output.emit_watermark(Watermark(5))
        output.collect_side(tag, "x", 1)
        output.collect(3)
    output.mark_idle()
    output.mark_active()
    marks = [WatermarkOut(5), StatusOut(idle=True), StatusOut(idle=False)]
    assert whole.items == [SourceMark(mark, "a") for mark in marks]
    assert whole.sides == {"side": [Record("x", 1)]}
