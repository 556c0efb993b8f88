"""Where in a query the rows of sinks are written."""

from pathlib import Path
from uuid import uuid4

import pytest

from windrow.common import Configuration, Encoder
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import SinkWriter, WriterSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink
from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError
from windrow.graph.job_graph import SINK_LEVEL
from windrow.runtime.spark.rows import COMMIT_LEVEL, decode, encode, note, read_note
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.sink_stages import EarlySinkStage, has_writers, levels_with_early_sinks
from windrow.runtime.stage.chunk import Chunk, ChunkRow

PARTITIONS = 2


class Kept(WriterSink):
    """Its writers say at the commit what they have got."""

    hidden_until_commit = True

    def create_writer(self, context):
        return KeptWriter(context)

    def commit(self, batch, committables):
        """There is nothing to see."""


class KeptWriter(SinkWriter):
    aborted: list[int] = []  # noqa: RUF012

    def __init__(self, context):
        self.context = context
        self.values = []

    def write(self, values, timestamps):
        if "broken" in values:
            raise ValueError("broken")
        self.values += values

    def prepare_commit(self):
        return (self.context.batch, self.context.partition, self.values)

    def abort(self):
        self.aborted.append(self.context.partition)


def three_levels(sink):
    """Sinks behind the source, behind the first exchange and behind the last one."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    stream = env.from_collection([1])
    one = stream.key_by(lambda x: x).map(lambda x: x)
    two = one.key_by(lambda x: x).map(lambda x: x)
    stream.sink_to(DiscardingSink())
    one.sink_to(sink)
    two.sink_to(sink)
    return env._plan(env._program.sinks())


def stage(sink, level=1, batch=7):
    job = three_levels(sink)
    return job, EarlySinkStage(ShippedJob.of(job, uuid4().hex, PARTITIONS), level, batch)


def sink_row(job, number, values, controls=()):
    chunk = Chunk(Batch(values, [0] * len(values)), None, list(controls))
    return encode(ChunkRow(SINK_LEVEL, number, 1, 0, job.sinks[number].edges[0].id, 0, 0, 0, chunk), 5)


@pytest.mark.parametrize(
    ("add", "expected"),
    [
        (lambda stream: stream.print(), False),
        (lambda stream: stream.sink_to(DiscardingSink()), False),
        (lambda stream: (stream.print(), stream.sink_to(Kept())), True),
    ],
    ids=["program", "nobody", "both"],
)
def test_workers_write_where_there_is_something_to_write(add, expected):
    """What the program shows, and what is dropped where it was made, needs no stage behind the last level."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    add(env.from_collection([1]))
    assert has_writers(env._plan(env._program.sinks())) == expected


def test_levels_with_something_to_write():
    """Those with a sink that shows nothing before the commit; the last level's rows cross no exchange anyway."""
    assert levels_with_early_sinks(three_levels(Kept())) == {1}
    assert levels_with_early_sinks(three_levels(DiscardingSink())) == set()


def test_what_is_hidden_is_written_and_the_rest_goes_on():
    """Rows of other sinks and levels pass as they are; of what is written the end does, and what the commit needs."""
    job, early = stage(Kept())
    others = [note(3, "later"), sink_row(job, 0, [1, 2])]
    ended = sink_row(job, 1, ["c"], [9, "end"])
    first, second, end, committed = early.rows(iter([others[0], sink_row(job, 1, ["a", "b"]), others[1], ended]))
    assert [first, second] == others
    assert (end.place, decode(end).chunk.controls, len(decode(end).chunk.batch)) == (5, ["end"], 0)
    assert committed.level == COMMIT_LEVEL
    # Of three levels it is the second one: its numbers are behind those of the last one.
    assert read_note(committed) == {job.sinks[1].tag: [(7, PARTITIONS, ["a", "b", "c"])]}


def test_without_the_batchs_number_nothing_is_written_early():
    """What names the files is not known then: the rows go to the stage behind the last level."""
    job, early = stage(Kept(), batch=None)
    rows = [sink_row(job, 1, ["a"]), sink_row(job, 1, [], ["end"])]
    assert list(early.rows(iter(rows))) == rows


def test_a_writer_that_fails_is_aborted():
    """And the sink is named."""
    job, early = stage(Kept())
    KeptWriter.aborted.clear()
    with pytest.raises(UserFunctionError, match="Sink: Writer"):
        list(early.rows(iter([sink_row(job, 1, ["a"]), sink_row(job, 1, ["broken"])])))
    assert KeptWriter.aborted == [PARTITIONS]


@pytest.mark.spark
@pytest.mark.parametrize("streaming", [False, True])
def test_files_of_every_level(on_spark, tmp_path, streaming):
    """Each element is in one file once; files are written behind the level that has made their elements."""
    settings = {"execution.checkpointing.dir": str(tmp_path / "checkpoint")} if streaming else {}
    settings |= {"windrow.source.elements-per-split": "25", "windrow.source.splits-per-batch": "1"}
    env = on_spark(settings)
    stream = env.from_collection(list(range(100)))
    one = stream.map(lambda x: f"{x % 7} {x} one").key_by(lambda line: line[0]).map(lambda line: line)
    two = one.map(lambda line: line.replace("one", "two")).key_by(lambda line: line[0]).map(lambda line: line)
    three = two.key_by(lambda line: line[0]).filter(lambda line: "1" in line)
    lines = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    one.union(two).sink_to(lines)
    three.sink_to(DiscardingSink())
    env.execute()
    files = [file for file in Path(tmp_path, "out").rglob("part-*") if ".inprogress" not in str(file)]
    written = [line for file in files for line in file.read_text().splitlines()]
    assert sorted(written) == sorted(f"{x % 7} {x} {level}" for x in range(100) for level in ("one", "two"))
    for file in files:
        level = {line.split()[2] for line in file.read_text().splitlines()}
        assert level == ({"two"} if int(file.name.split("-")[2]) < 2 * PARTITIONS else {"one"})
        for key in "0123456":
            numbers = [int(line.split()[1]) for line in file.read_text().splitlines() if line[0] == key]
            assert numbers == sorted(numbers)
    assert not list(Path(tmp_path, "out").rglob("*.inprogress.*"))


@pytest.mark.spark
def test_a_batch_that_fails_behind_an_early_sink_is_written_once(on_spark, tmp_path):
    """A later level fails when an earlier one has written: nobody sees that, and the batch is written anew."""
    failed = tmp_path / "failed"

    def fail_once(line):
        if line.startswith("77") and not failed.exists():
            failed.touch()
            raise ValueError(line)
        return line

    def run():
        env = on_spark(
            {
                "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
                "windrow.source.elements-per-split": "25",
                "windrow.source.splits-per-batch": "1",
            }
        )
        one = env.from_collection(list(range(100))).map(str).key_by(lambda line: line[0]).map(lambda line: line)
        one.sink_to(FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build())
        one.key_by(lambda line: line[-1]).map(fail_once).sink_to(DiscardingSink())
        env.execute()

    def seen():
        files = [file for file in Path(tmp_path, "out").rglob("part-*") if ".inprogress" not in str(file)]
        return sorted(int(line) for file in files for line in file.read_text().splitlines())

    with pytest.raises(UserFunctionError, match="ValueError: 77"):
        run()
    assert 77 not in seen()
    assert len(set(seen())) == len(seen())
    run()
    assert seen() == list(range(100))
    assert not list(Path(tmp_path, "out").rglob("*.inprogress.*"))
