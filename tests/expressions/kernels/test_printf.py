"""PRINTF, beside tests/table/flink_sql/more_functions.json."""

import pytest

from windrow.expressions.kernels.printf import formatted


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("%d%%|%n", (7,), "7%|\n"),
        ("%05d|%-5d|%+d|% d|%,d|%(d", (42, 42, 42, 42, 1234567, -3), "00042|42   |+42| 42|1,234,567|(3)"),
        ("%x|%X|%o|%08x", (255, 255, 8, -1), "ff|FF|10|ffffffff"),
        ("%.2f|%8.3f|%e|%,.1f", (1.005, -2.5, 12345.678, 1234.56), "1.01|  -2.500|1.234568e+04|1,234.6"),
        ("%s|%5s|%-5s|%.2s|%S", ("a", "b", "c", "def", "x"), "a|    b|c    |de|X"),
        ("%b|%B|%s|%s", (True, None, False, 1.0), "true|FALSE|false|1.0"),
        ("%2$s %1$s %s", ("a", "b"), "b a a"),
        ("%c", (65,), "A"),
        ("no more", (1,), "no more"),
        ("%d", (None,), "null"),
    ],
)
def test_values_stand_in_place_of_their_formats(text, values, expected):
    """As Java's Formatter writes them."""
    assert formatted(text, *values) == expected


@pytest.mark.parametrize(
    "given", [("%d", "x"), ("%f", 1), ("%d", 1.0), ("%s",), ("%q", 1), ("50%", 1), (None, 1), ("%c", "x")]
)
def test_what_does_not_fit_gives_null(given):
    """Whether it is the format or a value."""
    assert formatted(*given) is None
