"""Objects of JSON as columns: they have what is read one by one, or are read one by one."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.operators.table.json_columns import can_read, columns_of_json
from windrow.operators.table.json_lines import JsonLines
from windrow.table import data_types as t

TEXT = t.VarCharType(t.LONGEST)
NAMES, TYPES = ["i", "l", "d", "s", "b"], [t.TinyIntType(), t.BigIntType(), t.DoubleType(), TEXT, t.BooleanType()]
LEAVES = st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2))
FITTING = st.fixed_dictionaries(
    {},
    optional={
        "i": st.none() | st.integers(-128, 127),
        "l": st.none() | st.integers(-(2**63), 2**63 - 1),
        "d": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**40), 2**40),
        "s": st.none() | st.text(),
        "b": st.none() | st.booleans(),
        "other": VALUES,
    },
)
OBJECTS = FITTING | st.dictionaries(st.sampled_from([*NAMES, "x"]), VALUES)
CONTENTS = st.builds(
    lambda value, ascii_: json.dumps(value, ensure_ascii=ascii_).encode(errors="replace"), OBJECTS, st.booleans()
)


def by_rows(contents):
    """The rows of contents that are read one by one; None: one cannot be."""
    lines = JsonLines(NAMES, TYPES)
    try:
        rows = [lines.read(content.decode()) for content in contents]
    except (ValueError, OverflowError):
        return None
    return None if None in rows else rows


@given(st.lists(CONTENTS, min_size=1, max_size=4))
@example([b'{"i": 1}{"i": 2}', b"{}"])
@example([b'{"i": 1}\n{"i": 2}'])
@example([b'{"i": 1, "i": 2}'])
@example([b'{"s": "\xff"}'])
@example([b'{"s": "\\ud800"}'])
@example([b'{"i": 1}\x00}'])
@example([b'{"l": "1"}'])
@example([b'{"l": 1.0}'])
@example([b'{"l": 1e2}'])
@example([b'{"i": 128}'])
@example([b'{"d": 1e400}'])
@example([b'{"d": NaN}'])
@example([b'{"d": -0}'])
@example([b'{"d": -0.0, "i": -0}'])
@example([b'{"s": "a"} {"s": "b"}', b"{}"])
@example([b'{"s": "x}', b'{y"}', b"{},{}"])
@example([b'{"s": "x}', b'{y"}', b"{} {}"])
@example([b'{"i": 1} ', b' {"i": 2}'])
@example([b"{}", b""])
@example([b'{"z": [1, -Infinity]}'])
@example([b'{"d": -Inf}'])
@example([b'{"s": "Info, Inf"}'])
@example([b'{"d": 123456789012345678901234567890.5}'])
@example([b'{"s": "a\nb"}'])
@example([b'{"i": 01}'])
@example([b'{"b": 1}'])
@example([b'{"s": {"a": 1}}'])
@example([b'{"other": {"i": "x"}, "i": 3}'])
def test_columns_have_what_rows_have(contents):
    """Whatever is in them: where there are columns, the format reads the same, and fails nowhere."""
    columns = columns_of_json(contents, NAMES, TYPES)
    if columns is not None:
        rows = list(zip(*[column.to_pylist() for column in columns], strict=True))
        assert repr(rows) == repr(by_rows(contents))


def test_what_fits_is_read_as_columns():
    """Fields that are missing are NULL, and others are left out."""
    contents = [b'{"l": 5, "s": "x", "z": [1]}', b'{"d": 1.5, "b": true, "i": -128}']
    columns = columns_of_json(contents, NAMES, TYPES)
    assert [column.to_pylist() for column in columns] == [
        [None, -128],
        [5, None],
        [None, 1.5],
        ["x", None],
        [None, True],
    ]


@pytest.mark.parametrize("kind", [t.FloatType(), t.DecimalType(5, 2), t.DateType(), t.ArrayType(t.IntType())])
def test_other_types_are_read_one_by_one(kind):
    """Arrow reads them otherwise, or not at all."""
    assert not can_read(["a"], [kind])
    assert can_read(["a"], [t.IntType()])
    assert not can_read(["a", "a"], [t.IntType(), t.IntType()])
