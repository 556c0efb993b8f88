"""Patterns of SIMILAR TO."""

import pytest

from windrow.expressions.kernels.similar import similar_pattern


@pytest.mark.parametrize(
    ("pattern", "escape", "fits", "fits_not"),
    [
        ("a%", None, ["a", "abc", "a\nb"], ["ba"]),
        ("a_", None, ["ab", "a$"], ["a", "a\n"]),
        ("(ab|c)+", None, ["abc"], ["", "a"]),
        # What an escape stands before is itself; without one a backslash is.
        ("a!%", "!", ["a%"], ["ab"]),
        ("!!!_", "!", ["!_"], ["!a"]),
        ("a\\%", None, ["a\\", "a\\b"], ["a%"]),
        ("a$", None, ["a$"], ["a"]),
        # Between brackets are characters, and classes of them.
        ("[a-c]", None, ["b"], ["d"]),
        ("[^a-c]", None, ["d"], ["b"]),
        ("[[:DIGIT:][:upper:]]", None, ["5", "Q"], ["q"]),
        ("[!]]", "!", ["]"], ["!"]),
    ],
)
def test_a_pattern_fits_what_it_fits_in_flink(pattern, escape, fits, fits_not):
    """Signs of SQL's, and those of regular expressions that it takes over."""
    made = similar_pattern(pattern, escape)
    assert [text for text in (*fits, *fits_not) if made.fullmatch(text)] == fits


@pytest.mark.parametrize(
    ("pattern", "escape", "told"),
    [
        ("a", "xx", "ESCAPE takes one character; got 'xx'"),
        ("a!", "!", "stands before a sign or itself; got '' behind it"),
        ("a!b", "!", "stands before a sign or itself; got 'b' behind it"),
        ("a:b", ":", "take another character"),
        ("[a", None, "a bracket is not closed"),
        ("[a(]", None, "'(' does not stand between brackets"),
        ("(a", None, "missing )"),
    ],
)
def test_what_is_no_pattern_is_an_error(pattern, escape, told):
    """The error has the pattern, or the escape, and what is wrong with it."""
    with pytest.raises(ValueError, match=r"ESCAPE|SIMILAR TO") as wrong:
        similar_pattern(pattern, escape)
    assert told in str(wrong.value)
