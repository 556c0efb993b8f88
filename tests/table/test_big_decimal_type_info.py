"""Decimal numbers of so many digits."""

from decimal import Decimal

import pytest

from windrow.common import Types
from windrow.errors import TypeConversionError
from windrow.table import DataTypes
from windrow.table.big_decimal_type_info import BigDecimalTypeInfo


def test_numbers_are_rounded_half_up():
    """As Flink rounds to a DECIMAL's scale; None stays None."""
    convert = DataTypes.DECIMAL(2, 0).to_type_info().converter()
    assert [convert(Decimal(text)) for text in ("1.5", "2.5", "-1.5", "2.49")] == [2, 3, -2, 2]
    assert convert(None) is None


def test_too_many_digits_are_an_error():
    """A number that does not fit is not made None without a word."""
    with pytest.raises(TypeConversionError, match=r"DECIMAL\(2, 0\) takes 2 digits; got Decimal\('99.5'\)"):
        BigDecimalTypeInfo(2, 0).to_internal_type(Decimal("99.5"))
    with pytest.raises(TypeConversionError, match="BIG_DEC"):
        BigDecimalTypeInfo(2, 0).to_internal_type("1")


def test_digits_tell_types_apart():
    """From each other, and from BIG_DEC."""
    assert BigDecimalTypeInfo(2, 0) == BigDecimalTypeInfo(2, 0) != BigDecimalTypeInfo(2, 1)
    assert BigDecimalTypeInfo(38, 18) != Types.BIG_DEC()
