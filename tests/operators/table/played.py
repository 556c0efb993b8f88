"""Plays the same rows and watermarks to an operator on columns and to the one over rows."""

from unittest.mock import patch

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import arrow_of
from windrow.operators.table import keyed_columns
from windrow.operators.table.calc import tuples_of
from windrow.testing import OperatorHarness

#: Types of keys, and keys; of those with NULL there is no form on columns.
KEYS = [(lt.BIGINT, [1, -2, 10**15, 3]), (lt.STRING, ["a", "b", "", "\u00e9"]), (lt.BIGINT, [1, None, 2, 3])]


def steps_of(row, *, most=6):
    """Batches of rows of few keys and near times, as columns or as rows, watermarks that rise, cuts and restores.

    Args:
        row: Draws what a row is made of beside its key and its time.
        most: How many steps there are.
    """
    timed = st.tuples(st.integers(0, 3), st.integers(0, 30), row)
    rows = st.lists(timed, min_size=1, max_size=12) | st.lists(timed, min_size=33, max_size=80)
    step = (
        st.tuples(st.sampled_from(["columns", "columns", "rows"]), rows)
        | st.tuples(st.just("watermark"), st.integers(0, 25))
        | st.sampled_from([("cut",), ("restore",)])
    )
    return st.lists(step, max_size=most)


def batch_of(types, elements, times, *, columns):
    """Tuples as an operator on a keyed stream is given them: their first field is the key."""
    of_keys = [element[0] for element in elements]
    if not columns:
        return Batch(elements, list(times), of_keys)
    arrays = [pa.array(values, arrow_of(kind)) for values, kind in zip(zip(*elements, strict=True), types, strict=True)]
    keys = Columns.of(ScalarShape((arrow_of(types[0]),)), [arrays[0]])
    return Batch(Columns.of(tuples_of(types), arrays), np.array(times, np.int64), keys)


def play(operator_of, types, keys, row_of, steps, *, columns, most_stored=100):
    """All that comes out, and what is stored at each restore and at the end.

    Args:
        operator_of: Makes the operator.
        types: The types of a tuple's fields.
        keys: The keys that there are.
        row_of: Makes the tuple of a key, the number of the row, and what was drawn.
        steps: What happens.
        columns: Whether batches are columns where the step says so.
        most_stored: Where more rows than this are stored for each that comes, they stay rows.
    """
    with patch.multiple(keyed_columns, _FEW=33, _MOST_STORED=most_stored):
        return _play(operator_of, types, keys, row_of, steps, columns)


def _play(operator_of, types, keys, row_of, steps, columns):
    current = OperatorHarness(operator_of())
    seen, number, watermark = [], 0, 0
    for step, (kind, *given) in enumerate([*steps, ("restore",), ("watermark", 100), ("restore",)]):
        if kind in ("columns", "rows"):
            drawn = given[0]
            elements = [row_of(keys[key], number + place, each) for place, (key, _, each) in enumerate(drawn)]
            times = [4 * step + time for _, time, _ in drawn]
            current._operator.process_batch(batch_of(types, elements, times, columns=columns and kind == "columns"))
            number += len(drawn)
        elif kind == "watermark":
            watermark = max(watermark, 4 * step + given[0])
            current.process_watermark(watermark)
        elif kind == "cut":
            current.snapshot()
        else:
            snapshot, counters = current.snapshot(), current.counters
            stored = sorted([each._replace(value=in_order(each.value)) for each in current.state_entries()], key=repr)
            seen.append((current.take_output(), dict(counters), stored, sorted(current.event_timers(), key=repr)))
            current = OperatorHarness(operator_of(), snapshot=snapshot)
            current._context.time.watermark = watermark
    return seen


def in_order(value):
    """A value whose dictionaries are in an order of their keys: theirs is not looked at."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(each) for each in value] if isinstance(value, list) else value
