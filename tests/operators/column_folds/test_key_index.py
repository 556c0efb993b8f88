"""Keys get slots in the order in which they are new, and keep them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.operators.column_folds.key_index import IntKeyIndex, TextKeyIndex, key_column, key_index

near = st.integers(-100, 100)
far = st.integers(-(2**63), 2**63 - 1)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)


def check(index, chunks, column_of):
    """One slot for each key, whatever was asked before, also when some are forgotten on the way."""
    slot_of = {}
    for number, chunk in enumerate(chunks):
        slots = index.slots_of(column_of(chunk)).tolist()
        for key, slot in zip(chunk, slots, strict=True):
            assert slot_of.setdefault(key, slot) == slot
        assert sorted(slot_of.values()) == list(range(index.count))
        assert index.listed(np.array(slots, np.int64)) == chunk
        if number % 3 == 2:
            kept = np.arange(index.count)[::2][::-1]
            names = index.listed(kept)
            index.keep(kept)
            slot_of = {name: slot for slot, name in enumerate(names)}


@settings(print_blob=True, deadline=None)
@given(st.lists(st.lists(st.one_of(near, near, far), max_size=20), max_size=8))
def test_integers_keep_their_slots(chunks):
    """Numbers that lie close together, and any others: the table changes, slots do not."""
    check(IntKeyIndex(), chunks, lambda chunk: np.array(chunk, np.int64))


@settings(print_blob=True, deadline=None)
@given(st.lists(st.lists(texts, max_size=20), max_size=8))
def test_texts_keep_their_slots(chunks):
    """Texts, the empty one too."""
    check(TextKeyIndex(), chunks, lambda chunk: pa.array(chunk, pa.string()))


def test_many_integers_keep_their_slots():
    """A hash table that grows several times."""
    rng = np.random.default_rng(7)
    chunks = [rng.integers(-(2**63), 2**63 - 1, 5000).tolist() for _ in range(8)]
    check(IntKeyIndex(), [*chunks, *chunks], lambda chunk: np.array(chunk, np.int64))


@pytest.mark.parametrize(
    ("index", "keys"),
    [(IntKeyIndex(), [True]), (IntKeyIndex(), [2**63]), (TextKeyIndex(), [1]), (TextKeyIndex(), ["\ud800"])],
)
def test_keys_of_another_kind_are_no_column(index, keys):
    """What is no integer of 64 bits, or no text that Arrow takes, has to be looked up by row."""
    assert index.from_list(keys) is None


@pytest.mark.timeout(20)
@pytest.mark.parametrize("many", [4_095, 4_096, 5_000, 40_000])
def test_many_keys_that_lie_together_and_one_that_is_far_away(many):
    """The table is a hash table from then on, with room for all of them."""
    chunks = [list(range(many)), [10**12], list(range(many, 2 * many))]
    check(IntKeyIndex(), chunks, lambda keys: np.array(keys, np.int64))


def test_keys_of_other_types_have_no_index():
    """Floats and tuples are left to the path by row; so are keys that are null."""
    assert key_index(ScalarShape((pa.float64(),))) is None
    assert key_index(TupleShape((pa.int64(),))) is None
    nulls = Columns.of(ScalarShape((pa.int64(),)), [pa.array([1, None])])
    index = key_index(nulls.shape)
    assert isinstance(index, IntKeyIndex)
    assert key_column(nulls, index) is None
