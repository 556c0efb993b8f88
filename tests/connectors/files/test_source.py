"""The source of files."""

import pytest

from windrow.connectors.files.source import FileSource
from windrow.connectors.files.text import StreamFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError

LINES = StreamFormat.text_line_format()


def source(*paths: object) -> FileSource:
    return FileSource.for_record_stream_format(LINES, *map(str, paths)).process_static_file_set().build()


def read(source: FileSource, parallelism: int) -> list[list[str]]:
    plan = source.plan(parallelism)
    return [[line for split in splits for batch in split.read() for line in batch.values] for splits in plan]


@pytest.fixture
def folder(tmp_path):
    for name in "edcba":
        (tmp_path / name).write_text(f"{name}1\n{name}2\n")
    return tmp_path


def test_one_channel_reads_all_files_in_order(folder):
    """With parallelism 1 there is one watermark, and files follow one another."""
    assert source(folder).channels(1) == 1
    assert read(source(folder), 1) == [["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1", "e2"]]


def test_files_are_dealt_to_the_channels_in_turn(folder):
    """The first channel gets the first file, the second the second, and so on."""
    assert read(source(folder), 2) == [["a1", "a2", "c1", "c2", "e1", "e2"], ["b1", "b2", "d1", "d2"]]


def test_there_are_no_more_channels_than_files(folder):
    """A channel without files would say nothing."""
    assert source(folder).channels(8) == 5
    assert len(source(folder).plan(8)) == 5


def test_paths_are_read_in_the_order_given(folder):
    """Only what is in a folder is sorted."""
    assert read(source(folder / "b", folder / "a"), 1) == [["b1", "b2", "a1", "a2"]]


def test_an_empty_folder_is_one_channel_without_elements(tmp_path):
    """The job ends, with no results."""
    assert source(tmp_path).channels(4) == 1
    assert read(source(tmp_path), 4) == [[]]


def test_files_that_come_between_counting_and_planning_wait_for_the_next_job(folder):
    """A runtime asks for the number of channels first, and the plan must have as many."""
    files = source(folder)
    assert files.channels(100) == 5
    (folder / "f").write_text("f1\n")
    assert len(files.plan(100)) == 5
    assert files.channels(100) == 6


def test_a_path_that_leads_nowhere_is_refused(folder):
    """At build, and again when the job is planned."""
    with pytest.raises(ConfigurationError, match=r"there is no file or folder .*nowhere"):
        source(folder / "nowhere")
    gone = source(folder / "a")
    (folder / "a").unlink()
    with pytest.raises(ConfigurationError, match="there is no file or folder"):
        gone.channels(1)


def test_wrong_arguments_are_refused(folder):
    """Each names what came and what was expected."""
    with pytest.raises(ConfigurationTypeError, match="takes a format such as"):
        FileSource.for_record_stream_format("UTF-8", str(folder))
    with pytest.raises(ConfigurationError, match="at least one path"):
        FileSource.for_record_stream_format(LINES)
    with pytest.raises(ConfigurationError, match="read other file systems with Spark"):
        FileSource.for_record_stream_format(LINES, "s3://bucket/in")
