"""CSV files that a schema describes, as rows."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.connectors.files import lines
from windrow.connectors.files.csv_schema_writer import CsvSchemaFactory
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.split import FileSourceSplit
from windrow.datastream import OutputTag
from windrow.datastream.formats.csv import CsvReaderFormat, CsvSchema
from windrow.errors import MalformedInputError
from windrow.table import DataTypes

BAD = OutputTag("bad")


def pair():
    return CsvSchema.builder().add_number_column("n", DataTypes.INT()).add_string_column("s")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.csv"


def read(file, schema, content, *splits, **options):
    """Rows as tuples, and the texts of malformed lines."""
    file.write_bytes(content)
    csv_format = CsvReaderFormat.for_schema(schema, dead_letter=BAD, **options)
    rows, bad = [], []
    for split in splits or [whole_file(str(file))]:
        for _, batch in elements(csv_format, split):
            (rows if batch.side is None else bad).extend(map(tuple, batch.values))
    return rows, [text for _, text in bad]


@pytest.mark.parametrize(
    ("schema", "content", "rows", "bad"),
    [
        (pair(), b"", [], []),
        (pair(), b"1,a\n2,b", [(1, "a"), (2, "b")], []),
        (pair(), b"1,a\r\n2,b\r3,c\n", [(1, "a"), (2, "b"), (3, "c")], []),
        (pair(), b"1,a\n\n\r\n2,b\n\n", [(1, "a"), (2, "b")], []),
        (pair(), "\ufeff1,ä\n".encode(), [(1, "ä")], []),
        (pair(), b'1,"a\n""b"""\n2,c"d\n', [(1, 'a\n"b"'), (2, 'c"d')], []),
        (pair(), b"1,\n", [(1, "")], []),
        (pair(), b",a\n2,b\n", [(2, "b")], [",a"]),
        (pair(), b"1,a,x\n2,b\n3\none,a\n", [(2, "b")], ["1,a,x", "3", "one,a"]),
        (pair(), b"1,\xff\n2,b\n", [(2, "b")], ["1,\\xff"]),
        (pair(), b'1,"a\n2,b\n', [(2, "b")], ['1,"a']),
        (pair().set_any_property_name("rest"), b"1,a,x,y\n2,b\n", [(1, "a"), (2, "b")], []),
        (pair().set_null_value("-"), b'1,-\n2,"-"\n-,c\n', [(1, None), (2, None), (None, "c")], []),
        (pair().set_escape_char("\\"), b'1,a\\,b\n2,"\\"c\\""\n', [(1, "a,b"), (2, '"c"')], []),
        (pair().disable_quote_char(), b'1,"a"\n2,"b\n', [(1, '"a"'), (2, '"b')], []),
        (pair().set_quote_char("'").set_column_separator("|"), b"1|'a|b'\n", [(1, "a|b")], []),
        (pair().set_allow_comments(), b'# "x\n1,a\n  #y\n2,#b\n', [(1, "a"), (2, "#b")], []),
        (pair(), b"# x\n1,a\n", [(1, "a")], ["# x"]),
        (pair().set_use_header(), b"any,thing\n1,a\n", [(1, "a")], []),
        (pair().set_use_header().set_allow_comments(), b"#x\n\nany,thing\n1,a\n", [(1, "a")], []),
        (pair().set_use_header().set_strict_headers(), b"n,s\r\n1,a\n", [(1, "a")], []),
        (pair().set_use_header().set_skip_first_data_row(), b"n,s\nint,text\n1,a\n", [(1, "a")], []),
        (pair().set_skip_first_data_row(), b'"x\ny",z\n1,a\n', [(1, "a")], []),
    ],
)
def test_lines_become_rows_as_the_schema_says(file, schema, content, rows, bad):
    """As Jackson's parser reads them, which is Flink's; what is malformed spoils no other line."""
    assert read(file, schema.build(), content) == (rows, bad)


def test_arrays_numbers_and_truth_values_are_converted(file):
    """Arrays by their own separators; decimals are rounded to their scale."""
    schema = (
        CsvSchema.builder()
        .add_array_column("i", element_type=DataTypes.INT())
        .add_array_column("s", ":")
        .add_boolean_column("b")
        .add_number_column("d", DataTypes.DECIMAL(3, 1))
        .set_column_separator("|")
        .build()
    )
    rows, bad = read(file, schema, b"1;2|a:b|true|1.25\n||no|7\n1;x||true|1\n|||1234\n")
    assert rows == [([1, 2], ["a", "b"], True, Decimal("1.3")), ([], [], False, 7)]
    assert bad == ["1;x||true|1", "|||1234"]
    produced = CsvReaderFormat.for_schema(schema).produced_type
    assert produced.get_field_types()[0] == Types.LIST(Types.INT())


@pytest.mark.parametrize(
    ("schema", "line", "reason"),
    [
        (pair().set_use_header().set_strict_headers(), "s,n", "the header n, s is expected"),
        (pair().set_use_header().set_strict_headers(), "n", "the header n, s is expected"),
        (pair().set_use_header(), "n,s,t", "a header of 2 columns is expected; there are 3"),
        (pair().set_use_header(), '"n', "no header: value 1 has a quote"),
    ],
)
def test_a_header_that_does_not_fit_ends_the_job(file, schema, line, reason):
    """It is no line that could go to a side output: all others would be wrong, too."""
    with pytest.raises(MalformedInputError, match=rf"(?s)line 1.*{reason}"):
        read(file, schema.build(), f"{line}\n1,a\n".encode())


def test_files_are_cut_where_quotes_have_no_line_ends(file):
    """Each region has its own lines, the header is passed over once; otherwise a file is one region."""
    content = b"n,s\n" + b"".join(b'%d,"v%d"\n' % (n, n) for n in range(100))
    schema = pair().set_use_header().build()
    cut = CsvReaderFormat.for_schema(schema, quoted_newlines=False)
    regions = cut.regions(str(file), len(content), 300)
    splits = [FileSourceSplit(str(file), start, size, len(content)) for start, size in regions]
    assert len(splits) > 1
    rows, bad = read(file, schema, content, *splits, quoted_newlines=False)
    assert (rows, bad) == ([(n, f"v{n}") for n in range(100)], [])
    assert CsvReaderFormat.for_schema(schema).regions(str(file), len(content), 300) == [(0, len(content))]
    assert CsvReaderFormat.for_schema(schema).sub_splits(splits[0], 10) == [splits[0]]
    assert read(file, schema, b'n,s\n1,"a\n2,b\n', quoted_newlines=False) == ([(2, "b")], ['1,"a'])


TEXTS = st.text(st.sampled_from("ab,\"'\\#\n\r ;äß"), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, print_blob=True)
@given(rows=st.lists(st.tuples(st.integers(-9, 9), TEXTS), max_size=30), size=st.integers(1, 40), escape=st.booleans())
def test_what_is_written_is_read_however_blocks_are_cut(tmp_path_factory, rows, size, escape):
    """Quotes, separators, line ends and escape characters in texts come back; blocks may end anywhere."""
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    schema = (pair().set_escape_char("\\") if escape else pair()).build()
    with path.open("wb") as file:
        writer = CsvSchemaFactory(schema).create(file)
        writer.add_elements(rows)
        writer.finish()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BYTES_PER_BLOCK", size)
        assert read(path, schema, path.read_bytes()) == (rows, [])


def test_rows_have_the_columns_names(file):
    """They are Rows."""
    file.write_text("1,a\n")
    ((_, batch),) = elements(CsvReaderFormat.for_schema(pair().build()), whole_file(str(file)))
    assert list(batch.values) == [Row(n=1, s="a")]
