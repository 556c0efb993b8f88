"""A page that is patched holds what one that is written anew does."""

from hypothesis import given
from hypothesis import strategies as st

from windrow.state.page import Changes, Content, PageRows, Row

times = st.one_of(st.none(), st.integers(0, 3))
items = st.binary(min_size=2, max_size=3)
rows = st.builds(Row, st.integers(-(2**63), 2**63 - 1), times, times, times, times, items)


def contents(data):
    page = PageRows(data)
    found = [page.row(number) for number in range(len(page.hashes))]
    return page.names, [row._replace(item=bytes(row.item)) for row in found]


@given(st.lists(rows, min_size=1, max_size=5), st.data())
def test_a_page_is_patched_where_its_header_stays_what_it_is(before, data):
    """And then it is what rewriting gives; where lengths or times differ, or rows come and go, it is not patched."""
    page = PageRows(Content.of(["v"], before).data())
    numbers = data.draw(st.sets(st.integers(0, len(before) - 1)))
    changed = {
        number: data.draw(
            st.one_of(st.none(), rows, st.builds(lambda item, row=before[number]: row._replace(item=item), items))
        )
        for number in numbers
    }
    changed = {number: row and row._replace(hash=before[number].hash) for number, row in changed.items()}
    changes = Changes(data.draw(st.sampled_from([["v"], ["v", "w"]])), changed, data.draw(st.lists(rows, max_size=1)))
    patched = page.patched(changes)
    same = not changes.new and changes.names == ["v"]
    for number, row in changed.items():
        same = same and row is not None and row[1:5] == before[number][1:5]
        same = same and len(row.item) == len(before[number].item)
    assert (patched is not None) == same
    if patched is not None:
        assert contents(patched) == contents(page.rewritten(changes).data())
