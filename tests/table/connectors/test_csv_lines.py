"""Lines of CSV as rows, and rows as lines."""

import datetime as dt
from decimal import Decimal

import pytest

from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.errors import WindrowError
from windrow.operators.table.decoding import UNREADABLE_LINES, DecodeOperator
from windrow.table import DataTypes
from windrow.table import data_types as t
from windrow.table.connectors.csv_lines import CsvLines
from windrow.testing import OperatorHarness

PAIR = [DataTypes.STRING(), DataTypes.STRING()]


def pairs(**dialect):
    return CsvLines(["a", "b"], PAIR, CsvDialect(**dialect))


def test_bytes_are_base64():
    """Inside of others as well."""
    values = (b"\x01\xff", [b"\x03"])
    lines = CsvLines(["b", "a"], [t.VarBinaryType(9), t.ArrayType(t.VarBinaryType(9))])
    assert lines.read(lines.write(values)) == values


def test_arrays_and_rows_have_delimiters_of_their_own():
    """A semicolon, or another one; NULL is nothing."""
    row = t.RowType([t.RowField("x", t.IntType()), t.RowField("y", t.VarCharType(9))])
    types = [t.ArrayType(t.IntType()), row, t.ArrayType(t.VarCharType(9)), t.LocalZonedTimestampType(3)]
    moment = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    values = ([1, 2], {"x": 1, "y": "q"}, ["a", None], moment)
    lines = CsvLines(list("abcd"), types)
    assert lines.read(lines.write(values)) == ([1, 2], {"x": 1, "y": "q"}, ["a", ""], moment)
    others = CsvLines(["a"], types[:1], CsvDialect(array_delimiter="|"))
    assert others.read(others.write(values[:1])) == values[:1]
    with pytest.raises(ValueError, match="a row of 2 fields has 3 values"):
        lines.read("1,1;q;r,a,1970-01-01 00:00:00Z")


@pytest.mark.parametrize("line", ['"ab,c', '"a"b,c', "a,b,c", "a,b,,"])
def test_what_is_no_line_of_the_table_cannot_be_read(line):
    """A quote that is not closed, one with something behind it, and a value too many; each is counted."""
    with pytest.raises(ValueError, match=r"quote|values"):
        pairs().read(line)
    harness = OperatorHarness(DecodeOperator(CsvLines(["a", "b"], PAIR, ignore_errors=True)))
    for each in ("1,2", line, "3,4"):
        harness.process_element(each, 0)
    assert (harness.values(), harness.counters[UNREADABLE_LINES]) == ([("1", "2"), ("3", "4")], 1)
    with pytest.raises(WindrowError, match=r"quote|values"):
        OperatorHarness(DecodeOperator(pairs())).process_element(line, 0)


@pytest.mark.parametrize("ignore_errors", [False, True])
def test_a_value_may_be_of_any_length(ignore_errors):
    """Python's own parser refuses more than 131,072 characters, with an error that is no ValueError."""
    long = "x" * 200_000
    lines = CsvLines(["a", "b"], PAIR, ignore_errors=ignore_errors)
    assert lines.read(f"{long},b") == (long, "b")
    assert lines.read(f'"{long}",b') == (long, "b")


@pytest.mark.parametrize("ignore_errors", [False, True])
def test_a_message_ends_with_its_first_line(ignore_errors):
    """Also one whose values are not in quotes; in quotes a line end is part of the value."""
    lines = CsvLines(["a", "b"], PAIR, ignore_errors=ignore_errors)
    assert lines.read("a,b\n") == lines.read("a,b\r\n") == lines.read("a,b\nc,d") == ("a", "b")
    assert lines.read('"a\nb",c') == ("a\nb", "c")


def test_comments_are_passed_over():
    """Of messages that have nothing else there is no row."""
    lines = pairs(comments=True)
    assert [lines.read(line) for line in ("#a,b", " \n#a\n", "# x\na,b")] == [None, None, ("a", "b")]
    assert pairs().read("#a,b") == ("#a", "b")


