"""A sink that drops everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.connectors.interfaces import SinkWriter, WriterContext, WriterSink


class _DiscardingWriter(SinkWriter):
    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        """Drop them."""

    def prepare_commit(self) -> None:
        """There is nothing to commit."""


class DiscardingSink(WriterSink):
    """Drops all elements: for measuring, and for jobs that are run for their side effects (Flink's ``DiscardingSink``).

    Example:
        >>> DiscardingSink().create_writer(WriterContext(0, 0)).write([1, 2], [0, 0])
    """

    def create_writer(self, context: WriterContext) -> SinkWriter:
        return _DiscardingWriter()

    def commit(self, batch: int, committables: Sequence[Any]) -> None:
        """There is nothing to commit."""
