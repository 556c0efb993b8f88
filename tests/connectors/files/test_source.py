"""The source of files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from windrow.common import Types
from windrow.connectors.files import enumerators
from windrow.connectors.files.assigners import FileSplitAssigner, FileSplitAssignerProvider
from windrow.connectors.files.enumerators import FileEnumerator, FileEnumeratorProvider, whole_file
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.source import FileSource
from windrow.datastream.formats.csv import CsvReaderFormat
from windrow.datastream.formats.parquet import ParquetColumnarRowInputFormat
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
    """When the job is planned: a source may be built before its paths are there, as in Flink."""
    nowhere = source(folder / "nowhere")
    with pytest.raises(ConfigurationError, match=r"there is no file or folder .*nowhere"):
        nowhere.channels(1)
    (folder / "nowhere").write_text("here\n")
    assert nowhere.channels(1) == 1
    gone = source(folder / "a")
    (folder / "a").unlink()
    with pytest.raises(ConfigurationError, match="there is no file or folder"):
        gone.channels(1)


def test_a_long_file_is_read_by_all_channels(tmp_path, monkeypatch):
    """Its regions are dealt in turn, and every line is read once."""
    monkeypatch.setattr(enumerators, "SMALLEST_REGION", 10)
    lines = [f"{number:03}" for number in range(100)]
    (tmp_path / "a").write_text("".join(f"{line}\n" for line in lines))
    halves = read(source(tmp_path), 2)
    assert sorted(halves[0] + halves[1]) == lines
    assert all(40 <= len(half) <= 60 for half in halves)
    assert all(half == sorted(half) for half in halves)
    assert read(source(tmp_path), 1) == [lines]


def test_parquet_rows_of_one_file_are_read_by_all_channels(tmp_path, monkeypatch):
    """Row group by row group."""
    monkeypatch.setattr(enumerators, "SMALLEST_REGION", 10)
    pq.write_table(pa.table({"n": list(range(100))}), tmp_path / "a.parquet", row_group_size=10)
    file_source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(), str(tmp_path)).build()
    halves = [[row.n for row in half] for half in read(file_source, 2)]
    assert sorted(halves[0] + halves[1]) == list(range(100))
    assert all(30 <= len(half) <= 70 for half in halves)


class Backwards(FileSplitAssigner):
    """The last one first."""

    def __init__(self, splits):
        self.splits = list(splits)

    def get_next(self, hostname):
        return self.splits.pop() if self.splits else None

    def add_splits(self, splits):
        self.splits.extend(splits)

    def remaining_splits(self):
        return self.splits


class BackwardsProvider(FileSplitAssignerProvider):
    """Makes it."""

    def create(self, initial_splits):
        return Backwards(initial_splits)


class OnlyA(FileEnumerator):
    """One file."""

    def enumerate_splits(self, paths, min_desired_splits):
        return [whole_file(str(path / "a")) for path in paths]


class OnlyAProvider(FileEnumeratorProvider):
    """Makes it."""

    def create(self):
        return OnlyA()


def test_enumerators_and_assigners_of_ones_own_are_asked(folder):
    """One chooses the files, the other their order."""
    builder = FileSource.for_record_stream_format(LINES, str(folder))
    backwards = builder.set_split_assigner(BackwardsProvider()).build()
    assert read(backwards, 1)[0][::2] == ["e1", "d1", "c1", "b1", "a1"]
    only_a = builder.set_file_enumerator(OnlyAProvider()).build()
    assert read(only_a, 4) == [["a1", "a2"]]


def test_the_type_of_the_elements_is_the_formats(folder):
    """So nothing has to be converted."""
    row_type = Types.ROW_NAMED(["n"], [Types.INT()])
    rows = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(row_type), str(folder)).build()
    assert rows.produced_type == row_type
    assert source(folder).produced_type == Types.STRING()


def test_wrong_arguments_are_refused(folder):
    """Each names what came and what was expected."""
    with pytest.raises(ConfigurationTypeError, match="takes a format such as"):
        FileSource.for_record_stream_format("UTF-8", str(folder))
    with pytest.raises(ConfigurationTypeError, match=r"which FileSource\.for_record_stream_format takes"):
        FileSource.for_bulk_file_format(LINES, str(folder))
    builder = FileSource.for_record_stream_format(LINES, str(folder))
    with pytest.raises(ConfigurationTypeError, match="set_file_enumerator takes a FileEnumeratorProvider"):
        builder.set_file_enumerator(OnlyA())
    with pytest.raises(ConfigurationTypeError, match="set_split_assigner takes a FileSplitAssignerProvider"):
        builder.set_split_assigner(BackwardsProvider)
    with pytest.raises(ConfigurationError, match="at least one path"):
        FileSource.for_record_stream_format(LINES)
    with pytest.raises(ConfigurationError, match="file system that cannot be used here: fsspec knows no such"):
        FileSource.for_record_stream_format(LINES, "ark://bucket/in")
