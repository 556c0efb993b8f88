"""Lets a job on the local runtime go on with another parallelism: what is dealt out is dealt out as on Spark."""

from __future__ import annotations

from windrow.graph.job_graph import JobGraph
from windrow.runtime.local.channels import DealtChannel, ReaderChannel
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.sources.coordinator_log import LogEntry, MemoryLog
from windrow.runtime.spark.layout import VERSION, layout_of
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.state_assignment.before import Decided, JobBefore
from windrow.runtime.spark.state_assignment.dealing import deal_out
from windrow.runtime.spark.state_assignment.pages import KeyGroups, store_pages_by_key, take_in
from windrow.runtime.spark.state_assignment.stored import StoredLevel
from windrow.runtime.spark.stored_pages import owner_of
from windrow.runtime.stage.chain import tag_of_owner


def before_of(executor: LocalExecutor, job: JobGraph) -> JobBefore:
    """The job of an executor as it is behind its last batch, for ``job``, which begins there."""
    old = executor._job
    stored = [StoredLevel.of(_pages(executor, level), "the store") for level in range(len(old.levels))]
    first_channels = {entry.first_channel: entry.node.tag for entry in old.levels[0]}

    def decided(first_channel: int) -> Decided:
        log = executor._logs[first_channels[first_channel]]
        channel = executor._channels[first_channel]
        assert isinstance(channel, ReaderChannel)
        return Decided(log.entries(channel.taken, log.count()), log.last() or LogEntry())

    return JobBefore(job, layout_of(old, old.partitions) | {"begun": VERSION}, old.partitions, stored, decided)


def rescaled(executor: LocalExecutor, job: JobGraph, batch_size: int) -> LocalExecutor:
    """An executor of ``job`` that goes on where another one is, which has another parallelism or is of another one."""
    before = before_of(executor, job)
    dealt, pages = deal_out(job, job.partitions, before)
    executor.close()
    made = LocalExecutor(job, batch_size, clock=executor._clock)
    made._batch, made.totals = executor._batch, executor.totals
    places = {grouping_key(subtask, job.partitions): subtask for subtask in range(1000)}
    for level in range(len(job.levels)):
        groups = KeyGroups.of(job, job.partitions, level)
        for place, name, data in [*pages[level], *_keyed(executor, job, groups, before)]:
            take_in(made._store(level, places[place]), name, data)
    _go_on_reading(executor, made, dealt)
    made.restart()
    return made


def _pages(executor: LocalExecutor, level: int):
    for (of_level, subtask), store in executor._stores.items():
        if of_level == level:
            for name, data in store.pages.items():
                yield grouping_key(subtask, executor._job.partitions), name, data


def _keyed(executor: LocalExecutor, job: JobGraph, groups: KeyGroups, before: JobBefore):
    columns = before.columns()
    for level in range(1, len(executor._job.levels)):
        with_columns = {(place, owner): {} for place, owner, _ in columns[level]}
        for place, name, data in _pages(executor, level):
            of_owner = with_columns.get((place, owner_of(name)))
            if of_owner is None:
                yield from groups.dealt(name, data)
            else:
                of_owner[name] = data
        for place, owner, watermark in columns[level]:
            if tag_of_owner(owner) in groups.operators:
                pages = with_columns[place, owner]
                store_pages_by_key(job, owner, pages, watermark)
                for name, data in pages.items():
                    yield from groups.dealt(name, data)


def _go_on_reading(executor: LocalExecutor, made: LocalExecutor, dealt) -> None:
    sources = {entry.node.tag: entry for entry in executor._job.levels[0]}
    for new in made._job.levels[0]:
        tag = new.node.tag
        old = sources.get(tag)
        if old is None:
            continue
        if dealt[tag].readers is not None:
            log = made._logs[tag] = MemoryLog()
            log.append(dealt[tag].readers.decided)
            for subtask, number in enumerate(new.source_channels):
                made._channels[number] = ReaderChannel(tag, subtask, log)
                made._channels[number].ended = dealt[tag].readers.finished
            continue
        for number in range(new.subtasks):
            if number < old.subtasks:
                made._channels[new.first_channel + number] = executor._channels[old.first_channel + number]
            else:
                more = DealtChannel([], tag)
                more.ended = True
                made._channels[new.first_channel + number] = more
