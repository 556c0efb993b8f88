"""The rows of the benchmark."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: As a batch query, beside Flink with its state on the heap.
BATCH = "batch"
#: As a streaming query with a checkpoint, beside Flink with RocksDB and an incremental checkpoint every 2 s.
STREAM = "stream"
MODES = (BATCH, STREAM)


@dataclass(frozen=True)
class Row:
    """A job and what is expected of it.

    Args:
        name: As it is chosen on the command line.
        title: As it stands in tables.
        modes: How the job is run.
        goals: How many times as fast as Flink it is to be, by mode.
        job: The job's name in `bench.jobs.table`; the row's, unless it is given.
        flink_job: The job that Flink runs beside it; the same, unless it is given.
        alone: Whether Flink does not run it: the row is there to be compared with another, or for its memory.
        settings: Of Windrow's configuration.
        checked_events: How many events a run has whose results are compared.
        most_events: How many one has at most that is timed.
    """

    name: str
    title: str
    modes: tuple[str, ...] = MODES
    goals: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    job: str = ""
    flink_job: str = ""
    alone: bool = False
    settings: tuple[str, ...] = ()
    checked_events: int = 200_000
    most_events: int = 500_000_000

    def windrow_job(self) -> str:
        """The name of the job that Windrow runs."""
        return self.job or self.name

    def peer_job(self) -> str:
        """The name of the job that Flink runs."""
        return self.flink_job or self.windrow_job()


def _row(name: str, title: str, batch: float, stream: float, **more: str | bool | int) -> Row:
    return Row(name, title, goals=MappingProxyType({BATCH: batch, STREAM: stream}), **more)  # type: ignore[arg-type]


ROWS = {
    row.name: row
    for row in (
        Row("filter", "map and filter, no key", (BATCH,), MappingProxyType({BATCH: 6})),
        _row("tumbling", "tumbling 60 s, reduce", 6, 12),
        _row("tumbling-untraced", "the same, lambdas that cannot be traced", 1, 2.5, flink_job="tumbling"),
        _row("tumbling-late", "the same with 10 s allowed lateness", 5, 10),
        Row("tumbling-early", "the same, firing every 10 s besides"),
        _row("sliding", "sliding 60 s by 5 s, reduce", 40, 60),
        _row("session", "sessions, gap 5 s, reduce", 8, 10),
        _row("process", "process window function, sliding 60 s by 5 s", 2, 4),
        _row("interval", "interval join, 5 s either side", 4, 6),
        _row("running", "running reduce", 2, 3),
        _row("count", "count windows of 20, reduce", 0.5, 0.5),
        _row("timers", "process function, value state and a timer per minute", 0.7, 1.5),
        _row("parquet", "tumbling sum by named fields from Parquet", 8, 12),
        _row("nexmark-q5", "Nexmark q5: hot items", 3, 3),
        _row("nexmark-q7", "Nexmark q7: highest bid", 3, 3),
        _row("nexmark-q8", "Nexmark q8: new users", 3, 3),
        _row("nexmark-q11", "Nexmark q11: user sessions", 3, 3),
        _row("nexmark-q12", "Nexmark q12: processing time windows", 3, 3),
        _row("sql-tumble", "SQL: TUMBLE 60 s, sum by key", 4, 4),
        _row("sql-hop", "SQL: HOP 60 s by 5 s, sum by key", 20, 20),
        _row("sql-session", "SQL: SESSION, gap 5 s, sum by key", 5, 5),
        _row("sql-q0", "SQL: Nexmark q0, bids as they are", 3, 3),
        _row("sql-q1", "SQL: Nexmark q1, prices converted", 3, 3),
        _row("sql-q2", "SQL: Nexmark q2, bids of some auctions", 3, 3),
        _row("sql-q3", "SQL: Nexmark q3, local item suggestion", 3, 3),
        # It keeps all events.
        _row("sql-q4", "SQL: Nexmark q4, average price of a category", 3, 3),
        _row("sql-q5", "SQL: Nexmark q5, hot items", 3, 3),
        _row("sql-q7", "SQL: Nexmark q7, highest bid", 3, 3),
        _row("sql-q8", "SQL: Nexmark q8, new users", 3, 3),
        _row("sql-q11", "SQL: Nexmark q11, user sessions", 3, 3),
        _row("sql-q12", "SQL: Nexmark q12, processing time windows", 3, 3),
        Row("sliding-fine", "sliding 60 s by 0.5 s, reduce", (BATCH,), alone=True, checked_events=20_000),
        Row(
            "tumbling-batches",
            "tumbling 60 s, reduce, batches of 400,000",
            (STREAM,),
            job="tumbling",
            alone=True,
            # A batch has four splits of each of the two channels.
            settings=("windrow.source.elements-per-split=50000", "windrow.source.splits-per-batch=4"),
        ),
        Row(
            "due-timers", "2,000,000 keys, 200,000 timers due at once", (STREAM,), alone=True, checked_events=1_000_000
        ),
    )
}
