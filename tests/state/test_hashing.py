"""Hashes of columns are the hashes of their values."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.state.hashing import columns_of, hashes, murmurs
from windrow.state.key_groups import _murmur
from windrow.state.stable_hash import stable_hash

LONGS = st.integers(-(2**63), 2**63 - 1)
EDGES = [0, 1, -1, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 0.5, -1.5, 1e300, 5e-324, 2.0**61 - 256, 2.0**61, 2.0**63, -(2.0**63), 2.0**62 + 1024,
          float("nan"), float("inf"), float("-inf"), -(2.0**-61), 2.0**-61, 2.0**1023]  # fmt: skip
TEXT = st.text() | st.text("ab😀ü\0", max_size=12)
#: Arrow's type, and values that it holds as they are.
TYPES = [
    (pa.int64(), LONGS),
    (pa.int8(), st.integers(-128, 127)),
    (pa.uint16(), st.integers(0, 2**16 - 1)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.float64(), st.floats() | st.sampled_from(FLOATS) | LONGS.map(float)),
    (pa.float32(), st.floats(width=32)),
    (pa.bool_(), st.booleans()),
    (pa.string(), TEXT),
    (pa.large_string(), TEXT),
    (pa.dictionary(pa.int8(), pa.string()), st.sampled_from(["", "a", "bü", "😀"])),
    (pa.dictionary(pa.int32(), pa.int64()), st.sampled_from(EDGES)),
]


@pytest.mark.parametrize(("kind", "values"), TYPES, ids=str)
@given(data=st.data())
def test_a_column_hashes_as_its_values_do(kind, values, data):
    """Of each type, with nulls, from any row to any row, in one piece or in several."""
    keys = data.draw(st.lists(values | st.none(), max_size=20))
    start, end = data.draw(st.integers(0, len(keys))), data.draw(st.integers(0, len(keys)))
    expected = [stable_hash(key) for key in keys]
    column = pa.array(keys, kind)
    assert hashes(column).tolist() == expected
    assert hashes(column.slice(start, max(0, end - start))).tolist() == expected[start : max(start, end)]
    assert hashes(pa.chunked_array([column.slice(0, start), column.slice(start)])).tolist() == expected


@given(st.lists(LONGS | st.sampled_from(EDGES)), st.lists(st.floats() | st.sampled_from(FLOATS)))
@example(EDGES, FLOATS)
def test_arrays_of_numpy_hash_as_their_values_do(longs, floats):
    """Whole numbers, floats and booleans."""
    assert hashes(np.array(longs, np.int64)).tolist() == [stable_hash(key) for key in longs]
    assert hashes(np.array(floats, np.float64)).tolist() == [stable_hash(key) for key in floats]
    truths = [key > 0 for key in longs]
    assert hashes(np.array(truths, bool)).tolist() == [stable_hash(key) for key in truths]


@given(st.lists(st.tuples(LONGS, TEXT, st.tuples(st.floats(), st.booleans()))))
def test_columns_of_fields_hash_as_tuples_do(keys):
    """Tuples in tuples as well."""
    longs, texts, pairs = zip(*keys, strict=True) if keys else ((), (), ())
    numbers, truths = zip(*pairs, strict=True) if pairs else ((), ())
    inner = [pa.array(numbers, pa.float64()), pa.array(truths, pa.bool_())]
    found = hashes([np.array(longs, np.int64), pa.array(texts, pa.string()), inner])
    assert found.tolist() == [stable_hash(key) for key in keys]


@given(st.lists(LONGS) | st.lists(TEXT) | st.lists(st.floats()) | st.lists(st.tuples(LONGS, TEXT)))
def test_a_list_of_keys_becomes_columns_that_hash_as_the_keys(keys):
    """Strings, numbers and tuples of them."""
    columns = columns_of(keys)
    assert columns is None if not keys else hashes(columns).tolist() == [stable_hash(key) for key in keys]


@pytest.mark.parametrize(
    "keys", [[1, 1.0], [True], [None], [b"a"], ["\ud800"], [2**63], [()], [(1, 2), (1,)], [(1, None)]], ids=repr
)
def test_other_keys_become_no_columns(keys):
    """Where types are mixed, or there is no column that holds them, keys are hashed one by one."""
    assert columns_of(keys) is None


@pytest.mark.parametrize(
    "column",
    [
        pa.array([b"a"]),
        pa.array([decimal.Decimal(1)]),
        pa.array([datetime.date(2020, 1, 1)]),
        pa.array([b"a"]).dictionary_encode(),
        np.array(["a"], object),
        np.array(["a"]),
        np.array([1.5], np.longdouble),
        [pa.array([1]), pa.array([b"a"])],
        [],
    ],
    ids=lambda column: str(getattr(column, "type", getattr(column, "dtype", "columns"))),
)
def test_other_types_have_no_hash_as_columns(column):
    """Who asks is told, and hashes their values one by one."""
    assert hashes(column) is None


def test_strings_of_more_units_than_a_table_of_powers_holds():
    """A long column and a long string hash as short ones do."""
    keys = ["x" * 70_000, "😀" * 70_000, *(f"key-{number}" for number in range(20_000))]
    expected = [stable_hash(key) for key in keys]
    assert hashes(pa.array(keys)).tolist() == expected
    assert hashes(pa.array(keys[2:])).tolist() == expected[2:]


@given(st.lists(st.integers(-(2**31), 2**31 - 1)))
def test_murmur_of_a_column_is_that_of_its_hashes(codes):
    """Flink's last step, for all hashes at once."""
    assert murmurs(np.array(codes, np.int32)).tolist() == [_murmur(code) for code in codes]


def test_the_hash_without_an_absolute_value_is_0():
    """Where Java's arithmetic overflows Flink takes 0: no key falls outside of the groups."""
    assert (_murmur(-2089875627), murmurs(np.array([-2089875627], np.int32)).tolist()) == (0, [0])
