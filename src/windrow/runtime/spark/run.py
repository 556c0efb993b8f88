"""Runs a job on Spark: a bounded one without a checkpoint as one batch query, any other as one streaming query."""

from __future__ import annotations

import logging
import shutil
import tempfile
import uuid
from contextlib import ExitStack
from functools import partial
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.settings.table import text_of
from windrow.common.spark_query import SparkQuery
from windrow.errors import ConfigurationError, UsageError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.checkpoint_files import RECOVERY
from windrow.runtime.monitor.history_file import uri_beside
from windrow.runtime.monitor.monitor import FinishedBatch, JobMonitor, wall_clock
from windrow.runtime.spark.batch_enumerators import BatchEnumerators, fits_one_query
from windrow.runtime.spark.print_receiver import drain_prints, prints_path
from windrow.runtime.spark.savepoint import start_from
from windrow.runtime.stage.sinks import forget
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_folder import LocalFolder
from windrow.storage.local_path import state_directory

_log = logging.getLogger("windrow")
_FINISHED = "job %r has finished: its checkpoint %s has the end of its input; remove the directory to run it anew"


class SparkRun:
    """A job on Spark. :meth:`wait` runs a batch query; a streaming query runs from the start.

    Args:
        job: What to run.
        configuration: Settings of the program (``windrow.*``) and of a session that has to be started (``spark.*``).
        checkpoint_dir: Where a streaming query keeps its state; None: nowhere that outlives it.
        spark: The session to run on; None takes the active one or starts one.
        monitor: Told of each batch.
    """

    def __init__(
        self,
        job: JobGraph,
        configuration: Configuration,
        checkpoint_dir: str | None = None,
        spark: Any = None,
        monitor: JobMonitor | None = None,
    ) -> None:
        from windrow.runtime.spark.dependencies import session_for, ship
        from windrow.runtime.spark.shipping import ShippedJob

        self._spark = session_for(configuration, spark)
        self._needed = ship(self._spark, configuration)
        self._job = job
        self._monitor = monitor
        self._configuration = configuration
        self._partitions = job.partitions
        self._run = uuid.uuid4().hex[:12]
        self._temporary: str | None = None
        self._cancelled = False
        self._stream: Any = None
        #: Lets others have the checkpoint directory.
        self._over = ExitStack()
        self._totals = Totals()
        self._has_finished = False
        self._savepoint = _savepoint_to_start_from(configuration, checkpoint_dir)
        if (job.batch_mode or checkpoint_dir is None) and fits_one_query(job):
            self._check_needs_no_checkpoint(checkpoint_dir)
            self._shipped = ShippedJob.of(
                job, self._run, self._partitions, needed=self._needed, prints=prints_path(self._spark)
            )
        else:
            self._start_stream(checkpoint_dir)

    @property
    def totals(self) -> Totals:
        """The counts so far: up to the last batch; of a batch query, which is one, nothing before its end."""
        return self._totals if self._stream is None else self._stream.totals

    @property
    def makes_savepoints(self) -> bool:
        """True if it is a streaming query: a batch query has no state between batches."""
        return self._stream is not None

    def live_totals(self) -> Totals:
        """The counts up to the last batch: workers tell theirs at its end."""
        return self.totals

    def progress(self) -> dict[str, Any]:
        """Tell how far the tasks of a batch query are, or what a streaming query has last reported."""
        from windrow.runtime.spark.task_progress import query_progress, tagged_jobs, task_progress

        if self._has_finished:
            return {}
        if self._stream is None:
            return task_progress(self._spark, tagged_jobs(self._spark, self._run))
        query = self._stream.spark_query(None)
        reported = query_progress(query.progress)
        if reported:
            return {**reported, **self._stream.progress(query.progress)}
        # Nothing is reported before the first batch is over, which takes longest.
        return task_progress(self._spark, self._spark.sparkContext.statusTracker().getJobIdsForGroup(query.run_id))

    def wait(self) -> Totals:
        """Wait for the job's end; what was counted.

        Raises:
            WindrowError: What made the job fail, with the user's own traceback first.
        """
        from windrow.runtime.spark.failures import error_of, was_interrupted

        if self._has_finished:
            return self._totals
        if self._stream is not None:
            try:
                totals: Totals = self._stream.wait()
            finally:
                self._over.close()
                drain_prints()
                if self._temporary is not None:
                    shutil.rmtree(self._temporary, ignore_errors=True)
            if self._temporary is not None:
                forget(self._job, self._stream.query_id)
            return totals
        try:
            self._run_batch()
        except Exception as error:
            if was_interrupted(error):
                raise KeyboardInterrupt from None
            if not self._cancelled:
                raise error_of(error, self._lost) from None
        finally:
            drain_prints()
        return self._totals

    def _lost(self, text: str) -> str | None:
        from windrow.runtime.spark.lost_workers import worker_died

        return worker_died(text, self._spark, self._job, self._partitions)

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the job."""
        web_ui = self._spark.sparkContext.uiWebUrl
        if self._stream is None:
            return SparkQuery(None, None, self._run, web_ui, None)
        query: SparkQuery = self._stream.spark_query(web_ui)
        return query

    def cancel(self) -> None:
        """Stop the job where it is."""
        self._cancelled = True
        if self._stream is not None:
            self._stream.cancel()
        else:
            self._spark.sparkContext.cancelJobsWithTag(self._run)

    def trigger_savepoint(self, directory: str) -> str:
        """Make a savepoint behind the batch that runs, and go on.

        Args:
            directory: Where the savepoint's directory is made.

        Returns:
            The savepoint's path.

        Raises:
            UsageError: the job has no checkpoints.
            JobExecutionError: the job is over.
        """
        path: str = self._running_stream().savepoint(directory)
        return path

    def stop_with_savepoint(self, directory: str, *, drain: bool) -> str:
        """As :meth:`trigger_savepoint`, and the job ends; ``drain``: its input ends first."""
        path: str = self._running_stream().stop_with_savepoint(directory, drain=drain)
        return path

    def _running_stream(self) -> Any:
        if self._stream is None:
            msg = (
                f"job {self._job.name!r} is one batch query, which has no state between batches to make a savepoint "
                "of: give it an execution.checkpointing.dir, and it runs as a streaming query"
            )
            raise UsageError(msg)
        return self._stream

    def _check_needs_no_checkpoint(self, checkpoint_dir: str | None) -> None:
        """A job in BATCH mode keeps no checkpoint, as in Flink."""
        if self._savepoint is not None:
            msg = (
                f"{RECOVERY} is {self._savepoint!r}, and a job in BATCH mode starts from no savepoint; run it in "
                "STREAMING"
            )
            raise ConfigurationError(msg)
        if checkpoint_dir is not None:
            _log.warning("execution.checkpointing.dir has no effect in BATCH mode: a job that fails begins anew")

    def _run_batch(self) -> None:
        from windrow.runtime.spark.batch import run_batch
        from windrow.runtime.spark.ingest import has_frames
        from windrow.runtime.spark.results import ResultReceiver
        from windrow.runtime.spark.session import query_session

        receiver = ResultReceiver(self._job)
        started = wall_clock()
        context = self._spark.sparkContext
        with BatchEnumerators.started(self._job) as enumerators:
            assignments = enumerators.assignments()
            context.addJobTag(self._run)
            try:
                own = query_session(self._spark, self._partitions, few_rows=not has_frames(self._job))
                rows = run_batch(own, self._job, self._shipped, assignments)
            finally:
                context.removeJobTag(self._run)
            with self._shipped.at_work(in_folder=False):
                receiver.receive(0, rows)
            enumerators.hear(receiver.sent)
        forget(self._job, self._shipped.run)
        self._totals = receiver.totals
        if self._monitor is not None:
            self._monitor.batch(FinishedBatch(0, started, wall_clock(), self._totals))

    def _start_stream(self, checkpoint_dir: str | None) -> None:
        from windrow.runtime.spark.checkpoint import Checkpoint, make_checkpoint_folder
        from windrow.runtime.spark.folders import folder_at
        from windrow.runtime.spark.lease import Lease
        from windrow.runtime.spark.shipping import ShippedJob
        from windrow.runtime.spark.state_assignment.compatibility import IGNORE_UNCLAIMED
        from windrow.runtime.spark.state_assignment.start import make_checkpoint_from
        from windrow.runtime.spark.stream_run import StreamRun
        from windrow.runtime.spark.stream_settings import StreamSettings

        if checkpoint_dir is None:
            checkpoint_dir = self._temporary = tempfile.mkdtemp(prefix="windrow-checkpoint-")
        folder = folder_at(self._spark, checkpoint_dir)
        make_checkpoint_folder(folder)
        if self._monitor is not None and not isinstance(folder, LocalFolder):
            self._monitor.leave_copy(folder_at(self._spark, uri_beside(checkpoint_dir)))
        with ExitStack() as stack:
            lease = Lease(folder, self._job.name)
            stack.callback(lease.release)
            if self._savepoint is not None:
                ignores = self._configuration.get_boolean(IGNORE_UNCLAIMED, False)
                make = partial(make_checkpoint_from, self._spark, self._job, self._partitions, ignore_unclaimed=ignores)
                start_from(folder_at(self._spark, self._savepoint), folder, make)
            checkpoint = Checkpoint(folder, self._job, self._partitions)
            checkpoint.remove_leftovers()
            if checkpoint.finished:
                self._has_finished = True
                self._totals = checkpoint.last_totals()
                _log.warning(_FINISHED, self._job.name, folder.location)
                return
            prints = prints_path(self._spark)
            shipped = ShippedJob.of(self._job, self._run, checkpoint.partitions, self._needed, prints)
            settings = StreamSettings.of(self._configuration)
            self._stream = StreamRun(
                self._spark, self._job, shipped, checkpoint, settings, check=lease.check, monitor=self._monitor
            )
            self._over = stack.pop_all()


def _savepoint_to_start_from(configuration: Configuration, checkpoint_dir: str | None) -> str | None:
    path = text_of(configuration, RECOVERY)
    if path is None:
        return None
    if checkpoint_dir is None:
        msg = (
            f"{RECOVERY} is {path!r}, and there is no execution.checkpointing.dir: a job that "
            "starts from a savepoint needs a checkpoint directory of its own, which begins as a copy of it"
        )
        raise ConfigurationError(msg)
    return state_directory(path, RECOVERY)
