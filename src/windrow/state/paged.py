"""Keyed state laid out in pages, so that the cost of a batch follows the keys it touches.

A page belongs to one key group, whose number its name begins with. Within a group extendible hashing says which page a
key is in: a page that has grown too large is split by further bits of the hash, and no other page moves. The directory
(``state/directory.py``) knows each page's earliest timers: that is how due timers are found without looking at keys.

Pages stay in memory between batches as the bytes that were written, the directory as it is. Both count if the store's
root still has the token that was last written here: another worker may have run a batch since, or this one's may not
have been committed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple
from weakref import WeakSet

from windrow.errors import CheckpointError, shorten
from windrow.state.directory import Group, Page, read_root, root_record
from windrow.state.due import DueTimers
from windrow.state.items import ItemWriter, Timers, read_item
from windrow.state.kept_columns import KeptColumns
from windrow.state.key_groups import group_of_hash, hashes_and_groups
from windrow.state.keyed import Entry, KeyedState
from windrow.state.keys import KeyPart
from windrow.state.page import Changes, Content, PageRows, Row, earliest, latest, place, places
from windrow.state.page_store import MemoryPageStore, NoPages, PageStore
from windrow.state.stable_hash import stable_hash

#: So many pages a batch are read for no other reason than that all in them has expired.
EXPIRED_PAGES = 256
#: So many bytes of pages all operators of a process keep between batches.
KEPT_BYTES = 128 << 20
#: The places of so many keys an operator keeps, twice.
_KEPT_PLACES = 1 << 16
#: Of so many keys the places are computed as columns.
_TOGETHER = 64

_KEEPING: WeakSet[PagedKeyedState] = WeakSet()


class StateSummary(NamedTuple):
    """A summary of an operator's state in one subtask, as far as it is known without reading the state."""

    #: How many keys are stored by key, and how many tables of columns there are.
    keys: int
    tables: int
    #: The earliest timers of keys, in milliseconds; None: there are none. Windows over columns need none.
    event_time: int | None
    processing_time: int | None


