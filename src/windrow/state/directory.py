"""Lists the pages, key group by key group, with what is known of each without reading it.

The root names the key groups that have keys, with their earliest timers; it is read in every batch, and is all that a
worker reads of what it has kept. A group of more than one page has a record of its own, read when the group is needed
and written when one of its pages has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from windrow.elements.stored import dumps, loads
from windrow.state.group_record import Described, GroupRecord, read_record
from windrow.state.kept_columns import Record
from windrow.state.page import MAX_DEPTH, PageRows, earliest, page_bytes

#: The version of the root.
VERSION = 1
#: The version of a root that says what is kept as columns, too.
_WITH_COLUMNS = 2
_NO_PAGES = GroupRecord.of(())
#: Of fewer pages, all of which were made, no record is kept in memory.
_MANY = 64


class Page:
    """A page as the directory knows it."""

    __slots__ = (
        "bits",
        "data",
        "depth",
        "event_time",
        "expires",
        "group",
        "keys",
        "processing_time",
        "rows",
        "touched",
    )

    def __init__(self, group: int, depth: int = 0, bits: int = 0) -> None:
        self.group = group
        self.depth = depth
        self.bits = bits
        #: The earliest timers; None where there are none.
        self.event_time: int | None = None
        self.processing_time: int | None = None
        self.keys = 0
        #: When all in it that expires has expired; None if nothing does.
        self.expires: int | None = None
        #: Its bytes, while they are kept.
        self.data: bytes | None = None
        #: What is in it, while it is in use, and the keys that were brought in: their hashes and rows (-1: it is new).
        self.rows: PageRows | None = None
        self.touched: dict[Any, tuple[int, int]] = {}

    @property
    def code(self) -> int:
        """The number that it is found by among the pages of its group."""
        return 1 << self.depth | self.bits

    @property
    def name(self) -> str:
        """Its name in the store."""
        return f"{self.group:x}/{self.depth}.{self.bits:x}"

    def described(self) -> Described:
        """The form in which the group's record describes it."""
        return self.code, self.event_time, self.processing_time, self.keys, self.expires


def _page_described(group: int, described: Described) -> Page:
    code, event_time, processing_time, keys, expires = described
    depth = code.bit_length() - 1
    page = Page(group, depth, code ^ 1 << depth)
    page.event_time, page.processing_time, page.keys, page.expires = event_time, processing_time, keys, expires
    return page


