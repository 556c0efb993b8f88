"""Paths as users write them."""

import os
from pathlib import Path

import pytest

from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.storage.file_systems import file_place, sink_place
from windrow.storage.local_path import local_path, refuse_credentials, state_directory


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/data/in", "/data/in"),
        (Path("/data/in"), "/data/in"),
        ("file:///data/in", "/data/in"),
        ("file:/data/in", "/data/in"),
        ("FILE:/data/in", "/data/in"),
        ("file:////data/in", "/data/in"),
        ("file://localhost/data/a%20b", "/data/a b"),
        ("file:/data/a%25b/%E4%B8%AD", "/data/a%b/中"),
        ("file:/data/a#b?c", "/data/a#b?c"),
        ("/data/a%20b", "/data/a%20b"),
        ("/data/12:30", "/data/12:30"),
        ("/data/hdfs:/x", "/data/hdfs:/x"),
        ("/data/in/", "/data/in"),
        ("//data/in", "/data/in"),
        ("/data/../in", "/in"),
    ],
)
def test_local_paths_and_file_uris_are_taken(given, path):
    """A path stays as it is; a file URI loses its scheme and its escapes."""
    assert str(local_path(given, "path", "")) == path


@pytest.mark.parametrize(("given", "path"), [("in/a.txt", "in/a.txt"), ("12:30", "12:30"), ("./~", "~"), ("a~", "a~")])
def test_a_relative_path_is_made_absolute(tmp_path, monkeypatch, given, path):
    """A worker process may have another working directory, so paths are resolved where the program runs."""
    monkeypatch.chdir(tmp_path)
    assert local_path(given, "path", "") == tmp_path / path


def test_the_home_folder_is_meant_by_a_tilde(monkeypatch):
    """As in a shell; a program that takes a path from its settings means no folder of that name."""
    monkeypatch.setenv("HOME", "/home/me")
    assert local_path("~/in", "path", "") == Path("/home/me/in")
    assert local_path("~", "path", "") == Path("/home/me")


@pytest.mark.parametrize(
    "given",
    ["s3://bucket/in", "hdfs://host/in", "hdfs:/in", "dbfs:/in", "S3A://bucket/in", "hdfs:in", "viewfs:///in"],
)
def test_other_file_systems_are_refused_with_advice(given, tmp_path, monkeypatch):
    """The error names the parameter, the path, the file system and what to do instead; no folder is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=r"base_path takes a local path .* do that instead") as raised:
        local_path(given, "base_path", "do that instead")
    assert repr(given) in str(raised.value)
    assert f"{given.split(':')[0].lower()}: is another file system" in str(raised.value)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("file://other-host/in", "names the machine 'other-host'"),
        ("file://data", "names the machine 'data'"),
        ("file:data", "with an absolute path"),
        ("file:", "with an absolute path"),
        ("file://", "with an absolute path"),
        ("C:\\data", "a path of Windows"),
        ("c:/data", "a path of Windows"),
    ],
)
def test_paths_of_other_machines_and_halves_of_uris_are_refused(given, said):
    """None of them becomes a folder of that name in the working directory."""
    with pytest.raises(ConfigurationError, match=said) as raised:
        local_path(given, "base_path", "")
    assert str(raised.value).startswith("base_path takes a")


@pytest.mark.parametrize("given", [None, 7, "", " ", "a\0b", b"/data"])
def test_what_is_no_path_is_refused(given):
    """A path is a non-empty string or a PathLike of one: an empty one would be the working directory."""
    with pytest.raises(ConfigurationTypeError, match="base_path takes a path as a non-empty string"):
        local_path(given, "base_path", "")


@pytest.mark.parametrize(
    ("given", "means"),
    [
        ("file:/a%20b", "/a b"),
        ("s3a://bucket/a", "s3a://bucket/a"),
        ("hdfs://name:8020/a b/", "hdfs://name:8020/a b"),
        ("hdfs:///a", "hdfs:///a"),
        ("viewfs:/a/b", "viewfs:/a/b"),
    ],
)
def test_a_directory_of_state_may_be_on_another_file_system(given, means):
    """It is Spark that has to know it."""
    assert state_directory(given, "execution.checkpointing.dir") == means


@pytest.mark.parametrize("given", ["s3a://bucket", "s3a://bucket/", "hdfs:///", "hdfs:a", "http://host/a"])
def test_where_no_state_can_be_is_refused(given):
    """A whole bucket, no path at all, or what cannot be written to."""
    with pytest.raises(ConfigurationError, match=r"execution\.checkpointing\.dir takes a"):
        state_directory(given, "execution.checkpointing.dir")


@pytest.mark.parametrize(
    "uri",
    [
        "s3a://key:canary@bucket/jobs",
        "s3a://key:can/ary@bucket/jobs",
        "hdfs://me:canary@name:8020/jobs",
        "s3a://key:canary@[::1]:9/jobs",
        "s3a://key:canary/jobs",
    ],
)
@pytest.mark.parametrize("take", [state_directory, file_place, sink_place])
def test_a_uri_with_a_password_is_refused(take, uri):
    """Places are shown wherever something is said of them; the error itself shows nothing of it."""
    with pytest.raises(ConfigurationError, match="takes a URI without user and password") as caught:
        take(uri, "place")
    assert "can" not in str(caught.value).replace("AWS_ACCESS", "")


@pytest.mark.parametrize(
    "uri",
    ["s3a://bucket/a:b@c", "hdfs://me@name:8020/a", "hdfs://[::1]:8020/a", "abfss://a@b.windows.net/c", "hdfs:/a:b"],
)
def test_hosts_ports_and_users_are_no_passwords(uri):
    """Neither is what stands in the path."""
    refuse_credentials(uri, "place")
