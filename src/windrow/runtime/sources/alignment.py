"""Holding a reader back whose splits run ahead of others: the reader's side of watermark alignment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark_strategy import WatermarkAlignment
from windrow.connectors.source import SourceReader
from windrow.errors import ConfigurationError
from windrow.runtime.sources.split_watermarks import SplitWatermarks

#: Flink's option: whether a reader that cannot pause splits may let them run ahead of each other.
ALLOW_UNALIGNED = "pipeline.watermark-alignment.allow-unaligned-source-splits"


class ReaderAlignment:
    """Pauses splits whose watermark is too far ahead, and says when all of them are.

    A split may be read while its watermark is not above the limit, which is that of the slowest split of the group's
    sources plus the allowed drift. As others' watermarks are known between batches only, a reader also keeps its splits
    within the drift of its own slowest one; before the first limit comes it stops as soon as it has a watermark.
    Where Flink compares every ``update_interval``, a reader compares after each poll.

    Args:
        name: The source's, for error messages.
        settings: What the watermark strategy says.
        configuration: The job's.
        watermarks: The reader's.
    """

    def __init__(
        self, name: str, settings: WatermarkAlignment, configuration: Configuration, watermarks: SplitWatermarks
    ) -> None:
        self._name = name
        self._settings = settings
        self._allow_unaligned = configuration.get_boolean(ALLOW_UNALIGNED, False)
        self._watermarks = watermarks
        self._reader: SourceReader[Any, Any] | None = None
        self._paused: set[str] = set()
        #: What the coordinator has said last; part of the reader's state.
        self.limit: int | None = None

    def attach(self, reader: SourceReader[Any, Any], paused: set[str]) -> None:
        """From now on it is about this reader, some of whose splits are paused already."""
        self._reader = reader
        self._paused |= paused

    def detach(self) -> None:
        """The reader is gone, and with it what was paused."""
        self._reader = None
        self._paused = set()

    def is_ahead(self) -> bool:
        """Pause and resume splits; whether the whole reader has to wait.

        Raises:
            ConfigurationError: the reader cannot pause splits, and has several.
        """
        if self._waits():
            return True
        several = len(self._watermarks.split_ids()) > 1
        self._pause(self._ahead() if several else set())
        return False

    def slowest(self) -> int | None:
        """The reader's watermark, of what is active and has one; None: nothing is and has."""
        known = self._known()
        return _of_reader(known) if known else None

    def stop_clocks(self) -> None:
        """At the end of a batch: what is held back until the next one must not look idle."""
        self._watermarks.pause(self.held_back())

    def held_back(self) -> Collection[str | None]:
        """The splits (None: the main output) that are not read, because others have to catch up."""
        return self._watermarks.output_ids() if self._waits() else self._ahead()

    def _known(self) -> dict[str | None, int]:
        """The watermarks of the active splits that have one."""
        active = self._watermarks.active_watermarks()
        return {split_id: watermark for split_id, watermark in active.items() if watermark > MIN_WATERMARK}

    def _waits(self) -> bool:
        """Tell whether nothing is to be read: a split without a watermark may be the slowest one, and is read."""
        if self.limit is None:
            return bool(self._known())
        return _of_reader(self._watermarks.active_watermarks()) > self.limit

    def _ahead(self) -> set[str]:
        watermarks = self._known()
        if not watermarks:
            return set()
        allowed = _of_reader(watermarks) + self._settings.max_drift
        if self.limit is not None:
            allowed = min(allowed, self.limit)
        return {split_id for split_id, at in watermarks.items() if split_id is not None and at > allowed}

    def _pause(self, ahead: set[str]) -> None:
        assert self._reader is not None
        splits = self._watermarks.split_ids()
        pausing, resuming = (ahead - self._paused) & splits, (self._paused - ahead) & splits
        if not pausing and not resuming:
            return
        try:
            self._reader.pause_or_resume_splits(sorted(pausing), sorted(resuming))
        except NotImplementedError as error:
            if not self._allow_unaligned:
                msg = (
                    f"source {self._name!r}: with_watermark_alignment wants splits {sorted(pausing)} paused, which are "
                    f"more than {self._settings.max_drift} ms ahead of others of group {self._settings.group!r}, and "
                    f"{type(self._reader).__name__} cannot pause splits: implement pause_or_resume_splits, or set "
                    f"{ALLOW_UNALIGNED} to true, so that only the reader as a whole waits for others"
                )
                raise ConfigurationError(msg) from error
        self._paused = ahead & splits


def _of_reader(watermarks: Mapping[str | None, int]) -> int:
    """A reader's watermark: that of its slowest split, or that of its main output (None), if it is greater."""
    splits = (at for split_id, at in watermarks.items() if split_id is not None)
    return max(min(splits, default=MIN_WATERMARK), watermarks.get(None, MIN_WATERMARK))
