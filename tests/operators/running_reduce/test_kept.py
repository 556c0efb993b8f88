"""What a running reduce over columns has is the same behind a checkpoint as before it, whoever reads it."""

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.running_reduce.test_operator import COMBINED, INT, KEYS, TRIPLES, batch_of, element
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.operators.base import OperatorContext, Time
from windrow.operators.column_folds import kept_results, tables_by_group
from windrow.operators.reduce import ReduceOperator
from windrow.operators.running_reduce import operator as operator_module
from windrow.operators.running_reduce import running_reduce
from windrow.state import kept_columns
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

FORMS = ["columns", "rows", "plain"]
a_batch = st.lists(element, min_size=1, max_size=12)
step = st.one_of(
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("rows"), st.lists(element, min_size=1, max_size=3)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("restart", "columns")),
    st.just(("restart", "columns")),
    st.tuples(st.just("restart"), st.sampled_from(FORMS)),
    st.tuples(st.just("lost"), a_batch),
)


class Subtask:
    """A running reduce with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, function, form="columns"):
        self.function, self.store, self._tokens = function, MemoryPageStore(), count()
        self.output = RecordingOutput()
        self.restart(form)

    def restart(self, form):
        """Another worker: nothing is in memory."""
        self.form = form
        self.operator = ReduceOperator(self.function) if form == "plain" else running_reduce(self.function)
        self.state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        context = OperatorContext("reduce", self.output, Time(), self.state, None, columns=form == "columns")
        self.operator.open(context)
        self.attach()

    def attach(self):
        """Begin a batch with what was stored."""
        self.state.attach(self.store, "op")

    def cut(self):
        """The end of a batch, and the begin of the next one."""
        self.store_all()
        self.attach()

    def store_all(self):
        """The end of a batch."""
        self.operator.store_state()
        self.state.flush()

    def pages_of_columns(self):
        return sorted(name for name in self.store.pages if "/result/" in name)

    def taken(self):
        """All that has come out since the last call."""
        taken, self.output.items = self.output.items, []
        return repr(taken)


def play(subtask, stream, steps, *, columns):
    """What comes out at each step."""
    number, given = 0, []
    for step in [*steps, ("cut",), ("columns", [(0, 1, False), (3, 2, False)])]:
        match step:
            case ("columns" | "rows" as form, elements):
                as_columns = columns and form == "columns"
                subtask.operator.process_batch(batch_of(*stream, elements, number, columns=as_columns))
                number += len(elements)
            case ("lost", elements):
                subtask.cut()
                before = dict(subtask.store.pages)
                given.append(subtask.taken())
                subtask.operator.process_batch(batch_of(*stream, elements, number, columns=columns))
                subtask.taken()
                if len(elements) % 2:  # the batch came to its end, and was not committed
                    subtask.store_all()
                    subtask.store.pages = before
                    subtask.attach()
                else:  # who fails is made anew
                    subtask.restart(subtask.form)
            case ("cut",):
                subtask.cut()
            case ("restart", form):
                subtask.cut()
                subtask.restart(form if columns else "plain")
        given.append(subtask.taken())
    return given


@settings(print_blob=True, max_examples=400, deadline=None)
@given(
    st.sampled_from(COMBINED),
    st.sampled_from(KEYS),
    st.lists(step, max_size=16),
    st.sampled_from([(2**18, 4096, 2**14, 2**28), (4, 1, 1, 2**28), (2, 1, 1, 2**28), (2**18, 1, 2**14, 1)]),
)
def test_equals_the_operator_over_rows(combined, keys, steps, sizes):
    """Batches, other workers, batches that are run again and changes of form show in no result."""
    shape, function = combined
    stream = shape, *keys
    expected = play(Subtask(function, "plain"), stream, steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operator_module, "_MOST_KEYS", sizes[0])
        patch.setattr(operator_module, "_MOST_TEXTS", sizes[0])
        patch.setattr(tables_by_group, "_TABLE_ROWS", sizes[1])
        patch.setattr(kept_columns, "PAGE_KEYS", sizes[2])
        patch.setattr(kept_columns, "KEPT_BYTES", sizes[3])
        patch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
        assert play(Subtask(function), stream, steps, columns=True) == expected


SUM = COMBINED[0][1]


def reduced(subtask, numbers):
    """Reduce an element of each key."""
    elements = Columns.of(TRIPLES, [numbers, numbers, numbers])
    subtask.operator.process_batch(Batch(elements, np.zeros(numbers.size), Columns.of(ScalarShape((INT,)), [numbers])))


def test_a_batch_writes_the_tables_that_it_has_changed(monkeypatch):
    """A table none of whose keys had an element stays as it is in the store."""
    monkeypatch.setattr(tables_by_group, "_TABLE_ROWS", 50)
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(1_000))
    subtask.cut()
    before = dict(subtask.store.pages)
    assert len(before) == 17
    reduced(subtask, np.array([3, 3, 3]))
    subtask.cut()
    changed = [name for name, page in subtask.store.pages.items() if page != before.get(name)]
    assert len(changed) == 2
    assert len(subtask.store.pages) == 17


def test_more_keys_are_cut_into_more_tables(monkeypatch):
    """What was in other tables is in them no more."""
    monkeypatch.setattr(tables_by_group, "_TABLE_ROWS", 50)
    subtask = Subtask(SUM)
    for begin, end, pages in ((0, 60, 2), (100, 200, 4), (200, 500, 8)):
        reduced(subtask, np.arange(begin, end))
        subtask.cut()
        assert len(subtask.pages_of_columns()) == pages
    subtask.restart("columns")
    reduced(subtask, np.arange(500))
    values = [item.value for item in subtask.output.items[-500:]]
    assert values == [(n, n if 60 <= n < 100 else 2 * n, n) for n in range(500)]


def test_what_nobody_else_has_written_is_not_read_again():
    """The next batch of the same worker asks for the root only."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    asked = []
    subtask.store.get = lambda name: asked.append(name) or subtask.store.pages.get(name)
    reduced(subtask, np.arange(7))
    subtask.cut()
    assert asked == ["op/pages"]


