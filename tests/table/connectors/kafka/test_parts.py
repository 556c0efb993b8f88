"""What is in keys and values."""

import pytest

from tests.table.connectors.kafka.building import local_tables, refusal, statement
from windrow.sql.plan import Column
from windrow.table import data_types as t
from windrow.table.connectors.kafka.parts import key_part, value_part
from windrow.table.connectors.options import Options

COLUMNS = [Column("k_id", t.IntType()), Column("id", t.IntType()), Column("b", t.VarCharType(t.LONGEST))]
SAID = [
    ({"key__fields": "a"}, "'key.fields' needs 'key.format'"),
    ({"key__format": "json"}, "'key.format' needs 'key.fields'"),
    ({"key__fields": "a;c", "key__format": "csv"}, "'key.fields' names 'c', which is no stored column"),
    ({"key__fields": "a", "key__format": "avro"}, "'key.format' = 'avro': There are csv, json"),
    (
        {"key__fields": "a", "key__format": "csv", "key__fields_prefix": "k_"},
        "'key.fields-prefix' is for columns that are in the key alone: set 'value.fields-include' = 'EXCEPT_KEY'",
    ),
    (
        {"key__fields": "a", "key__format": "csv", "key__fields_prefix": "k_", "value__fields_include": "EXCEPT_KEY"},
        "column 'a' of the key does not begin so",
    ),
    (
        {"key__fields": "a;b", "key__format": "csv", "value__fields_include": "EXCEPT_KEY"},
        "leaves no column for the value",
    ),
    ({"value__fields_include": "SOME"}, "There are ALL, EXCEPT_KEY"),
]


@pytest.mark.parametrize(("changed", "said"), SAID, ids=[said for _, said in SAID])
def test_keys_and_values_that_do_not_fit_are_refused(changed, said):
    """Each message names the option, and what it can be."""
    assert said in refusal(**changed)


def test_a_prefix_tells_columns_of_the_key_from_those_of_the_value():
    """In the key they are called without it."""
    given = {"key.format": "json", "format": "json", "key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"}
    options = Options("k", given)
    key, value = key_part(options, COLUMNS, [0]), value_part(options, COLUMNS, [0], needs_value=False)
    assert (key.lines.names, key.places) == (["id"], (0,))
    assert (value.lines.names, value.places) == (["id", "b"], (1, 2))


def test_options_of_two_formats_are_told_apart():
    """Those of the key begin with key., those of value.format with value., those of format with nothing."""
    tables = local_tables()
    tables.execute_sql(
        statement(
            key__fields="a",
            key__format="csv",
            key__csv__field_delimiter=";",
            format=None,
            value__format="json",
            value__json__ignore_parse_errors="true",
        )
    )
    assert "did you mean 'value.json.ignore-parse-errors'?" in refusal(
        format=None, value__format="json", json__ignore_parse_errors="true"
    )
