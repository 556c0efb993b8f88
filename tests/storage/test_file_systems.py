"""File systems of sources and sinks: one contract for all."""

import sys

import pytest

from tests.storage.file_system_contract import CONTRACT
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.storage.file_systems import file_place, file_system_of
from windrow.storage.fsspec_file_system import FsspecFileSystem
from windrow.storage.local_file_system import LocalFileSystem
from windrow.storage.s3_file_system import S3FileSystem


@pytest.mark.parametrize("point", CONTRACT, ids=lambda point: point.__name__)
def test_every_file_system_keeps_the_contract(any_folder, point):
    """Disks, what fsspec knows, S3 and HDFS over HTTP."""
    point(file_system_of(any_folder), any_folder)


def test_the_scheme_says_which_file_system_it_is():
    """Whatever its letters' case."""
    kinds = [type(file_system_of(place)) for place in ("/a", "S3://b/a", "s3a://b/a", "gs://b/a", "webhdfs://h:1/a")]
    assert kinds == [LocalFileSystem, S3FileSystem, S3FileSystem, FsspecFileSystem, FsspecFileSystem]


def test_a_place_is_a_path_or_a_uri_without_a_slash_at_its_end(tmp_path):
    """Of a local one the absolute path."""
    assert file_place(tmp_path / "a" / "..", "path") == str(tmp_path)
    assert file_place(f"file:{tmp_path}", "path") == str(tmp_path)
    assert file_place("s3://bucket/a/", "path") == "s3://bucket/a"
    assert file_place("s3://bucket", "path") == "s3://bucket"


def test_what_is_no_place_is_refused():
    """By the name of what it was given for."""
    with pytest.raises(ConfigurationTypeError, match="base_path takes a path as a non-empty string; got 7"):
        file_place(7, "base_path")
    with pytest.raises(ConfigurationError, match=r"takes a path, or a URI such as 's3://bucket/path'; got 's3:'"):
        file_place("s3:", "base_path")


def test_a_file_system_that_nobody_knows_is_refused(monkeypatch):
    """And one whose package is not there."""
    with pytest.raises(ConfigurationError, match=r"base_path: 'ark://a/b' is on .* cannot be .* knows no"):
        file_place("ark://a/b", "base_path")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ConfigurationError, match=r"'s3://a/b' is on .* pip install fsspec brings what is missing"):
        file_place("s3://a/b", "base_path")
