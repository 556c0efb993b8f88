"""Takes what the readers of a hybrid source's sources read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark
from windrow.connectors.source import ReaderOutput, SourceOutput
from windrow.datastream.output_tag import OutputTag


class UnderlyingOutput(ReaderOutput[Any]):
    """The output of a reader whose source another one follows.

    Nothing of it may hold the watermark back when the next source is read. So what is emitted for no split goes to an
    output of its own, and the outputs of all splits are released in the end, whatever the source's reader does.
    """

    #: The hybrid source's own output, set before each poll.
    output: ReaderOutput[Any]

    def __init__(self, source_index: int) -> None:
        self._whole = f"hybrid source {source_index}"
        self._split_ids: set[str] = set()

    def add_splits(self, split_ids: Iterable[str]) -> None:
        """The reader has these splits: their watermarks count from now on."""
        self._split_ids.update(split_ids)

    def create_output_for_split(self, split_id: str) -> SourceOutput[Any]:
        self._split_ids.add(split_id)
        return self.output.create_output_for_split(split_id)

    def release_output_for_split(self, split_id: str) -> None:
        self._split_ids.discard(split_id)
        self.output.release_output_for_split(split_id)

    def release_all(self) -> None:
        """The source is read to its end."""
        for split_id in sorted(self._split_ids):
            self.release_output_for_split(split_id)

    def collect(self, record: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self._main().collect(record, timestamp)

    def collect_batch(self, records: Sequence[Any], timestamps: Sequence[int] | None = None) -> None:
        self._main().collect_batch(records, timestamps)

    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self._main().collect_side(tag, value, timestamp)

    def emit_watermark(self, watermark: Watermark) -> None:
        self._main().emit_watermark(watermark)

    def mark_idle(self) -> None:
        self._main().mark_idle()

    def mark_active(self) -> None:
        self._main().mark_active()

    def _main(self) -> SourceOutput[Any]:
        return self.create_output_for_split(self._whole)
