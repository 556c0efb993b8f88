"""What runs in Spark's workers in a streaming query: a stateful processor for each level, one group at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.placement import grouping_key, partition_of
from windrow.runtime.spark.rows import END_EDGE, TICK_EDGE, SparkRow, decode, encode
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stages import counters
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.host import LevelHost, SourceHost
from windrow.state.codec import loads

_Fields = Row(*SparkRow._fields)


class StatePages:
    """Pages in the map state that Spark keeps for the current grouping key."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def get(self, page: str) -> bytes | None:
        value = self._state.getValue((page,))
        return None if value is None else bytes(value[0])

    def put(self, page: str, data: bytes) -> None:
        self._state.updateValue((page,), (data,))

    def remove(self, page: str) -> None:
        self._state.removeKey((page,))


class LevelProcessor(StatefulProcessor):  # type: ignore[misc]
    """One level of the job. Spark makes one per task and batch; what is costly is kept in the worker process."""

    def __init__(self, shipped: ShippedJob, level: int) -> None:
        self._shipped = shipped
        self._level = level

    def init(self, handle: StatefulProcessorHandle) -> None:
        # Also called on the driver, to learn the state's schema: state handles only.
        self._pages = StatePages(handle.getMapState("pages", "page string", "data binary"))

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        return (_Fields(*row) for row in shipping_errors(self._process)(rows))

    def _process(self, rows: Iterator[Row]) -> Iterator[SparkRow]:
        arrived = sorted((SparkRow(*row) for row in rows), key=lambda row: (row.level, row.seq))
        process = self._process_source if self._level == 0 else self._process_level
        yield from process(arrived)

    def _process_source(self, rows: list[SparkRow]) -> Iterator[SparkRow]:
        host = self._shipped.keep("sources", lambda: SourceHost(self._shipped.job()))
        mine = [row for row in rows if row.level == 0]
        for row in rows:
            if row.level != 0:
                yield row
        if mine:
            splits = (loads(row.payload) for row in mine if row.edge >= 0)
            edges = {row.edge for row in mine}
            made = host.run(
                mine[0].grp, splits, self._pages, mine[0].now, end=END_EDGE in edges, tick=TICK_EDGE in edges
            )
            yield from map(self._place, made)
            yield from counters(host.take_counters())

    def _process_level(self, rows: list[SparkRow]) -> Iterator[SparkRow]:
        host = self._shipped.keep(self._level, lambda: LevelHost(self._shipped.job(), self._level))
        chunks: list[ChunkRow] = []
        tick = False
        mine = None
        for row in rows:
            if row.level != self._level:
                yield row
                continue
            mine = row
            if row.edge == TICK_EDGE:
                tick = True
            else:
                chunks.append(decode(row))
        if mine is not None:
            yield from map(self._place, host.run(mine.grp, chunks, self._pages, mine.now, tick=tick))
            yield from counters(host.take_counters())

    def _place(self, row: ChunkRow) -> SparkRow:
        return encode(row, place_of(row.group, self._shipped.job().max_parallelism, self._shipped.partitions))

    def close(self) -> None:
        """Operators live on in the worker process for the next batch."""


def place_of(group: int, groups: int, partitions: int) -> int:
    """The grouping key of a key group."""
    return grouping_key(group, partition_of(group, max(groups, group + 1), partitions), partitions)
