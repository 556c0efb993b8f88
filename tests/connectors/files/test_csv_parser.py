"""What is malformed CSV, whoever reads it."""

from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.common import Types
from windrow.connectors.files import csv_parser
from windrow.connectors.files.csv_format import CsvFormat
from windrow.connectors.files.csv_parser import CsvParser, count_plain_lines
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.lines import LineBlock
from windrow.connectors.files.malformed import read_lines
from windrow.datastream import OutputTag
from windrow.datastream.formats.csv import CsvReaderFormat, CsvSchema
from windrow.errors import MalformedInputError

NAMES = ["a", "b"]
WORDS = Types.ROW_NAMED(NAMES, [Types.STRING(), Types.STRING()])
VALUES = Types.ROW_NAMED(["a", "b", "c"], [Types.LONG(), Types.STRING(), Types.DOUBLE()])
ONE = Types.ROW_NAMED(["a"], [Types.STRING()])
BAD = OutputTag("bad")

PARTS = ['"', '""', ",", ",", "a", "1", "-2.5", " ", "\t", "\n", "\n", "\r\n", "\r", "ä", "\ufeff", "\0", "0x1", "nan"]
ENCODED = st.one_of(st.sampled_from(PARTS).map(str.encode), st.just(b"\xff"))
CONTENT = st.lists(ENCODED, max_size=24).map(b"".join)
#: Mostly well-formed, with quotes that Arrow may be given as they are.
VALUE = st.sampled_from(["", '""', "a", '"a"', '"a,b"', '"a""b"', "1", '"1"', '"a\nb"', ' "a"', '"a" ', '"a"b', 'a"b'])
LINES = st.lists(st.lists(VALUE, min_size=1, max_size=4).map(",".join), max_size=6).map("\n".join).map(str.encode)


def read(file, csv_format):
    """Rows as tuples, and the texts of malformed lines."""
    rows, bad = [], []
    for _, batch in elements(csv_format, whole_file(str(file))):
        (rows if batch.side is None else bad).extend(map(tuple, batch.values))
    return rows, [text for _, text in bad]


def fails(file, csv_format):
    """The number of the line that ends a job without dead letters; None: there is none."""
    try:
        list(elements(csv_format, whole_file(str(file))))
    except MalformedInputError as error:
        return error.line_number, error.line
    return None


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("csv") / "a.csv"


@given(content=CONTENT | LINES, newlines=st.booleans(), single=st.booleans())
def test_both_readers_give_the_same_rows_and_dead_letters(file, content, newlines, single):
    """Files of a row type and of a CsvSchema; where nothing stands is None for one and no text for the other."""
    file.write_bytes(content)
    schema = CsvSchema.builder()
    for name in NAMES[: 1 if single else 2]:
        schema.add_string_column(name)
    described = [ONE if single else WORDS, schema.build()]
    of_row_type, of_schema = (
        CsvReaderFormat.for_schema(each, quoted_newlines=newlines, dead_letter=BAD) for each in described
    )
    rows, bad = read(file, of_row_type)
    assert ([tuple(value or "" for value in row) for row in rows], bad) == read(file, of_schema)
    of_row_type, of_schema = (CsvReaderFormat.for_schema(each, quoted_newlines=newlines) for each in described)
    assert fails(file, of_row_type) == fails(file, of_schema)


@example(content=b'"",', newlines=False, row_type=WORDS)
@given(content=CONTENT | LINES, newlines=st.booleans(), row_type=st.sampled_from([WORDS, VALUES, ONE]))
def test_lines_that_arrow_takes_apart_are_those_that_are_taken_apart_for_it(content, newlines, row_type):
    """With numbers and nothing in quotes, too."""
    parser = CsvParser(CsvFormat(row_type, False, ",", newlines, BAD.tag_id), row_type.get_field_names())

    def parsed():
        batches = list(read_lines(LineBlock(0, content), parser, "a.csv", BAD.tag_id))
        rows, bad = ([batch.values for batch in batches if (batch.side is None) is good] for good in (True, False))
        return repr([[tuple(row) for row in chain(*each)] for each in (rows, bad)])

    expected = parsed()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_parser, "count_plain_lines", lambda *_, **__: None)
        assert parsed() == expected


@pytest.mark.parametrize(
    ("data", "within", "over"),
    [
        (b"1,a\n2,b", 2, 2),
        (b'"a"\n"a,b",1\r\n"a""b",""\r1', 4, 4),
        (b'1,"a\nb"\n2,c\n', None, 2),
        (b'1,"a\n2,"b\n', None, None),
        (b'1,"a" \n', None, None),
        (b'1, "a"\n', None, None),
        (b'1,a""\n', None, None),
        (b'1,"a""\n', None, None),
        (b"1,\xff\n", None, None),
        ("1,ä\n".encode(), 1, 1),
        ("1,a\n\ufeff2,b\n".encode(), None, None),
    ],
)
def test_lines_of_which_there_is_no_doubt(data, within, over):
    """Quotes are around values, or doubled within such; line ends are between quotes only where they may be."""
    assert count_plain_lines(data, b",", newlines_in_quotes=False) == within
    assert count_plain_lines(data, b",", newlines_in_quotes=True) == over
