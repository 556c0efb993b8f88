"""What a key group's record says of its pages, as columns, is what was said of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements import stored
from windrow.state.group_record import GroupRecord, read_record

times = st.none() | st.integers(-(2**65), 2**65)
described = st.dictionaries(
    st.integers(1, 2**31 - 1), st.tuples(times, times, st.integers(0, 2**32 - 1), times), max_size=20
).map(lambda pages: {code: (code, *said) for code, said in pages.items()})


def content(record):
    return [record[at] for at in range(len(record))]


def earliest(pages, column):
    return min((page[column] for page in pages if page[column] is not None), default=None)


@given(described)
def test_what_is_read_is_what_was_written(pages):
    """In the order of codes; numbers are Python's."""
    record = read_record(GroupRecord.of(pages.values()).data())
    assert content(record) == [pages[code] for code in sorted(pages)]
    assert {type(value) for page in content(record) for value in page} <= {int, type(None)}
    assert record.keys == sum(page[3] for page in pages.values())
    assert [record.earliest(column) for column in range(3)] == [earliest(pages.values(), at) for at in (1, 2, 4)]
    assert record.shallowest == min((code.bit_length() - 1 for code in pages), default=0)


@given(described)
def test_a_record_of_before_is_read(pages):
    """It had a tuple for each page, in any order."""
    assert content(read_record(stored.dumps((1, list(pages.values()))))) == [pages[code] for code in sorted(pages)]


@given(described, described, st.randoms())
def test_pages_change(pages, others, random):
    """Some are gone, of others something else is said, some are new."""
    gone = random.sample(sorted(pages), len(pages) // 2)
    for code in random.sample(sorted(pages), len(pages) // 3):
        others[code] = (code, None, 7, 3, None)
    left = {code: page for code, page in pages.items() if code not in gone} | others
    changed = GroupRecord.of(pages.values()).changed([*gone, *others], others.values())
    assert content(changed) == [left[code] for code in sorted(left)]
    assert content(read_record(changed.data())) == content(changed)


@given(described, st.integers(1, 2**31 - 1))
def test_a_page_is_found_by_its_code(pages, other):
    """Or is said not to be there."""
    record = GroupRecord.of(pages.values())
    assert all(record[record.find(code)] == page for code, page in pages.items())
    assert (record.find(other) >= 0) == (other in pages)


def test_a_record_of_a_version_to_come_is_refused():
    """Nobody guesses what it says."""
    with pytest.raises(ValueError, match="version 3, and this program reads 2"):
        read_record(stored.dumps((3, b"")))
