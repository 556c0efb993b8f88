"""A page of columns gives back what was put into it, whatever it is made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.state.column_page import Table, parts_of, read_table

LONGS = st.integers(-(2**63), 2**63 - 1)
KINDS = [
    (LONGS, np.int64),
    (st.integers(0, 300), np.int64),
    (st.floats(), np.float64),
    (st.booleans(), np.bool_),
    (st.one_of(st.none(), st.text(), st.integers(), st.binary()), np.object_),
]


@st.composite
def tables(draw):
    """A table with a column of some kinds, and the key groups of its rows."""
    rows = draw(st.integers(1, 12))
    columns = []
    for values, kind in [KINDS[0], *draw(st.lists(st.sampled_from(KINDS), max_size=4))]:
        listed = draw(st.lists(values, min_size=rows, max_size=rows))
        columns.append(np.fromiter(listed, kind, rows))
    groups = np.array(sorted(draw(st.lists(st.integers(0, 5), min_size=rows, max_size=rows))), np.int32)
    return Table(columns[0], columns[1:]), groups


@given(tables(), st.integers(1, 13))
def test_parts_hold_the_table_again(drawn, page_keys):
    """Part for part the rows come back, with their types; a part is no larger than it may be."""
    table, groups = drawn
    read = [read_table(part.data) for part in parts_of(table, groups, page_keys)]
    assert max(part.keys.size for part in read) <= page_keys
    for number, column in enumerate((table.keys, *table.columns)):
        found = np.concatenate([(part.keys, *part.columns)[number] for part in read])
        assert found.dtype == column.dtype
        assert list(map(repr, found.tolist())) == list(map(repr, column.tolist()))


@given(tables(), st.integers(1, 13))
def test_a_page_ends_between_key_groups_where_it_can(drawn, page_keys):
    """Two pages share a key group only if one of them has nothing else."""
    table, groups = drawn
    begin = 0
    for part in parts_of(table, groups, page_keys):
        end = begin + read_table(part.data).keys.size
        assert part.first_group == groups[begin]
        assert end == groups.size or groups[end - 1] < groups[end] or groups[begin] == groups[end]
        begin = end


def test_numbers_take_as_many_bytes_as_their_range():
    """Times that are close together are small."""
    small, large = (
        next(iter(parts_of(Table(np.arange(1_000) * step + 2**60, []), np.zeros(1_000, np.int32), 1_000)))
        for step in (1, 2**40)
    )
    assert len(small.data) < 2_200 < 8_000 < len(large.data)


def test_what_a_later_version_wrote_is_refused():
    """The first byte says the version."""
    [part] = parts_of(Table(np.array([1]), []), np.array([0]), 1)
    with pytest.raises(ValueError, match="version 9, and this program reads 1"):
        read_table(b"\x09" + part.data[1:])