class Group:
    """The pages of one key group.

    Args:
        number: Which one.
        pages: Its pages; None: they are not read yet.
    """

    __slots__ = (
        "_gone",
        "_made",
        "_record",
        "count",
        "event_time",
        "expires",
        "keys",
        "number",
        "processing_time",
        "shallowest",
    )

    def __init__(self, number: int, pages: Iterable[Page] | None = None) -> None:
        self.number = number
        #: The pages that were made, by code.
        self._made: dict[int, Page] = {}
        #: What describes all others; a batch may need few of many. None: it is not read yet.
        self._record: GroupRecord | None = None
        #: The codes of pages that the record describes and that are no more.
        self._gone: set[int] = set()
        if pages is not None:
            self._record = _NO_PAGES
            self._made = {page.code: page for page in pages}
            self._say_of(list(self._made.values()))

    @property
    def is_read(self) -> bool:
        """True once the record that lists its pages was read."""
        return self._record is not None

    @property
    def page_bytes(self) -> int:
        """The largest size, in bytes, of a page of it that is written anew; smaller in a group of many pages."""
        return page_bytes(self.count)

    def pages(self) -> Iterator[Page]:
        """All pages, in the order of their codes: each is made."""
        record, made = self._described, self._made
        for at in range(len(record)):
            described = record[at]
            if described[0] not in made and described[0] not in self._gone:
                made[described[0]] = _page_described(self.number, described)
        return iter([made[code] for code in sorted(made)])

    def summarize(self) -> None:
        """Say of the group what its pages say."""
        made = list(self._made.values())
        if not len(self._described) and len(made) < _MANY:
            self._say_of(made)
            return
        others = [page.described() for page in made]
        record = self._record = self._described.changed([*self._gone, *self._made], others)
        self._gone = set()
        self.count, self.keys, self.shallowest = len(record), record.keys, record.shallowest
        self.event_time, self.processing_time, self.expires = [record.earliest(column) for column in range(3)]

    def _say_of(self, pages: list[Page]) -> None:
        """Say what these few say, which are all that there are."""
        self.count, self.keys = len(pages), sum([page.keys for page in pages])
        self.shallowest = min([page.depth for page in pages], default=0)
        self.event_time = earliest([page.event_time for page in pages])
        self.processing_time = earliest([page.processing_time for page in pages])
        self.expires = earliest([page.expires for page in pages])

    def page_of(self, place: int) -> Page | None:
        """The page that holds the keys of a place; None: there is none."""
        record, made = self._described, self._made
        for depth in range(self.shallowest, MAX_DEPTH + 1):
            code = 1 << depth | place & (1 << depth) - 1
            page = made.get(code)
            if page is not None:
                return page
            if code not in self._gone:
                at = record.find(code)
                if at >= 0:
                    page = made[code] = _page_described(self.number, record[at])
                    return page
        return None

    def replace(self, page: Page, parts: Sequence[Page]) -> None:
        """Have ``parts`` where ``page`` was; two empty halves become one, or the directory would only grow."""
        self._remove(page.code)
        for part in parts:
            self._made[part.code] = part
        for part in parts:
            self._join(part)

    def let_go(self, page: Page) -> None:
        """Keep no object of a page that the record describes, and of which nothing is in memory."""
        at = self._described.find(page.code)
        if at >= 0 and self._made.get(page.code) is page and self._described[at] == page.described():
            del self._made[page.code]

    def record(self) -> bytes:
        """Write a group of several pages, which was summarized."""
        if not len(self._described):
            return GroupRecord.of([page.described() for page in self._made.values()]).data()
        return self._described.data()

    def read(self, record: bytes) -> None:
        """Have the pages that were written. What they say together the root has said."""
        self._record, self._made, self._gone = read_record(record), {}, set()
        self.shallowest = self._record.shallowest

    @property
    def _described(self) -> GroupRecord:
        assert self._record is not None
        return self._record

    def _remove(self, code: int) -> None:
        del self._made[code]
        if self._described.find(code) >= 0:
            self._gone.add(code)

    def _join(self, page: Page) -> None:
        while page.depth and not page.keys and page.code in self._made:
            sibling = self._sibling(page)
            if sibling is None or sibling.keys or sibling.touched:
                return
            self._remove(page.code)
            self._remove(sibling.code)
            page = Page(page.group, page.depth - 1, page.bits & (1 << page.depth - 1) - 1)
            self._made[page.code] = page

    def _sibling(self, page: Page) -> Page | None:
        code = page.code ^ 1 << page.depth - 1
        found = self._made.get(code)
        if found is None and code not in self._gone:
            at = self._described.find(code)
            if at >= 0:
                found = self._made[code] = _page_described(self.number, self._described[at])
        return found


def root_record(token: bytes, groups: Iterable[Group], columns: Record | None = None) -> bytes:
    """Give what is written of all groups, and of columns; ``token`` is another one whenever anything is."""
    described = [
        (group.number, group.count, group.event_time, group.processing_time, group.keys, group.expires)
        for group in groups
    ]
    return dumps((VERSION, token, described) if columns is None else (_WITH_COLUMNS, token, described, columns))


def read_root(record: bytes) -> tuple[bytes, Iterator[Group], Record | None]:
    """Give the token, the groups, of which those of one page are complete, and what is said of columns."""
    root = loads(record)
    columns = None
    if root[0] == _WITH_COLUMNS:
        _version, token, described, columns = root
    else:
        _version, token, described = _checked(root)
    return token, (_group_described(group) for group in described), columns


def _group_described(described: tuple[Any, ...]) -> Group:
    number, count, *summary = described
    if count == 1:
        return Group(number, [_page_described(number, (1, *summary))])
    group = Group(number)
    group.count, group.shallowest = count, 0
    group.event_time, group.processing_time, group.keys, group.expires = summary
    return group


def _checked(record: tuple[Any, ...]) -> tuple[Any, ...]:
    if record[0] != VERSION:
        msg = f"a directory of pages has version {record[0]}, and this program reads {VERSION}"
        raise ValueError(msg)
    return record
