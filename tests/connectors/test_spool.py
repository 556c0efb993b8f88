"""Rows that wait for the end of their batch."""

import pytest

from windrow.connectors import spool
from windrow.connectors.spool import Spool


@pytest.mark.parametrize("memory", [1, 1 << 20], ids=["in a file", "in memory"])
@pytest.mark.parametrize("size", [1, 3, 4, 100])
def test_rows_are_read_in_pieces_again_and_again(memory, size, monkeypatch):
    """In the order in which they came, wherever they are kept."""
    monkeypatch.setattr(spool, "_MEMORY", memory)
    rows = [(number, str(number)) for number in range(10)]
    kept = Spool()
    kept.add(rows[:7])
    kept.add(rows[7:])
    assert kept.rows == 10
    for _ in range(2):
        batches = list(kept.batches(size))
        assert [row for batch in batches for row in batch] == rows
        assert {len(batch) for batch in batches[:-1]} <= {size}
    kept.close()


def test_no_rows_are_no_piece():
    """Nothing is sent for them."""
    kept = Spool()
    assert list(kept.batches(3)) == []
    kept.close()


def test_a_checksum_does_not_depend_on_order_and_lots():
    """Chunks of several channels may come in another order when a batch is run again."""
    rows = [(1, "a"), (2, "b"), (2, "b"), (None, "\ud800")]

    def contents(*lots):
        kept = Spool()
        for lot in lots:
            kept.add(lot)
        kept.close()
        return kept.contents

    assert contents(rows) == contents(rows[::-1]) == contents(rows[:1], rows[1:])
    assert contents(rows) != contents(rows[:3])
    assert contents([(1, "a")]) != contents([("1", "a")])
