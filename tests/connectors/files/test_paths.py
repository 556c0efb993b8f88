"""Paths of files."""

from pathlib import Path

import pytest

from windrow.connectors.files.paths import files_in, is_hidden, local_path
from windrow.errors import ConfigurationError, ConfigurationTypeError


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/data/in", "/data/in"),
        (Path("/data/in"), "/data/in"),
        ("file:///data/in", "/data/in"),
        ("file:/data/in", "/data/in"),
        ("file://localhost/data/a%20b", "/data/a b"),
        ("/data/a%20b", "/data/a%20b"),
        ("/data/12:30", "/data/12:30"),
    ],
)
def test_local_paths_and_file_uris_are_taken(given, path):
    """A path stays as it is; a file URI loses its scheme and its escapes."""
    assert local_path(given, "path", "") == Path(path)


def test_a_relative_path_is_made_absolute(tmp_path, monkeypatch):
    """A worker process may have another working directory, so paths are resolved where the program runs."""
    monkeypatch.chdir(tmp_path)
    assert local_path("in/a.txt", "path", "") == tmp_path / "in" / "a.txt"


@pytest.mark.parametrize("given", ["s3://bucket/in", "hdfs://host/in", "file://other-host/in"])
def test_other_file_systems_are_refused_with_advice(given):
    """The error names the parameter, the path and what to do instead."""
    with pytest.raises(ConfigurationError, match=r"base_path takes a local path .* do that instead") as raised:
        local_path(given, "base_path", "do that instead")
    assert given in str(raised.value)


@pytest.mark.parametrize("given", [None, 7, "", b"/data"])
def test_what_is_no_path_is_refused(given):
    """A path is a non-empty string or a PathLike of one."""
    with pytest.raises(ConfigurationTypeError, match="base_path takes a path"):
        local_path(given, "base_path", "")


def test_files_of_a_folder_are_found_in_all_folders_below_and_sorted(tmp_path):
    """Hidden files and folders are left out; the order is that of the paths."""
    for name in ("b.txt", "a/z.txt", "a/deep/y.txt", "c/x.txt", "_SUCCESS", ".part", ".inprogress/part", "_tmp/w.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [str(Path(file).relative_to(tmp_path)) for file in files_in(tmp_path)]
    assert found == ["a/deep/y.txt", "a/z.txt", "b.txt", "c/x.txt"]


def test_linked_folders_are_read(tmp_path):
    """A folder that is a link is a folder."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").touch()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "linked").symlink_to(tmp_path / "elsewhere")
    assert files_in(tmp_path / "in") == [str(tmp_path / "in" / "linked" / "a.txt")]


def test_a_file_is_itself_even_if_its_name_is_hidden(tmp_path):
    """Who names a hidden file wants it."""
    (tmp_path / ".a").touch()
    assert files_in(tmp_path / ".a") == [str(tmp_path / ".a")]


def test_hidden_names_begin_with_a_dot_or_an_underscore():
    """As for Spark's and Flink's readers."""
    assert [is_hidden(name) for name in (".a", "_a", "a", "a.b_c")] == [True, True, False, False]
