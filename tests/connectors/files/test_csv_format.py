"""CSV files as rows."""

import bz2
import csv
import io
import lzma

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.connectors.files import lines
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.split import FileSourceSplit
from windrow.datastream import OutputTag
from windrow.datastream.formats.csv import CsvReaderFormat
from windrow.errors import MalformedInputError

PAIR = Types.ROW_NAMED(["n", "s"], [Types.LONG(), Types.STRING()])
WORDS = Types.ROW_NAMED(["a", "b"], [Types.STRING(), Types.STRING()])
BAD = OutputTag("bad")
TOGETHER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.csv"


def read(file, *splits, **options):
    """Rows as tuples, and the texts of malformed lines."""
    row_type = options.pop("row_type", PAIR)
    csv_format = CsvReaderFormat.for_schema(row_type, dead_letter=BAD, **options)
    rows, bad = [], []
    for split in splits or [whole_file(str(file))]:
        for _, batch in elements(csv_format, split):
            (rows if batch.side is None else bad).extend(map(tuple, batch.values))
    assert all(path == str(file) for path, _ in bad)
    return rows, [text for _, text in bad]


@pytest.mark.parametrize(
    ("content", "rows", "bad"),
    [
        (b"", [], []),
        (b"1,a\n2,b", [(1, "a"), (2, "b")], []),
        (b"1,a\r\n2,b\r\n", [(1, "a"), (2, "b")], []),
        (b"1,a\n\n\r\n2,b\n\n", [(1, "a"), (2, "b")], []),
        (b',\n1,""\n', [(None, None), (1, "")], []),
        (b'1,"a ""b"", c"\n', [(1, 'a "b", c')], []),
        (b"1,a,x\n2,b\n3\n", [(2, "b")], ["1,a,x", "3"]),
        (b"one,a\n2,b\n", [(2, "b")], ["one,a"]),
        (b"99999999999999999999,a\n", [], ["99999999999999999999,a"]),
        (b'1,"a\n2,b"\n3,c\n', [(2, 'b"'), (3, "c")], ['1,"a']),
        (b'1,"a"b\n2,"b" \n3,c\n', [(2, "b"), (3, "c")], ['1,"a"b']),
        (b"1,a,\n2,b,,\n", [(1, "a")], ["2,b,,"]),
        (b" \n1,a\n \t\n", [(1, "a")], []),
        (b'1,x"y,"z\n3,c\n', [(3, "c")], ['1,x"y,"z']),
        (b'3,c\n1,"a', [(3, "c")], ['1,"a']),
        (b"1,\xff\n2,b\n", [(2, "b")], ["1,\\xff"]),
        ("1,ä\n".encode(), [(1, "ä")], []),
        (b"NA,null\n", [], ["NA,null"]),
    ],
)
def test_lines_are_rows_or_malformed(file, content, rows, bad):
    """Each line by itself: what one holds does not change what others are."""
    file.write_bytes(content)
    assert read(file) == (rows, bad)


LINE = st.lists(st.sampled_from(['"', ",", "a", "1", '""', " "]), max_size=6).map("".join)


