"""Lists the pages, key group by key group, with what is known of each without reading it.

The root names the key groups that have keys, with their earliest timers; it is read in every batch, and is all that a
worker reads of what it has kept. A group of more than one page has a record of its own, read when the group is needed
and written when one of its pages has changed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from windrow.elements.stored import dumps, loads
from windrow.state.kept_columns import Record
from windrow.state.page import MAX_DEPTH, PageRows, earliest

#: The version of the root and of the records of groups.
VERSION = 1
#: The version of a root that says what is kept as columns, too.
_WITH_COLUMNS = 2

#: A page as the record of its group describes it: its code, its earliest timers, its keys, when all has expired.
Described = tuple[int, int | None, int | None, int, int | None]


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
        "_described",
        "_pages",
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
        self._pages: dict[int, Page] | None = None
        #: All pages as the record describes them, by code, as long as some were not made: a batch may need few of many.
        self._described: dict[int, Described] = {}
        if pages is not None:
            self._pages = {page.code: page for page in pages}
            self.summarize()

    @property
    def is_read(self) -> bool:
        """Whether it is known which pages there are."""
        return self._pages is not None

    @property
    def pages(self) -> dict[int, Page]:
        """All pages, by code."""
        assert self._pages is not None
        if self._described:
            made, described, self._described = self._pages, self._described, {}
            self._pages = {
                code: made.get(code) or _page_described(self.number, page) for code, page in described.items()
            }
        return self._pages

    def summarize(self) -> None:
        """Say of the group what its pages say."""
        pages = list(self.pages.values())
        self.count = len(pages)
        self.event_time = earliest(page.event_time for page in pages)
        self.processing_time = earliest(page.processing_time for page in pages)
        self.keys = sum(page.keys for page in pages)
        self.expires = earliest(page.expires for page in pages)
        self.shallowest = min((page.depth for page in pages), default=0)

    def page_of(self, place: int) -> Page | None:
        """The page that holds the keys of a place; None: there is none."""
        pages = self._pages
        assert pages is not None
        there: Container[int] = self._described or pages
        for depth in range(self.shallowest, MAX_DEPTH + 1):
            code = 1 << depth | place & (1 << depth) - 1
            if code in there:
                page = pages.get(code)
                if page is None:
                    page = pages[code] = _page_described(self.number, self._described[code])
                return page
        return None

    def replace(self, page: Page, parts: Sequence[Page]) -> None:
        """Have ``parts`` where ``page`` was; two empty halves become one, or the directory would only grow."""
        pages = self.pages
        del pages[page.code]
        pages.update((part.code, part) for part in parts)
        for part in parts:
            self._join(pages, part)

    def _join(self, pages: dict[int, Page], page: Page) -> None:
        while page.depth and not page.keys:
            sibling = pages.get(page.code ^ 1 << page.depth - 1)
            if sibling is None or sibling.keys or sibling.touched:
                return
            del pages[page.code], pages[sibling.code]
            page = Page(page.group, page.depth - 1, page.bits & (1 << page.depth - 1) - 1)
            pages[page.code] = page

    def record(self) -> bytes:
        """Write a group of several pages."""
        return dumps((VERSION, [page.described() for page in self.pages.values()]))

    def read(self, record: bytes) -> None:
        """Have the pages that were written. What they say together the root has said."""
        _version, described = _checked(loads(record))
        self._pages, self._described = {}, {page[0]: page for page in described}
        self.shallowest = min(self._described, default=1).bit_length() - 1


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
