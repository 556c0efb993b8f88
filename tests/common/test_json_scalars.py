"""Single values of JSON as those of declared types."""

from decimal import Decimal

import pytest

from windrow.common.json_scalars import AS_WRITTEN, OF_TREE, WRITTEN, TextNotKept, base64_bytes
from windrow.common.json_values import EXACT, STRICT
from windrow.errors import TypeConversionError


@pytest.mark.parametrize("written", ["1e3", "1.50", "-0", "-0.0", "1E-7", "1e400", "7"])
def test_tables_have_the_text_of_numbers(written):
    """As it stands in the line, whatever number it is."""
    assert AS_WRITTEN.string(WRITTEN.decode(written)) == written


def test_a_fraction_without_its_text_has_to_be_read_again():
    """Fractions that nobody wants as text are read without it, which takes a fifth of the time."""
    with pytest.raises(TextNotKept):
        AS_WRITTEN.string(EXACT.decode("1.50"))
    assert AS_WRITTEN.real(EXACT.decode("1.50")) == 1.5
    assert AS_WRITTEN.whole(31)(EXACT.decode("1.50")) == 1


def test_streams_have_the_text_of_a_node_of_a_tree():
    """That of the number that it is, as Java writes it."""
    assert [OF_TREE.string(STRICT.decode(each)) for each in ("1e3", "1.50", "-0")] == ["1000.0", "1.5", "0"]
    assert OF_TREE.string(EXACT.decode("1.50")) == "1.5"


@pytest.mark.parametrize("scalars", [OF_TREE, AS_WRITTEN])
def test_the_rules_are_those_of_java(scalars):
    """Of truth values, whole numbers and fractions."""
    values = [True, " True ", "yes", "1", 1, False]
    assert [scalars.truth(each) for each in values] == [True, True, False, False, False, False]
    assert [scalars.whole(31)(each) for each in (5, " +5 ", -(2**31))] == [5, 5, -(2**31)]
    assert [scalars.real(each) for each in (5, "1.5f", "Infinity", 10**400)] == [5.0, 1.5, *[float("inf")] * 2]
    for each in ("1.5", True, 2**31, [1], Decimal("3e9")):
        with pytest.raises((ValueError, TypeConversionError)):
            scalars.whole(31)(each)
    for each in (True, "x", {}, ""):
        with pytest.raises((ValueError, TypeConversionError)):
            scalars.real(each)
    with pytest.raises(TypeConversionError, match="a single value is expected"):
        scalars.truth([])


def test_small_whole_numbers_have_no_fraction():
    """INT and LONG cut it off, BYTE and SHORT do not."""
    assert OF_TREE.whole(63)(1.9) == 1
    with pytest.raises(ValueError, match=r"'1\.9' is no whole number"):
        OF_TREE.whole(15, cuts=False)(1.9)


def test_minus_zero_is_a_number_by_itself():
    """As a fraction in tables; as a whole number it is 0, and a plain one."""
    (zero,) = WRITTEN.decode("[-0]")
    assert str(AS_WRITTEN.real(zero)) == "-0.0"
    assert type(AS_WRITTEN.whole(31)(zero)) is int
    assert str(AS_WRITTEN.whole(31)(zero)) == "0"


def test_bytes_are_base64_and_nothing_else():
    """Letters that Base64 does not have are an error."""
    assert base64_bytes("AQ==") == b"\x01"
    with pytest.raises(ValueError, match=r"base64|padding"):
        base64_bytes("A!Q==")
    with pytest.raises(TypeConversionError, match="a text is expected"):
        base64_bytes(5)