class PagedKeyedState(KeyedState):
    """Keyed state over a :class:`PageStore`, attached to one subtask at a time.

    Operators keep the object for their whole life; between :meth:`attach` and :meth:`flush` it shows the state of one
    operator in one subtask.

    Args:
        max_parallelism: The number of key groups.
        new_token: Gives what no call here or in another process has given; None: nothing is kept between batches.
        operator: Whose state it is, for errors.
    """

    def __init__(
        self, max_parallelism: int = 128, new_token: Callable[[], bytes] | None = None, operator: str = ""
    ) -> None:
        super().__init__()
        self._operator = operator
        self._max_parallelism = max_parallelism
        self._store: PageStore = MemoryPageStore()
        self._tag = ""
        self._in_memory = False
        #: Whether the directory is that of the store: it is read when it is first needed.
        self._shown = False
        self._groups: dict[int, Group] = {}
        #: What the root had when the directory and the kept pages were written or read.
        self._token = b""
        self._kept: OrderedDict[Page, None] = OrderedDict()
        #: How many bytes of pages are kept in memory.
        self.kept_bytes = 0
        #: How many pages the store has; None: they were not counted in this batch.
        self._stored_pages: int | None = None
        self._in_use: list[Page] = []
        #: Of keys that come next and are not brought in yet: the hash, the page, and the rows that may be theirs.
        self._expected: dict[Any, tuple[int, Page, Iterable[int]]] = {}
        self._due_event: DueTimers | None = None
        self._due_processing: DueTimers | None = None
        #: How many bytes were written, in all batches, and whether the last one has looked at the directory.
        self.written_bytes = 0
        self._was_shown = False
        self._writer = ItemWriter()
        self._places: dict[Any, tuple[int, int, int]] = {}
        self._older_places: dict[Any, tuple[int, int, int]] = {}
        self.columns: KeptColumns = KeptColumns(max_parallelism, self._show, self._all_stored, new_token)

    def attach(self, store: PageStore, tag: str) -> None:
        """Forget what was not written and show what ``store`` holds for the operator ``tag``."""
        self._release()
        if tag != self._tag:
            self._forget()
        self._store = store
        self._tag = tag
        self._in_memory = isinstance(store, NoPages)
        # What is stored is stored by key.
        self._tables.hold_values(self._in_memory)

    def is_empty(self) -> bool:
        stores = not self._in_memory and any(group.keys for group in self._show().values())
        return not stores and super().is_empty()

    def stored_keys(self) -> int:
        return 0 if self._in_memory else sum(group.keys for group in self._show().values())

    def next_event_time(self) -> int | None:
        return earliest((self._due(event_time=True).next_time(), self.event_timers.next_time()))

    def next_processing_time(self) -> int | None:
        return earliest((self._due(event_time=False).next_time(), self.processing_timers.next_time()))

    def expect(self, keys: Iterable[Any]) -> None:
        if self._in_memory:
            return
        groups = self._show()
        if self._stored_pages is None:
            self._stored_pages = sum([group.count for group in groups.values() if group.keys])
        if self._stored_pages <= len(self._kept):
            return  # all of them are in memory
        known = self.entries_in_memory
        unknown = [key for key in dict.fromkeys(keys) if key not in known]
        in_groups = [(key, at) for key, at in zip(unknown, self._places_of(unknown), strict=True) if at[1] in groups]
        self._read_groups([groups[number] for number in dict.fromkeys(at[1] for _, at in in_groups)])
        expected: list[tuple[Any, int, Page]] = []
        for key, (code, number, at) in in_groups:
            page = groups[number].page_of(at)
            if page is not None:
                expected.append((key, code, page))
        self._read_pages(dict.fromkeys([page for _, _, page in expected]))
        for key, code, page in expected:
            if not isinstance(key, KeyPart):
                self._bring_in_expected(key, code, page)

    def load_all(self) -> None:
        """Bring in every key, for those who look at the whole state."""
        for group in list(self._show().values()):
            for page in self._pages(group):
                rows = self._rows(page)
                for row in range(len(rows.hashes)):
                    self._bring_in_row(page, rows, row)

    def flush(self) -> None:
        """Write the pages that have changed, and what the directory says of them. Then :meth:`attach` comes next."""
        expires = self.expiry.is_needed()
        if expires:
            self._load_expired()
        changed: dict[int, Group] = {}
        has_written = False
        if self._in_use:
            event_timers, processing_timers = self.event_timers.by_key(), self.processing_timers.by_key()
            for page in self._in_use:
                group, rows = self._groups[page.group], self._rows(page)
                changes = self._changes(page, rows, event_timers, processing_timers, expires=expires)
                if changes is None:
                    continue
                has_written, self._token = True, b""  # what is in memory counts again when all is written
                if self._write(group, page, rows, changes):
                    changed[group.number] = group
        has_columns = self.columns.has_changed
        if has_columns:
            self._token = b""
        self.columns.flush(self._put, self._remove)
        if has_written or has_columns:
            self._write_directory(changed)
        self._release()
        self._keep_within_bounds()

    def _bring_in(self, key: Any) -> Entry:
        if self._in_memory:
            return self.entries_in_memory.setdefault(key, {})
        expected = self._expected.pop(key, None)
        if expected is not None:
            code, page, found = expected
            for row in found:
                self._bring_in_row(page, self._rows(page), row)
            return self._entry_of(key, code, page)
        code, number, at = self._places.get(key) or self._place_of(key)
        group = (self._groups if self._shown else self._show()).get(number)
        if group is None:
            group = self._groups[number] = Group(number, [Page(number)])
        page = self._find(key, code, group, at)
        entry = self.entries_in_memory.get(key)
        if entry is None and isinstance(key, KeyPart):
            entry = self._bring_in_misplaced(key, code, at)
        return self._entry_of(key, code, page) if entry is None else entry

    def _entry_of(self, key: Any, code: int, page: Page) -> Entry:
        """The entry of a key of which the page has brought in all that it has."""
        entry = self.entries_in_memory.get(key)
        if entry is None:
            page.touched[key] = code, -1
            entry = self.entries_in_memory[key] = {}
        return entry

    def _bring_in_expected(self, key: Any, code: int, page: Page) -> None:
        """Bring in what a page has of a key; where there are timers not before its turn: they come in that order."""
        rows = page.rows or self._rows(page)
        found = rows.find(code)
        if found and not rows.is_timed:
            for row in found:
                self._bring_in_row(page, rows, row)
        if key not in self.entries_in_memory:
            self._expected[key] = code, page, found

    def _find(self, key: Any, code: int, group: Group, at: int) -> Page:
        """Bring in the key, if the group has it; the page that it is in, or would be."""
        if not group.is_read:
            self._read_groups([group])
        page = group.page_of(at)
        if page is None:
            msg = (
                f"state of operator {self._tag!r} is damaged: none of {group.count} pages of key group {group.number} "
                f"holds key {key!r}; restore an earlier checkpoint"
            )
            raise RuntimeError(msg)
        rows = page.rows or self._rows(page)
        for row in rows.find(code):
            self._bring_in_row(page, rows, row)
        return page

    def _bring_in_misplaced(self, key: KeyPart, code: int, at: int) -> Entry | None:
        """Bring in what checkpoints of a version up to 8 have in the key group of the part's own hash."""
        group = self._groups.get(group_of_hash(code, self._max_parallelism))
        if group is None:
            return None
        self._find(key, code, group, at)
        return self.entries_in_memory.get(key)

    def _bring_in_row(self, page: Page, rows: PageRows, row: int) -> None:
        if row in rows.taken:
            return
        rows.taken.add(row)
        try:
            key, entry, event_timers, processing_timers = read_item(rows.names, rows.item(row))
        except CheckpointError as error:
            msg = f"operator {self._operator!r}: {error}"
            raise CheckpointError(msg) from error.__cause__
        if _is_hashed_by_fields(key) and stable_hash(key) != rows.hashes[row]:
            msg = (
                f"operator {self._operator!r}: the key {shorten(key)} has another hash than when it was stored: its "
                "class has changed what makes it equal, so elements would not find its state; keys keep their fields"
            )
            raise CheckpointError(msg)
        page.touched[key] = rows.hashes[row], row
        self.entries_in_memory[key] = entry
        for time, namespace in event_timers:
            self.event_timers.register(time, key, namespace)
        for time, namespace in processing_timers:
            self.processing_timers.register(time, key, namespace)

    def _bring_in_due(self, limit: int, *, event_time: bool) -> None:
        for page, row in self._due(event_time=event_time).take(limit):
            self._bring_in_row(page, self._rows(page), row)

    def _due(self, *, event_time: bool) -> DueTimers:
        due = self._due_event if event_time else self._due_processing
        if due is None:
            due = DueTimers(
                self._show().values(), self._read_groups, self._read_pages, self._rows, event_time=event_time
            )
            if event_time:
                self._due_event = due
            else:
                self._due_processing = due
        return due

    def _show(self) -> dict[int, Group]:
        """The directory of the store; what is kept counts if nobody has written since."""
        if not self._shown:
            stored = self._store.get(f"{self._tag}/pages")
            token, groups, columns = (b"", iter(()), None) if stored is None else read_root(stored)
            if token != self._token or not token:
                self._forget()
                self._groups = {group.number: group for group in groups}
                self.columns.forget(columns)
                self._token = token
            self._shown = True
        return self._groups

    def _pages(self, group: Group) -> Iterator[Page]:
        self._read_groups([group])
        return group.pages()

    def _read_groups(self, groups: Iterable[Group]) -> None:
        """Read the records of groups that were not read yet."""
        unread = [group for group in groups if not group.is_read]
        if not unread:
            return
        for group, record in zip(unread, self._all_stored([f"{group.number:x}" for group in unread]), strict=True):
            group.read(record)

    def _read_pages(self, pages: Iterable[Page]) -> None:
        """Read pages that are not in memory."""
        unread = [page for page in pages if page.keys and page.data is None and page.rows is None]
        if not unread:
            return
        for page, data in zip(unread, self._all_stored([page.name for page in unread]), strict=True):
            self._keep(page, data)

    def _rows(self, page: Page) -> PageRows:
        if page.rows is None:
            if page.keys and page.data is None:
                self._keep(page, self._stored(page.name))
            elif page.data is not None:
                self._kept.move_to_end(page)
            page.rows = PageRows(page.data)
            self._in_use.append(page)
        return page.rows

    def _stored(self, name: str) -> bytes:
        return self._all_stored([name])[0]

    def _all_stored(self, names: Sequence[str]) -> list[bytes]:
        found = []
        for name, stored in zip(names, self._store.get_many([f"{self._tag}/{name}" for name in names]), strict=True):
            if stored is None:
                msg = f"state of operator {self._tag!r} is damaged: {name!r} is gone; restore an earlier checkpoint"
                raise RuntimeError(msg)
            found.append(stored)
        return found

    def summary(self) -> StateSummary | None:
        """Sum up what :meth:`flush` has left in the store; None: the batch has not looked at it, nor changed it."""
        if not self._was_shown or self._in_memory:
            return None
        groups = self._groups.values()
        return StateSummary(
            sum(group.keys for group in groups),
            len(list(self.columns.names)),
            earliest(group.event_time for group in groups),
            earliest(group.processing_time for group in groups),
        )

    def _put(self, name: str, data: bytes) -> None:
        self.written_bytes += len(data)
        self._store.put(f"{self._tag}/{name}", data)

    def _remove(self, name: str) -> None:
        self._store.remove(f"{self._tag}/{name}")

    def _place_of(self, key: Any) -> tuple[int, int, int]:
        """The key's hash, its group, and its place there."""
        found = self._places.get(key)
        if found is None:
            found = self._older_places.get(key)
            if found is None:
                code = stable_hash(key)
                of_group = stable_hash(key.key) if isinstance(key, KeyPart) else code
                found = code, group_of_hash(of_group, self._max_parallelism), place(code)
            if len(self._places) >= _KEPT_PLACES:
                self._older_places, self._places = self._places, {}
            self._places[key] = found
        return found

    def _places_of(self, keys: Sequence[Any]) -> Iterable[tuple[int, int, int]]:
        """Give what :meth:`_place_of` gives for each key, computed for many keys together where that can be."""
        found = hashes_and_groups(keys, self._max_parallelism) if len(keys) >= _TOGETHER else None
        if found is None:
            return [self._places.get(key) or self._place_of(key) for key in keys]
        codes, groups = found
        return zip(codes.tolist(), groups.tolist(), places(codes).tolist(), strict=True)

    def _load_expired(self) -> None:
        """Bring in what has expired: of the pages in use, and of some of those in which all has."""
        now = self.expiry.clock.processing_time
        groups = [group for group in self._show().values() if group.expires is not None and group.expires <= now]
        expired = (
            page
            for group in groups
            for page in self._pages(group)
            if page.expires is not None and page.expires <= now and page.rows is None
        )
        for page in list(islice(expired, EXPIRED_PAGES)):
            self._rows(page)
        for page in self._in_use:
            rows = self._rows(page)
            for row, end in enumerate(rows.times[2] or ()):
                if end is not None and end <= now:
                    self._bring_in_row(page, rows, row)

    def _changes(
        self,
        page: Page,
        rows: PageRows,
        event_timers: Mapping[Any, Timers],
        processing_timers: Mapping[Any, Timers],
        *,
        expires: bool,
    ) -> Changes | None:
        """Take the keys in use out of the page, and give what differs from its rows; None if nothing does."""
        touched = page.touched
        page.rows, page.touched = None, {}
        changes = Changes(list(rows.names), {}, [])
        for key, (code, number) in touched.items():
            entry, of_event, of_processing = (
                self.entries_in_memory[key],
                event_timers.get(key, ()),
                processing_timers.get(key, ()),
            )
            first, last = (self.expiry.clean(entry) if expires else None) or (None, None)
            row = None
            if entry or of_event or of_processing:
                item = self._writer.write(changes.names, key, entry, of_event, of_processing)
                event_time = of_event[0][0] if of_event else None
                row = Row(code, event_time, of_processing[0][0] if of_processing else None, first, last, item)
            if number < 0:
                if row is not None:
                    changes.new.append(row)
            elif row is None or row.item != rows.item(number) or (expires and row != rows.row(number)):
                changes.rows[number] = row
        return changes if changes.rows or changes.new else None

    def _write(self, group: Group, page: Page, rows: PageRows, changes: Changes) -> bool:
        """Write the page anew, and say whether the directory has to say anything else of it."""
        data = rows.patched(changes)
        if data is None:
            return self._replace(group, page, rows.rewritten(changes))
        self._put(page.name, data)
        self._keep(page, data)
        return False

    def _replace(self, group: Group, page: Page, content: Content) -> bool:
        before = page.described()
        contents = list(content.parts(page.depth, page.bits, group.page_bytes))
        if page.keys and len(content) and len(contents) == 1:
            self._fill(page, content)
            return page.described() != before
        parts = []
        for depth, bits, mine in contents:
            part = Page(page.group, depth, bits)
            parts.append(part)
            self._fill(part, mine)
        if page.keys:
            self._remove(page.name)
        self._drop(page)
        group.replace(page, parts)
        return True

    def _fill(self, page: Page, content: Content) -> None:
        """Have a page hold this."""
        page.keys = len(content)
        page.event_time, page.processing_time = earliest(content.times[0]), earliest(content.times[1])
        page.expires = latest(content.times[3])
        if page.keys:
            data = content.data()
            self._put(page.name, data)
            self._keep(page, data)

    def _write_directory(self, changed: Mapping[int, Group]) -> None:
        for number, group in changed.items():
            before = group.count
            group.summarize()
            if group.count > 1:
                self._put(f"{number:x}", group.record())
            elif before > 1:
                self._remove(f"{number:x}")
        self._groups = {number: group for number, group in self._groups.items() if group.keys}
        self._token = self.columns.new_token()
        self._store.put(f"{self._tag}/pages", root_record(self._token, self._groups.values(), self.columns.record()))

    def _keep(self, page: Page, data: bytes) -> None:
        self._drop(page)
        page.data = data
        self._kept[page] = None
        self.kept_bytes += len(data)

    def _drop(self, page: Page) -> None:
        if page.data is not None:
            self.kept_bytes -= len(page.data)
            del self._kept[page]
            page.data = None

    def _keep_within_bounds(self) -> None:
        """Drop the pages that were not used for longest: all operators of the process share what may be kept."""
        if self._kept:
            _KEEPING.add(self)
        bound = KEPT_BYTES // max(1, sum(1 for state in _KEEPING if state._kept))
        while self.kept_bytes > bound:
            page = next(iter(self._kept))
            self._drop(page)
            self._groups[page.group].let_go(page)

    def _release(self) -> None:
        """Be done with a batch: keys and timers are forgotten."""
        self.clear()
        for page in self._in_use:
            page.rows, page.touched = None, {}
        self._in_use = []
        self._expected.clear()
        self._due_event = self._due_processing = None
        self._was_shown = self._shown
        self.columns.is_taken_up = self._shown = False
        self._stored_pages = None

    def _forget(self) -> None:
        self._groups = {}
        self.columns.forget(None)
        self._kept.clear()
        self.kept_bytes = 0
        self._token = b""


def _is_hashed_by_fields(key: Any) -> bool:
    """Tell whether a key has another hash when its class has got another field."""
    kind: Any = type(key)
    if kind is tuple:
        return any(_is_hashed_by_fields(part) for part in key)
    return hasattr(kind, "__dataclass_fields__")
