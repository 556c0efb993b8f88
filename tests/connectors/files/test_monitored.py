"""The source of files that never ends."""

import pytest

from windrow.common import Duration
from windrow.connectors.files.enumerators import FileEnumerator, FileEnumeratorProvider, whole_file
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.source import FileSource
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.source import Boundedness
from windrow.errors import ConfigurationError, ConfigurationTypeError, JobExecutionError
from windrow.testing import EnumeratorHarness, SourceReaderHarness

INTERVAL = 100


def builder(folder):
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(folder))
    return source.monitor_continuously(Duration.of_millis(INTERVAL))


@pytest.fixture
def source(tmp_path):
    return builder(tmp_path).build()


def write(folder, *names):
    for name in names:
        (folder / name).write_text(f"{name}\n")


def names(harness, subtask=0):
    return [split.path.rpartition("/")[2] for split in harness.assignments.get(subtask, [])]


def test_it_never_ends(source):
    """No reader is told that no more files come."""
    assert source.get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert not source.bounded
    with EnumeratorHarness(source) as harness:
        harness.add_reader(0)
        harness.request_split(0)
        harness.run_async(10 * INTERVAL)
        assert harness.no_more_splits == set()


def test_it_says_how_many_files_no_reader_has(source, tmp_path):
    """Those that were found, and that nobody has asked for."""
    write(tmp_path, "a", "b", "c")
    with EnumeratorHarness(source) as harness:
        harness.add_reader(0)
        assert harness.enumerator.unassigned_splits() == 0
        harness.run_async()
        assert harness.enumerator.unassigned_splits() == 3
        harness.request_split(0)
        assert harness.enumerator.unassigned_splits() == 3 - len(names(harness))


def test_files_are_found_as_they_come_and_read_once(source, tmp_path):
    """By their paths: a file that has changed is not read again, hidden ones never."""
    write(tmp_path, "a", ".b", "_c")
    with EnumeratorHarness(source) as harness:
        harness.add_reader(0)
        harness.request_split(0)
        assert names(harness) == []
        harness.run_async()
        assert names(harness) == ["a"]
        harness.request_split(0)
        write(tmp_path, "a", "d")
        harness.run_async(INTERVAL - 1)
        assert names(harness) == ["a"]
        harness.run_async(1)
        assert names(harness) == ["a", "d"]


def test_regions_go_in_turn_to_the_readers_that_ask(source, tmp_path):
    """All who wait get a region before one gets a second."""
    with EnumeratorHarness(source, parallelism=2) as harness:
        for reader in (0, 1):
            harness.add_reader(reader)
            harness.request_split(reader)
        harness.run_async()
        write(tmp_path, *"abcde")
        harness.run_async(INTERVAL)
        assert names(harness, 0) == ["a", "c", "e"]
        assert names(harness, 1) == ["b", "d"]


def test_a_reader_leaves_their_share_to_those_who_will_ask(source, tmp_path):
    """It gets its part of the bytes that there are, at least one region."""
    write(tmp_path, *"abcd")
    with EnumeratorHarness(source, parallelism=2) as harness:
        harness.add_reader(0)
        harness.add_reader(1)
        harness.request_split(0)
        harness.run_async()
        assert names(harness, 0) == ["a", "b"]
        harness.request_split(1)
        assert names(harness, 1) == ["c"]
        harness.request_split(0)
        assert names(harness, 0) == ["a", "b", "d"]


def test_a_reader_that_has_died_gets_nothing(source, tmp_path):
    """What it had comes back and goes to another."""
    write(tmp_path, "a")
    with EnumeratorHarness(source, parallelism=2) as harness:
        harness.add_reader(0)
        harness.add_reader(1)
        harness.request_split(0)
        harness.run_async()
        assert names(harness, 0) == ["a"]
        harness.request_split(0)
        harness.remove_reader(0, harness.assignments[0])
        harness.request_split(1)
        assert names(harness, 1) == ["a"]


