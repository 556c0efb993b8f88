"""How rows of CSV are laid out."""

import pytest

from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.errors import ConfigurationError


def test_characters_are_exchanged_one_by_one():
    """Others stay."""
    dialect = CsvDialect().with_character("quote", "'", "set_quote_character").with_character("escape", '"', "call")
    assert (dialect.field_delimiter, dialect.quote, dialect.escape) == (",", "'", '"')


@pytest.mark.parametrize("value", ["", "ab", "\n", "\r", None, 5])
def test_a_character_is_one_character(value):
    """No line end."""
    with pytest.raises(ConfigurationError, match="set_escape_character takes one character"):
        CsvDialect().with_character("escape", value, "set_escape_character")


@pytest.mark.parametrize(("field", "value"), [("field_delimiter", '"'), ("quote", ","), ("escape", ",")])
def test_a_character_has_one_meaning(field, value):
    """Delimiter, quote or escape."""
    with pytest.raises(ConfigurationError, match="without another meaning"):
        CsvDialect().with_character(field, value, "call")


def test_texts_may_be_empty_but_for_the_array_delimiter():
    """Lines end in one of four ways."""
    dialect = CsvDialect().with_text("null_literal", "", "call").with_text("line_delimiter", "", "call")
    assert (dialect.null_literal, dialect.line_delimiter) == ("", "")
    for field, value in (("array_delimiter", ""), ("line_delimiter", "|"), ("null_literal", None)):
        with pytest.raises(ConfigurationError, match="call takes"):
            dialect.with_text(field, value, "call")
