"""Jobs on a cluster: `python -m tests.runtime.spark.cluster_programs FOLDER JOB...`, with Spark's settings on stdin.

All of them run in one session. A job has a folder in FOLDER, with what it has written (`out`), its checkpoint and the
signs of what happened to it.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from tests.runtime.spark.programs import readings, windows
from windrow.common import Configuration, Encoder, Types, WatermarkStrategy
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink

#: How long an attempt at a task waits for Spark to start another one beside it.
SECONDS = 120
#: How many records each of the readers has.
RECORDS = 200


def of_element(value):
    """What the numbers of troubles mean in windows: the number of a reading."""
    return value[1]


class Trouble(MapFunction):
    """Gives elements as they come; things happen on the way, each of them once, and leave a sign in a folder.

    Args:
        folder: For the signs.
        number_of: Gives an element's number.
        kill: The number of the element at which ``victim`` is killed: the executor, or the worker that has started it.
        slow: That of the element at which an attempt waits until another one has come as far.
    """

    def __init__(self, folder, number_of, *, kill=None, victim="executor", slow=None):
        self.signs = folder
        self.number_of = number_of
        self.killed_at, self.victim, self.slow_at = kill, victim, slow

    def sign(self, name):
        """Put up a sign; tell whether it was not there."""
        try:
            Path(self.signs, name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def map(self, value):
        number = self.number_of(value)
        if number == self.killed_at and self.sign("killed"):
            executor = parent(parent(os.getpid()))
            os.kill(executor if self.victim == "executor" else parent(executor), signal.SIGKILL)
        elif number == self.slow_at:
            if self.sign("first"):
                deadline = time.monotonic() + SECONDS
                while not Path(self.signs, "second").exists():
                    if time.monotonic() > deadline:
                        msg = "Spark has started no second attempt"
                        raise TimeoutError(msg)
                    time.sleep(0.02)
            else:
                self.sign("second")
        return value


def parent(pid):
    """The process that has started another one."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def environment(folder, *, checkpoint=False, **settings):
    """With parallelism 2; with a checkpoint there are many small batches."""
    configuration = Configuration.from_dict({name.replace("_", "."): value for name, value in settings.items()})
    if checkpoint:
        configuration.set_string("execution.checkpointing.dir", f"{folder}/checkpoint")
        configuration.set_integer("windrow.source.elements-per-split", 600)
        configuration.set_integer("windrow.source.splits-per-batch", 1)
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    return env.set_max_parallelism(8)


def file_sink(folder):
    return FileSink.for_row_format(f"{folder}/out", Encoder.simple_string_encoder()).build()


def line_number(line):
    """What the number of a trouble means in the lines of windows: a window and a key."""
    key, start, _ = line.split()
    return f"{key} {start}"


def batch(folder):
    """The source waits; an executor dies while windows fire, and with it what it has shuffled."""
    env = environment(folder)
    stream = env.from_collection(readings()).map(Trouble(folder, of_element, slow=4000))
    lines = windows(env, stream).map(Trouble(folder, line_number, kill="key9 300000"), Types.STRING())
    lines.sink_to(file_sink(folder))
    env.execute("batch")


def streaming(folder):
    """An executor dies while a batch is read, windows wait while they fire in another one."""
    env = environment(folder, checkpoint=True)
    stream = env.from_collection(readings()).map(Trouble(folder, of_element, kill=2000))
    lines = windows(env, stream).map(Trouble(folder, line_number, slow="key9 400000"), Types.STRING())
    lines.sink_to(file_sink(folder))
    env.execute("streaming")


def readers(folder):
    """Readers decide where a batch ends: one waits in the middle of a batch, the other one's worker dies in another."""
    from tests.runtime.sources.scripted import Script, ScriptedSource

    env = environment(folder, checkpoint=True, **{"windrow.source.records-per-batch": "50"})
    splits = [Script(name, [(f"{name} {at}", at) for at in range(RECORDS)]) for name in ("a", "b")]
    stream = env.from_source(ScriptedSource(splits, on_request=True), WatermarkStrategy.no_watermarks(), "scripted")
    slow = Trouble(folder, str, slow="a 30")
    dies = Trouble(folder, str, kill="b 120", victim="worker")
    stream.map(slow).map(dies, Types.STRING()).sink_to(file_sink(folder))
    env.execute("readers")


if __name__ == "__main__":
    from windrow.runtime.spark.session import session

    spark = session(json.load(sys.stdin))
    root, *names = sys.argv[1:]
    for name in names:
        folder = Path(root, name)
        folder.mkdir()
        started = time.monotonic()
        globals()[name](str(folder))
        print(name, "took", round(time.monotonic() - started, 1), flush=True)
    spark.stop()
