"""What is known of CSV files."""

import pickle

import pytest

from windrow.common import Types
from windrow.connectors.rows.csv_schema import CsvSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes


def test_columns_have_the_types_that_were_given():
    """A number is a BIGINT, an array of texts, unless a type says otherwise."""
    schema = (
        CsvSchema.builder()
        .add_string_column("s")
        .add_number_column("n")
        .add_number_column("d", DataTypes.DECIMAL(4, 2))
        .add_boolean_column("b")
        .add_array_column("a")
        .add_array_column("i", ":", DataTypes.INT())
        .build()
    )
    assert [field.data_type for field in schema.row_type] == [
        DataTypes.STRING(),
        DataTypes.BIGINT(),
        DataTypes.DECIMAL(4, 2),
        DataTypes.BOOLEAN(),
        DataTypes.ARRAY(DataTypes.STRING()),
        DataTypes.ARRAY(DataTypes.INT()),
    ]
    assert schema.text_type.get_field_types()[-1] == Types.OBJECT_ARRAY(Types.INT())
    assert pickle.loads(pickle.dumps(schema)) == schema
    assert schema.size() == len(schema) == 6


def test_a_schema_shows_as_jacksons():
    """Columns with their kinds, and what is asked of files."""
    schema = CsvSchema.builder().add_array_column("a").add_boolean_column("b").set_skip_first_data_row()
    assert str(schema.set_allow_comments().set_any_property_name("rest").build()) == (
        '[CsvSchema: columns=["a"/ARRAY,"b"/BOOLEAN], header? false, skip first? true, comments? true, '
        "any-properties? as 'rest']"
    )


def test_columns_are_taken_over_and_cleared():
    """With the separators of arrays; a builder says how many there are."""
    first = CsvSchema.builder().add_string_column("s").add_array_column("a", "|").build()
    builder = CsvSchema.builder().add_columns_from(first)
    assert (builder.build(), builder.size()) == (first, 2)
    assert len(builder.clear_columns().add_number_column("n")) == 1
    assert builder.build().separators == ()


def test_characters_are_compared_when_all_are_known():
    """Their order in the program does not count; in the end no two may be the same."""
    builder = CsvSchema.builder().add_string_column("s").set_quote_char(",").set_column_separator('"')
    assert (builder.build().dialect.quote, builder.build().dialect.field_delimiter) == (",", '"')
    with pytest.raises(ConfigurationError, match="without another meaning; ',' is the field delimiter"):
        builder.set_column_separator(",").build()
    assert builder.set_column_separator(",").disable_quote_char().build().dialect.quote is None
    assert builder.set_escape_char("*").disable_escape_char().build().dialect.escape is None


def test_arrays_have_separators_of_their_own_or_the_common_one():
    """A column's can be taken away, then the common one holds; without that an array has one element."""
    builder = CsvSchema.builder().add_array_column("a", "|").set_array_element_separator(":")
    assert builder.build().separators == (("a", "|"),)
    schema = builder.remove_array_element_separator(0).build()
    assert (schema.separators, schema.dialect.array_delimiter) == ((), ":")
    assert builder.disable_array_element_separator().build().dialect.array_delimiter == ""


def test_what_cannot_be_is_refused():
    """At the call, or when the schema is built; the error says what."""
    builder = CsvSchema.builder()
    for call in (builder.set_column_separator, builder.set_quote_char, builder.set_escape_char):
        for wrong in ("||", "", "\n", "é", None):
            with pytest.raises(ConfigurationError, match=rf"{call.__name__} takes one ASCII character"):
                call(wrong)
    with pytest.raises(ConfigurationError, match="CsvSchema has the column 'a' twice"):
        CsvSchema.builder().add_string_column("a").add_number_column("a").build()
    with pytest.raises(ConfigurationTypeError, match="number_type of add_number_column"):
        builder.add_number_column("n", DataTypes.STRING())
    with pytest.raises(ConfigurationTypeError, match="takes a CsvSchema; got 'a'"):
        builder.add_columns_from("a")
    with pytest.raises(ConfigurationTypeError, match="separator of add_array_column takes a str"):
        builder.add_array_column("a", None)
    with pytest.raises(ConfigurationError, match="there is no CSV for"):
        CsvSchema.builder().add_array_column("a", element_type=DataTypes.TIMESTAMP_LTZ()).build()
