"""Formats by the options of a table."""

import pytest

from windrow.errors import SqlError
from windrow.table import DataTypes
from windrow.table.connectors.formats import line_format
from windrow.table.connectors.options import Options

PAIR = [DataTypes.STRING(), DataTypes.STRING()]


def csv(**options):
    """The format; single underscores stand for hyphens."""
    given = {f"csv.{key.replace('_', '-')}": value for key, value in options.items()}
    return line_format("csv", ["a", "b"], PAIR, Options("t", given))


@pytest.mark.parametrize(("written", "delimiter"), [(";", ";"), ("\\t", "\t"), ("\\u0001", "\x01"), ("\\", "\\")])
def test_a_delimiter_may_be_written_as_in_java(written, delimiter):
    """One that cannot be seen."""
    assert csv(field_delimiter=written).read(f"x{delimiter}y") == ("x", "y")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"field_delimiter": ",,"}, "'csv.field-delimiter' takes one character, no line end; got ',,'"),
        ({"quote_character": ""}, "'csv.quote-character' takes one character, no line end; got ''"),
        ({"escape_character": "\n"}, "'csv.escape-character' takes one character"),
        ({"quote_character": "|", "field_delimiter": "|"}, "without another meaning; '|' is 'csv.field-delimiter'"),
        ({"array_element_delimiter": ""}, "'csv.array-element-delimiter' takes a text that is not empty"),
    ],
)
def test_characters_that_cannot_stand_there_are_refused(options, said):
    """When the table is made, and not when its first line comes."""
    with pytest.raises(SqlError) as raised:
        csv(**options)
    assert said in str(raised.value)


def test_quotes_may_be_switched_off():
    """Then a quote is a character like others, and the delimiter may be one."""
    assert csv(disable_quote_character="true").read('"x,y"') == ('"x', 'y"')
    assert csv(disable_quote_character="true", field_delimiter='"').read('x"y') == ("x", "y")
