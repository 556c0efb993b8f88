"""What a checkpoint remembers of the savepoint whose state was dealt out anew for it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from windrow.elements.stored import dumps, loads
from windrow.runtime.checkpoint_files import RESCALED, RESCALED_PAGES, reading
from windrow.storage.folder import Folder

#: Of each level: the grouping key, the name and the content of pages.
Pages = dict[int, list[tuple[int, str, bytes]]]
#: Of each level of before: the grouping key and the owner of tables of columns, and the owner's watermark.
Columns = dict[int, list[tuple[int, str, int]]]


class Rescaled(NamedTuple):
    """Where the state is that the first batch deals out."""

    savepoint: str
    #: The batch that it is behind, and how many partitions its query had.
    batch: int
    partitions: int
    #: What sinks call the first batch: they go on counting where they were.
    first_batch: int

    def write(self, folder: Folder) -> None:
        """Keep it in a checkpoint."""
        folder.write(RESCALED, json.dumps(self._asdict(), indent=1).encode())

    @staticmethod
    def read(folder: Folder) -> Rescaled | None:
        """What a checkpoint has; None: its state is its own from the beginning."""
        if not folder.exists(RESCALED):
            return None
        with reading(folder.place(RESCALED), RESCALED):
            return Rescaled(**json.loads(folder.read(RESCALED)))


class RescaledPages(NamedTuple):
    """The pages that the first batch does not take from the savepoint, and where in it the others are."""

    #: States of tasks and readers, by level.
    made: Pages
    columns: Columns
    #: At which level each operator was, by its tag, and of how many.
    levels: dict[str, int]
    depth: int

    def write(self, folder: Folder) -> None:
        """Keep it in a checkpoint, until its first batch is committed."""
        folder.write(RESCALED_PAGES, dumps(tuple(self)))

    @staticmethod
    def read(folder: Folder) -> RescaledPages:
        """What a checkpoint has."""
        with reading(folder.place(RESCALED_PAGES), RESCALED_PAGES):
            kept: Any = loads(folder.read(RESCALED_PAGES))
            return RescaledPages(*kept)
