"""What Windrow reads of Spark's half of a checkpoint, and what it finds missing or damaged."""

import json
import shutil
from itertools import product

import pytest

from tests.runtime.spark.fake_checkpoint import write_as_spark_does, write_spark_half
from windrow.errors import CheckpointError
from windrow.runtime.spark import spark_half
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.storage.local_folder import LocalFolder

END = '{"end": 1}'


@pytest.fixture
def half(tmp_path, monkeypatch):
    """Three batches planned, two of them committed."""
    monkeypatch.setattr(spark_half, "_WHILE_IT_DIES", 0)
    write_spark_half(tmp_path, 3, committed=2, offsets={1: {"end": 0}, 2: {"end": 1}})
    return SparkHalf(LocalFolder(tmp_path))


def test_a_checkpoint_that_is_whole_passes(half):
    """Also when its last batch is not committed."""
    half.check(2, 2)
    assert (half.planned(), half.committed(), half.last_committed()) == ([0, 1, 2], [0, 1], 1)
    assert (half.is_committed(1), half.is_committed(2)) == (True, False)


def test_one_in_which_nothing_has_begun_passes(tmp_path):
    """There is nothing that could be missing."""
    SparkHalf(LocalFolder(tmp_path / "spark")).check(2, 2)
    (tmp_path / "spark").mkdir()
    (tmp_path / "spark" / "metadata").write_text('{"id":"8c95a6a1"}')
    SparkHalf(LocalFolder(tmp_path / "spark")).check(2, 2)


def test_spark_is_given_a_uri(tmp_path):
    """A plain path would mean the file system that fs.defaultFS names; Hadoop takes the rest as it is."""
    assert SparkHalf(LocalFolder(tmp_path / "a b%20")).location == f"file:{tmp_path}/a b%20"


@pytest.mark.parametrize("other", [END, '{"end":1}', '{"end": 17}', '{"split": 3, "tick": 0, "end": 1}', "-"])
def test_only_our_own_source_says_where_we_are(tmp_path, other):
    """What other sources of the query write in their offsets is their own affair."""
    write_spark_half(tmp_path, 1, others=[other, END])
    assert SparkHalf(LocalFolder(tmp_path)).offset(0) == {"split": 1, "tick": 0, "end": 0, "read": 0}
    SparkHalf(LocalFolder(tmp_path)).check(2, 2)


@pytest.mark.parametrize(
    ("gone", "named", "says"),
    [
        ("metadata", "metadata", "which of Spark's queries this is"),
        ("offsets", "offsets/1", "what each batch was to read"),
        ("offsets/1", "offsets/1", "what each batch was to read"),
        ("commits", "commits/1", "which batches are done"),
        ("state", "state/0/_metadata", "what operators remember"),
        ("state/1", "state/1/_metadata", "what operators remember"),
        ("state/1/0", "state/1/0/1.changelog", "what operators remember"),
        ("state/0/1/2.changelog", "state/0/1/2.changelog", "what operators remember"),
    ],
)
def test_what_is_gone_is_named(half, gone, named, says):
    """With what it is for and what can be done."""
    path = half.folder.path / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(CheckpointError, match="start from a savepoint") as raised:
        half.check(2, 2)
    assert str(raised.value).startswith(f"checkpoint file {half.folder.path}/{named} is gone: it says {says}; bring it")


