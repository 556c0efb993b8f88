"""Lines of text files."""

import gzip
import pickle

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from windrow.connectors.files import lines as lines_module
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.planned import PlannedFileSplit
from windrow.errors import ConfigurationError, JobExecutionError, MalformedInputError


def split_of(path: object, charset: str = "UTF-8") -> PlannedFileSplit:
    return PlannedFileSplit(StreamFormat.text_line_format(charset), whole_file(str(path)))


def lines(*splits: PlannedFileSplit) -> list[str]:
    return [line for split in splits for batch in split.read() for line in batch.values]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.txt"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"one", ["one"]),
        (b"one\n", ["one"]),
        (b"one\n\n", ["one", ""]),
        (b"\none", ["", "one"]),
        (b"one\r\ntwo\rthree\n", ["one", "two", "three"]),
        ("a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d"]),
    ],
)
def test_lines_end_as_in_flink(file, content, expected):
    """A line ends with a line feed, a carriage return or both, and nothing else; the last one may lack its end."""
    file.write_bytes(content)
    assert lines(split_of(file, "UTF-8")) == expected


def test_lines_do_not_depend_on_where_blocks_end(file, monkeypatch):
    """Characters and line ends of several bytes may lie across two blocks."""
    content = "grüße\r\nπ\n\nlast line"
    file.write_text(content, encoding="utf-8", newline="")
    for size in range(1, 12):
        monkeypatch.setattr(lines_module, "BYTES_PER_BLOCK", size)
        assert lines(split_of(file, "UTF-8")) == ["grüße", "π", "", "last line"]


@pytest.mark.parametrize("charset", ["UTF-8", "UTF-16", "ISO-8859-1"])
def test_bytes_are_read_in_the_character_set(file, charset):
    """The character set is the format's."""
    file.write_bytes("Grüße\nzwei\n".encode(charset))
    assert lines(split_of(file, charset)) == ["Grüße", "zwei"]


def test_a_large_file_comes_in_batches(file):
    """A batch is about a megabyte."""
    file.write_text("".join(f"{number:07}\n" for number in range(300_000)))
    batches = [len(batch.values) for batch in split_of(file, "UTF-8").read()]
    assert sum(batches) == 300_000
    assert len(batches) == 3


@pytest.mark.parametrize("compressed", [False, True])
def test_bytes_that_are_no_text_are_named_by_file_and_line(tmp_path, compressed):
    """The error says which file, which line, and what is in it."""
    content = (
        b"".join(b"fine \xc3\xa4 \xef\xbf\xbd %d\r\n" % number for number in range(20_000)) + b"broken \xff here\nrest"
    )
    file = tmp_path / ("a.gz" if compressed else "a.txt")
    file.write_bytes(gzip.compress(content) if compressed else content)
    with pytest.raises(MalformedInputError, match=r"cannot parse line 20001 of .*\(not UTF-8\)") as raised:
        lines(split_of(file, "UTF-8"))
    assert raised.value.file == str(file)
    assert raised.value.line_number == 20_001
    assert raised.value.line == repr("broken \\xff here")


def test_bytes_of_other_character_sets_that_are_no_text_are_named_too(file):
    """A half character at the end, in a character set with several bytes for each."""
    file.write_bytes("one\ntwo\n".encode("utf-16-le") + b"\x00\xd8")
    with pytest.raises(MalformedInputError, match="line 3"):
        lines(split_of(file, "UTF-16-LE"))


def test_bytes_of_a_zstandard_file_that_are_no_text_are_named_too(tmp_path):
    """The file is opened once more to find the line."""
    file = tmp_path / "a.zst"
    file.write_bytes(pa.compress(b"one\n\xfe\n", codec="zstd", asbytes=True))
    with pytest.raises(MalformedInputError, match="line 2"):
        lines(split_of(file, "UTF-8"))


def test_what_is_appended_after_planning_is_not_read(file):
    """A batch that is run again reads the same."""
    file.write_text("one\n")
    split = split_of(file, "UTF-8")
    with file.open("a") as appended:
        appended.write("two\n")
    assert lines(split) == ["one"]


def test_a_file_that_has_shrunk_or_gone_is_an_error(file):
    """Nothing is left out silently."""
    file.write_text("one\ntwo\n")
    split = split_of(file, "UTF-8")
    file.write_text("one\n")
    with pytest.raises(JobExecutionError, match="has become shorter"):
        lines(split)
    file.unlink()
    with pytest.raises(JobExecutionError, match=r"cannot find .*a\.txt.*every machine"):
        lines(split)


@pytest.mark.parametrize("name", ["a.gz", "a.bz2", "a.xz", "a.zst"])
def test_a_damaged_compressed_file_is_an_error_that_names_it(tmp_path, name):
    """The decompressor's words come with the file's name."""
    file = tmp_path / name
    file.write_bytes(b"no such format")
    with pytest.raises(JobExecutionError, match=f"cannot read .*{name}"):
        lines(split_of(file, "UTF-8"))


def test_a_truncated_compressed_file_is_an_error(tmp_path):
    """Its end is missing."""
    file = tmp_path / "a.gz"
    file.write_bytes(gzip.compress(b"one\n" * 1000)[:-4])
    with pytest.raises(JobExecutionError, match="EOFError"):
        lines(split_of(file, "UTF-8"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.text("aä\r\n"), elements=st.integers(1, 5))
def test_the_parts_of_a_cut_file_are_the_file(file, content, elements):
    """Cut anywhere, the parts read one after the other are what the file is, with few enough lines each."""
    file.write_bytes(content.encode())
    split = split_of(file, "UTF-8")
    parts = split.cut(elements)
    assert lines(*parts) == lines(split)
    if "\r" not in content:
        assert all(len(lines(part)) <= elements for part in parts)


def test_files_that_cannot_be_cut_stay_whole(tmp_path):
    """Compressed files, and character sets in which a line feed is more than a byte."""
    for name, charset in (("a.gz", "UTF-8"), ("a.txt", "UTF-16")):
        (tmp_path / name).write_bytes(gzip.compress(b"1\n2\n"))
        split = split_of(tmp_path / name, charset)
        assert split.cut(1) == [split]


def test_a_split_pickles(file):
    """It goes to a worker."""
    file.write_text("one\n")
    assert lines(pickle.loads(pickle.dumps(split_of(file, "UTF-8")))) == ["one"]


@pytest.mark.parametrize("charset", ["no such", None])
def test_an_unknown_character_set_is_refused(charset):
    """At the user's call."""
    with pytest.raises(ConfigurationError, match="charset_name names a character set"):
        StreamFormat.text_line_format(charset)
