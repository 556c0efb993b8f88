"""The files of a program."""

from windrow.port.program import ported, python_files


def test_a_file_keeps_its_encoding_and_line_ends(tmp_path):
    """Its bytes are those of before but for the imports."""
    path = tmp_path / "a.py"
    before = "# -*- coding: latin-1 -*-\r\nfrom pyflink.common import Row\r\nx = 'ü'\r\n".encode("latin-1")
    path.write_bytes(before)
    ported(path).write()
    assert path.read_bytes() == before.replace(b"pyflink", b"windrow")


def test_the_mark_of_utf_8_stays(tmp_path):
    """Editors on Windows begin files with it."""
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfimport pyflink\n")
    ported(path).write()
    assert path.read_bytes() == b"\xef\xbb\xbfimport windrow\n"


def test_the_diff_has_the_lines_that_change(tmp_path):
    """And is empty if none does."""
    path = tmp_path / "a.py"
    path.write_text("import os\nimport pyflink")
    assert "-import pyflink\n\\ No newline at end of file\n+import windrow\n" in ported(path).diff()
    path.write_text("import os\n")
    assert ported(path).diff() == ""


def test_a_folder_is_its_programs(tmp_path):
    """Hidden folders hold what is not the program's own."""
    for name in ("b.py", "sub/a.py", ".venv/lib/c.py", "text.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list(python_files(tmp_path)) == [tmp_path / "b.py", tmp_path / "sub" / "a.py"]
    assert list(python_files(tmp_path / "text.txt")) == [tmp_path / "text.txt"]
