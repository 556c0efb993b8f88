"""Says which operators a Python worker ran when its process died: it could not say so itself any more.

Spark knows the stage and the partition of a task that has failed. The levels of a job are the last stages of one Spark
job, in their order, and a subtask's partition follows from its number.
"""

from __future__ import annotations

import re
from typing import Any

from windrow.graph.job_graph import JobGraph, walk
from windrow.runtime.spark.placement import partition_of

#: What Spark says of a process that is gone: of a worker, of its daemon, of the executor on a cluster.
_DIED = re.compile(
    r"(Python worker exited unexpectedly[^.\n:]*|Python worker process terminated[^.\n:]*|"
    r"Python worker failed to connect back|ExecutorLostFailure \([^\n]*)"
)
_TASK = re.compile(r"Lost task (\d+)\.\d+ in stage (\d+)\.\d+")
#: What Python itself says of a signal that it has caught on its way out, and the line that it was in.
_FATAL = re.compile(r"(Fatal Python error: [^\n]*)")
_FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')
_OURS = re.compile(r"[/\\](windrow|pyspark)[/\\]|pyspark\.zip|<frozen ")


def worker_died(text: str, spark: Any, job: JobGraph, partitions: int) -> str | None:
    """Say that a worker of a job died; None if Spark's message is about something else.

    Args:
        text: Spark's message.
        spark: The session, which is asked what the failed stage was.
        job: The job.
        partitions: How many tasks run a level.
    """
    died = _DIED.search(text)
    if died is None:
        return None
    task = _TASK.search(text)
    where = ""
    if task is not None:
        where = _where(job, _level(spark, int(task.group(2)), len(job.levels)), int(task.group(1)), partitions)
    return f"the Python worker{where} died: {_reason(text, died.group(1).strip())}"


def _where(job: JobGraph, level: int | None, partition: int, partitions: int) -> str:
    if level is None:
        return f" of partition {partition}"
    names: dict[str, None] = {}
    subtasks: set[int] = set()
    for entry in job.levels[level]:
        mine = [each for each in _subtasks(entry, level) if partition_of(each[0], partitions) == partition]
        if mine:
            subtasks.update(subtask for _, subtask in mine)
            names.update(dict.fromkeys(node.name for node in walk(entry.node)))
    numbers = ", ".join(map(str, sorted(subtasks)))
    which = f"subtask{'s' if len(subtasks) > 1 else ''} {numbers}"
    operators = ", ".join(map(repr, names))
    return f" that ran {which} of {'operators' if len(names) > 1 else 'operator'} {operators}"


def _subtasks(entry: Any, level: int) -> list[tuple[int, int]]:
    """The numbers by which Spark places an entry's subtasks, each with the subtask's own."""
    if level == 0:
        return [(channel, channel - entry.first_channel) for channel in entry.source_channels]
    return [(subtask, subtask) for subtask in range(entry.subtasks)]


def _level(spark: Any, stage: int, levels: int) -> int | None:
    """Find the level that the stage with that number runs; None if it runs none, or Spark does not know it any more."""
    try:
        jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
        for place in range(jobs.size()):
            stages = jobs.apply(place).stageIds()
            numbers = [stages.apply(index) for index in range(stages.size())]
            if stage in numbers:
                level = levels - 1 - (max(numbers) - stage)
                return level if level >= 0 else None
    except Exception:  # Spark is going down, or has no such list: then it is not known
        return None
    return None


def _reason(text: str, died: str) -> str:
    fatal = _FATAL.search(text)
    if fatal is None:
        return (
            f"{died}: a process that ends like that was killed, mostly for its memory (kill -9), has called os._exit, "
            "or has crashed in native code"
        )
    frames = [match for match in _FRAME.finditer(text, fatal.end()) if not _OURS.search(match.group(1))]
    places = "".join(f'\n  File "{frame.group(1)}", line {frame.group(2)}, in {frame.group(3)}' for frame in frames[:2])
    return f"{fatal.group(1)}{places}"
