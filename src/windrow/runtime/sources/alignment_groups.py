"""Limits how far sources that are aligned may read: the program's side of watermark alignment."""

from __future__ import annotations

import time
from collections.abc import Mapping

from windrow.common.limits import MAX_WATERMARK
from windrow.common.watermark_strategy import WatermarkAlignment
from windrow.graph.job_graph import JobGraph
from windrow.runtime.sources.messages import MessagesBySource, ReportedWatermark


class AlignmentGroups:
    """Combines the watermarks that the readers of each group report.

    All readers that have not ended report in every batch, so nothing has to be remembered from one to the next.

    Args:
        settings: Of each aligned source, by its tag.
    """

    def __init__(self, settings: Mapping[str, WatermarkAlignment]) -> None:
        self._settings = settings
        #: By the source's tag, what it was told last, and when, in milliseconds.
        self._told: dict[str, tuple[int, float]] = {}

    @staticmethod
    def of(job: JobGraph) -> AlignmentGroups:
        """The groups of a job's sources."""
        strategies = {entry.node.tag: entry.strategy for entry, _ in job.sources()}
        return AlignmentGroups(
            {tag: each.alignment for tag, each in strategies.items() if each is not None and each.alignment is not None}
        )

    def limits(self, sent: MessagesBySource) -> dict[str, int]:
        """The watermark up to which each source's splits may be read, by tag; without those for which nothing changes.

        Args:
            sent: What readers have sent in a batch.
        """
        slowest: dict[str, int] = {}
        for tag, settings in self._settings.items():
            for messages in sent.get(tag, {}).values():
                for message in messages:
                    if isinstance(message, ReportedWatermark):
                        known = slowest.get(settings.group, MAX_WATERMARK)
                        slowest[settings.group] = min(known, message.watermark)
        now = time.monotonic() * 1000
        limits = {}
        for tag, settings in self._settings.items():
            if settings.group not in slowest:
                continue
            limit = min(slowest[settings.group] + settings.max_drift, MAX_WATERMARK)
            told, at = self._told.get(tag, (None, 0.0))
            if limit != told and (told is None or now - at >= settings.update_interval):
                limits[tag] = limit
                self._told[tag] = limit, now
        return limits
