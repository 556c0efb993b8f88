"""The pages of a key group are made as they are asked for, in the order of their codes."""

from windrow.state.directory import Group, Page


def pages():
    """Eight pages of three bits each, in some order."""
    found = [Page(3, 3, bits) for bits in (5, 0, 7, 2, 1, 6, 3, 4)]
    for page in found:
        page.keys = page.bits + 1
    return found


def test_a_group_that_was_read_gives_each_page_once():
    """Whoever asks for it, and however many were made before."""
    group = Group(3)
    assert not group.is_read
    group.read(Group(3, pages()).record())
    assert group.is_read
    page = group.page_of(0b1101)
    assert (page.bits, page.depth, page.keys) == (0b101, 3, 6)
    assert group.page_of(0b0101) is page
    assert [each for each in group.pages() if each.code == page.code] == [page]
    assert group.page_of(0b1101) is page


def test_a_group_of_which_few_pages_were_made_writes_all():
    """A record is written as it was read."""
    record = Group(3, pages()).record()
    group = Group(3)
    group.read(record)
    group.page_of(1)
    assert group.record() == record
    assert [page.bits for page in group.pages()] == list(range(8))


def test_a_page_of_a_group_that_was_read_is_replaced_by_its_parts():
    """The others stay, made or not."""
    group = Group(3)
    group.read(Group(3, pages()).record())
    parts = [Page(3, 4, 0b0101), Page(3, 4, 0b1101)]
    for part in parts:
        part.keys = 1
    group.replace(group.page_of(0b101), parts)
    assert group.page_of(0b1101) is parts[1]
    assert group.page_of(0b0101) is parts[0]
    assert group.page_of(0b110).keys == 7
    assert len(list(group.pages())) == 9


def test_a_place_that_no_page_has_is_told():
    """The record may be damaged."""
    group = Group(3)
    group.read(Group(3, [page for page in pages() if page.bits != 2]).record())
    assert group.page_of(2) is None
