"""Roots of directories taken apart and put together."""

from windrow.elements.stored import loads
from windrow.state.directory import Group, Page, read_root, root_record
from windrow.state.root_parts import has_columns, joined_roots, root_parts


def root(*numbers, columns=None):
    groups = []
    for number in numbers:
        page = Page(number)
        page.keys, page.event_time = number + 1, 10 * number
        groups.append(Group(number, [page]))
    return root_record(b"token", groups, columns)


def described(record):
    token, groups, columns = read_root(record)
    assert columns is None
    return token, [(group.number, group.keys, group.event_time) for group in groups]


def test_parts_are_put_together_to_the_same_groups():
    """A root in parts says of no worker's memory that it counts."""
    whole = root(1, 4, 5, 9)
    parts = root_parts(whole, lambda group: group // 5)
    assert {part: described(record) for part, record in parts.items()} == {
        0: (b"", [(1, 2, 10), (4, 5, 40)]),
        1: (b"", [(5, 6, 50), (9, 10, 90)]),
    }
    assert described(joined_roots(parts[1], parts[0])) == (b"", described(whole)[1])


def test_a_root_says_whether_there_are_columns():
    """An operator that has some is stored by key before its root is taken apart."""
    assert not has_columns(root(1))
    assert has_columns(root(1, columns=(b"description", [])))
    assert loads(root(1))[1] == b"token"
