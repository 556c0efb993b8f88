"""The reader of regions."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from windrow.common import Types
from windrow.connectors.files import reader
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.reader import FileSourceReader
from windrow.connectors.source import InputStatus
from windrow.datastream import OutputTag
from windrow.datastream.formats.csv import CsvReaderFormat
from windrow.testing import SourceReaderHarness

LINES = StreamFormat.text_line_format()
TOGETHER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def harness(file_format=LINES, **options):
    return SourceReaderHarness(lambda context: FileSourceReader(context, file_format), **options)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Three files, one of them empty, polled by two elements."""
    monkeypatch.setattr(reader, "ELEMENTS_PER_POLL", 2)
    for name, content in (("a", "1\n2\n3\n4\n5\n"), ("b", ""), ("c", "6\n7\n8\n")):
        (tmp_path / name).write_text(content)
    return [whole_file(str(tmp_path / name)) for name in "abc"]


def test_regions_are_read_one_after_the_other(files):
    """Each to its own output, which is released at its end."""
    with harness() as reading:
        reading.add_splits(files)
        reading.notify_no_more_splits()
        assert [record.value for record in reading.read_to_end()] == list("12345678")
        assert reading.values(files[2].split_id()) == list("678")
        assert reading.splits() == []


@TOGETHER
@given(polls=st.integers(0, 12))
def test_a_reader_that_is_made_anew_goes_on_exactly(files, polls):
    """After any number of polls nothing is read twice, nothing left out."""
    with harness() as first:
        first.add_splits(files)
        for _ in range(polls):
            first.poll()
        read, snapshot = first.values(), first.snapshot()
    with harness(snapshot=snapshot) as second:
        second.notify_no_more_splits()
        assert read + [record.value for record in second.read_to_end()] == list("12345678")


def test_a_reader_asks_when_it_begins_the_last_region_it_has(files):
    """At its start, if it has none; and so early that the next come while it reads."""
    with harness() as reading:
        assert reading.split_requests == 1
        assert reading.poll() is InputStatus.NOTHING_AVAILABLE
        reading.add_splits(files[:1])
        assert reading.poll() is InputStatus.MORE_AVAILABLE
        assert reading.split_requests == 2
        assert reading.read(3)
        assert reading.split_requests == 2
        snapshot = reading.snapshot()
    with harness(snapshot=snapshot) as again:
        assert again.split_requests == 1
    with harness() as first:
        first.add_splits(files)
        snapshot = first.snapshot()
    with harness(snapshot=snapshot) as again:
        assert again.split_requests == 0


def test_it_is_available_when_regions_come(files):
    """And when it is told that none will."""
    with harness() as reading:
        future = reading.reader.is_available()
        assert not future.done()
        reading.add_splits(files)
        assert future.done()
        assert reading.reader.is_available().done()
    with harness() as reading:
        future = reading.reader.is_available()
        reading.notify_no_more_splits()
        assert future.done()
        assert reading.poll() is InputStatus.END_OF_INPUT


def test_a_paused_region_waits(files):
    """Until it is resumed."""
    with harness() as reading:
        reading.add_splits(files[:1])
        reading.poll()
        reading.pause_or_resume_splits([files[0].split_id()])
        assert reading.poll() is InputStatus.NOTHING_AVAILABLE
        assert not reading.reader.is_available().done()
        assert reading.values() == ["1", "2"]
        reading.pause_or_resume_splits([], [files[0].split_id()])
        assert reading.reader.is_available().done()
        assert [record.value for record in reading.read(3)] == ["3", "4", "5"]


def test_malformed_lines_go_to_the_side_output(tmp_path):
    """And count as read."""
    (tmp_path / "a.csv").write_text("1\nx\n2\ny\n")
    csv_format = CsvReaderFormat.for_schema(Types.ROW_NAMED(["n"], [Types.INT()]), dead_letter=OutputTag("bad"))
    with harness(csv_format) as reading:
        reading.add_splits([whole_file(str(tmp_path / "a.csv"))])
        while len(reading.side_output("bad")) < 1:
            reading.poll()
        snapshot = reading.snapshot()
        assert [value.n for value in reading.values()] == [1]
    with harness(csv_format, snapshot=snapshot) as reading:
        reading.notify_no_more_splits()
        assert [record.value.n for record in reading.read_to_end()] == [2]
        assert [record.value[1] for record in reading.side_output("bad")] == ["y"]
