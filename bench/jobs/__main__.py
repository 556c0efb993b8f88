"""Run a job in this process as often as the lines of the standard input ask for.

Arguments: the job, ``batch`` or ``stream``, the folder with files of events, and settings (``name=value``).
A line of JSON answers each request.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from bench.jobs.digest import DigestResults
from bench.jobs.requests import Request
from bench.jobs.table import JOBS, Job
from bench.workload import PARALLELISM
from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment

STREAM = "stream"


def run(job: Job, mode: str, request: Request, files: Path, settings: dict[str, str]) -> dict[str, float]:
    """Run the job once: its seconds, and the digest of its results if that was asked for.

    Args:
        job: What is run.
        mode: ``batch``: a batch query; ``stream``: a streaming query with a checkpoint, which is thrown away.
        request: How it is run.
        files: The folder with files of events.
        settings: Of the environment's configuration.
    """
    configuration = Configuration()
    for name, value in settings.items():
        configuration.set_string(name, value)
    with tempfile.TemporaryDirectory() if mode == STREAM else nullcontext() as checkpoint:
        if checkpoint is not None:
            configuration.set_string("execution.checkpointing.dir", checkpoint)
        env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(PARALLELISM)
        results = job.build(env, job.events(request.events, files, checked=request.checked))
        if request.checked:
            results = results.flat_map(DigestResults(job.fields, job.weight))
        results.sink_to(DiscardingSink())
        started = time.perf_counter()
        done = env.execute()
        seconds = time.perf_counter() - started
    counted = done.get_all_accumulator_results() if request.checked else {}
    return {"seconds": round(seconds, 4), **counted}


def main() -> None:
    """Answer requests until there are no more."""
    name, mode, files, *settings = sys.argv[1:]
    pairs = dict(setting.split("=", 1) for setting in settings)
    for line in sys.stdin:
        print(json.dumps(run(JOBS[name], mode, Request.of(line), Path(files), pairs)), flush=True)


if __name__ == "__main__":
    main()
