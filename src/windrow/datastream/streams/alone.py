"""A job that leads to one stream alone, to look at it: the program's sinks are not part of it, nor its checkpoint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from windrow.common.configuration import Configuration
from windrow.common.restart_strategy import RestartStrategies
from windrow.connectors.interfaces import Sink
from windrow.graph.job_graph import JobGraph
from windrow.graph.transformations import SinkTransformation
from windrow.runtime.submit import SubmitSettings

if TYPE_CHECKING:
    from windrow.datastream.streams.data_stream import DataStream

#: No call of a program has this number: those that come later are numbered as if nobody had looked.
NOBODYS = -1
_RECOVERY = "execution.state-recovery.path"


def sink_alone(stream: DataStream, name: str, sink: Sink) -> SinkTransformation:
    """A sink behind the stream that the program does not know of."""
    return SinkTransformation(NOBODYS, name, [stream._values()], stream.get_type(), sink=sink)


def alone(stream: DataStream, name: str, sink: Sink) -> tuple[JobGraph, SubmitSettings]:
    """The job that leads to ``sink`` behind the stream, and how to submit it.

    It begins anew, keeps no checkpoint and is not started again: the program's own job has those.
    """
    environment = stream.get_execution_environment()
    job = environment._plan([sink_alone(stream, name, sink)])
    settings = environment._submit_settings()
    configuration = Configuration(settings.configuration)
    configuration.remove_config(_RECOVERY)
    settings = replace(
        settings,
        configuration=configuration,
        checkpoint_dir=None,
        restart_strategy=RestartStrategies.no_restart(),
        checkpointing=False,
    )
    return job, settings
