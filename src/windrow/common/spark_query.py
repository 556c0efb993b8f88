"""Spark's view of a job: its query, how that goes on, and where Spark's own page is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SparkQuery:
    """A job as Spark sees it.

    Example:
        >>> SparkQuery("a", "b", "windrow-1", "http://localhost:4040", {"batchId": 7}).progress["batchId"]
        7
    """

    #: Spark's name for the streaming query in all its runs on one checkpoint; None: the job is one batch query.
    id: str | None
    #: That of this run of it.
    run_id: str | None
    #: The query's name, and the tag of the job's Spark jobs.
    name: str
    #: The address of Spark's page; None: it is off (``spark.ui.enabled``).
    web_ui: str | None
    #: What Spark has last reported of a streaming query, as ``StreamingQuery.lastProgress`` has it: the batch, rows per
    #: second, milliseconds by part (``durationMs``), state. None: it has not reported anything yet.
    progress: dict[str, Any] | None
