"""What the schemas that make rows of bytes have in common."""

import pytest

from windrow.common import Row, Types
from windrow.connectors.rows.deserialization import RowDeserializationSchema, check_bytes
from windrow.connectors.rows.errors import MalformedRowError
from windrow.errors import TypeConversionError

NUMBER = Types.ROW_NAMED(["n"], [Types.INT()])


class Numbers(RowDeserializationSchema):
    """Counts how often it is asked."""

    asked = 0

    def _rows(self, messages):
        self.asked += 1
        return [Row(n=int(message)) for message in messages]


def test_many_are_read_at_once():
    """One by one only where one of them cannot be read."""
    schema = Numbers(NUMBER, ignore_parse_errors=True)
    assert schema.deserialize_all([b"1", b"2"]) == [Row(n=1), Row(n=2)]
    assert schema.asked == 1
    assert schema.deserialize_all([b"1", b"x", b"2"]) == [Row(n=1), None, Row(n=2)]


def test_an_error_names_schema_and_message():
    """And keeps the reason."""
    with pytest.raises(MalformedRowError, match="Numbers cannot read b'x': invalid literal") as raised:
        Numbers(NUMBER, ignore_parse_errors=False).deserialize_all([b"1", b"x"])
    assert raised.value.message == "b'x'"
    assert isinstance(raised.value.__cause__, ValueError)


def test_other_errors_are_not_taken_for_malformed_messages():
    """A mistake in a schema is not skipped."""

    class Broken(Numbers):
        def _rows(self, messages):
            raise KeyError(messages)

    with pytest.raises(KeyError):
        Broken(NUMBER, ignore_parse_errors=True).deserialize(b"1")


def test_a_tombstone_is_no_row():
    """Bytes of any length are."""
    check_bytes([b"", b"1"])
    with pytest.raises(TypeConversionError, match="tombstone"):
        check_bytes([b"1", None])
