"""The table of jobs: what is built, what of a result is compared, and what has to come out."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.jobs import answers, elements, parquet, sql, windows
from bench.jobs.answers import Answer
from bench.jobs.digest import Digest, digest_of
from bench.jobs.events import Events
from bench.nexmark import answers as nexmark
from bench.nexmark import queries
from windrow.datastream import DataStream, StreamExecutionEnvironment

Build = Callable[[StreamExecutionEnvironment, Events], DataStream]

MINUTE, FIVE_SECONDS, HALF_A_SECOND = 60_000, 5_000, 500


@dataclass(frozen=True)
class Job:
    """A job that every engine has under this name.

    Args:
        name: Of the job.
        build: The stream of its results.
        answer: The results, of the fields that are compared.
        fields: The fields of a result that do not depend on the order in which events arrive; none: it is a number.
        bursts: Whether keys are active for some time only (`Events.bursts`).
        ones: Whether values are all 1 while results are compared (`Events.ones`).
        weight: The field that says for how many results one stands; none: for itself.
        files: The kind of files that the job reads (`event_files.KINDS`); none: it makes its events itself.
        sql: Whether it is a query in SQL, on both engines.
    """

    name: str
    build: Build
    answer: Answer
    fields: tuple[int, ...] = (0, 1)
    bursts: bool = False
    ones: bool = False
    weight: int | None = None
    files: str = ""
    sql: bool = False

    def events(self, count: int, files: Path | None = None, *, checked: bool = False) -> Events:
        """So many events for this job, to be timed or to be checked."""
        return Events(count, self.bursts, self.ones and checked, files, checked)

    def expected(self, count: int) -> Digest:
        """The digest of the right results of so many events."""
        return digest_of(self.answer(self.events(count, checked=True)))


def _nexmark(name: str, build: Build, answer: Answer, fields: int, weight: int | None = None) -> Job:
    return Job(f"nexmark-{name}", build, answer, tuple(range(fields)), weight=weight, files="nexmark")


def _sql(
    name: str,
    answer: Answer,
    *,
    table: str = "nexmark",
    fields: int = 2,
    first: int = 0,
    files: str = "",
    bursts: bool = False,
    weight: int | None = None,
) -> Job:
    build, chosen = sql.Query(table, name), tuple(range(first, first + fields))
    return Job(f"sql-{name}", build, answer, chosen, bursts=bursts, weight=weight, files=files or table, sql=True)


_SUMS = answers.Windows(operator.add, MINUTE, MINUTE)

JOBS = {
    job.name: job
    for job in (
        Job("filter", elements.filtered, answers.filtered),
        Job("tumbling", windows.tumbling, _SUMS),
        Job("tumbling-untraced", windows.tumbling_untraced, _SUMS),
        Job("tumbling-late", windows.tumbling_late, _SUMS),
        Job("tumbling-early", windows.tumbling_early, _SUMS),
        Job("parquet", parquet.tumbling, _SUMS, files="events"),
        Job("sliding", windows.Sliding(FIVE_SECONDS), answers.Windows(operator.add, MINUTE, FIVE_SECONDS)),
        Job("sliding-fine", windows.Sliding(HALF_A_SECOND), answers.Windows(operator.add, MINUTE, HALF_A_SECOND)),
        Job("session", windows.session, answers.sessions, bursts=True),
        Job("process", windows.process, answers.Windows(max, MINUTE, FIVE_SECONDS, with_key=False), fields=()),
        Job("interval", elements.interval, answers.interval, fields=()),
        Job("running", elements.running, answers.running, ones=True),
        Job("count", elements.count, answers.count, ones=True),
        Job("timers", elements.timers, answers.timers, fields=(0,)),
        Job("due-timers", elements.due_timers, answers.due_timers, fields=(0,)),
        _nexmark("q5", queries.hot_items, nexmark.hot_items, 3),
        _nexmark("q7", queries.highest_bids, nexmark.highest_bids, 4),
        _nexmark("q8", queries.new_users, nexmark.new_users, 2),
        _nexmark("q11", queries.user_sessions, nexmark.user_sessions, 3),
        _nexmark("q12", queries.bids_by_clock, nexmark.bids_by_clock, 1, weight=1),
        _sql("tumble", _SUMS, table="events"),
        _sql("hop", answers.Windows(operator.add, MINUTE, FIVE_SECONDS), table="events"),
        _sql("session", answers.sessions, table="events", files="bursts", bursts=True),
        _sql("q0", nexmark.all_bids, fields=4),
        _sql("q1", nexmark.bids_in_euros, fields=4),
        _sql("q2", nexmark.bids_of_some_auctions),
        _sql("q3", nexmark.local_items, fields=1, first=3),
        _sql("q4", nexmark.average_prices),
        _sql("q5", nexmark.hot_items, fields=3),
        _sql("q7", nexmark.highest_bids, fields=4),
        _sql("q8", nexmark.new_users),
        _sql("q11", nexmark.user_sessions, fields=3),
        _sql("q12", nexmark.bids_by_clock, fields=1, weight=1),
    )
}