def test_what_was_found_is_in_the_checkpoint(source, tmp_path):
    """Regions that nobody has asked for, and the files that are not to be read again."""
    write(tmp_path, "a", "b")
    with EnumeratorHarness(source, parallelism=4) as harness:
        harness.add_reader(0)
        harness.request_split(0)
        harness.run_async()
        assert names(harness) == ["a"]
        snapshot = harness.snapshot()
    write(tmp_path, "c")
    with EnumeratorHarness(source, parallelism=1, snapshot=snapshot) as harness:
        harness.add_reader(0)
        harness.request_split(0)
        assert names(harness) == ["b"]
        harness.request_split(0)
        harness.run_async()
        assert names(harness) == ["b", "c"]


class OnlyText(FileEnumerator):
    """Names that end in .txt."""

    def enumerate_splits(self, paths, min_desired_splits):
        return [whole_file(str(file)) for path in paths for file in sorted(path.glob("*.txt"))]


class OnlyTextProvider(FileEnumeratorProvider):
    """Makes it."""

    def create(self):
        return OnlyText()


def test_an_enumerator_of_ones_own_chooses_the_files(tmp_path):
    """It may name the same files again and again."""
    write(tmp_path, "a.txt", "b.csv")
    source = builder(tmp_path).set_file_enumerator(OnlyTextProvider()).build()
    with EnumeratorHarness(source) as harness:
        harness.add_reader(0)
        harness.request_split(0)
        harness.run_async()
        harness.request_split(0)
        harness.run_async(3 * INTERVAL)
        assert names(harness) == ["a.txt"]


class Bytes(int):
    """A number of bytes that counts how often it is added to another one."""

    added = 0

    def __radd__(self, other):
        Bytes.added += 1
        return int(self) + other


class ManyFiles(FileEnumerator):
    """Ten thousand files of a byte each."""

    def enumerate_splits(self, paths, min_desired_splits):
        return [FileSourceSplit(f"/{number}", 0, Bytes(1), 1) for number in range(10_000)]


class ManyFilesProvider(FileEnumeratorProvider):
    """Makes it."""

    def create(self):
        return ManyFiles()


def test_dealing_many_small_files_looks_at_each_a_few_times(tmp_path):
    """Two readers have a half of them each, and nobody adds up for each file what was dealt before it."""
    source = builder(tmp_path).set_file_enumerator(ManyFilesProvider()).build()
    with EnumeratorHarness(source, parallelism=2) as harness:
        for reader in (0, 1):
            harness.add_reader(reader)
            harness.request_split(reader)
        harness.run_async()
        assert [len(names(harness, reader)) for reader in (0, 1)] == [5_000, 5_000]
    assert 10_000 <= Bytes.added <= 30_000


def test_the_reader_reads_what_the_enumerator_assigns(source, tmp_path):
    """Source, enumerator and reader fit together."""
    write(tmp_path, "a", "b")
    with EnumeratorHarness(source) as enumerator, SourceReaderHarness(source) as reader:
        enumerator.add_reader(0)
        enumerator.request_split(0)
        enumerator.run_async()
        reader.add_splits(enumerator.assignments[0])
        assert [record.value for record in reader.read(2)] == ["a", "b"]


def test_a_folder_that_is_gone_ends_the_job(source, tmp_path):
    """It says what could not be done."""
    with EnumeratorHarness(source) as harness:
        harness.run_async()
        tmp_path.rmdir()
        with pytest.raises(JobExecutionError, match=r"cannot look for new ones: .* there is no file or folder"):
            harness.run_async(INTERVAL)
        tmp_path.mkdir()


def test_wrong_intervals_are_refused(tmp_path):
    """At the call."""
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    with pytest.raises(ConfigurationError, match="at least a millisecond; got 0 ms"):
        source.monitor_continuously(Duration.of_millis(0))
    with pytest.raises(ConfigurationTypeError):
        source.monitor_continuously("often")
