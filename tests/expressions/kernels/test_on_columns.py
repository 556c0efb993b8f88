"""Functions of text computed by Arrow, or once for each value: they give what they give row by row."""

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.expressions.distinct_values import by_value
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.kernels.comparison import like_pattern
from windrow.expressions.logical_types import BOOLEAN, INT, STRING, arrow_of
from windrow.expressions.nodes import Call, InputRef, Literal

TEXT = st.text(alphabet="ab%_\\.*+[]^$(){}|?- \n\r\0\u00e9\u0130\u00df\U0001f600", max_size=6)
NUMBER = st.integers(-3, 7)
#: Functions of a text, with what else they take.
FUNCTIONS = {
    "LIKE": (BOOLEAN, [TEXT]),
    "SIMILAR TO": (BOOLEAN, [st.sampled_from(["a%", "%(a|b)%", "_", "a+"])]),
    "SUBSTRING": (STRING, [NUMBER, NUMBER]),
    "SUBSTR": (STRING, [NUMBER]),
    "LEFT": (STRING, [NUMBER]),
    "RIGHT": (STRING, [NUMBER]),
    "LTRIM": (STRING, [TEXT]),
    "RTRIM": (STRING, [TEXT]),
    "BTRIM": (STRING, [TEXT]),
    "REPLACE": (STRING, [TEXT, TEXT]),
    "STARTSWITH": (BOOLEAN, [TEXT]),
    "ENDSWITH": (BOOLEAN, [TEXT]),
    "CONCAT": (STRING, [TEXT, TEXT]),
    "INSTR": (INT, [TEXT]),
    "SPLIT_INDEX": (STRING, [st.sampled_from("ab "), st.integers(-1, 2)]),
    "REGEXP_EXTRACT": (STRING, [st.sampled_from(["(a)(b)?", "[", "."]), st.integers(0, 2)]),
    "LPAD": (STRING, [NUMBER, TEXT]),
    "INITCAP": (STRING, []),
    "MD5": (STRING, []),
}


def type_of(value):
    return INT if isinstance(value, int) else STRING


def both_ways(name, kind, texts, arguments, options=()):
    """A call with what else it takes as constants, and as columns."""
    columns = [
        pa.array(texts, pa.string()),
        *[pa.array([each] * len(texts), arrow_of(type_of(each))) for each in arguments],
    ]
    times = np.zeros(len(texts), np.int64)
    constant = [Literal(each, type_of(each)) for each in arguments]
    varying = [InputRef(1 + place, type_of(each)) for place, each in enumerate(arguments)]
    calls = [Call(name, (InputRef(0, STRING), *rest), kind, options) for rest in (constant, varying)]
    return [evaluate(call, Input(columns, times)).to_pylist() for call in calls]


@pytest.mark.parametrize("name", FUNCTIONS)
@given(texts=st.lists(TEXT | st.none(), max_size=24), data=st.data())
def test_constants_change_nothing(name, texts, data):
    """Neither the number of rows, nor values that are there more than once, nor NULL."""
    kind, rest = FUNCTIONS[name]
    arguments = [data.draw(each) for each in rest]
    quickly, by_row = both_ways(name, kind, texts * 2, arguments)
    assert quickly == by_row


@given(
    texts=st.lists(TEXT | st.none(), max_size=24),
    characters=TEXT,
    side=st.sampled_from(["LEADING", "TRAILING", "BOTH"]),
)
def test_trim_takes_the_same_characters(texts, characters, side):
    """On each side."""
    quickly, by_row = both_ways("TRIM", STRING, texts, [characters], (side,))
    assert quickly == by_row


@given(pattern=TEXT, escape=st.sampled_from(["", "a", "\\", "%"]), text=TEXT)
def test_like_is_what_its_pattern_says(pattern, escape, text):
    """Read sign by sign."""
    parts, rest = [], list(pattern)
    while rest:
        character = rest.pop(0)
        if escape and character == escape:
            parts.append(re.escape(rest.pop(0) if rest else character))
        else:
            parts.append({"%": "(?s:.*)", "_": "(?s:.)"}.get(character, re.escape(character)))
    fits = re.fullmatch("".join(parts), text) is not None
    assert (like_pattern(pattern, escape).match(text) is not None) is fits
    arguments = [pattern, escape] if escape else [pattern]
    assert both_ways("LIKE", BOOLEAN, [text], arguments) == [[fits], [fits]]


def test_a_pattern_may_be_long():
    """Longer than those that Arrow takes."""
    assert both_ways("LIKE", BOOLEAN, ["a" * 5_000], ["_" * 5_000]) == [[True], [True]]


def test_a_value_is_looked_at_once():
    """However often it is there; few values are looked at one by one, and so are those that Python tells apart."""
    seen = []
    column = pa.array(["a", None, "b"] * 20)
    made = by_value(column, lambda text: seen.append(text) or len(text), pa.int64())
    assert (made.to_pylist(), seen) == ([1, None, 1] * 20, ["a", "b"])
    assert by_value(pa.array([0.0, -0.0] * 9), str, pa.string()).to_pylist() == ["0.0", "-0.0"] * 9
    assert by_value(pa.array([], pa.string()), len, pa.int64()).to_pylist() == []


def test_what_draws_lots_draws_them_for_each_row():
    """Though its arguments are the same for all rows."""
    call = Call("RAND_INTEGER", (Literal(1_000_000, INT),), INT)
    drawn = evaluate(call, Input([], np.zeros(64, np.int64))).to_pylist()
    assert len(set(drawn)) > 32
