"""Folders that are values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.connectors.files.folders import FolderAssigner, LinesInFolders, folder_of, values_of
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.files.text import TextLineFormat
from windrow.errors import JobExecutionError


@given(st.lists(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1), min_size=1, max_size=3))
def test_values_come_back_from_their_folders(values):
    """Whatever signs they have: those that a path may not have are written in others."""
    names = [f"n{place}" for place in range(len(values))]
    folder = folder_of(names, values)
    assert len(folder.split("/")) == len(values)
    assert values_of(f"/data/{folder}/part-0", names) == values


def test_the_signs_that_are_escaped_are_those_of_flink():
    """And of Hive and Spark."""
    assert folder_of(["day"], ["a b:c=d/e%f"]) == "day=a b%3Ac%3Dd%2Fe%25f"


def test_a_folder_that_is_missing_is_an_error():
    """It names the file, and the folder."""
    with pytest.raises(JobExecutionError, match=r"cannot read /data/a=1/x: .*none of its folders is b="):
        values_of("/data/a=1/x", ["a", "b"])


def test_elements_go_to_their_folders():
    """In their order."""
    assert FolderAssigner().split([("a=1", "x"), ("a=2", "y"), ("a=1", "z")], 0) == [
        ("a=1", ["x", "z"]),
        ("a=2", ["y"]),
    ]


def test_each_line_has_the_values_of_its_folders(tmp_path):
    """As text, outermost first."""
    (tmp_path / "a=1").mkdir()
    file = tmp_path / "a=1" / "lines"
    file.write_text("x\ny\n")
    lines = LinesInFolders(TextLineFormat.of("UTF-8"), ("a",))
    (batch,) = lines.read(FileSourceSplit(str(file), 0, 4, 4))
    assert batch.values == [("x", "1"), ("y", "1")]
