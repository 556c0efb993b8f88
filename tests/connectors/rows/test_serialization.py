"""What the schemas that make bytes of rows have in common."""

import pickle

import pytest

from windrow.common import Row, Types
from windrow.connectors.rows.serialization import RowSerializationSchema
from windrow.errors import TypeConversionError


class Shown(RowSerializationSchema):
    def _writer(self):
        return lambda row: f"<{row[0]}>"


SCHEMA = Shown(Types.ROW_NAMED(["name"], [Types.STRING()]))


def test_what_fits_the_type_is_written_in_utf_8():
    """Rows, and what has a row's values; also by a schema that was moved to another process."""
    assert [SCHEMA.serialize(element) for element in (Row(name="ü"), ("ü",), {"name": "ü"})] == ["<ü>".encode()] * 3
    assert pickle.loads(pickle.dumps(SCHEMA)).serialize(("a",)) == b"<a>"


def test_none_is_no_row():
    """The error names the schema."""
    with pytest.raises(TypeConversionError, match="Shown takes a row; got None"):
        SCHEMA.serialize(None)
