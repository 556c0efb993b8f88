"""The columns of a table as tests compare them."""

from windrow.expressions.logical_types import name_of


def columns_of(table):
    """Names, and types as SQL calls them."""
    schema = table.get_schema()
    return list(zip(schema.get_field_names(), map(name_of, schema.get_field_data_types()), strict=True))
