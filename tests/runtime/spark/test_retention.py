"""What a job of thousands of batches leaves: our own files, in folders and in memory, without Spark."""

import os
from collections import Counter

from tests.runtime.sources.running import job_of
from tests.runtime.sources.scripted import Script, ScriptedEnumerator, ScriptedSource
from windrow.runtime.checkpoint_files import DECISIONS, READS
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.sources.coordinator import SourceCoordinator
from windrow.runtime.sources.coordinator_log import FileLog
from windrow.runtime.sources.messages import SplitRequest
from windrow.runtime.sources.read_record import ReadRecord, ReadRecords, Run
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.job_source import JobSourceReader
from windrow.runtime.spark.source_plan import ReaderPlan, SourcePlan, log_name
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_folder import LocalFolder

BATCHES = 3_000
READERS = 2


class Counted(ScriptedSource):
    """A split for each request, without an end; where it is is a number."""

    def create_enumerator(self, enum_context):
        return CountedEnumerator(enum_context, self, 0)


class CountedEnumerator(ScriptedEnumerator):
    def handle_split_request(self, subtask_id, requester_hostname):
        number, self._splits = self._splits, self._splits + 1
        self._context.assign_split(Script(str(number), [(number, number)]), subtask_id)

    def snapshot_state(self, checkpoint_id):
        return self._splits


def test_thousands_of_batches_leave_as_many_files_as_a_few(tmp_path, monkeypatch):
    """Reads, decisions and totals, each batch with new ones: what no batch that can be run again needs is removed."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it is not the power that fails here
    source = Counted([], on_request=True)
    job, _ = job_of(source, parallelism=READERS)
    checkpoint = Checkpoint(LocalFolder(tmp_path), job, READERS)
    log = log_name(0)
    plan = SourcePlan([], [], 1, 0, bounded=True, readers=[ReaderPlan(log, [(0, 10), (1, 11)])])
    coordinator = SourceCoordinator(source, "scripted", READERS, FileLog(checkpoint.shared, log))
    monkeypatch.setattr(checkpoint.shared, "rests", lambda seconds: False, raising=False)  # who serves them knows it
    planner, records = JobSourceReader(plan, checkpoint.shared), ReadRecords(checkpoint.shared)
    coordinator.start()
    seen = []
    try:
        offset = planner.initialOffset()
        for batch in range(BATCHES):
            rows, end = planner.read(offset)
            assert sum(part.num_rows for part in rows) == (2 * READERS if batch else READERS)
            for reader in range(READERS):
                record = ReadRecord([Run(str(batch), 1)], messages=[SplitRequest("here")])
                records.write(reader, batch, record)
            coordinator.handle(batch, {reader: [SplitRequest("here")] for reader in range(READERS)})
            checkpoint.write_totals(batch, Totals())
            planner.commit(end)
            offset = end
            if (batch + 1) % (BATCHES // 3) == 0:
                seen.append(kinds_of_files(tmp_path))
    finally:
        coordinator.close()
    assert seen[0] == seen[1] == seen[2]
    assert seen[0] == {READS: 2 * READERS, DECISIONS: 2, "totals": 2, "windrow.json": 1}
    assert len(checkpoint.shared._files) == 2 * READERS + 2


def kinds_of_files(folder):
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return Counter("totals" if name.startswith("totals.") else name.partition("/")[0] for name in names)


def test_thousands_of_batches_of_one_process_keep_a_few_decisions():
    """The local runtime forgets what its readers have heard of, and state is that of the splits that are left."""
    job, shown = job_of(Counted([], on_request=True, is_bounded=False))
    executor = LocalExecutor(job)
    most = 0
    with executor:
        for _ in range(BATCHES + 1):  # the first one has nothing but a request
            executor.run_batch()
            (log,) = executor._logs.values()
            (store,) = executor._stores.values()
            most = max(most, len(log._entries) + len(store.pages))
    assert len(shown.values) == BATCHES
    assert most < 10
