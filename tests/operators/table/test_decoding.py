"""Lines of JSON as rows, and rows as lines."""

import datetime as dt
from decimal import Decimal

import pytest

from windrow.operators.table.decoding import UNREADABLE_LINES, CsvLines, DecodeOperator, JsonLines
from windrow.table import DataTypes
from windrow.table import data_types as t
from windrow.testing import OperatorHarness

WIDE = DataTypes.DECIMAL(38, 18)
DIGITS = "12345678901234567890.123456789012345678"


def test_decimals_keep_their_digits():
    """Both ways, in rows and collections too: no binary fraction stands between."""
    kinds = [WIDE, DataTypes.ARRAY(WIDE), DataTypes.ROW([DataTypes.FIELD("d", WIDE)])]
    lines = JsonLines(["a", "b", "c"], kinds)
    line = f'{{"a":{DIGITS},"b":[{DIGITS}],"c":{{"d":{DIGITS}}}}}'
    assert lines.read(line) == (Decimal(DIGITS), [Decimal(DIGITS)], {"d": Decimal(DIGITS)})
    assert lines.write(lines.read(line)) == line


def test_what_is_no_number_of_json_is_written_as_text():
    """As Jackson does: every reader of JSON takes the line."""
    lines = JsonLines(["d"], [DataTypes.DOUBLE()])
    for number, line in ((float("inf"), '{"d":"Infinity"}'), (-float("inf"), '{"d":"-Infinity"}')):
        assert lines.write([number]) == line
        assert lines.read(line) == (number,)
    assert lines.write([float("nan")]) == '{"d":"NaN"}'
    with pytest.raises(ValueError, match="NaN is no number of JSON"):
        lines.read('{"d":NaN}')


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (DataTypes.DOUBLE(), "1.5", 1.5),
        (DataTypes.DOUBLE(), '"1.5"', 1.5),
        (DataTypes.BIGINT(), "9007199254740993", 2**53 + 1),
        (DataTypes.INT(), "1.5", 1),
        (DataTypes.STRING(), "1.5", "1.5"),
        (DataTypes.STRING(), '{"a":[1.5,null,true]}', '{"a":[1.5,null,true]}'),
        (DataTypes.DECIMAL(5, 1), "7", Decimal("7.0")),
        (DataTypes.DECIMAL(5, 1), '"7.25"', Decimal("7.3")),
        (DataTypes.DECIMAL(5, 1), "1e400", None),
    ],
)
def test_values_are_read_as_their_type(kind, given, expected):
    """Numbers, and text that is one."""
    assert JsonLines(["v"], [kind]).read(f'{{"v":{given}}}') == (expected,)


def test_lines_that_are_written_are_json():
    """Names and texts are escaped, and absent values are null."""
    kinds = [DataTypes.STRING(), DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), DataTypes.BOOLEAN()]
    lines = JsonLines(['a"b', "m", "p"], kinds)
    assert lines.write(['é\n"', [("k", 1), ("l", None)], None]) == '{"a\\"b":"é\\n\\"","m":{"k":1,"l":null},"p":null}'


def test_lines_that_are_left_out_are_counted():
    """A field that cannot be read is NULL, and its line stays."""
    lines = JsonLines(["n"], [DataTypes.INT()], ignore_errors=True)
    harness = OperatorHarness(DecodeOperator(lines))
    for line in ('{"n": 1}', "{", '{"n": "x"}', ""):
        harness.process_element(line, 0)
    assert harness.values() == [(1,), (None,)]
    assert harness.counters[UNREADABLE_LINES] == 1


def test_bytes_are_base64():
    """In CSV and in JSON, inside of others as well."""
    values = (b"\x01\xff", [b"\x03"])
    json = JsonLines(["b", "a"], [t.VarBinaryType(9), t.ArrayType(t.VarBinaryType(9))])
    csv = CsvLines(json.names, json.types)
    assert json.write(values) == '{"b":"Af8=","a":["Aw=="]}'
    assert csv.write(values) == "Af8=,Aw=="
    assert json.read(json.write(values)) == csv.read(csv.write(values)) == values


def test_arrays_and_rows_have_delimiters_of_their_own_in_csv():
    """A semicolon, or another one; NULL is nothing. Times with a zone end with Z, as Flink writes them."""
    row = t.RowType([t.RowField("x", t.IntType()), t.RowField("y", t.VarCharType(9))])
    types = [t.ArrayType(t.IntType()), row, t.ArrayType(t.VarCharType(9)), t.LocalZonedTimestampType(3)]
    moment = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    values = ([1, 2], {"x": 1, "y": "q"}, ["a", None], moment)
    lines = CsvLines(list("abcd"), types)
    assert lines.write(values) == "1;2,1;q,a;,1970-01-01 00:00:00.000Z"
    assert lines.read(lines.write(values)) == ([1, 2], {"x": 1, "y": "q"}, ["a", ""], moment)
    others = CsvLines(["a"], types[:1], elements="|")
    assert others.read(others.write(values[:1])) == values[:1]
    with pytest.raises(ValueError, match="a row of 2 fields has 3 values"):
        lines.read("1,1;q;r")