def test_an_escape_character_is_heeded_both_ways():
    """Reading takes the character behind it as it is, and writing doubles it."""
    lines = pairs(escape="\\")
    assert lines.read("a\\,b\\n,c") == ("a,b\n", "c")
    for value in ("a\\b", 'a"b', "a,b"):
        assert lines.read(lines.write((value, "c"))) == (value, "c")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("abc", "abc"),
        ("a b", '"a b"'),
        ("a,b", '"a,b"'),
        ('a"b', '"a""b"'),
        ("", ""),
        ("abcdefghijklmnopqrstuvwxyz", '"abcdefghijklmnopqrstuvwxyz"'),
        ("a\\b", '"a\\b"'),
        (None, ""),
    ],
)
def test_texts_are_quoted_as_jackson_does(value, written):
    """Those that are long, or have a blank, a delimiter or the like; and they are read again."""
    assert pairs().write((value, "c")) == f"{written},c"
    assert pairs().read(f"{written},c") == (value or "", "c")


def test_nothing_is_quoted_without_a_quote():
    """Whatever is in it."""
    assert pairs(quote=None).write(("a b", "c")) == "a b,c"


def test_numbers_and_truth_values_are_bare():
    """Times are not, where they have a blank."""
    kinds = [DataTypes.BOOLEAN(), DataTypes.DOUBLE(), DataTypes.DECIMAL(5, 2), DataTypes.TIMESTAMP(3)]
    lines = CsvLines(list("abcd"), kinds, CsvDialect(null_literal="n/a"))
    values = (True, 1e10, Decimal("1.50"), dt.datetime(2020, 1, 2, 8, 10))
    assert lines.write(values) == 'true,1.0E10,1.50,"2020-01-02 08:10:00"'
    assert lines.read(lines.write(values)) == values
    assert lines.write((None,) * 4) == "n/a,n/a,n/a,n/a"
    assert lines.read("n/a,n/a,n/a,n/a") == (None,) * 4


@pytest.mark.parametrize("text", ["1.5", "1e3", "x", "", "128"])
def test_a_whole_number_is_nothing_else(text):
    """As Java's ``parseInt`` reads it; else it is NULL where errors are ignored."""
    kinds = [DataTypes.TINYINT(), DataTypes.STRING()]
    assert CsvLines(["a", "b"], kinds).read(" +5 ,b") == (5, "b")
    assert CsvLines(["a", "b"], kinds, ignore_errors=True).read(f"{text},b") == (None, "b")
    with pytest.raises(ValueError, match="column 'a'"):
        CsvLines(["a", "b"], kinds).read(f"{text},b")


def test_a_line_with_too_few_values_is_ended_with_null_where_errors_are_ignored():
    """Else it cannot be read; a delimiter behind the last value does no harm."""
    assert CsvLines(["a", "b"], PAIR, ignore_errors=True).read("1") == ("1", None)
    assert pairs().read("1,2,") == ("1", "2")
    with pytest.raises(ValueError, match="a line of 2 columns has 1 values"):
        pairs().read("1")


def test_parts_of_a_value_that_cannot_be_read_are_null_where_errors_are_ignored():
    """And an empty text is an array of nothing."""
    kinds = [t.ArrayType(DataTypes.INT()), DataTypes.BYTES()]
    assert CsvLines(["a", "b"], kinds, ignore_errors=True).read("1;x,*") == ([1, None], None)
    assert CsvLines(["a", "b"], kinds).read(",AQI=") == ([], b"\x01\x02")
    for line in ("1;x,AQI=", "1,*", "1,AQI"):
        with pytest.raises(ValueError, match="column"):
            CsvLines(["a", "b"], kinds).read(line)


def test_times_have_as_many_digits_of_a_second_as_they_need():
    """As Java's formatter writes them; a point in time ends with Z."""
    kinds = [DataTypes.TIMESTAMP(3), DataTypes.TIMESTAMP_LTZ(3), DataTypes.TIME(0)]
    values = (dt.datetime(2020, 1, 2, 8, 10, 5, 120_000), dt.datetime(1970, 1, 1, tzinfo=dt.UTC), dt.time(8, 10))
    lines = CsvLines(["a", "b", "c"], kinds)
    assert lines.write(values) == '"2020-01-02 08:10:05.12","1970-01-01 00:00:00Z",08:10:00'
    assert lines.read(lines.write(values)) == values


def test_null_may_stand_among_elements():
    """In the same letters as a whole value that is NULL."""
    lines = CsvLines(["a"], [t.ArrayType(DataTypes.STRING())], CsvDialect(null_literal="n/a"))
    assert lines.write((["a", None],)) == "a;n/a"
    assert lines.read("a;n/a") == (["a", None],)
