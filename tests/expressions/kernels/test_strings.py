"""Functions of text, as Flink's Java has them."""

import pyarrow as pa
import pytest

from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.logical_types import STRING
from windrow.expressions.nodes import Call, InputRef, Literal


def made(name, text, *arguments, kind=STRING):
    """What a function makes of a text, and of NULL beside it."""
    column = pa.array([text, None])
    call = Call(name, (InputRef(0, STRING), *[Literal(each, STRING) for each in arguments]), kind)
    found = evaluate(call, Input([column], pa.array([0, 0]).to_numpy())).to_pylist()
    assert found[1] is None
    return found[0]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("UPPER", "stra\u00dfe", "STRASSE"),
        ("UPPER", "wind", "WIND"),
        ("LOWER", "\u0130", "i\u0307"),
        ("LOWER", "WIND", "wind"),
        ("INITCAP", "hello wORLD", "Hello World"),
        ("INITCAP", "\u00e4rger", "\u00e4Rger"),
    ],
)
def test_a_case_is_javas(name, text, expected):
    """The upper case of a letter may be two, and words of INITCAP are of ASCII's letters and digits."""
    assert made(name, text) == expected


@pytest.mark.parametrize("replacement", ["[$1]", "$0", r"\n", r"\1", "\\"])
def test_a_replacement_is_taken_as_it_is_written(replacement):
    """Flink's REGEXP_REPLACE knows no groups in it."""
    assert made("REGEXP_REPLACE", "abc", "(b)", replacement) == f"a{replacement}c"


def test_a_pattern_that_is_none_gives_null_and_one_that_is_not_known_here_an_error():
    """The first is as in Flink, and the second would be a wrong result."""
    assert made("REGEXP_EXTRACT", "abc", "(") is None
    with pytest.raises(ValueError, match=r"\\p\{L\} in the regular expression .* is not supported here"):
        made("REGEXP_EXTRACT", "abc", r"\p{L}")
