"""Jobs that have nothing to read run no batches, and go on when something comes."""

import threading
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import Script, ScriptedSource
from tests.runtime.sources.test_programs import TIMES, wait_for
from windrow.connectors.source import InputStatus, SourceReader
from windrow.datastream import KeyedProcessFunction

pytestmark = pytest.mark.spark


class Tail(ScriptedSource):
    """Gives the lines of a file that grows."""

    def __init__(self, path):
        super().__init__([Script("tail", [], ends=False)], is_bounded=False)
        self.path = str(path)

    def create_reader(self, reader_context):
        return TailReader(self.path)


class TailReader(SourceReader):
    """Has a thread that looks whether the file has grown, as one has that fetches from a server."""

    def __init__(self, path):
        self.path = Path(path)
        self.splits = []
        self.future = Future()
        self.ends = threading.Event()
        self.looking = threading.Thread(target=self.look, daemon=True)

    def start(self):
        self.looking.start()

    def look(self):
        while not self.ends.wait(0.02):
            if self.new_lines() and not self.future.done():
                self.future.set_result(None)

    def new_lines(self):
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return lines[self.splits[0].position :] if self.splits else []

    def add_splits(self, splits):
        self.splits += splits

    def notify_no_more_splits(self):
        pass

    def poll_next(self, output):
        for line in self.new_lines():
            self.splits[0].position += 1
            output.create_output_for_split("tail").collect(line, self.splits[0].position)
        if self.future.done():
            self.future = Future()
        return InputStatus.NOTHING_AVAILABLE

    def is_available(self):
        return self.future

    def snapshot_state(self, checkpoint_id):
        return self.splits

    def close(self):
        self.ends.set()


def batches(directory):
    return len([file for file in (directory / "spark" / "commits").glob("[0-9]*") if file.name.isdigit()])


def append(path, *lines):
    with path.open("a") as file:
        file.write("".join(f"{line}\n" for line in lines))


def wait_for_rest(checkpoint, seconds=3):
    """Until no batch was run for so long; how many there are then."""
    seen = {"batches": batches(checkpoint), "at": time.monotonic()}

    def rests():
        if batches(checkpoint) != seen["batches"]:
            seen.update(batches=batches(checkpoint), at=time.monotonic())
        return time.monotonic() - seen["at"] > seconds

    wait_for(rests)
    return seen["batches"]


def test_a_job_with_nothing_to_read_runs_no_batch_until_something_comes(on_spark, tmp_path):
    """Then it is there at once."""
    path, shown = tmp_path / "lines", Shown()
    env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint")}).set_parallelism(1)
    stream = env.from_source(Tail(path), TIMES, "tail")
    stream.key_by(lambda line: line).reduce(lambda a, b: b).sink_to(shown)
    append(path, "first")
    client = env.execute_async()
    wait_for(lambda: shown.values == ["first"])
    settled = wait_for_rest(tmp_path / "checkpoint")
    append(path, "second", "third")
    wait_for(lambda: shown.values == ["first", "second", "third"], 15)
    # Spark notes a batch as committed only after its results have gone out.
    wait_for(lambda: batches(tmp_path / "checkpoint") > settled, 15)
    path_of_savepoint = client.stop_with_savepoint(True, str(tmp_path / "savepoints")).result()
    assert Path(path_of_savepoint, "windrow.json").exists()


class Remembers(KeyedProcessFunction):
    """Sets a timer for each element that says in how many milliseconds."""

    def process_element(self, value, ctx):
        if value.isdigit():
            now = ctx.timer_service().current_processing_time()
            ctx.timer_service().register_processing_time_timer(now + int(value))
        yield value

    def on_timer(self, timestamp, ctx):
        yield f"timer of {ctx.get_current_key()}"


def test_timers_of_processing_time_fire_though_nothing_comes(on_spark, tmp_path):
    """When they are due; until then, and where there is none, no batch is run."""
    path, shown, checkpoint = tmp_path / "lines", Shown(), tmp_path / "checkpoint"
    env = on_spark({"execution.checkpointing.dir": str(checkpoint)}).set_parallelism(1)
    env.from_source(Tail(path), TIMES, "tail").key_by(lambda line: line).process(Remembers()).sink_to(shown)
    append(path, "first")
    client = env.execute_async()
    wait_for(lambda: shown.values == ["first"])
    wait_for_rest(checkpoint, 2)
    append(path, "6000")
    wait_for(lambda: shown.values == ["first", "6000"], 15)
    wait_for_rest(checkpoint, 2)
    assert shown.values == ["first", "6000"]
    wait_for(lambda: shown.values == ["first", "6000", "timer of 6000"], 15)
    client.cancel().result()
