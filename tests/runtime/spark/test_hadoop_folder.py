"""Folders on HDFS and on an object store."""

import subprocess

import pytest

from tests.runtime.spark.on_s3 import command_on_s3
from tests.storage.folder_contract import CONTRACT
from windrow.errors import ConfigurationError
from windrow.runtime.spark.folders import copy_file, folder_at
from windrow.runtime.spark.hadoop_folder import HadoopFolder
from windrow.storage.local_folder import LocalFolder

pytestmark = [pytest.mark.spark, pytest.mark.hadoop]


@pytest.fixture
def folder(spark_session, hdfs_uri, tmp_path):
    """An empty folder on HDFS."""
    folder = HadoopFolder(spark_session, f"{hdfs_uri}/tests/{tmp_path.name}")
    folder.make()
    yield folder
    folder.remove("")


@pytest.mark.parametrize("point", CONTRACT, ids=lambda point: point.__name__)
def test_a_folder_on_hdfs_does_what_every_folder_does(point, folder):
    """The contract of folders, on a real cluster."""
    point(folder)


def test_a_folder_on_an_object_store_does_what_every_folder_does(s3, tmp_path):
    """In a program whose session has Hadoop's connector."""
    command = command_on_s3(s3, "contract", tmp_path)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"{point.__name__}: kept" for point in CONTRACT]


def test_files_are_copied_between_any_two(folder, tmp_path):
    """Whatever is in them, and however they are called."""
    here = LocalFolder(tmp_path)
    here.write("a/b%20 c", b"data" * 100_000)
    copy_file(here, "a/b%20 c", folder)
    copy_file(folder, "a/b%20 c", folder.below("again"))
    copy_file(folder.below("again"), "a/b%20 c", here.below("back"))
    copy_file(here, "a/b%20 c", here.below("there"))
    for copy in (folder, folder.below("again"), here.below("back"), here.below("there")):
        assert copy.read("a/b%20 c") == b"data" * 100_000
    for source, target in ((here, folder), (folder, here), (folder, folder.below("again")), (here, here.below("no"))):
        with pytest.raises(FileNotFoundError):
            copy_file(source, "gone", target)


def test_a_copy_on_a_disk_has_no_checksums_that_would_not_fit_later(folder, tmp_path):
    """What is written anew there can be copied again."""
    folder.write("totals", b"1")
    copy_file(folder, "totals", LocalFolder(tmp_path))
    assert LocalFolder(tmp_path).names() == ["totals"]
    LocalFolder(tmp_path).write("totals", b"22")
    copy_file(LocalFolder(tmp_path), "totals", folder)
    assert folder.read("totals") == b"22"


def test_what_a_user_may_not_do_is_pythons_error_for_it(folder, spark_session):
    """Named by the whole URI."""
    folder.write("file", b"")
    with pytest.raises(NotADirectoryError, match=f"{folder.location}/file/below"):
        folder.write("file/below", b"")
    with pytest.raises(OSError, match="file"):
        folder.below("file").make()


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("s3a://bucket/a", r"s3a://bucket/a: Spark cannot use the file system 's3a' \(.*no connector.*spark\.jars"),
        ("nosuch://host/a", r"cannot use the file system 'nosuch' \(.*No FileSystem for scheme.*no connector"),
        ("hdfs://no.such.host.invalid/a", r"cannot use the file system 'hdfs' \(.*UnknownHost.*spark\.hadoop"),
    ],
)
def test_a_file_system_that_spark_does_not_know_is_named(spark_session, location, said):
    """With what is missing."""
    with pytest.raises(ConfigurationError, match=said):
        folder_at(spark_session, location)
