"""Keeps pages: a map from names to bytes, which a runtime provides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class PageStore(Protocol):
    """A map from page names to bytes that outlives the operator."""

    def get(self, page: str) -> bytes | None: ...

    def get_many(self, pages: Sequence[str]) -> list[bytes | None]:
        """Give the bytes of each page, None for one that is not there, in as few calls as the store can."""
        return [self.get(page) for page in pages]

    def put(self, page: str, data: bytes) -> None: ...

    def remove(self, page: str) -> None: ...


class MemoryPageStore(PageStore):
    """A page store in a dictionary: for the local runtime and for tests."""

    def __init__(self, pages: dict[str, bytes] | None = None) -> None:
        self.pages: dict[str, bytes] = {} if pages is None else pages

    def get(self, page: str) -> bytes | None:
        return self.pages.get(page)

    def put(self, page: str, data: bytes) -> None:
        self.pages[page] = data

    def remove(self, page: str) -> None:
        self.pages.pop(page, None)


class NoPages(PageStore):
    """A store for a job of one batch: what is kept until its end is kept in memory, and nothing is written."""

    def get(self, page: str) -> bytes | None:
        return None

    def put(self, page: str, data: bytes) -> None:
        """Nothing reads it again."""

    def remove(self, page: str) -> None:
        """Nothing was written."""
