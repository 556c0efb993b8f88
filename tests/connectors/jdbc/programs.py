"""The program that test_kill.py runs in a process of its own: `python programs.py FILE CHECKPOINT BATCH`."""

import os
import signal
import sys

from windrow.common import Configuration, Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcSink


class Dying(JdbcSink):
    """Kills its process and all that belong to it when the database has committed a batch, and Spark has not."""

    def commit(self, batch, committables):
        if batch == int(sys.argv[3]):
            os.killpg(0, signal.SIGKILL)


def main(file, checkpoint):
    """Eight numbers in batches of four, from two workers into one file."""
    configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
    configuration.set_integer("windrow.source.elements-per-split", 1)
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    sink = JdbcSink.sink(
        "INSERT INTO numbers VALUES (?)",
        Types.ROW([Types.INT()]),
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(f"jdbc:sqlite:{file}").build(),
    )
    sink.__class__ = Dying
    env.from_collection(list(range(8))).rebalance().map(lambda number: (number,)).sink_to(sink)
    env.execute("numbers")


if __name__ == "__main__":
    main(*sys.argv[1:3])
