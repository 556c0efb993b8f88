"""The pages of a savepoint that are read as a whole: states of tasks and readers, and who has columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from windrow.elements.stored import loads
from windrow.runtime.checkpoint_files import reading
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.stored_pages import WHOLE, whole_pages
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

    @staticmethod
    def of(pages: Iterable[tuple[int, str, bytes]], file: str) -> StoredLevel:
        """Those among the pages of a level, which come with grouping keys and names."""
        level = StoredLevel({}, [], [], file)
        for place, name, data in pages:
            whole = WHOLE.fullmatch(name)
            if whole is not None and whole[2] != "pages":
                level.pages[place, name] = data
            elif whole is not None:
                level.roots.append((place, whole[1]))
                if has_columns(data):
                    level.with_columns.append((place, whole[1]))
        return level

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
    pages = whole_pages(spark, half, partitions, state_format, operator, batch)
    return StoredLevel.of(pages, half.folder.place("state"))
