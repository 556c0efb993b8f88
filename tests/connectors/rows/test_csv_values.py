"""Texts of CSV as values and back; what they are was read off Flink 2.3."""

from decimal import Decimal

import pytest

from windrow.common import Row, Types
from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_values import CsvRows, csv_writer
from windrow.connectors.rows.errors import FieldError

INNER = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])
DEFAULT = CsvDialect()
OTHER = CsvDialect("|", "'", "\\", "n/a", "//", "\r\n")
UNQUOTED = CsvDialect(quote=None, line_delimiter="")


def rows(type_info, *records, dialect=DEFAULT, ignore=False):
    return CsvRows(Types.ROW_NAMED(["a", "b"], [type_info, Types.INT()]), dialect, ignore_parse_errors=ignore).rows(
        list(records)
    )


@pytest.mark.parametrize(
    ("type_info", "text", "value", "with_empty_null"),
    [
        (Types.STRING(), "", "", None),
        (Types.BOOLEAN(), "", False, None),
        (Types.STRING(), " 5 ", " 5 ", " 5 "),
        (Types.INT(), " 5 ", 5, 5),
        (Types.BIG_DEC(), "1.10", Decimal("1.10"), Decimal("1.10")),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), "", b"", None),
        (Types.OBJECT_ARRAY(Types.STRING()), "", [], []),
        (Types.OBJECT_ARRAY(Types.STRING()), "1;;2", ["1", "", "2"], ["1", None, "2"]),
        (Types.BASIC_ARRAY(Types.INT()), " 1 ;2", [1, 2], [1, 2]),
        (INNER, "", None, None),
        (INNER, "1; x", Row(x=1, y=" x"), Row(x=1, y=" x")),
    ],
)
def test_texts_become_what_flink_makes_of_them(type_info, text, value, with_empty_null):
    """The null literal is looked for in single values, not in whole arrays."""
    assert rows(type_info, [text, "7"]) == [Row(a=value, b=7)]
    assert rows(type_info, [text, "7"], dialect=CsvDialect(null_literal="")) == [Row(a=with_empty_null, b=7)]


@pytest.mark.parametrize(
    ("type_info", "text", "ignored"),
    [
        (Types.INT(), "", None),
        (Types.INT(), "x", None),
        (Types.BASIC_ARRAY(Types.INT()), "1;x", [1, None]),
        (INNER, "1", Row(x=1, y=None)),
        (INNER, "1;x;y", Row(x=1, y="x")),
        (INNER, "q;x", Row(x=None, y="x")),
    ],
)
def test_other_texts_are_errors_or_none(type_info, text, ignored):
    """Value by value where parse errors are ignored."""
    with pytest.raises(FieldError, match="field 'a'"):
        rows(type_info, [text, "7"])
    assert rows(type_info, [text, "7"], ignore=True) == [Row(a=ignored, b=7)]


def test_there_are_as_many_values_as_fields():
    """A delimiter behind the last does no harm; too many are never ignored, too few are None then."""
    assert rows(Types.INT(), ["1", "2", ""]) == [Row(a=1, b=2)]
    for record in (["1"], ["1", "2", "3"], ["1", "2", "", ""]):
        with pytest.raises(ValueError, match="2 values are expected; there are"):
            rows(Types.INT(), ["1", "2"], record)
    assert rows(Types.INT(), ["1"], ignore=True) == [Row(a=1, b=None)]
    with pytest.raises(ValueError, match="there are 3"):
        rows(Types.INT(), ["1", "2", "3"], ignore=True)
    assert rows(Types.INT()) == []


@pytest.mark.parametrize(
    ("type_info", "value", "default", "other", "unquoted"),
    [
        (Types.BOOLEAN(), True, "true", "true", "true"),
        (Types.BOOLEAN(), None, "", "n/a", ""),
        (Types.DOUBLE(), 1e10, "1.0E10", "1.0E10", "1.0E10"),
        (Types.STRING(), "", "", "", ""),
        (Types.STRING(), "a b", '"a b"', "'a b'", "a b"),
        (Types.STRING(), "a,b", '"a,b"', "'a,b'", "a,b"),
        (Types.STRING(), 'a"b', '"a""b"', "'a\"b'", 'a"b'),
        (Types.STRING(), "'", '"\'"', "''''", "'"),
        (Types.STRING(), "#a", '"#a"', "'#a'", "#a"),
        (Types.STRING(), "a-b", "a-b", "'a-b'", "a-b"),
        (Types.STRING(), "x" * 24, "x" * 24, f"'{'x' * 24}'", "x" * 24),
        (Types.STRING(), "x" * 25, f'"{"x" * 25}"', f"'{'x' * 25}'", "x" * 25),
        (Types.STRING(), "é", "é", "é", "é"),
        (Types.STRING(), "a\\b", '"a\\b"', "'a\\\\b'", "a\\b"),
        (Types.STRING(), "a\nb", '"a\nb"', "'a\nb'", "a\nb"),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), b"hi\xff", "aGn/", "'aGn/'", "aGn/"),
        (Types.OBJECT_ARRAY(Types.STRING()), ["a", None], "a;", "'a//n/a'", "a;"),
        (Types.BASIC_ARRAY(Types.INT()), [1, 2], "1;2", "'1//2'", "1;2"),
        (INNER, Row(1, "x"), "1;x", "'1//x'", "1;x"),
        (INNER, Row(None, None), ";", "'n/a//n/a'", ";"),
        (INNER, None, "", "n/a", ""),
    ],
)
def test_values_are_written_as_flink_writes_them(type_info, value, default, other, unquoted):
    """Byte for byte: what is quoted, doubled and left as it is."""
    row_type, row = Types.ROW([type_info, Types.INT()]), Row(value, 7)
    assert csv_writer(row_type, DEFAULT)(row) == f"{default},7\n"
    assert csv_writer(row_type, OTHER)(row) == f"{other}|7\r\n"
    assert csv_writer(row_type, UNQUOTED)(row) == f"{unquoted},7"


@pytest.mark.parametrize(
    "type_info",
    [
        Types.MAP(Types.INT(), Types.INT()),
        Types.LIST(Types.INT()),
        Types.CHAR(),
        Types.INSTANT(),
        Types.ROW([INNER]),
        Types.OBJECT_ARRAY(INNER),
    ],
)
def test_types_without_csv_are_refused_at_once(type_info):
    """Maps, lists, and what is nested twice."""
    row_type = Types.ROW([type_info])
    with pytest.raises(FieldError, match="there is no CSV"):
        CsvRows(row_type, DEFAULT, ignore_parse_errors=False)
    with pytest.raises(FieldError, match="there is no CSV"):
        csv_writer(row_type, DEFAULT)
