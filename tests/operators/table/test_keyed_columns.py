"""Operators on columns over state in pages: what is stored of a batch's keys, and of those that are due, goes on."""

from collections import Counter
from functools import partial
from itertools import count
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.played import KEYS, batch_of, steps_of
from tests.property_examples import examples
from windrow.expressions import logical_types as lt
from windrow.operators.base import OperatorContext, Time
from windrow.operators.table import keyed_columns
from windrow.operators.table.keep_first import KeepFirstOperator
from windrow.operators.table.keep_first_columns import KeepFirstColumnsOperator
from windrow.operators.table.over import OverOperator
from windrow.operators.table.over_columns import OverColumnsOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

CALLS = [RowCall("SUM", (2,), lt.BIGINT), RowCall("MIN", (2,), lt.BIGINT)]
OPERATORS = {
    "first": (KeepFirstOperator, KeepFirstColumnsOperator),
    **{
        f"over {frame}": (
            partial(OverOperator, CALLS, by_rows=frame[0], preceding=frame[1]),
            lambda types, frame=frame: OverColumnsOperator(types, CALLS, by_rows=frame[0], preceding=frame[1]),
        )
        for frame in ((True, None), (True, 2), (False, 0), (False, 6))
    },
}


class Subtask:
    """An operator with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, make):
        self._make, self._store, self._tokens = make, MemoryPageStore(), count()
        self.output, self.counters, self.time = RecordingOutput(), Counter(), Time(-20)
        self.restart()

    def restart(self):
        """Another worker: nothing is in memory."""
        self.operator, self.state = self._make(), PagedKeyedState(4, lambda: b"%d" % next(self._tokens))
        context = OperatorContext("it", self.output, self.time, self.state, None, self.counters)
        self.operator.open(context)
        self.state.attach(self._store, "op")

    def cut(self):
        """The end of a batch, and what is in memory of its keys is forgotten."""
        self.operator.store_state()
        self.state.flush()
        self.state.attach(self._store, "op")


def play(make, types, keys, steps, *, columns):
    """What comes out at each step, by time and key, and what is late."""
    subtask, number, seen = Subtask(make), 0, []
    for step, (kind, *what) in enumerate([*steps, ("restore",), ("watermark", 200), ("cut",)]):
        if kind in ("columns", "rows"):
            elements = [
                (keys[key], f"{keys[key]!r} {number + place}", place) for place, (key, *_) in enumerate(what[0])
            ]
            times = [4 * step + time for _, time, _ in what[0]]
            subtask.operator.process_batch(batch_of(types, elements, times, columns=columns and kind == "columns"))
            number += len(elements)
        elif kind == "watermark":
            subtask.time.watermark = max(subtask.time.watermark, 4 * step + what[0])
            subtask.operator.process_watermark(subtask.time.watermark)
        else:
            subtask.cut()
            if kind == "restore":
                subtask.restart()
        made = [(record.timestamp, record.value[0].split()[0], record.value) for record in subtask.output.items]
        assert [time for time, *_ in made] == sorted(time for time, *_ in made)
        # Keys of one time come in the order in which their pages were read.
        seen.append((sorted(made, key=lambda each: each[:2]), dict(subtask.counters)))
        subtask.output.items = []
    subtask.state.load_all()
    return seen, sorted((repr(key), sorted(map(repr, entry))) for key, entry in subtask.state.entries())


@pytest.mark.parametrize("name", OPERATORS)
@settings(print_blob=True, max_examples=examples(40), deadline=None)
@given(keys=st.sampled_from(KEYS), steps=steps_of(st.none(), most=10), most_stored=st.sampled_from([100, 100, 0]))
def test_equals_the_operator_over_rows(name, keys, steps, most_stored):
    """Batches with checkpoints in between, and in other workers."""
    rows, on_columns = OPERATORS[name]
    types = [keys[0], lt.STRING, lt.BIGINT]
    expected = play(rows, types, keys[1], steps, columns=False)
    with patch.multiple(keyed_columns, _FEW=8, _MOST_STORED=most_stored):
        assert play(lambda: on_columns(types), types, keys[1], steps, columns=True) == expected
