"""The first row of a key by time, on columns: all that comes out and is stored is what it is of rows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.played import KEYS, batch_of, play, steps_of
from tests.property_examples import examples
from windrow.expressions import logical_types as lt
from windrow.operators.table import keep_first_columns
from windrow.operators.table.keep_first import KeepFirstOperator
from windrow.operators.table.keep_first_columns import KeepFirstColumnsOperator
from windrow.testing import OperatorHarness

values = st.none() | st.integers(-5, 5)


@settings(print_blob=True, max_examples=examples(150), deadline=None)
@given(st.sampled_from(KEYS), steps_of(values))
def test_equals_the_operator_over_rows(keys, steps):
    """Results and their order, what is late, state and timers, through cuts, restores and changes of form."""
    types = [keys[0], lt.STRING, lt.INT]
    given = types, keys[1], lambda key, number, value: (key, f"{key}-{number}", value), steps
    expected = play(KeepFirstOperator, *given, columns=False)
    assert repr(play(lambda: KeepFirstColumnsOperator(types), *given, columns=True)) == repr(expected)


def test_columns_stay_columns():
    """Rows are not looked at, and what comes out is as the forecast says."""
    types = [lt.BIGINT, lt.STRING]
    operator = OperatorHarness(KeepFirstColumnsOperator(types))._operator
    made = []
    operator.context.output.emit_batch = made.append
    batch = batch_of(types, [(number % 4, f"{number}") for number in range(300)], range(300), columns=True)
    operator.process_batch(batch)
    assert operator.waiting().watermark == 0
    operator.process_watermark(9)
    assert batch.elements.untouched
    assert made[0].columns.shape == operator.forecast(batch.columns.shape).shape
    assert made[0].columns.rows() == [("0", 1), ("1", 1), ("2", 1), ("3", 1)]
    assert operator.waiting() is None


def test_rows_that_have_gone_are_forgotten(monkeypatch):
    """Of rows whose place others took, and of those that went out, nothing is kept."""
    monkeypatch.setattr(keep_first_columns, "_FORGOTTEN", 0)
    types = [lt.BIGINT, lt.STRING]
    operator = OperatorHarness(KeepFirstColumnsOperator(types))._operator
    made = []
    operator.context.output.emit_batch = made.append
    for time in (40, 30, 20, 10):
        rows = [(number, f"{number} at {time}") for number in range(300)]
        operator.process_batch(batch_of(types, rows, [time] * 300, columns=True))
        assert operator._rows.count <= 600
    operator.process_watermark(10)
    assert made[0].columns.rows() == [(f"{number} at 10", 1) for number in range(300)]
