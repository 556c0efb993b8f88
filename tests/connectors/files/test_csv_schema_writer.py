"""CSV files that a schema describes, written."""

import io
from decimal import Decimal

import pytest

from windrow.common import Row
from windrow.datastream.formats.csv import CsvBulkWriters, CsvSchema
from windrow.errors import TypeConversionError
from windrow.table import DataTypes


def written(schema, *rows):
    file = io.BytesIO()
    writer = CsvBulkWriters.for_schema(schema.build()).create(file)
    writer.add_elements(rows)
    writer.finish()
    return file.getvalue().decode()


def pair():
    return CsvSchema.builder().add_number_column("n", DataTypes.DECIMAL(4, 1)).add_string_column("a name")


def test_texts_are_quoted_where_they_need_it():
    """As Jackson does; numbers are bare, and None is nothing."""
    rows = [(Decimal("1.25"), "a"), Row(Decimal(2), "b c"), {"n": None, "a name": 'd"'}, (None, None)]
    assert written(pair(), *rows) == '1.3,a\n2.0,"b c"\n,"d"""\n,\n'


def test_header_null_value_and_separators_are_the_schemas():
    """The header's names are quoted as texts are; arrays have their own separators."""
    schema = pair().add_array_column("l", ":").set_use_header().set_null_value("-").set_column_separator("|")
    schema.set_quote_char("'").set_line_separator("\r\n")
    assert written(schema, (Decimal(1), None, ["x", "y"])) == "'n'|'a name'|'l'\r\n1.0|-|'x:y'\r\n"
    assert written(pair().disable_quote_char(), (Decimal(1), "a b")) == "1.0,a b\n"


def test_a_value_of_another_type_is_refused():
    """It is converted to the column's type first."""
    with pytest.raises(TypeConversionError, match=r"field n of a Types\.ROW"):
        written(pair(), ("one", "a"))
