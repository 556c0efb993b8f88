"""Jobs that follow a folder: files come while they run, and while they do not."""

import threading
import time

import pytest

from tests.runtime.sources.running import Shown, executor_of
from windrow.common import Configuration, Duration, Encoder, JobStatus, Types, WatermarkStrategy
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.source import FileSource
from windrow.datastream import OutputTag, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.formats.csv import CsvReaderFormat
from windrow.errors import MalformedInputError

ROW = Types.ROW_NAMED(["n"], [Types.INT()])


def write(folder, name, numbers):
    """Whole or not at all, as a job that follows the folder needs it."""
    hidden = folder / f".{name}"
    hidden.write_text("".join(f"{number}\n" for number in numbers))
    hidden.rename(folder / name)


def following(folder, file_format=None):
    lines = file_format or StreamFormat.text_line_format()
    return FileSource.for_record_stream_format(lines, str(folder)).monitor_continuously(Duration.of_millis(50)).build()


def wait_for(condition, client, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert client.get_job_status().result() is JobStatus.RUNNING
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_files_are_read_as_they_come(env, tmp_path):
    """Each line once, malformed ones to their side output; nothing is left running."""
    write(tmp_path, "a", range(100))
    bad = OutputTag("bad")
    source = following(tmp_path, CsvReaderFormat.for_schema(ROW, dead_letter=bad))
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "folder")
    shown = Shown()
    numbers = rows.map(lambda row: str(row.n), Types.STRING())
    numbers.union(rows.get_side_output(bad).map(lambda pair: pair[1], Types.STRING())).sink_to(shown)
    client = env.execute_async()
    try:
        wait_for(lambda: len(shown.values) == 100, client)
        for file in range(1, 4):
            write(tmp_path, f"b{file}", [*range(file * 100, file * 100 + 99), "many"])
        wait_for(lambda: len(shown.values) == 400, client)
    finally:
        client.cancel().result()
    expected = [str(number) for number in range(400) if number not in (199, 299, 399)]
    assert sorted(shown.values) == sorted([*expected, "many", "many", "many"])
    assert not [thread for thread in threading.enumerate() if "folder" in thread.name]


@pytest.mark.spark
def test_every_line_comes_once_over_a_restart(spark_session, tmp_path):
    """Files that came before, while and after the job was down; one was being read when it was stopped."""
    folder = tmp_path / "in"
    folder.mkdir()

    def start():
        settings = {
            "windrow.runtime": "spark",
            "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
            "windrow.source.records-per-batch": "25000",
        }
        env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings), spark_session)
        lines = env.set_parallelism(2).from_source(following(folder), WatermarkStrategy.no_watermarks(), "folder")
        sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
        lines.sink_to(sink)
        return env.execute_async()

    def written():
        return [int(line) for file in (tmp_path / "out").rglob("part-*") for line in file.read_text().split()]

    write(folder, "a", range(400_000))
    client = start()
    wait_for(lambda: len(written()) > 10_000, client)
    client.cancel().result()
    assert len(written()) < 400_000, "some batches were left when it was stopped"
    write(folder, "b", range(400_000, 400_100))
    client = start()
    try:
        wait_for(lambda: len(written()) >= 400_100, client)
        write(folder, "c", range(400_100, 400_200))
        wait_for(lambda: len(written()) >= 400_200, client)
    finally:
        client.cancel().result()
    assert sorted(written()) == list(range(400_200))


def test_a_malformed_line_ends_the_job_by_name(tmp_path):
    """As in a source that does not follow a folder."""
    write(tmp_path, "a", [1, "many"])
    executor, _ = executor_of(following(tmp_path, CsvReaderFormat.for_schema(ROW)), batch_size=10)
    with pytest.raises(MalformedInputError, match=r"line 2 of .*/a: 'many'"):
        executor.run()


def test_a_long_file_is_read_by_all_readers(tmp_path, monkeypatch):
    """In regions, each line once, whatever the size of a batch."""
    monkeypatch.setattr("windrow.connectors.files.enumerators.SMALLEST_REGION", 100)
    write(tmp_path, "a", range(1000))
    executor, shown = executor_of(following(tmp_path), batch_size=37, parallelism=3)
    with executor:
        deadline = time.monotonic() + 60
        while len(shown.values) < 1000 and time.monotonic() < deadline:
            executor.run_batch()
    assert sorted(map(int, shown.values)) == list(range(1000))
