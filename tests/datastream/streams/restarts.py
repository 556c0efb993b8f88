"""Runs jobs on the local runtime that lose all of their operators again and again."""

from windrow.common import Configuration
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.local.executor import LocalExecutor


class ListSink(DriverSink):
    """Keeps what comes, in the program's process."""

    def __init__(self):
        self.elements = []

    def deliver(self, values, timestamps):
        self.elements.extend(values)


def local_env(parallelism=2):
    """A new environment on the local runtime."""
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(parallelism)


def collect_with_restarts(stream, batch_size=1):
    """What comes of the stream when all operators are made anew behind every batch of so many elements a source."""
    sink = ListSink()
    stream.sink_to(sink)
    executor = LocalExecutor(stream.get_execution_environment()._take_job(None), batch_size, clock=lambda: 0)
    try:
        while executor.run_batch():
            executor.restart()
    finally:
        executor.close()
    return sink.elements
