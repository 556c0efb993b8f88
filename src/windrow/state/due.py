"""Finds keys that are not in memory and have timers that are due: through groups, pages and their headers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush

from windrow.state.directory import Group, Page
from windrow.state.page import PageRows

#: The earliest time in it, the number of its group and its code there (0: it is the group), and a group or page.
_Due = tuple[int, int, int, Group | Page]


class DueTimers:
    """The timers of one time domain, of keys that are not brought in.

    Args:
        groups: The directory.
        read_groups: Has groups know their pages.
        read_pages: Has what is in pages in memory.
        rows_of: Gives what is in a page.
        event_time: The time domain.
    """

    def __init__(
        self,
        groups: Iterable[Group],
        read_groups: Callable[[Iterable[Group]], None],
        read_pages: Callable[[Iterable[Page]], None],
        rows_of: Callable[[Page], PageRows],
        *,
        event_time: bool,
    ) -> None:
        self._read_groups = read_groups
        self._read_pages = read_pages
        self._rows_of = rows_of
        self._event_time = event_time
        self._heap: list[_Due] = []
        for group in groups:
            self._push(group, group.number, 0)
        heapify(self._heap)

    def take(self, limit: int) -> list[tuple[Page, int]]:
        """Give the rows with timers up to ``limit``, in the order of the pages; who asks brings them in."""
        due: list[tuple[int, int, int, Page]] = []
        heap = self._heap
        pages: list[tuple[int, Page]] = []
        while heap and heap[0][0] <= limit:
            groups = []
            while heap and heap[0][0] <= limit:
                _, number, _, at = heappop(heap)
                if isinstance(at, Group):
                    groups.append(at)
                else:
                    pages.append((number, at))
            self._read_groups(groups)
            for group in groups:
                self._push_pages(group)
        self._read_pages([at for _, at in pages])
        for number, at in pages:
            later = None
            for row, time in self._waiting(at):
                if time <= limit:
                    due.append((number, at.code, row, at))
                elif later is None or time < later:
                    later = time
            if later is not None:
                heappush(heap, (later, number, at.code, at))
        due.sort(key=lambda found: found[:3])
        return [(page, row) for *_, row, page in due]

    def next_time(self) -> int | None:
        """Give the earliest of all; None if there is none."""
        heap = self._heap
        while heap:
            time, number, code, at = heap[0]
            if isinstance(at, Group):
                if not at.is_read:
                    return time
                heappop(heap)
                self._push_pages(at)
            elif at.rows is None:
                return time
            else:
                now = min((waiting for _, waiting in self._waiting(at)), default=None)
                if now == time:
                    return time
                heappop(heap)
                if now is not None:
                    heappush(heap, (now, number, code, at))
        return None

    def _waiting(self, page: Page) -> Iterable[tuple[int, int]]:
        """The rows of a page that have a timer and are not brought in, with their earliest."""
        rows = self._rows_of(page)
        column = rows.times[0 if self._event_time else 1] or ()
        return [(row, time) for row, time in enumerate(column) if time is not None and row not in rows.taken]

    def _push_pages(self, group: Group) -> None:
        for page in group.pages():
            self._push(page, page.group, page.code)

    def _push(self, at: Group | Page, number: int, code: int) -> None:
        time = at.event_time if self._event_time else at.processing_time
        if time is not None:
            heappush(self._heap, (time, number, code, at))
