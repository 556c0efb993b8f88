"""Lets a job on the local runtime go on with another parallelism: what is dealt out is dealt out as on Spark."""

from __future__ import annotations

import re

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
from windrow.state.root_parts import has_columns

_WHOLE = re.compile(r"(.+)/(pages|task|reader)", re.DOTALL)


def before_of(executor: LocalExecutor) -> JobBefore:
    """The job of an executor as it is behind its last batch."""
    job = executor._job
    stored = [_stored_level(executor, job, level) for level in range(len(job.levels))]
    first_channels = {entry.first_channel: entry.node.tag for entry in job.levels[0]}

    def decided(first_channel: int) -> Decided:
        log = executor._logs[first_channels[first_channel]]
        channel = executor._channels[first_channel]
        assert isinstance(channel, ReaderChannel)
        return Decided(log.entries(channel.taken, log.count()), log.last() or LogEntry())

    return JobBefore(layout_of(job, job.partitions) | {"begun": VERSION}, job.partitions, stored, decided)


def rescaled(executor: LocalExecutor, job: JobGraph, batch_size: int) -> LocalExecutor:
    """An executor of ``job`` that goes on where another one is, which has another parallelism or is of another one."""
    before = before_of(executor)
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


def _stored_level(executor: LocalExecutor, job: JobGraph, level: int) -> StoredLevel:
    whole, roots, with_columns = {}, [], []
    for place, name, data in _pages(executor, job, level):
        found = _WHOLE.fullmatch(name)
        if found is not None and found[2] != "pages":
            whole[place, name] = data
        elif found is not None:
            roots.append((place, found[1]))
            if has_columns(data):
                with_columns.append((place, found[1]))
    return StoredLevel(whole, roots, with_columns, "the store")


def _pages(executor: LocalExecutor, job: JobGraph, level: int):
    for (of_level, subtask), store in executor._stores.items():
        if of_level == level:
            for name, data in store.pages.items():
                yield grouping_key(subtask, job.partitions), name, data


def _keyed(executor: LocalExecutor, job: JobGraph, groups: KeyGroups, before: JobBefore):
    for level in range(1, len(executor._job.levels)):
        columns = {(place, owner): watermark for place, owner, watermark in before.columns()[level]}
        of_owners: dict[tuple[int, str], dict[str, bytes]] = {key: {} for key in columns}
        for place, name, data in _pages(executor, executor._job, level):
            owner = next((o for p, o in columns if p == place and name.startswith(f"{o}/")), None)
            if owner is None:
                yield from groups.dealt(name, data)
            else:
                of_owners[place, owner][name] = data
        for (place, owner), pages in of_owners.items():
            if owner.rpartition(".")[0] in groups.operators:
                store_pages_by_key(job, owner, pages, columns[place, owner])
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
