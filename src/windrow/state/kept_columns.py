"""The columns that an operator keeps beside the entries of keys: tables by section and number, in pages.

A section is a kind of table that the operator has, the number a time of it: a pane, the end of a window. A batch writes
the tables that it has changed and removes those that are over; the root of the state's directory lists them, so that
its token says whether what a worker has in memory is what is stored. Memory holds no second copy: the operator itself
goes on with its arrays, if they count, and reads all tables anew if they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from windrow.elements.stored import dumps, loads
from windrow.state.column_page import PAGE_KEYS, Table, parts_of, read_table
from windrow.state.key_groups import key_groups_of, subtasks_of

#: A section, and a number in it.
Name: TypeAlias = tuple[str, int]
Groups: TypeAlias = NDArray[np.int32]
#: What the root of the directory says: the description, and of each table the key groups that its pages begin with.
Record: TypeAlias = tuple[bytes, list[tuple[str, int, list[int]]]]

#: What the description of windows of processing time begins with; behind it stands up to when they have fired.
_BY_CLOCK = "processing time"

#: So many pages are read together.
_AT_A_TIME = 64
#: So many bytes of arrays all operators of a process keep between batches.
KEPT_BYTES = 256 << 20

_KEEPING: WeakSet[KeptColumns] = WeakSet()


class KeptColumns:
    """The tables of one operator in one subtask.

    Args:
        max_parallelism: The number of key groups.
        show: Reads the root of the directory, if that was not done yet.
        stored: Gives pages of the operator by their names.
        new_token: Gives what no other call gives, here or in another process; None: nothing is known by such a token.
    """

    def __init__(
        self,
        max_parallelism: int,
        show: Callable[[], Any],
        stored: Callable[[Sequence[str]], list[bytes]],
        new_token: Callable[[], bytes] | None = None,
    ) -> None:
        self._max_parallelism = max_parallelism
        self._show = show
        self._stored = stored
        self._new_token = new_token
        #: The key groups that each page of a table begins with.
        self._tables: dict[Name, list[int]] = {}
        self._description: bytes | None = None
        #: Up to which processing time windows have fired that are windows of processing time; None: they are not.
        self._clock: int | None = None
        #: Whether what the operator has in memory is what is stored.
        self._counts = False
        #: Whether the operator has taken up in this batch what is stored.
        self.is_taken_up = False
        #: Whether there is something to be written.
        self.has_changed = False
        self._bytes = 0
        self._written: dict[str, bytes] = {}
        self._removed: list[str] = []

    @property
    def names(self) -> Iterable[Name]:
        """The tables that are stored."""
        return self._tables.keys()

    def description(self) -> Any:
        """Give what the operator has written to read its tables by; None if nothing is stored."""
        return self._stored_description()[1]

    def clock(self) -> int | None:
        """Give the processing time up to which stored windows have fired; None if none are of processing time."""
        clock, _ = self._stored_description()
        return clock

    def fired_by_clock(self, clock: int, *, has_fired: bool) -> None:
        """Note that the operator stores windows of processing time, which have fired up to ``clock``, in milliseconds.

        ``has_fired``: Whether one has since the operator said so before; if not, what is stored may stay as it is.
        """
        self._clock = clock
        if has_fired:
            _, description = self._stored_description()
            if description is not None:
                self._describe(description)

    def new_token(self) -> bytes:
        """Give what no other call gives, here or in another process; nothing where that is not known."""
        return b"" if self._new_token is None else self._new_token()

    def are_stored(self) -> bool:
        """Tell whether the operator has anything stored; the root is read if that was not done yet."""
        self._show()
        return self._description is not None

    def take_up(self) -> bool:
        """Begin to work on what is stored; True if the operator has it in memory, else it reads it now."""
        self._show()
        self.is_taken_up = True
        counts, self._counts = self._counts, True
        return counts

    def groups_of(self, keys: Any) -> Groups:
        """The key groups of a column of keys, which are integers or text."""
        groups = subtasks_of(keys, self._max_parallelism, self._max_parallelism)
        assert groups is not None, "integers and text are hashed as columns"
        return groups

    def groups_of_each(self, keys: Sequence[Any]) -> Groups:
        """The key groups of keys of any type."""
        return key_groups_of(keys, self._max_parallelism)

    def read(self, names: Iterable[Name] | None = None) -> Iterator[tuple[Name, Table]]:
        """All tables, or those of some names, page by page."""
        for name in self._tables if names is None else names:
            for table in self.read_pages(name, range(len(self._tables[name]))):
                yield name, table

    def read_pages(self, name: Name, numbers: Sequence[int]) -> Iterator[Table]:
        """Some pages of a table by their numbers, in this order; many are asked for at a time."""
        firsts = self._tables[name]
        for start in range(0, len(numbers), _AT_A_TIME):
            some = numbers[start : start + _AT_A_TIME]
            for page in self._stored([_page(name, firsts[number], number) for number in some]):
                yield read_table(page)

    def read_groups(self, name: Name, groups: Groups) -> Iterator[Table]:
        """The pages of a table that have what it holds of some key groups, which are in ascending order."""
        firsts = np.array(self._tables[name], np.int32)
        # A group begins a page, and may go on in others that begin with it, or else it is within one page.
        begins, ends = np.searchsorted(firsts, groups), np.searchsorted(firsts, groups, side="right")
        begins = np.maximum(np.where(begins == ends, begins - 1, begins), 0)
        wanted = {
            number for begin, end in zip(begins.tolist(), ends.tolist(), strict=True) for number in range(begin, end)
        }
        return self.read_pages(name, sorted(wanted))

    def write(
        self,
        description: Any,
        changed: Iterable[tuple[Name, Table, Groups]],
        gone: Iterable[Name],
        page_keys: int | None = None,
    ) -> None:
        """Store tables in place of those of before; the rows of each are in the order of their key groups.

        ``page_keys``: So many keys a page has at most, if not as many as a page may have.
        """
        for name in list(gone):
            self._remove(name)
        for name, table, groups in changed:
            self._remove(name)
            firsts = self._tables[name] = []
            for number, part in enumerate(parts_of(table, groups, page_keys or PAGE_KEYS)):
                firsts.append(part.first_group)
                self._written[_page(name, part.first_group, number)] = part.data
        self._describe(description)
        self._counts = True

    def clear(self) -> None:
        """Store nothing any more."""
        for name in list(self._tables):
            self._remove(name)
        self._description = None
        self._counts = self.has_changed = True

    def room(self, share: float = 1.0) -> int:
        """Give the bytes that the operator may keep until the next batch, if all together keep at most this share."""
        return round(KEPT_BYTES * share) - sum(other._bytes for other in _KEEPING if other is not self)

    def may_stay(self, size: int) -> bool:
        """Count so many bytes as kept until the next batch; False: there is no room, the operator is to drop them."""
        _KEEPING.add(self)
        stays = size <= self.room()
        self._bytes = size if stays else 0
        self._counts &= stays
        return stays

    def forget(self, record: Record | None) -> None:
        """Let what is in memory count no more, and take what is stored from ``record``; None: nothing is."""
        self._description, tables = (None, []) if record is None else record
        self._tables = {(section, number): groups for section, number, groups in tables}
        self._counts = False

    def record(self) -> Record | None:
        """Give the part of the root that describes what is stored; None if nothing is."""
        if self._description is None:
            return None
        tables = [(section, number, groups) for (section, number), groups in self._tables.items()]
        return self._description, tables

    def flush(self, put: Callable[[str, bytes], None], remove: Callable[[str], None]) -> None:
        """Write what has changed, before the root is."""
        for page in self._removed:
            if page not in self._written:
                remove(page)
        for page, data in self._written.items():
            put(page, data)
        self._written.clear()
        self._removed.clear()
        self.has_changed = False

    def _describe(self, description: Any) -> None:
        self._description = dumps(description if self._clock is None else (_BY_CLOCK, self._clock, description))
        self.has_changed = True

    def _stored_description(self) -> tuple[int | None, Any]:
        self._show()
        description = None if self._description is None else loads(self._description)
        if description is None or description[0] != _BY_CLOCK:
            return None, description
        _, clock, description = description
        return clock, description

    def _remove(self, name: Name) -> None:
        self.has_changed = True
        for number, group in enumerate(self._tables.pop(name, ())):
            page = _page(name, group, number)
            self._written.pop(page, None)
            self._removed.append(page)


def _page(name: Name, group: int, number: int) -> str:
    """The name of a page: its first key group, its table, and which of the table's pages it is."""
    section, of_section = name
    return f"{group:x}/{section}/{of_section}/{number}"
