"""File systems of sources and sinks: one contract for all."""

import sys

import pytest

from tests.storage.file_system_contract import CONTRACT
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.storage.file_systems import file_place, file_system_of, sink_place
from windrow.storage.fsspec_file_system import FsspecFileSystem
from windrow.storage.local_file_system import LocalFileSystem
from windrow.storage.s3_file_system import S3FileSystem
from windrow.storage.web_hdfs_file_system import WebHdfsFileSystem


@pytest.mark.parametrize("point", CONTRACT, ids=lambda point: point.__name__)
def test_every_file_system_keeps_the_contract(any_folder, point):
    """Disks, what fsspec knows, S3 and HDFS over HTTP."""
    point(file_system_of(any_folder), any_folder)


def test_the_scheme_says_which_file_system_it_is():
    """What is not known to be special is what fsspec makes of it."""
    kinds = [type(file_system_of(place)) for place in ("/a", "s3://b/a", "gs://b/a", "webhdfs://h:1/a")]
    assert kinds == [LocalFileSystem, S3FileSystem, FsspecFileSystem, WebHdfsFileSystem]


def test_a_place_is_a_path_or_a_uri_without_a_slash_at_its_end(tmp_path):
    """Of a local one the absolute path."""
    assert file_place(tmp_path / "a" / "..", "path") == str(tmp_path)
    assert file_place(f"file:{tmp_path}", "path") == str(tmp_path)
    assert file_place("s3://bucket/a/", "path") == "s3://bucket/a"
    assert file_place("s3://bucket", "path") == "s3://bucket"


def test_two_uris_of_one_place_are_one():
    """Or two sinks on it would not be found out."""
    assert {file_place(each, "path") for each in ("s3://b/out", "S3A://b/out/", "s3a://b/out")} == {"s3://b/out"}


def test_what_is_no_place_is_refused():
    """By the name of what it was given for."""
    with pytest.raises(ConfigurationTypeError, match="base_path takes a path as a non-empty string; got 7"):
        file_place(7, "base_path")
    for uri in ("s3:", "s3:/bucket/a", "dbfs:/mnt/out", "s3://bucket//a", "s3://"):
        words = rf"base_path takes a path, or a URI such as 's3://bucket/path', .*; got '{uri}'"
        with pytest.raises(ConfigurationError, match=words):
            file_place(uri, "base_path")


def test_where_nothing_is_listed_nothing_is_read():
    """A server of pages does not say which files there are."""
    with pytest.raises(ConfigurationError, match=r"path: https: does not say what is in a folder, .*got 'https://h/a'"):
        file_place("https://h/a", "path")


def test_sinks_write_where_a_commit_is_one_step():
    """Elsewhere they are refused, with what to do."""
    for place in ("s3://b/a", "webhdfs://h:1/a", "memory://a/b", "/a"):
        assert sink_place(place, "base_path") == place
    words = r"base_path may be on a disk, or on s3:, webhdfs:, .*; got 'hdfs://h/a', and on hdfs: it is not seen to"
    with pytest.raises(ConfigurationError, match=words):
        sink_place("hdfs://h/a", "base_path")


def test_a_file_system_that_nobody_knows_is_refused(monkeypatch):
    """And one whose package is not there."""
    with pytest.raises(ConfigurationError, match=r"base_path: 'ark://a/b' is on .* cannot be .* knows no"):
        file_place("ark://a/b", "base_path")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ConfigurationError, match=r"'s3://a/b' is on .* pip install fsspec brings what is missing"):
        file_place("s3://a/b", "base_path")