@pytest.mark.parametrize("name", ["metadata", "offsets/1", "offsets/2", "commits/1"])
@pytest.mark.parametrize(
    ("damage", "checksum"),
    [
        (lambda data: b"", True),
        (lambda data: b"", False),
        (lambda data: data[: len(data) // 2], False),
        (lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:], True),
    ],
    ids=["empty", "empty without checksum", "truncated without checksum", "one bit"],
)
def test_what_is_damaged_is_named(half, name, damage, checksum):
    """Whatever has happened to it: by its checksum where it has one, else by what it holds."""
    file = half.folder.path / name
    file.write_bytes(damage(file.read_bytes()))
    if not checksum:
        file.with_name(f".{file.name}.crc").unlink()
    with pytest.raises(CheckpointError, match=r"cannot be read .* it is damaged: it says .* bring it back") as raised:
        half.check(2, 2)
    assert str(raised.value).startswith(f"checkpoint file {file} cannot be read")


def test_a_format_that_windrow_does_not_read_is_named(half):
    """Nothing is guessed from lines that may mean something else."""
    write_as_spark_does(half.folder.path / "offsets" / "2", 'v2\n{}\n{"split": 1, "end": 0}')
    with pytest.raises(CheckpointError, match=r"offsets/2 cannot be read .its first line is not 'v1'"):
        half.check(2, 2)


def test_state_goes_on_from_its_last_whole_copy(half):
    """Changes before it are removed in time; those behind it are needed."""
    folder = half.folder.path / "state" / "0" / "0"
    (folder / "1.changelog").unlink()
    with pytest.raises(CheckpointError, match=r"state/0/0/1\.changelog is gone"):
        half.check(2, 2)
    (folder / "1.zip").touch()
    half.check(2, 2)
    (folder / "2.changelog").rename(folder / "2_0af3.changelog")
    half.check(2, 2)


def test_a_commit_names_its_state_files(half):
    """In the second format: those of another attempt at the same batch are not what it goes on from."""
    names = {str(level): [[f"{level}a"], [f"{level}b"]] for level in range(2)}
    write_as_spark_does(half.folder.path / "commits" / "1", f"v2\n{json.dumps({'stateUniqueIds': names})}")
    for level, partition in product(range(2), range(2)):
        folder = half.folder.path / "state" / str(level) / str(partition)
        (folder / "2.changelog").rename(folder / f"2_{level}{'ab'[partition]}.changelog")
    half.check(2, 2)
    folder = half.folder.path / "state" / "1" / "0"
    (folder / "2_1a.changelog").rename(folder / "2_ff.changelog")
    with pytest.raises(CheckpointError, match=r"state/1/0/2_1a\.changelog is gone"):
        half.check(2, 2)
    (folder / "2_1a.zip").touch()
    half.check(2, 2)
    write_as_spark_does(half.folder.path / "commits" / "1", 'v2\n{"stateUniqueIds":{"0":[null]}}')
    with pytest.raises(CheckpointError, match="commits/1 cannot be read"):
        half.check(2, 2)


def test_what_file_sources_of_spark_have_read_must_be_there(tmp_path):
    """Without their log they would read all files again."""
    write_spark_half(tmp_path, 1, others=['{"logOffset":2}'])
    with pytest.raises(CheckpointError, match="sources/1 is gone: it says which files Spark has read"):
        SparkHalf(LocalFolder(tmp_path)).check(2, 2)
    write_as_spark_does(tmp_path / "sources" / "1" / "2", "v1")
    SparkHalf(LocalFolder(tmp_path)).check(2, 2)


def test_small_files_of_the_state_are_read(half):
    """They say where the rest is, and what it looks like."""
    file = half.folder.path / "state" / "1" / "_stateSchema" / "default" / "0_12ab"
    write_as_spark_does(file, "v2 schema")
    half.check(2, 2)
    file.write_bytes(b"v2 scheme")
    with pytest.raises(CheckpointError, match=r"_stateSchema/default/0_12ab cannot be read \(it is not as Spark has"):
        half.check(2, 2)


def test_a_state_file_that_spark_could_not_load_is_found(half):
    """Spark names none, or calls one missing; what fails for another reason is none of it."""
    changed = half.folder.path / "state" / "1" / "0" / "2.changelog"
    write_as_spark_does(changed, "changes")
    unknown = half.damage("Spark: [CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error\nStream is corrupted")
    assert str(unknown).startswith(f"checkpoint file {half.folder.path}/state cannot be read (Spark: [CANNOT_LOAD")
    changed.write_bytes(b"change")
    damaged = half.damage("Spark: [CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error\nStream is corrupted")
    assert str(damaged).startswith(f"checkpoint file {changed} cannot be read (it is not as Spark has written it")
    gone = half.damage("Spark: File file:/a b/spark/state/1/_stateSchema/default/0_12ab does not exist")
    assert str(gone).startswith("checkpoint file /a b/spark/state/1/_stateSchema/default/0_12ab is gone: it says what")
    assert half.damage("Spark: something else") is None


def test_a_java_process_that_dies_later_may_write_meanwhile(half, monkeypatch):
    """What does not fit together is looked at a second time."""
    (half.folder.path / "commits" / "1").unlink()
    monkeypatch.setattr(spark_half.time, "sleep", lambda _: write_spark_half(half.folder.path, 3, committed=2))
    half.check(2, 2)


def test_a_query_has_an_identity_that_stays(tmp_path):
    """Spark's: by it a database knows the job again; a savepoint's copy gets another (test_savepoint.py)."""
    (tmp_path / "metadata").write_text('{"id":"8c95a6a1"}')
    assert SparkHalf(LocalFolder(tmp_path)).query_id == "8c95a6a1"
