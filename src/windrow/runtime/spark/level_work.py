"""The work of a level of a streaming query in Spark's workers, one group at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import Row

from windrow.elements.codec import loads
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.sources.read_record import ReadRecords
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.print_sender import printing_to
from windrow.runtime.spark.rows import END_EDGE, READ_EDGE, TICK_EDGE, SparkRow, decode
from windrow.runtime.spark.served_files import ServedFiles
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stages import due_rows, messages_of, printed_rows, sent_rows, totals_rows
from windrow.runtime.spark.state_pages import state_pages
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.closing import close_after
from windrow.runtime.stage.garbage import rarely_collected
from windrow.runtime.stage.host import LevelHost

_Fields = Row(*SparkRow._fields)


class LevelWork:
    """The work of a level: what it makes of the rows of one group.

    Spark makes one per task and batch; what is costly is kept in the worker process.

    Args:
        shipped: The job.
        level: 0: the sources.
    """

    def __init__(self, shipped: ShippedJob, level: int) -> None:
        self._shipped = shipped
        self._level = level

    def run(self, rows: Iterator[Row], state: Any) -> Iterator[Row]:
        """The rows that the level gives, made of those that came for it; others pass."""
        self._pages = state_pages(state)
        with rarely_collected(), self._shipped.at_work():
            self._shipped.use_classes()
            yield from (_Fields(*row) for row in shipping_errors(self._printing)(rows))
            self._pages.settle()

    def _printing(self, rows: Iterator[Row]) -> Iterator[SparkRow]:
        with printing_to(self._shipped.prints) as streams:
            yield from self._process(rows)
        yield from printed_rows(streams)

    def _process(self, rows: Iterator[Row]) -> Iterator[SparkRow]:
        arrived = sorted((SparkRow(*row) for row in rows), key=SparkRow.order)
        mine = [row for row in arrived if row.level == self._level]
        yield from (row for row in arrived if row.level != self._level)
        if not mine:
            return
        try:
            for made in self._run_source(mine) if self._level == 0 else self._run_level(mine):
                yield self._place(made)  # not by map, which takes a StopIteration of pickled elements for the end
            yield from totals_rows(self._host().take_totals())
            host = self._host()
            yield from sent_rows(host.take_sent()) if self._level == 0 else due_rows(host.take_due())
        except BaseException as error:
            # What the failed attempt has changed in functions must not be seen by the next one.
            close_after(error, lambda: self._shipped.forget(self._level))
            raise

    def _run_source(self, rows: list[SparkRow]) -> Iterator[ChunkRow]:
        edges = {row.edge for row in rows}
        if READ_EDGE in edges:
            return self._run_reader(rows, end=END_EDGE in edges)
        parts = (loads(row.payload) for row in rows if row.edge >= 0)
        made: Iterator[ChunkRow] = self._host().run(
            rows[0].subtask, parts, self._pages, rows[0].now, end=END_EDGE in edges, tick=TICK_EDGE in edges
        )
        return made

    def _run_reader(self, rows: list[SparkRow], *, end: bool) -> Iterator[ChunkRow]:
        messages = messages_of(rows)
        made: Iterator[ChunkRow] = self._host().run_reader(rows[0].subtask, messages, self._pages, rows[0].now, end=end)
        return made

    def _run_level(self, rows: list[SparkRow]) -> Iterator[ChunkRow]:
        chunks = (decode(row) for row in rows if row.edge != TICK_EDGE)
        tick = any(row.edge == TICK_EDGE for row in rows)
        made: Iterator[ChunkRow] = self._host().run(rows[0].subtask, chunks, self._pages, rows[0].now, tick=tick)
        return made

    def _host(self) -> Any:
        return self._shipped.keep(self._level, self._new_host)

    def _new_host(self) -> Any:
        job, files = self._shipped.job(), self._shipped.files
        if self._level:
            return LevelHost(job, self._level)
        if files is None:
            return SourceHost(job, ReadSettings.of(job.configuration))
        kept: ServedFiles = self._shipped.keep("files", lambda: files)
        return SourceHost(job, ReadSettings.of(job.configuration), ReadRecords(kept), kept.wake)

    def _place(self, row: ChunkRow) -> SparkRow:
        return self._shipped.encode(row, grouping_key(row.subtask, self._shipped.partitions))
