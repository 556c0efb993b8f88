"""Elements of many megabytes."""

import hashlib

import pytest

from tests.runtime.spark.expected import commits, lines_in
from windrow.common import Configuration, Encoder, Types
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.state import ValueStateDescriptor

SIZE = 50_000_000 // 6 * 6
#: One element is large; those before and behind it are not.
COUNT = 3
LARGE = 1


def text(number):
    return f"{number:04}, " * (SIZE // 6 if number == LARGE else 1)


class Kept(KeyedProcessFunction):
    """Keeps what comes, and gives with each element what has come before."""

    def open(self, runtime_context):
        self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.STRING()))

    def process_element(self, value, ctx):
        number, data = value
        yield f"{number} {self.last.value()}"
        self.last.update(data)


@pytest.mark.slow
def test_an_element_of_fifty_megabytes_comes_through(runtime, request, tmp_path):
    """An exchange, the state of a key from batch to batch, another exchange, a file: all that it has is there."""
    spark = request.getfixturevalue("spark_session") if runtime == "spark" else None
    settings = {
        "windrow.runtime": runtime,
        "windrow.source.elements-per-split": "1",
        "windrow.source.splits-per-batch": "1",
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), spark)
    stream = env.set_parallelism(1).from_sequence(0, COUNT - 1).map(lambda number: (number, text(number)))
    kept = stream.key_by(lambda _: "key").process(Kept(), Types.STRING()).set_parallelism(2)
    sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    kept.rebalance().map(str, Types.STRING()).set_parallelism(2).sink_to(sink)
    env.execute("large")
    assert runtime == "local" or len(commits(tmp_path / "checkpoint")) >= COUNT
    before = ["None", *(text(number) for number in range(COUNT - 1))]
    expected = [f"{number} {last}" for number, last in enumerate(before)]
    # A difference of fifty megabytes is not to be shown.
    assert digests(lines_in(tmp_path / "out")) == digests(expected)


def digests(lines):
    return sorted((line[:12], len(line), hashlib.sha256(line.encode()).hexdigest()) for line in lines)
