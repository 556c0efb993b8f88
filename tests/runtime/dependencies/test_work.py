"""Functions find what they need while they work, and nobody does afterwards."""

import importlib
import os
import sys

import pytest

from tests.runtime.dependencies.packages import zipped
from windrow.runtime.dependencies.named import Archive, Dependencies
from windrow.runtime.dependencies.packing import pack, unpack
from windrow.runtime.dependencies.work import _EXECUTABLE, at_work


def _unpacked(folder, text):
    folder.mkdir()
    (folder / "windrow_helper.py").write_text(text)
    archive = Archive(zipped(folder / "data.zip", {"data.txt": text}), "data")
    return unpack(pack(Dependencies((folder / "windrow_helper.py",), (archive,), None, "/a/python"), folder), folder)


def test_modules_files_and_the_name_of_the_python(tmp_path):
    """What was packed is on the path and in the working directory; afterwards all is as it was."""
    unpacked = _unpacked(tmp_path / "one", "x = 1")
    path, folder = list(sys.path), os.getcwd()
    with at_work(unpacked):
        assert importlib.import_module("windrow_helper").x == 1
        with open("data/data.txt") as file:
            assert file.read() == "x = 1"
        assert os.environ.get(_EXECUTABLE) == "/a/python"
    assert (sys.path, os.getcwd()) == (path, folder)
    assert _EXECUTABLE not in os.environ
    with pytest.raises(ImportError):
        importlib.import_module("windrow_helper")


def test_jobs_with_modules_of_one_name_have_each_their_own(tmp_path):
    """And a module is imported once for a job, however often it works."""
    one, two = _unpacked(tmp_path / "one", "x = []"), _unpacked(tmp_path / "two", "x = [2]")
    with at_work(one):
        first = importlib.import_module("windrow_helper")
    with at_work(two):
        assert importlib.import_module("windrow_helper").x == [2]
    with at_work(one), at_work(one):
        assert importlib.import_module("windrow_helper") is first


def test_nothing_is_done_for_a_job_that_needs_nothing():
    """Without anything unpacked the process stays as it is."""
    path = list(sys.path)
    with at_work(None):
        assert sys.path == path
