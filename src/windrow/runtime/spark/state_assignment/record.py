"""The record that a checkpoint keeps of the savepoint whose state was assigned to its job."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from windrow.elements.stored import dumps, loads
from windrow.errors import CheckpointError
from windrow.runtime.checkpoint_files import ASSIGNED_PAGES, LAYOUT, ORIGIN, reading
from windrow.runtime.spark.folders import folder_at
from windrow.storage.folder import Folder

#: Of each level: the grouping key, the name and the content of pages.
Pages = dict[int, list[tuple[int, str, bytes]]]
#: Of each level of before: the grouping key and the owner of tables of columns, and the owner's watermark.
Columns = dict[int, list[tuple[int, str, int]]]


class Origin(NamedTuple):
    """The place of the state that the first batch deals out."""

    savepoint: str
    #: The batch that it is behind, and how many partitions its query had.
    batch: int
    partitions: int
    #: How many batches came before the first one: sinks go on counting where they were.
    batches_before: int
    #: The logs of enumerators' decisions that begin with what was decided there.
    logs: list[str]

    def write(self, folder: Folder) -> None:
        """Keep it in a checkpoint."""
        folder.write(ORIGIN, json.dumps(self._asdict(), indent=1).encode())

    def folder(self, spark: Any, checkpoint: Folder) -> Folder:
        """The savepoint's folder.

        Args:
            spark: A session.
            checkpoint: The checkpoint that has begun with it, and has no batch of its own.

        Raises:
            CheckpointError: it is gone.
        """
        folder = folder_at(spark, self.savepoint)
        if not folder.exists(LAYOUT):
            msg = (
                f"checkpoint {checkpoint.location} has begun with the savepoint {self.savepoint}, which is gone before "
                "the first batch was committed: bring it back, or start from another savepoint "
                "(execution.state-recovery.path) with another checkpoint directory"
            )
            raise CheckpointError(msg)
        return folder

    @staticmethod
    def read(folder: Folder) -> Origin | None:
        """Read it from a checkpoint; None: the checkpoint's state is its own from the beginning."""
        if not folder.exists(ORIGIN):
            return None
        with reading(folder.place(ORIGIN), ORIGIN):
            return Origin(**json.loads(folder.read(ORIGIN)))


class AssignedPages(NamedTuple):
    """The pages that the first batch does not take from the savepoint, and where in it the others are."""

    #: States of tasks and readers, by level.
    made: Pages
    columns: Columns
    #: At which level each operator was, by its tag, and of how many.
    levels: dict[str, int]
    depth: int

    def write(self, folder: Folder) -> None:
        """Keep it in a checkpoint, until its first batch is committed."""
        folder.write(ASSIGNED_PAGES, dumps(tuple(self)))

    @staticmethod
    def read(folder: Folder) -> AssignedPages:
        """Read them from a checkpoint whose first batch is not committed yet."""
        with reading(folder.place(ASSIGNED_PAGES), ASSIGNED_PAGES):
            kept: Any = loads(folder.read(ASSIGNED_PAGES))
            return AssignedPages(*kept)
