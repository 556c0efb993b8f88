"""Sessions in arrays: rows that are used again, and chains by key."""

import numpy as np
import pyarrow as pa

from windrow.operators.column_folds.fold_plan import field_fold
from windrow.operators.window.sessions.table import SessionTable


def longs(*values):
    return np.array(values, np.int64)


def table_of(*sessions):
    """Sessions given by slot, start and end, in their order."""
    table = SessionTable([field_fold("sum", pa.int64())])
    table.widen(8)
    slots, starts, ends = map(np.array, zip(*sessions, strict=True))
    rows = table.take_rows(slots.size)
    table.place(rows, (starts, ends), np.arange(slots.size), pending=True)
    table.walk(slots, 0)
    table.chain(slots, rows)
    return table


def sessions_of(table, rows):
    return list(zip(table.slots[rows].tolist(), table.starts[rows].tolist(), strict=True))


def test_a_walk_goes_back_to_a_time():
    """It gives the sessions that end there or later, of the slots it is asked for."""
    table = table_of((1, 0, 5), (1, 10, 15), (1, 20, 25), (2, 0, 50))
    assert sorted(sessions_of(table, table.walk(longs(1, 1, 3), 15))) == [(1, 10), (1, 20)]


def test_what_is_chained_comes_in_front_of_what_was_not_walked():
    """Older sessions stay behind it."""
    table = table_of((1, 0, 5), (1, 10, 15))
    walked = table.walk(longs(1), 11)
    new = table.take_rows(1)
    table.place(new, (longs(30), longs(35)), longs(9), pending=True)
    table.chain(longs(1, 1), np.concatenate([walked, new]))
    assert sessions_of(table, table.walk(longs(1), 0)) == [(1, 30), (1, 10), (1, 0)]


def test_sessions_that_are_over_leave_their_chains_and_rows():
    """The newest ones stay; a key without any has none."""
    table = table_of((1, 0, 5), (1, 10, 15), (2, 0, 4))
    due = table.due(9)
    assert sessions_of(table, due) == [(2, 0), (1, 0)]
    table.fired(due)
    table.drop(9)
    assert sessions_of(table, table.rows()) == [(1, 10)]
    assert sessions_of(table, table.walk(longs(1, 2), 0)) == [(1, 10)]
    assert table.has().tolist() == [slot == 1 for slot in range(8)]
    assert set(due.tolist()) == set(table.take_rows(2).tolist())


def test_what_ends_together_fires_in_its_order():
    """By end, then by the number."""
    table = table_of((3, 0, 5), (1, 0, 5), (2, 0, 4))
    table.extend(longs(*table.due(9)[1:2]), longs(5), longs(0))
    assert [slot for slot, _ in sessions_of(table, table.due(4))] == [2, 3, 1]
    assert table.due(2).size == 0


def test_rows_that_are_given_back_hold_nothing():
    """What is added to them later begins anew."""
    table = table_of((1, 0, 5))
    (row,) = table.rows()
    table.fields[0][row] = 7
    table.drop(5)
    assert table.fields[0][row] == 0


def test_rows_are_in_the_order_in_which_their_keys_came():
    """As row by row: state is written in this order."""
    table = table_of((1, 0, 5), (6, 0, 5), (6, 8, 9))
    table.note(longs(1, 6, 1), longs(30, 20, 40))
    assert sessions_of(table, table.rows()) == [(6, 0), (6, 8), (1, 0)]
    assert table.came_since(25).tolist() == [1]


def test_sums_that_may_leave_64_bits_have_no_room():
    """The bound counts what is held, not what was."""
    table = table_of((1, 0, 5))
    assert table.has_room([longs(2**62)])
    assert table.has_room([longs(2**62)])
    table.fields[0][table.rows()] = 2**62
    assert not table.has_room([longs(2**62, 1)])


def test_slots_can_be_numbered_anew():
    """Those without sessions are gone."""
    table = table_of((1, 0, 5), (6, 0, 5))
    table.keep(longs(1, 6), 4)
    assert sorted(sessions_of(table, table.rows())) == [(0, 0), (1, 0)]
    assert sessions_of(table, table.walk(longs(1), 0)) == [(1, 0)]
