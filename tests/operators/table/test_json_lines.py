"""Lines of JSON as rows, and rows as lines."""

from decimal import Decimal

import pytest

from windrow.operators.table.json_lines import JsonLines
from windrow.table import DataTypes
from windrow.table import data_types as t

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
    with pytest.raises(ValueError, match="NaN is no JSON"):
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
        (DataTypes.STRING(), '{"é": "\\u00fc"}', '{"é":"ü"}'),
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


def test_bytes_are_base64():
    """Inside of others as well."""
    values = (b"\x01\xff", [b"\x03"])
    json = JsonLines(["b", "a"], [t.VarBinaryType(9), t.ArrayType(t.VarBinaryType(9))])
    assert json.write(values) == '{"b":"Af8=","a":["Aw=="]}'
    assert json.read(json.write(values)) == values


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (DataTypes.ARRAY(DataTypes.STRING()), '"abc"'),
        (DataTypes.ARRAY(DataTypes.STRING()), '{"a":1}'),
        (DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), "[1]"),
        (DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]), '"a"'),
        (DataTypes.DOUBLE(), "[1]"),
    ],
)
def test_values_of_another_form_are_refused(kind, given):
    """Text is not taken apart where an array is declared; what is ignored is NULL, and the other fields stay."""
    line = f'{{"v":{given},"n":1}}'
    with pytest.raises(ValueError, match="field 'v': "):
        JsonLines(["v", "n"], [kind, DataTypes.INT()]).read(line)
    assert JsonLines(["v", "n"], [kind, DataTypes.INT()], ignore_errors=True).read(line) == (None, 1)


def test_numbers_beyond_all_bounds_are_malformed():
    """An exponent that no decimal number has is an error of its line, which may be ignored."""
    with pytest.raises(ValueError, match="exponent"):
        JsonLines(["v"], [DataTypes.DOUBLE()]).read('{"v":1e9999999999999999999}')


@pytest.mark.parametrize(
    ("kind", "value", "written"),
    [
        (DataTypes.DOUBLE(), 1e10, "1.0E10"),
        (DataTypes.DOUBLE(), 100.0, "100.0"),
        (DataTypes.DOUBLE(), 1e-4, "1.0E-4"),
        (DataTypes.DOUBLE(), -0.0, "-0.0"),
        (DataTypes.FLOAT(), 0.10000000149011612, "0.1"),
        (DataTypes.FLOAT(), 16777216.0, "1.6777216E7"),
        (DataTypes.ARRAY(DataTypes.FLOAT()), [0.10000000149011612, None], "[0.1,null]"),
    ],
)
def test_fractions_are_written_as_java_writes_them(kind, value, written):
    """With the digits that tell them from their neighbours of the same type, and no more."""
    assert JsonLines(["v"], [kind]).write([value]) == f'{{"v":{written}}}'


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (DataTypes.ARRAY(DataTypes.INT()), '[1,"x",2]', [1, None, 2]),
        (DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), '{"a":"x","b":1}', [("a", None), ("b", 1)]),
        (DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]), '{"a":"x"}', {"a": None}),
    ],
)
def test_a_part_that_cannot_be_read_is_null_alone(kind, given, expected):
    """An element, an entry or a field does not take others with it, where errors are ignored."""
    assert JsonLines(["v"], [kind], ignore_errors=True).read(f'{{"v":{given}}}') == (expected,)
    with pytest.raises(ValueError, match="field 'v'"):
        JsonLines(["v"], [kind]).read(f'{{"v":{given}}}')
