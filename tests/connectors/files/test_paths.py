"""Files in folders."""

from pathlib import Path

from windrow.connectors.files.paths import files_in, is_hidden


def test_files_of_a_folder_are_found_in_all_folders_below_and_sorted(tmp_path):
    """Hidden files and folders are left out; the order is that of the paths."""
    for name in ("b.txt", "a/z.txt", "a/deep/y.txt", "c/x.txt", "_SUCCESS", ".part", ".inprogress/part", "_tmp/w.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [str(Path(file.path).relative_to(tmp_path)) for file in files_in(str(tmp_path))]
    assert found == ["a/deep/y.txt", "a/z.txt", "b.txt", "c/x.txt"]


def test_linked_folders_are_read(tmp_path):
    """A folder that is a link is a folder."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").touch()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "linked").symlink_to(tmp_path / "elsewhere")
    assert [file.path for file in files_in(str(tmp_path / "in"))] == [str(tmp_path / "in" / "linked" / "a.txt")]


def test_a_file_is_itself_even_if_its_name_is_hidden(tmp_path):
    """Who names a hidden file wants it."""
    (tmp_path / ".a").touch()
    assert [file.path for file in files_in(str(tmp_path / ".a"))] == [str(tmp_path / ".a")]


def test_hidden_names_begin_with_a_dot_or_an_underscore():
    """As for Spark's and Flink's readers."""
    assert [is_hidden(name) for name in (".a", "_a", "a", "a.b_c")] == [True, True, False, False]
