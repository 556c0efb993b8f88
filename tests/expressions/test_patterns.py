"""Java's regular expressions."""

import pytest

from windrow.expressions.patterns import compiled


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\w+", "\u00e9ab", ["ab"]),
        (r"\d", "\u0663 3", ["3"]),
        (r"\p{Punct}", "a.b!", [".", "!"]),
        (r"\P{Alpha}", "a1", ["1"]),
        (r"[\p{Upper}1]+", "aB1c", ["B1"]),
        (r"(?<word>a+)b\k<word>", "aabaa", ["aa"]),
        (r"(?<=a)b", "ab cb", ["b"]),
        (r"\Qa.b\E+", "a.bb axb", ["a.bb"]),
        (r"a.", "a\n a\r ab", ["ab"]),
        (r"(?s)a.", "a\nab", ["a\n", "ab"]),
        (r"a\z", "a\n", []),
        (r"a\Z", "a\n", ["a"]),
        (r"a\Rb", "a\r\nb", ["a\r\nb"]),
        (r"[\h]+", "a \t\u00a0b", [" \t\u00a0"]),
        (r"[^\]a]", "a]b", ["b"]),
        (r"\.[.]", "x..", [".."]),
        (r"a++b", "aab", ["aab"]),
    ],
)
def test_a_pattern_finds_what_java_finds(pattern, text, found):
    """Classes are of ASCII, a dot stops at the end of a line, and names, quotes and ends are Java's."""
    assert [each.group(each.lastgroup or 0) for each in compiled(pattern).finditer(text)] == found


@pytest.mark.parametrize("pattern", [r"\p{L}", r"[a-z&&[^b]]", r"[a[bc]]", r"\G", r"[\P{Alpha}]", r"\pL"])
def test_what_only_java_has_is_refused(pattern):
    """It would be an error of Python's, which is NULL in SQL, or would match something else."""
    with pytest.raises(ValueError, match="is not supported here"):
        compiled(pattern)
