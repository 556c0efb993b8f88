"""Elements that wait keep their places in the order of arrival."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, TupleShape
from windrow.operators.window.waiting_elements import WaitingElements

PAIR = TupleShape((LONG.types[0],) * 2)


def batch_of(shape, begin, count):
    numbers = np.arange(begin, begin + count)
    return Batch(Columns.of(shape, [numbers] * len(shape.types)), numbers, Columns.of(LONG, [numbers]))


@given(st.lists(st.tuples(st.sampled_from([LONG, PAIR]), st.integers(1, 4)), min_size=1, max_size=6))
def test_elements_of_one_shape_are_one_batch(drawn):
    """Each at the place where it came; behind each batch one is left out."""
    waiting, begin = WaitingElements(), 100
    for shape, count in drawn:
        waiting.extend(batch_of(shape, begin, count))
        begin += count + 1
    assert (len(waiting), waiting.places) == (sum(count for _, count in drawn), begin - 100)
    found = list(waiting.alike(100))
    assert [batch.columns.shape for batch, _ in found] == list(dict.fromkeys(shape for shape, _ in drawn))
    for batch, places in found:
        assert batch.timestamp_list() == list(batch.keys) == places.tolist() == sorted(places.tolist())
    assert sum(len(batch) for batch, _ in found) == len(waiting)
