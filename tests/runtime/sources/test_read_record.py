"""What a batch has read, on paper."""

import pytest

from windrow.errors import CheckpointError
from windrow.runtime.sources.buffered_reader_output import Records, Side
from windrow.runtime.sources.read_record import ReadRecord, ReadRecords, Run
from windrow.storage.local_folder import LocalFolder


def test_elements_of_a_split_are_counted_and_marks_are_kept():
    """Runs of one split become one; a mark ends a run."""
    record = ReadRecord()
    for split_id, item in [("a", Records([1, 2], None)), ("a", Side("t", 1, 0)), ("b", Records([1], [5])), ("b", 7)]:
        record.add(split_id, item)
    record.add("b", Records([1], None))
    record.add(None, "emit")
    assert record.runs == [Run("a", 3), Run("b", 1), Run("b", 0, 7), Run("b", 1), Run(None, 0, "emit")]


def test_the_first_attempt_counts(tmp_path):
    """A second one that comes to its end at the same time has to be run again, and reads what the first one wrote."""
    records = ReadRecords(LocalFolder(tmp_path))
    assert records.read(0, 4) is None
    records.write(0, 4, ReadRecord([Run("a", 1)]))
    with pytest.raises(CheckpointError, match="another attempt has written read 4 of reader 0 first"):
        records.write(0, 4, ReadRecord([Run("a", 2)]))
    assert records.read(0, 4) == ReadRecord([Run("a", 1)])
    assert [file.name for file in (tmp_path / "reads" / "0").iterdir()] == ["4"]


def test_old_files_are_removed(tmp_path):
    """Only the last batch can be run again."""
    records = ReadRecords(LocalFolder(tmp_path))
    for number in range(10):
        records.write(3, number, ReadRecord())
    assert {file.name for file in (tmp_path / "reads" / "3").iterdir()} == {"8", "9"}


def test_a_damaged_file_is_named(tmp_path):
    """Nothing is guessed."""
    (tmp_path / "reads" / "0").mkdir(parents=True)
    (tmp_path / "reads" / "0" / "1").write_bytes(b"not a pickle")
    with pytest.raises(CheckpointError, match=r"cannot be read .*it says what a batch has read"):
        ReadRecords(LocalFolder(tmp_path)).read(0, 1)
