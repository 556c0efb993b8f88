"""A streaming query while it runs: its start, the receipt of its batches, savepoints, the end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from threading import Event, Lock
from typing import Any

from windrow.common.spark_query import SparkQuery
from windrow.errors import CheckpointError, ConfigurationError, JobExecutionError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.monitor.monitor import FinishedBatch, JobMonitor, wall_clock
from windrow.runtime.sources.alignment_groups import AlignmentGroups
from windrow.runtime.sources.coordinator_log import FileLog
from windrow.runtime.sources.coordinators import Coordinators, enumerated_sources
from windrow.runtime.sources.resting import Resting, follows_clock, with_timers
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.commits import Commits
from windrow.runtime.spark.failures import error_of, keep_callback_failures_quiet
from windrow.runtime.spark.file_server import FileServer, server_address, workers_live_on
from windrow.runtime.spark.folders import folder_at
from windrow.runtime.spark.ingest import has_frames
from windrow.runtime.spark.lost_workers import worker_died
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.results import ResultReceiver
from windrow.runtime.spark.rows import ROW_SCHEMA, from_batches
from windrow.runtime.spark.savepoint import copy_checkpoint, is_savepoint, new_savepoint
from windrow.runtime.spark.session import query_session
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.sink_stages import SinkStage, has_writers
from windrow.runtime.spark.source_plan import ReaderPlan, SourcePlan, log_name
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.runtime.spark.streaming import plan_source, streaming_rows
from windrow.runtime.spark.task_progress import unread_splits
from windrow.runtime.stage.closing import close_after
from windrow.runtime.stage.totals import Totals
from windrow.storage.folder import Folder

#: Between two looks at whether a query has ended, in seconds: while it is about to, and else. Java is asked each time.
_SOON, _SELDOM = 0.05, 0.25


class StreamRun:
    """A running query.

    With ``available_now`` it runs twice: until all that is there is read, and then, on the same checkpoint, with the
    end of the input.
    """

    def __init__(
        self,
        spark: Any,
        job: JobGraph,
        shipped: ShippedJob,
        checkpoint: Checkpoint,
        settings: StreamSettings,
        on_batch: Callable[[int], None] | None = None,
        check: Callable[[], None] = lambda: None,
        monitor: JobMonitor | None = None,
    ) -> None:
        self._on_batch = on_batch
        self._monitor = monitor
        #: Raises what ends the job although its query goes on.
        self._check = check
        self._spark = spark
        self._job = job
        self._checkpoint = checkpoint
        self._commits = Commits(checkpoint.spark)
        self._receiver = ResultReceiver(job, checkpoint.ended_channels())
        self._known_ended = set(self._receiver.ended_channels)
        sources = [source for _, source in job.sources()]
        self._bounded = all(source.bounded for source in sources)
        if self._bounded and has_frames(job):
            # Only Spark knows when it has read all files that are there.
            settings = replace(settings, available_now=True)
        self._settings = settings
        self._failure: BaseException | None = None
        self._ended_batch: int | None = None
        #: What the source behind the query gives.
        self._plan: SourcePlan | None = None
        #: Behind this batch none is received; None: as many as there are.
        self._last_batch: int | None = None
        self._cancelled = False
        self._has_received = False
        #: Held while a batch is received, and while a savepoint is made.
        self._receiving = Lock()
        #: Held while the query is stopped to be started anew, and while a savepoint is made.
        self._switching = Lock()
        self._received = -1
        #: A savepoint without the end of the input was made, and no batch is to come behind it.
        self._stopped = False
        #: Whether the query's first batch deals out the state of a savepoint.
        self._deals_out = False
        #: The query is stopped, to be started anew.
        self._is_between = False
        #: Whether the query's input ends when all splits are read.
        self._ends = False
        #: Where a savepoint is to be made when the input has ended.
        self._drained_to: Folder | None = None
        self._over = Event()
        #: Set when the query is about to end.
        self._ends_soon = Event()
        self._has_writers = has_writers(job)
        self._aligned = AlignmentGroups.of(job)
        self._coordinators = Coordinators()
        readers = [
            (entry.node.tag, subtask) for entry, _ in enumerated_sources(job) for subtask in range(entry.subtasks)
        ]
        self._resting = Resting(readers, follows_clock=follows_clock(job))
        address = server_address(spark)
        resting = self._resting if workers_live_on(spark) else None
        self._server = FileServer(checkpoint.shared, *address, settings.driver_port, resting)
        self._shipped = replace(shipped, files=self._server.served)
        try:
            self._start_coordinators()
            for tag, coordinator in self._coordinators.items():
                self._resting.leave_out(tag, coordinator.finished)
            checkpoint.do_not_drain()
            self._query = self._start(end=self._bounded and not settings.available_now)
        except BaseException as error:
            close_after(error, self._close)
            raise

    @property
    def totals(self) -> Totals:
        """The counts up to the last batch, by earlier runs on the same checkpoint as well."""
        return self._receiver.totals

    @property
    def query_id(self) -> str:
        """Spark's name for the query, in this run and in later ones on the same checkpoint."""
        return str(self._query.id)

    def spark_query(self, web_ui: str | None) -> SparkQuery:
        """Tell what Spark says of the query; ``web_ui`` is the address of its page."""
        query = self._query
        progress = query.lastProgress
        said = None if progress is None else json.loads(progress.json)
        return SparkQuery(str(query.id), str(query.runId), str(query.name), web_ui, said)

    def wait(self) -> Totals:
        """Wait for the end (of the input, by ``cancel``, or by an error, which is raised); what was counted."""
        try:
            self._wait()
            if self._drained_to is not None and self._ended_batch is not None and not self._cancelled:
                copy_checkpoint(self._checkpoint.folder, self._drained_to)
        finally:
            self._over.set()
        return self.totals

    def _wait(self) -> None:
        try:
            if self._settings.available_now:
                self._await(self._query, ends_by_itself=True)
                if not self._is_stopped:
                    self._query = self._start(end=True)
            self._await(self._query)
        except BaseException as error:
            close_after(error, self._close)
            raise
        self._close()
        if self._ended_batch is not None and not self._is_stopped:
            self._checkpoint.mark_finished()

    def progress(self, reported: dict[str, Any] | None) -> dict[str, Any]:
        """Count the splits that nobody has read yet, by the sources' tags.

        Args:
            reported: What the query has last reported; None: nothing.
        """
        planned = {} if self._plan is None else unread_splits(reported, self._job, self._plan)
        unread = {**planned, **self._coordinators.progress().get("unassigned_splits", {})}
        return {"unassigned_splits": unread} if unread else {}

    def _close(self) -> None:
        try:
            self._coordinators.close()
        finally:
            self._server.close()

    @property
    def _is_stopped(self) -> bool:
        """True if the query was told to stop: then a batch that has failed is no failure of the job."""
        return self._cancelled or self._stopped

    def _await(self, query: Any, *, ends_by_itself: bool = False) -> None:
        """Wait until the query has ended, or has committed the end of the input; then stop it."""
        while query.isActive:
            try:
                if self._finished(query):
                    break
                if self._deals_out and self._checkpoint.spark.is_committed(0):
                    query = self._without_savepoint(query)
                self._check()
                for coordinator in self._coordinators.values():
                    coordinator.check()
            except BaseException:
                query.stop()
                raise
            # awaitTermination would raise Spark's error where ours is wanted.
            if self._ends_soon.is_set() or self._deals_out or ends_by_itself:
                time.sleep(_SOON)
            else:
                self._ends_soon.wait(_SELDOM)
        failure = None if self._is_stopped else self._failure or query.exception()
        if failure is not None:
            error = error_of(failure, self._lost)
            raise (self._damage(str(error)) or error) from None
        if not (ends_by_itself or self._is_stopped or self._finished(query)):
            msg = f"the query of job {self._job.name!r} was stopped from outside, before the end of the job's input"
            raise JobExecutionError(msg)
        query.stop()

    def _damage(self, said: str) -> CheckpointError | None:
        """Find what is wrong with the state that Spark could not load; None: its words are about something else."""
        origin = self._checkpoint.assigned_state(self._spark) if self._deals_out else None
        damage = None if origin is None else origin.half.damage(said)
        return damage or self._checkpoint.spark.damage(said)

    def _without_savepoint(self, query: Any) -> Any:
        """The query anew, behind its first batch: Spark would plan to read the savepoint in each batch, to no end."""
        with self._switching:
            with self._receiving:
                self._deals_out = False
                while query.isActive and not self._commits.has(self._received, query):
                    time.sleep(0.01)  # what was received is not received again
                if self._is_stopped or self._failure is not None or not query.isActive:
                    return query
                self._is_between = True
            query.stop()
            self._is_between = False
            self._query = self._start(end=self._ends)
        if self._is_stopped:
            self._query.stop()  # who has stopped it may have stopped the one before
        return self._query

    def _lost(self, text: str) -> str | None:
        return worker_died(text, self._spark, self._job, self._checkpoint.partitions)

    def wait_for_batch(self, batch: int) -> None:
        """Wait until ``batch`` is committed, then stop: a stop between two batches, as a test wants it."""
        self._last_batch = self._ended_batch = batch
        self._ends_soon.set()
        try:
            self._await(self._query)
        except BaseException as error:
            close_after(error, self._close)
            raise
        self._close()

    def cancel(self) -> None:
        """Stop the query after what it is doing now."""
        self._cancelled = True
        self._ends_soon.set()
        self._query.stop()

    def savepoint(self, directory: str) -> str:
        """Make a savepoint behind the batch that runs, and go on; its path."""
        with self._switching, self._receiving:
            return self._copy(self._new_savepoint(directory))

    def stop_with_savepoint(self, directory: str, *, drain: bool) -> str:
        """Stop behind the batch that runs, or ``drain``: behind the end of the input, which comes now; its path.

        Raises:
            JobExecutionError: the job has failed, or was cancelled, before the savepoint was made.
        """
        target = self._new_savepoint(directory)
        if drain:
            self._drained_to = target
            self._checkpoint.drain()
            self._over.wait()
            if not is_savepoint(target):
                raise _no_savepoint(self._job)
            return target.location
        with self._switching, self._receiving:
            path = self._copy(target)
            self._stopped = True
        self._ends_soon.set()
        self._query.stop()
        return path

    def _new_savepoint(self, directory: str) -> Folder:
        return folder_at(self._spark, f"{directory}/{new_savepoint()}")

    def _copy(self, target: Folder) -> str:
        """Copy the checkpoint; nobody receives a batch meanwhile, so no state is written."""
        while self._received >= 0 and not self._commits.has(self._received, self._query):
            if not self._query.isActive:
                break
            time.sleep(0.01)
        if not self._query.isActive:
            raise _no_savepoint(self._job)
        with ExitStack() as resting:
            for coordinator in self._coordinators.values():
                resting.enter_context(coordinator.at_rest())
            copy_checkpoint(self._checkpoint.folder, target)
        return target.location

    def _finished(self, query: Any) -> bool:
        """Tell whether the batch with the end of the input is committed."""
        return self._ended_batch is not None and self._commits.has(self._ended_batch, query)

    def _start(self, *, end: bool) -> Any:
        """Start the query; ``end`` says that its input ends when all splits are read."""
        plan = self._checkpoint.plan(
            lambda: plan_source(
                self._job, self._shipped, self._settings, self._checkpoint.plan_before(), bounded=self._bounded
            )
        )
        self._plan = plan
        # As the plan has it, which may be of an earlier start, with other settings.
        self._resting.expect_timers(with_timers(self._job) if plan.ticked else ())
        plan = replace(plan, bounded=end, readers=self._reader_plans())
        keep_callback_failures_quiet()
        spark_half = self._checkpoint.spark
        initial_state = self._checkpoint.assigned_state(self._spark)
        own = query_session(
            self._spark,
            self._checkpoint.partitions,
            self._checkpoint.state_format,
            local_files=spark_half.is_local,
            few_rows=initial_state is None and not has_frames(self._job),
        )
        self._deals_out, self._ends = initial_state is not None, end
        batches_before = self._checkpoint.batches_before
        frame = streaming_rows(own, self._job, self._shipped, plan, self._server.near, initial_state, batches_before)
        writer = frame.writeStream.outputMode("append").option("checkpointLocation", spark_half.location)
        writer = writer.queryName(self._shipped.run).foreachBatch(self._receive)
        if self._settings.available_now and not end:
            writer = writer.trigger(availableNow=True)
        elif self._settings.trigger_interval:
            writer = writer.trigger(processingTime=f"{self._settings.trigger_interval} milliseconds")
        return writer.start()

    def _start_coordinators(self) -> None:
        for entry, source in enumerated_sources(self._job):
            if self._settings.available_now and not source.bounded:
                msg = (
                    f"source {entry.node.name!r} has no end, and windrow.trigger.available-now asks for all that is "
                    "there: nobody can say what that is for a source with readers; let the source end by itself"
                )
                raise ConfigurationError(msg)
        self._coordinators.start(
            self._job, lambda entry: FileLog(self._checkpoint.shared, log_name(entry.first_channel))
        )

    def _reader_plans(self) -> list[ReaderPlan]:
        partitions = self._shipped.partitions
        return [
            ReaderPlan(
                log_name(entry.first_channel),
                [(channel, grouping_key(channel, partitions)) for channel in entry.source_channels],
            )
            for entry, _ in enumerated_sources(self._job)
        ]

    def _receive(self, frame: Any, batch: int) -> None:
        started = wall_clock()
        with self._receiving:
            if self._last_batch is not None and batch > self._last_batch:
                self._stopped = True  # what it would show, the next run shows
            if self._stopped or self._is_between:
                raise _no_savepoint(self._job)  # nobody asks for it: the query stops
            try:
                self._receive_batch(frame, batch)
            except BaseException as error:
                self._failure = error
                self._ends_soon.set()
                raise
            self._received = batch
        if self._monitor is not None:
            self._monitor.batch(FinishedBatch(batch, started, wall_clock(), self.totals))
        if self._on_batch is not None:
            self._on_batch(batch)
        if self._receiver.ended:
            self._ended_batch = batch
            self._ends_soon.set()

    def _receive_batch(self, frame: Any, batch: int) -> None:
        # One action only: a second one would run the user's functions again.
        if self._has_writers:  # it costs a start of Spark's in each batch
            number = self._checkpoint.batches_before + batch
            stage = SinkStage(self._shipped, number, self._checkpoint.spark.query_id)
            frame = frame.mapInArrow(stage, ROW_SCHEMA)
        rows = frame.toArrow()
        if not self._has_received:
            self._receiver.totals = self._checkpoint.totals_before(batch)
            self._has_received = True
        with self._shipped.at_work(in_folder=False):
            self._receiver.receive(self._checkpoint.batches_before + batch, from_batches(rows.to_batches()))
        if self._checkpoint.spark.offset(batch)["end"]:
            self._receiver.end()
        self._resting.heard(self._receiver.sent, self._receiver.due)
        limits = self._aligned.limits(self._receiver.sent)
        for tag, coordinator in self._coordinators.items():
            coordinator.handle(batch, self._receiver.sent.get(tag, {}), limits.get(tag))
        self._checkpoint.write_totals(batch, self._receiver.totals)
        if self._receiver.ended_channels != self._known_ended:
            self._known_ended = set(self._receiver.ended_channels)
            self._checkpoint.mark_channels_ended(self._known_ended)
        if self._receiver.ended:
            self._checkpoint.mark_ended(batch)


def _no_savepoint(job: JobGraph) -> JobExecutionError:
    return JobExecutionError(f"job {job.name!r} is over, and no savepoint was made: see the job's own result for why")
