"""A job that was started and goes on while the program does something else."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from windrow.common.job_id import JobID
from windrow.connectors.collect import CollectSink
from windrow.graph.job_graph import JobGraph
from windrow.runtime.at_exit import forget_at_exit, stop_at_exit
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.restarts.run import RestartingRun
from windrow.runtime.started_job import StartedJob


class BackgroundJob(StartedJob):
    """A job that a thread of its own waits for."""

    def __init__(
        self,
        job: JobGraph,
        run: RestartingRun,
        job_id: JobID | None = None,
        savepoint_dir: str | None = None,
        monitor: JobMonitor | None = None,
        web_interface_url: str | None = None,
    ) -> None:
        super().__init__(job, run, job_id or JobID(), savepoint_dir, monitor, web_interface_url)
        self._thread = Thread(target=self._wait, name=f"windrow-{job.name}", daemon=True)
        stop_at_exit(self)
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """Stop, because the program ends; wait so many seconds for that at most."""
        for entry in self._job.sinks:
            if isinstance(entry.sink, CollectSink):
                entry.sink.close()  # or the job would wait until somebody takes elements
        canceller = Thread(target=self._cancel_quietly, daemon=True)
        canceller.start()
        self._thread.join(seconds)
        canceller.join(seconds)

    def _cancel_quietly(self) -> None:
        self._begin_to_cancel()
        with suppress(Exception):  # the job's error is its result; Spark may be gone already
            self._run.cancel()

    def _wait(self) -> None:
        try:
            self.wait()
        finally:
            forget_at_exit(self)

    def _join(self) -> None:
        self._thread.join()
