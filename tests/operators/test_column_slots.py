"""The slots of keys that come as columns."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, ScalarShape, TupleShape
from windrow.operators import column_slots
from windrow.operators.column_slots import FEWEST, ColumnSlots
from windrow.state.key_slots import KeySlots

NUMBERS = [7, 3, 7, 10**15, -1, 3] * FEWEST


@pytest.mark.parametrize(
    "keys",
    [
        Columns.of(LONG, [np.array(NUMBERS)]),
        Columns.of(ScalarShape((pa.string(),)), [pa.array([str(number) for number in NUMBERS])]),
    ],
)
def test_keys_have_the_slots_that_they_have_one_by_one(keys):
    """In the order in which they first come, behind those that are there."""
    found, expected = KeySlots(), KeySlots()
    for slots in (found, expected):
        slots.slot_of(list(keys)[1])
    finder = ColumnSlots(found)
    assert finder.slots_of(keys).tolist() == list(expected.slots_of(list(keys)))
    assert found.keys == expected.keys
    found.slot_of("another")
    assert finder.slots_of(keys).tolist() == list(expected.slots_of(list(keys)))


@pytest.mark.parametrize(
    "keys",
    [
        NUMBERS,
        Columns.of(LONG, [np.array([1])]),
        Columns.of(TupleShape((pa.int64(),)), [np.array(NUMBERS)]),
        Columns(pa.record_batch({"f0": pa.array([1.5] * FEWEST)}), ScalarShape((pa.float64(),))),
    ],
)
def test_other_keys_are_looked_up_one_by_one(keys):
    """Rows, few keys, and those of which there is no index."""
    assert ColumnSlots(KeySlots()).slots_of(keys) is None


def test_too_many_keys_have_no_index(monkeypatch):
    """It would take as much memory as what is kept of them."""
    monkeypatch.setattr(column_slots, "_MOST_KEYS", 3)
    slots = KeySlots()
    finder = ColumnSlots(slots)
    keys = Columns.of(LONG, [np.array(NUMBERS)])
    assert finder.slots_of(keys)[:6].tolist() == [0, 1, 0, 2, 3, 1]
    assert finder.slots_of(keys) is None
