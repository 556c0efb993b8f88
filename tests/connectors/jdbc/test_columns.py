"""Types of fields."""

import datetime
from decimal import Decimal

import pytest

from windrow.common import Instant, Types
from windrow.connectors.jdbc.columns import column
from windrow.errors import ConfigurationError, TypeConversionError


@pytest.mark.parametrize(
    ("type_info", "backend"),
    [
        (Types.MAP(Types.STRING(), Types.INT()), "postgresql"),
        (Types.ROW([Types.INT()]), "postgresql"),
        (Types.PICKLED_BYTE_ARRAY(), "postgresql"),
        (Types.LIST(Types.LIST(Types.INT())), "postgresql"),
        (Types.BASIC_ARRAY(Types.INT()), "sqlite"),
    ],
)
def test_types_that_a_database_does_not_have_are_refused(type_info, backend):
    """With the field's name."""
    with pytest.raises(ConfigurationError, match=f"cannot send the field a of type .* to {backend}"):
        column(type_info, backend, "a")


def test_an_instant_is_a_moment_in_utc():
    """To the microsecond."""
    convert = column(Types.INSTANT(), "postgresql", "a").convert
    assert convert(Instant(-1, 999_999_999)) == datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999, datetime.UTC)


def test_a_timestamp_with_a_zone_is_refused():
    """A column without one would forget it without a word."""
    convert = column(Types.SQL_TIMESTAMP(), "sqlite", "a").convert
    with pytest.raises(TypeConversionError, match=r"without a time zone; got .* Types\.INSTANT"):
        convert(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))


def test_signed_bytes_are_bytes():
    """As Java's byte[]."""
    convert = column(Types.PRIMITIVE_ARRAY(Types.BYTE()), "sqlite", "a").convert
    assert convert([-1, 0, 127]) == b"\xff\x00\x7f"
    assert convert(b"ab") == b"ab"


def test_sqlite_gets_decimals_with_all_digits():
    """Its driver takes none; a float would lose some."""
    assert column(Types.BIG_DEC(), "sqlite", "a").convert(Decimal("1.10")) == "1.10"


def test_elements_of_arrays_are_converted():
    """None stays None."""
    convert = column(Types.LIST(Types.INSTANT()), "postgresql", "a").convert
    assert convert([Instant(0, 0), None]) == [datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC), None]