def test_a_batch_without_elements_reads_and_writes_nothing():
    """What is stored stays."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    subtask.restart("columns")
    subtask.store.get = None
    subtask.cut()
    assert subtask.pages_of_columns()


def test_no_more_is_kept_as_columns_than_a_batch_can_write(monkeypatch):
    """Many keys are stored by key, and stay so."""
    monkeypatch.setattr(operator_module, "_MOST_KEYS", 20)
    subtask = Subtask(SUM)
    for keys, as_columns in ((15, True), (25, False), (5, False)):
        reduced(subtask, np.arange(keys))
        subtask.cut()
        assert bool(subtask.pages_of_columns()) == as_columns
    assert [item.value[1] for item in subtask.output.items[-5:]] == [0, 3, 6, 9, 12]


def test_what_earlier_versions_have_stored_by_key_becomes_columns():
    """Key by key, as elements come for them."""
    subtask = Subtask(SUM, "plain")
    reduced(subtask, np.arange(5))
    subtask.cut()
    assert not subtask.pages_of_columns()
    subtask.restart("columns")
    reduced(subtask, np.arange(3))
    subtask.cut()
    assert subtask.pages_of_columns()
    assert subtask.state.stored_keys() == 2
    reduced(subtask, np.arange(5))
    subtask.cut()
    assert subtask.state.stored_keys() == 0
    assert [item.value[1] for item in subtask.output.items[-5:]] == [0, 3, 6, 6, 8]


def test_another_function_begins_with_rows():
    """What another fold has kept is given to the operator over rows, which goes on with any function."""
    subtask = Subtask(SUM)
    reduced(subtask, np.arange(5))
    subtask.cut()
    subtask.function = lambda a, b: (a[0], max(a[1], b[1]), b[2])
    subtask.restart("columns")
    reduced(subtask, np.arange(4, 6))
    subtask.cut()
    assert [item.value for item in subtask.output.items[-2:]] == [(4, 4, 4), (5, 5, 5)]
    subtask.restart("plain")
    subtask.operator.process_batch(batch_of(TRIPLES, INT, [3, 4], [(0, -1, False), (1, 9, False)], 0, columns=False))
    assert [item.value[1] for item in subtask.output.items[-2:]] == [3, 9]


def test_a_description_of_another_version_is_refused(monkeypatch):
    """It is not read as if it were of this one."""
    subtask = Subtask(SUM)
    monkeypatch.setattr(kept_results, "VERSION", 2)
    reduced(subtask, np.arange(5))
    subtask.cut()
    monkeypatch.undo()
    subtask.restart("columns")
    with pytest.raises(ValueError, match="results of columns have version 2, and this program reads 1"):
        reduced(subtask, np.arange(5))