@TOGETHER
@given(written=st.lists(LINE, max_size=8), size=st.integers(1, 40), cut=st.integers(0, 60))
def test_where_blocks_and_regions_end_changes_nothing(file, written, size, cut):
    """Blocks of one line each, large blocks, and two regions give the same rows and the same malformed lines."""
    file.write_bytes("".join(f"{line}\n" for line in written).encode())
    whole = read(file, row_type=WORDS)
    length = file.stat().st_size
    cut = min(cut, length)
    regions = [FileSourceSplit(str(file), 0, cut, length), FileSourceSplit(str(file), cut, length - cut, length)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BYTES_PER_BLOCK", size)
        assert read(file, row_type=WORDS) == whole
        assert read(file, *regions, row_type=WORDS) == whole


VALUE = st.text("ab\",\n\r'ä ", max_size=6)


@TOGETHER
@given(rows=st.lists(st.tuples(VALUE, VALUE), max_size=8), size=st.integers(1, 40))
def test_what_pythons_writer_writes_is_read_back(file, rows, size):
    """Quotes, delimiters and line ends in values, if the latter are declared."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    file.write_bytes(text.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BYTES_PER_BLOCK", size)
        assert read(file, row_type=WORDS, quoted_newlines=True) == (rows, [])


def test_records_with_line_ends_are_malformed_as_a_whole(file):
    """And the file is not cut."""
    file.write_bytes(b'1,"a\nb"\nx,"c\nd"\n2,e\n')
    assert read(file, quoted_newlines=True) == ([(1, "a\nb"), (2, "e")], ['x,"c\nd"'])
    assert CsvReaderFormat.for_schema(PAIR, quoted_newlines=True).regions(str(file), 1 << 30, 1) == [(0, 1 << 30)]


def test_a_header_names_the_columns(file):
    """In any order, among others; every region knows it, and none takes it for a row."""
    file.write_bytes(b"x,s,n\n7,a,1\n8,b,2\n")
    assert read(file, header=True) == ([(1, "a"), (2, "b")], [])
    size = file.stat().st_size
    for cut in range(size + 1):
        regions = [FileSourceSplit(str(file), 0, cut, size), FileSourceSplit(str(file), cut, size - cut, size)]
        assert read(file, *regions, header=True) == ([(1, "a"), (2, "b")], [])


@pytest.mark.parametrize("header", [b"s,m\n", b"n,n,s\n"])
def test_a_header_without_the_columns_is_an_error(file, header):
    """Dead letters do not help: no line of the file can be read."""
    file.write_bytes(header + b"1,a\n")
    with pytest.raises(MalformedInputError, match=r"line 1 of .*a header with the column 'n', once"):
        read(file, header=True)


def test_an_empty_file_needs_no_header(file):
    """It has no rows."""
    file.write_bytes(b"")
    assert read(file, header=True) == ([], [])


def test_a_malformed_line_without_a_dead_letter_names_file_and_line(file):
    """Also in a region that begins in the middle of the file."""
    file.write_bytes(b"n,s\n" + b"1,a\n" * 5000 + b"x,b\n" + b"2,c\n" * 10)
    size = file.stat().st_size
    with pytest.raises(MalformedInputError, match=r"line 5002 of .*a\.csv: 'x,b'") as raised:
        list(CsvReaderFormat.for_schema(PAIR, header=True).read(FileSourceSplit(str(file), 9000, size - 9000, size)))
    assert raised.value.line_number == 5002


@pytest.mark.parametrize(
    ("name", "compress"),
    [("a.bz2", bz2.compress), ("a.xz", lzma.compress), ("a.zst", lambda data: pa.compress(data, "zstd", asbytes=True))],
)
def test_compressed_files_are_read(tmp_path, name, compress):
    """With a header too."""
    file = tmp_path / name
    file.write_bytes(compress(b"n;s\n1;a\n2;b\n"))
    assert read(file, header=True, delimiter=";") == ([(1, "a"), (2, "b")], [])


def test_what_the_sinks_factory_writes_is_read_back(tmp_path):
    """Rows are as they were: no value, the empty string, quotes."""
    from windrow.datastream.formats.csv import CsvBulkWriters

    rows = [Row(n=1, s="a"), Row(n=None, s=None), Row(n=3, s=""), Row(n=4, s='say "hi", twice')]
    file = tmp_path / "a.csv"
    with file.open("wb") as out:
        writer = CsvBulkWriters.for_schema(PAIR, header=True).create(out)
        writer.add_elements(rows)
        writer.finish()
    assert read(file, header=True) == (list(map(tuple, rows)), [])


def test_sub_splits_have_few_enough_lines(file):
    """And are the file."""
    file.write_bytes(b"".join(b"%d,a\n" % number for number in range(10)))
    csv_format = CsvReaderFormat.for_schema(PAIR)
    sub_splits = csv_format.sub_splits(whole_file(str(file)), 3)
    assert [len(read(file, split)[0]) for split in sub_splits] == [3, 3, 3, 1]
    assert read(file, *sub_splits) == read(file)
