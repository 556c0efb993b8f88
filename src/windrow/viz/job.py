"""Takes the traces of a job, which runs in this process."""

from __future__ import annotations

from concurrent.futures import TimeoutError as StillRunningError
from dataclasses import replace

from windrow.common.checks import instance_of
from windrow.common.configuration import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream.streams.alone import alone
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError, for_programs
from windrow.graph.job_graph import JobGraph, Node
from windrow.graph.planner import tag_of
from windrow.graph.transformations import OperatorTransformation, Transformation
from windrow.runtime.submit import RUNTIME, SubmitSettings, run, submit
from windrow.viz.recording.recording import Recording
from windrow.viz.trace import Trace


def trace(stream: DataStream, operation: str | None = None, *, seconds: float | None = None) -> Trace:
    """Run what leads to a stream in this process, and tell what happened to its windows or its interval join.

    It is the local runtime that runs, whatever the environment's is; sinks of the program are not run. Elements reach
    windows one by one, though they might be combined before the exchange in front of them (results are the same).

    Args:
        stream: Behind windows or an interval join.
        operation: The name of the operation; None: of those that lead to the stream, the nearest one.
        seconds: For how long the job runs at most; a stream without end needs it.

    Raises:
        ConfigurationError: no windows, and no interval join, lead to the stream, or none of that name; or the stream
            has no end, and nobody says for how long to look.
        UserFunctionError: a function of the program raised.

    Example:
        >>> from windrow.common import WatermarkStrategy
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.datastream.window import TumblingEventTimeWindows
        >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
        >>> times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
        >>> events = env.from_collection([("a", 1), ("a", 12)]).assign_timestamps_and_watermarks(times)
        >>> windows = events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows.of(10))
        >>> picture = trace(windows.sum(1)).draw("a")
    """
    job, settings = alone(instance_of(stream, DataStream, "stream"), "Trace", DiscardingSink())
    if job.unbounded and seconds is None:
        msg = "the stream has no end: say for how long to look, trace(stream, seconds=10)"
        raise ConfigurationError(msg)
    tag = tag_of(_operation(stream._values(), operation))
    return trace_job(job, settings, seconds=seconds)[tag]


def trace_job(job: JobGraph, settings: SubmitSettings, *, seconds: float | None = None) -> dict[str, Trace]:
    """Run a job in this process, whatever its runtime is, and tell what happened to its windows and interval joins.

    Args:
        job: The job; it is changed.
        settings: As it would be submitted with; of these the runtime does not count.
        seconds: For how long it runs at most.

    Returns:
        The traces by the tags of operators, in the order in which elements pass them.

    Raises:
        UserFunctionError: a function of the program raised.
    """
    recordings = observe(job)
    _run(job, settings, seconds)
    return {tag: recording.trace() for tag, recording in recordings.items()}


def observe(job: JobGraph) -> dict[str, Recording]:
    """Have a job record what happens to its windows and interval joins, when it runs in this process.

    Args:
        job: It is changed.

    Returns:
        The recordings, by the tags of operators, in the order in which elements pass them.
    """
    job.configuration = Configuration(job.configuration).set_boolean("windrow.columns.local-aggregation", False)
    return {node.tag: _observed(node) for node in list(job.nodes()) if node.operation is not None}


def _observed(node: Node) -> Recording:
    make, operation = node.factory, node.operation
    assert make is not None, "windows are an operator"
    assert operation is not None, "only such a node is asked for"
    recording = Recording.of(operation, node.name)
    node.factory = lambda: recording.observed(make(), operation, node.name)
    return recording


def _run(job: JobGraph, settings: SubmitSettings, seconds: float | None) -> None:
    local = replace(settings, configuration=Configuration(settings.configuration).set_string(RUNTIME, "local"))
    if seconds is None:
        run(job, local)
        return
    running = submit(job, local)
    try:
        error = running.result.exception(timeout=seconds)
    except StillRunningError:
        running.cancel()
        return
    except BaseException:
        running.cancel()
        raise
    if error is not None:
        raise for_programs(error)


def _operation(transformation: Transformation, name: str | None) -> OperatorTransformation:
    """The nearest windows or interval join that lead to it, of this name if there is one."""
    waiting, found = [transformation], []
    while waiting:
        near = waiting.pop(0)
        waiting += near.inputs
        if isinstance(near, OperatorTransformation) and near.operation is not None:
            if name in (None, near.name):
                return near
            found.append(near.name)
    if name is None:
        msg = "there is nothing to trace: neither windows nor an interval join lead to the stream"
    else:
        msg = f"no windows and no interval join of the name {name!r} lead to the stream; there are: {found or 'none'}"
    raise ConfigurationError(msg)
