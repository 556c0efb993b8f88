"""Keyed state laid out in pages, so that the cost of a batch follows the keys it touches.

A page holds the entries and timers of some 16 to 32 keys, about 4 KiB of pickle. Which page a key is in follows from
its hash by extendible hashing: a page that has grown too large splits in two by one more bit of the hash, and no other
page moves. The directory page of the operator lists the pages, each with the time of its earliest timer in either
domain: that is how due timers are found without looking at keys.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from heapq import heapify, heappop
from itertools import islice
from typing import Any, NamedTuple, Protocol

from windrow.common.limits import LONG_MAX
from windrow.elements.codec import dumps, loads
from windrow.state.keyed import Entry, KeyedState, TimerQueue
from windrow.state.stable_hash import stable_hash
from windrow.state.storable import dump_items

#: A page larger than this is split, unless it holds one key only.
PAGE_BYTES = 4096
#: So many pages a batch are read for no other reason than that all in them has expired.
EXPIRED_PAGES = 256
MAX_DEPTH = 30

TimerList = list[tuple[int, Hashable]]
#: key, its entry, its event-time timers, its processing-time timers
PageItem = tuple[Any, Entry, TimerList, TimerList]
#: (how many bits of the hash count, their value)
PageId = tuple[int, int]


class PageStore(Protocol):
    """A map from page names to bytes that outlives the operator; a runtime provides it."""

    def get(self, page: str) -> bytes | None: ...

    def put(self, page: str, data: bytes) -> None: ...

    def remove(self, page: str) -> None: ...


class MemoryPageStore:
    """A page store in a dictionary: for the local runtime and for tests."""

    def __init__(self, pages: dict[str, bytes] | None = None) -> None:
        self.pages: dict[str, bytes] = {} if pages is None else pages

    def get(self, page: str) -> bytes | None:
        return self.pages.get(page)

    def put(self, page: str, data: bytes) -> None:
        self.pages[page] = data

    def remove(self, page: str) -> None:
        self.pages.pop(page, None)


class NoPages:
    """A store for a job of one batch: what is kept until its end is kept in memory, and nothing is written."""

    def get(self, page: str) -> bytes | None:
        return None

    def put(self, page: str, data: bytes) -> None:
        """Nothing reads it again."""

    def remove(self, page: str) -> None:
        """Nothing was written."""


class PageInfo(NamedTuple):
    """What the directory says of a page: its earliest timers (NEVER where it has none), and how many keys it holds."""

    event_time: int
    processing_time: int
    keys: int
    #: When all in it that expires has expired; NEVER if nothing does.
    expires: int = LONG_MAX + 1


NEVER = LONG_MAX + 1
EMPTY_PAGE = PageInfo(NEVER, NEVER, 0)


@dataclass
class _Page:
    stored: bytes | None
    keys: list[Any] = field(default_factory=list)


def _bits(key: Any, depth: int) -> int:
    # Keys of one subtask agree in much of hash % max parallelism, so the low bits say little: multiply, take high bits.
    mixed = (stable_hash(key) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    return (mixed >> 24) & ((1 << depth) - 1)


class PagedKeyedState(KeyedState):
    """Keyed state over a :class:`PageStore`, attached to one subtask at a time.

    Operators keep the object for their whole life; between :meth:`attach` and :meth:`flush` it shows the state of one
    operator in one subtask.
    """

    def __init__(self) -> None:
        super().__init__()
        self._store: PageStore = MemoryPageStore()
        self._tag = ""
        self._stored_directory: dict[PageId, PageInfo] = {}
        self._directory: dict[PageId, PageInfo] = {(0, 0): EMPTY_PAGE}
        self._loaded: dict[PageId, _Page] = {}
        self._due_event: list[tuple[int, PageId]] = []
        self._due_processing: list[tuple[int, PageId]] = []

    def attach(self, store: PageStore, tag: str) -> None:
        """Forget what is in memory and show what ``store`` holds for the operator ``tag``."""
        self.clear()
        self._loaded.clear()
        self._store = store
        self._tag = tag
        stored = store.get(f"{tag}/pages")
        self._stored_directory = {} if stored is None else loads(stored)
        self._directory = {(0, 0): EMPTY_PAGE} if stored is None else dict(self._stored_directory)
        self._due_event = [(info.event_time, page) for page, info in self._directory.items()]
        self._due_processing = [(info.processing_time, page) for page, info in self._directory.items()]
        heapify(self._due_event)
        heapify(self._due_processing)

    def next_event_time(self) -> int | None:
        return self._earliest(self._due_event, self.event_timers)

    def next_processing_time(self) -> int | None:
        return self._earliest(self._due_processing, self.processing_timers)

    def load_all(self) -> None:
        """Bring in every page, for those who look at the whole state."""
        for page in list(self._directory):
            if page not in self._loaded:
                self._load(page)

    def flush(self) -> None:
        """Write the pages that have changed and the directory. After it, :meth:`attach` comes next."""
        expires = self.expiry.is_needed()
        if expires:
            self._load_expired()
        event_timers = _timers_by_key(self.event_timers)
        processing_timers = _timers_by_key(self.processing_timers)
        ends: dict[Any, int] = {}
        for page_id, page in self._loaded.items():
            items: list[PageItem] = []
            for key in page.keys:
                timers = event_timers.get(key, []), processing_timers.get(key, [])
                entry = self._entries[key]
                if expires and (end := self.expiry.clean(entry)) is not None:
                    ends[key] = end
                if entry or timers[0] or timers[1]:
                    items.append((key, entry, *timers))
            del self._directory[page_id]
            self._write(page_id, items, page.stored, ends)
        self._join_empty_pages()
        if self._directory != self._stored_directory:
            self._store.put(f"{self._tag}/pages", dumps(self._directory))

    def _bring_in(self, key: Any) -> Entry:
        page_id = self._page_of(key)
        page = self._loaded.get(page_id)
        if page is None:
            page = self._load(page_id)
            entry = self._entries.get(key)
            if entry is not None:
                return entry
        page.keys.append(key)
        entry = self._entries[key] = {}
        return entry

    def _bring_in_due(self, limit: int, *, event_time: bool) -> None:
        due = self._due_event if event_time else self._due_processing
        while due and due[0][0] <= limit:
            _, page_id = heappop(due)
            if page_id not in self._loaded:
                self._load(page_id)

    def _earliest(self, due: list[tuple[int, PageId]], queue: TimerQueue) -> int | None:
        while due and (due[0][1] in self._loaded or due[0][0] == NEVER):
            heappop(due)
        in_memory = queue.next_time()
        if not due:
            return in_memory
        return due[0][0] if in_memory is None else min(in_memory, due[0][0])

    def _page_of(self, key: Any) -> PageId:
        directory = self._directory
        bits = _bits(key, MAX_DEPTH)
        for depth in range(MAX_DEPTH + 1):
            page_id = (depth, bits & ((1 << depth) - 1))
            if page_id in directory:
                return page_id
        msg = f"state of operator {self._tag!r} is damaged: no page holds key {key!r}; restore an earlier checkpoint"
        raise RuntimeError(msg)

    def _load(self, page_id: PageId) -> _Page:
        stored = self._store.get(self._name(page_id))
        page = self._loaded[page_id] = _Page(stored)
        if stored is not None:
            for key, entry, event_timers, processing_timers in loads(stored):
                page.keys.append(key)
                self._entries[key] = entry
                for time, namespace in event_timers:
                    self.event_timers.register(time, key, namespace)
                for time, namespace in processing_timers:
                    self.processing_timers.register(time, key, namespace)
        return page

    def _load_expired(self) -> None:
        now = self.expiry.clock.processing_time
        expired = (page for page, info in self._directory.items() if info.expires <= now and page not in self._loaded)
        for page_id in list(islice(expired, EXPIRED_PAGES)):
            self._load(page_id)

    def _write(self, page_id: PageId, items: list[PageItem], stored: bytes | None, ends: dict[Any, int]) -> None:
        depth, bits = page_id
        data = dump_items(items) if items else None
        if data is not None and len(data) > PAGE_BYTES and len(items) > 1 and depth < MAX_DEPTH:
            if stored is not None:
                self._store.remove(self._name(page_id))
            high = 1 << depth
            for half in (bits, bits | high):
                self._write((depth + 1, half), [i for i in items if _bits(i[0], depth + 1) == half], None, ends)
            return
        self._directory[page_id] = PageInfo(
            min((timers[0][0] for _, _, timers, _ in items if timers), default=NEVER),
            min((timers[0][0] for _, _, _, timers in items if timers), default=NEVER),
            len(items),
            max((ends[key] for key, *_ in items if key in ends), default=NEVER) if ends else NEVER,
        )
        if data is None:
            if stored is not None:
                self._store.remove(self._name(page_id))
        elif data != stored:
            self._store.put(self._name(page_id), data)

    def _join_empty_pages(self) -> None:
        """Keys come and go: two empty halves of a page become one again, or the directory would only grow."""
        directory = self._directory
        for page_id in list(self._loaded):
            current = page_id
            while current[0] and directory.get(current) == EMPTY_PAGE:
                depth, bits = current
                sibling = (depth, bits ^ (1 << (depth - 1)))
                if directory.get(sibling) != EMPTY_PAGE:
                    break
                del directory[current], directory[sibling]
                current = (depth - 1, bits & ((1 << (depth - 1)) - 1))
                directory[current] = EMPTY_PAGE

    def _name(self, page_id: PageId) -> str:
        return f"{self._tag}/{page_id[0]}.{page_id[1]:x}"


def _timers_by_key(queue: TimerQueue) -> dict[Any, TimerList]:
    by_key: dict[Any, TimerList] = {}
    for time, key, namespace in queue:
        by_key.setdefault(key, []).append((time, namespace))
    return by_key
