"""What of a savepoint's state is read as a whole: states of tasks and readers, and who has columns."""

from __future__ import annotations

from typing import Any, NamedTuple

from windrow.elements.stored import loads
from windrow.runtime.checkpoint_files import reading
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.stored_pages import whole_pages
from windrow.runtime.stage.task import TaskState
from windrow.state.root_parts import has_columns


class StoredLevel(NamedTuple):
    """Such pages of a level, by grouping key and name."""

    pages: dict[tuple[int, str], bytes]
    #: The grouping keys and owners of directories of keyed state, and of those that have tables of columns.
    roots: list[tuple[int, str]]
    with_columns: list[tuple[int, str]]
    #: What is named if a page cannot be read.
    file: str

    def task(self, tag: str, place: int) -> TaskState | None:
        """The state of a task; None: it has seen nothing."""
        task: TaskState | None = self._read(place, f"{tag}/task")
        return task

    def reader(self, tag: str, place: int) -> ReaderState | None:
        """The state of a reader; None: it has read nothing."""
        reader: ReaderState | None = self._read(place, f"{tag}/reader")
        return reader

    def _read(self, place: int, name: str) -> Any:
        data = self.pages.get((place, name))
        if data is None:
            return None
        with reading(self.file, "state"):
            return loads(data)


def stored_level(
    spark: Any, half: SparkHalf, partitions: int, state_format: int, operator: int, batch: int
) -> StoredLevel:
    """Read what is read as a whole; arguments are those of ``whole_pages``."""
    pages: dict[tuple[int, str], bytes] = {}
    roots, with_columns = [], []
    for place, owner, name, data in whole_pages(spark, half, partitions, state_format, operator, batch):
        if name != "pages":
            pages[place, f"{owner}/{name}"] = data
        else:
            roots.append((place, owner))
            if has_columns(data):
                with_columns.append((place, owner))
    return StoredLevel(pages, roots, with_columns, half.folder.place("state"))
