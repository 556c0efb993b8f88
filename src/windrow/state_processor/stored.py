"""Opens a checkpoint or a savepoint to look into it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.errors import CheckpointError
from windrow.runtime.checkpoint_files import BOOTSTRAPPING, LAYOUT, no_savepoint, reading
from windrow.storage.local_path import state_directory

if TYPE_CHECKING:
    from windrow.runtime.spark.spark_half import SparkHalf
    from windrow.storage.folder import Folder


@dataclass
class Stored:
    """A checkpoint or a savepoint behind its last committed batch."""

    location: str
    spark: Any
    folder: Folder
    layout: dict[str, Any]
    half: SparkHalf
    #: The last batch that is committed; -1: there is none.
    batch: int

    @property
    def partitions(self) -> int:
        """The number of partitions that its query has."""
        return int(self.layout["partitions"])

    @property
    def state_format(self) -> int:
        """That of Spark's state files."""
        return int(self.layout.get("state_format", 1))


def stored_at(path: str, spark: Any = None) -> Stored:
    """Open the checkpoint or savepoint in a directory.

    Raises:
        ConfigurationTypeError: the path is no string.
        CheckpointError: there is no checkpoint, or one that is damaged or of another version of Windrow.
        JobExecutionError: Spark does not start, or a file system does not answer.
    """
    from windrow.runtime.spark.folders import folder_at
    from windrow.runtime.spark.session import session
    from windrow.runtime.spark.spark_half import SparkHalf

    location = state_directory(path, "the path of a checkpoint")
    spark = spark or session()
    folder = folder_at(spark, location)
    layout = _layout(folder)
    if folder.exists(BOOTSTRAPPING):
        raise no_savepoint(location)
    half = SparkHalf(folder.below("spark"))
    return Stored(location, spark, folder, layout, half, half.last_committed())


def _layout(folder: Folder) -> dict[str, Any]:
    from windrow.runtime.spark.layout import READABLE

    if not folder.exists(LAYOUT):
        msg = f"{folder.location} is no checkpoint and no savepoint: it has no {LAYOUT}; give the directory itself"
        raise CheckpointError(msg)
    with reading(folder.place(LAYOUT), LAYOUT):
        layout: dict[str, Any] = json.loads(folder.read(LAYOUT))
        version = layout["version"]
    if version not in READABLE:
        readable = ", ".join(map(str, sorted(READABLE)))
        msg = f"{folder.location} has format {version!r}, of another version of Windrow, and this one reads {readable}"
        raise CheckpointError(msg)
    return layout
