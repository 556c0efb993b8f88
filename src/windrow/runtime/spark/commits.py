"""Waiting for Spark to commit a batch, where a commit is a file that somebody else writes."""

from __future__ import annotations

import time
from typing import Any

from windrow.errors import CheckpointError
from windrow.runtime.spark.spark_half import SparkHalf

#: How long the file of a commit may stay unseen before Spark is asked, and after Spark has said it is there; seconds.
_PATIENCE = 5.0


class Commits:
    """Knows what a query has committed, as its checkpoint shows it.

    Args:
        half: Spark's half of the checkpoint.
    """

    def __init__(self, half: SparkHalf) -> None:
        self._half = half
        self._waits_for = -1
        self._since = 0.0
        self._reported: float | None = None

    def has(self, batch: int, query: Any) -> bool:
        """Tell whether the batch is committed; asked again and again.

        Raises:
            CheckpointError: the query says it is, and its checkpoint does not show it.
        """
        if self._half.is_committed(batch):
            return True
        now = time.monotonic()
        if batch != self._waits_for:
            self._waits_for, self._since, self._reported = batch, now, None
        if now - self._since < _PATIENCE:
            return False
        if self._reported is None:
            if _has_run(query.lastProgress, batch):
                self._reported = now
        elif now - self._reported >= _PATIENCE:
            msg = (
                f"Spark has committed batch {batch} to {self._half.location}, and in {self._half.folder.location} "
                "there is no such commit: driver and Spark must see one directory under this path; a mount may be "
                "missing, or show old contents"
            )
            raise CheckpointError(msg)
        return False


def _has_run(progress: Any, batch: int) -> bool:
    """Tell whether a report of Spark's was made behind the batch: one without work may come before, with its number."""
    if not progress:
        return False
    return bool(progress["batchId"] > batch or (progress["batchId"] == batch and "addBatch" in progress["durationMs"]))
