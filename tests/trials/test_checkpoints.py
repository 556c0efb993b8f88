"""Paths and URIs, checkpoint directories and what is in them, jobs that start again."""

import os
import re
import time

import pytest

from tests.datastream.streams.restarts import ListSink
from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration, Encoder, WatermarkStrategy
from windrow.datastream.connectors.file_system import FileSink, FileSource, StreamFormat
from windrow.errors import (
    CheckpointError,
    ConfigurationError,
    ConfigurationTypeError,
    JobExecutionError,
    UserFunctionError,
)


def with_setting(name, value):
    """A job with that setting; which files it leaves in its working directory."""

    def do(env, folder):
        before = os.getcwd()
        os.chdir(folder)
        try:
            env.configure(Configuration().set_string(name, value))
            env.from_collection([1]).execute_and_collect(limit=1)
        finally:
            os.chdir(before)
            assert os.listdir(folder) == []

    return do


def refused(setting, path, scheme):
    return (
        f"{setting} takes a local path or a file: URI; got {path!r}: {scheme}: is another file system, which is not "
        "supported: give a folder that driver and executors see under one path, such as a mount"
    )


def settings_of_paths():
    for path in ("http://host/x", "ftp:/x", "har:/x"):
        for setting in ("execution.checkpointing.dir", "execution.checkpointing.savepoint-dir"):
            yield Trial(
                f"{setting} is {path}",
                with_setting(setting, path),
                error=ConfigurationError,
                says=refused(setting, path, path.split(":")[0]),
                runtimes=("local",),  # before a runtime is looked for
            )
    yield Trial(
        "an empty checkpoint directory",
        with_setting("execution.checkpointing.dir", ""),
        error=ConfigurationTypeError,
        says="execution.checkpointing.dir takes a path as a non-empty string; got '' (str)",
        runtimes=("local",),
    )
    yield Trial(
        "a checkpoint directory on another machine",
        with_setting("execution.checkpointing.dir", "file://data/x"),
        error=ConfigurationError,
        says="execution.checkpointing.dir takes a local path or a file: URI of this machine; got 'file://data/x', "
        "which names the machine 'data' (a file: URI has one slash or three): give a folder that driver and executors "
        "see under one path, such as a mount",
        runtimes=("local",),
    )


def _empty_savepoint_path(env, folder):
    client = env.from_collection([1]).print() and env.execute_async()
    try:
        client.trigger_savepoint("").result()
    finally:
        client.get_job_execution_result().result()


def _reads_and_writes_uris(env, folder):
    (folder / "a b").mkdir()
    (folder / "a b" / "in.txt").write_text("one\ntwo\n")
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), f"file://localhost{folder}/a%20b")
    lines = env.from_source(source.build(), WatermarkStrategy.no_watermarks(), "lines")
    lines.sink_to(FileSink.for_row_format(f"file:{folder}/c%20d", Encoder.simple_string_encoder()).build())
    env.execute()
    files = (file for file in (folder / "c d").rglob("part-*"))
    return sorted(line for file in files for line in file.read_text().splitlines()), sorted(os.listdir(folder))


def _writes_to(path):
    def do(env, folder):
        (folder / "file").touch()
        sink = FileSink.for_row_format(path.replace("{tmp}", str(folder)), Encoder.simple_string_encoder()).build()
        env.from_collection([1]).sink_to(sink)
        env.execute()

    return do


def _keeps_its_checkpoint_below_a_file(env, folder):
    (folder / "file").touch()
    env.configure(Configuration().set_string("execution.checkpointing.dir", str(folder / "file" / "checkpoint")))
    env.from_collection([1]).print()
    env.execute()


def _starts_twice(env, folder):
    """The second one while the first one runs; what each has to say."""
    env.configure(Configuration().set_string("execution.checkpointing.dir", str(folder / "checkpoint")))
    go_on = folder / "go on"

    def waits(number):
        while not go_on.exists():
            time.sleep(0.01)
        return number

    def begin(name):
        sink = ListSink()
        env.from_collection([1]).map(waits).uid("waits").sink_to(sink)
        return env.execute_async(name), sink

    client, sink = begin("first")
    try:
        with pytest.raises(CheckpointError) as raised:
            begin("second")
    finally:
        go_on.touch()
    client.get_job_execution_result().result()
    return sink.elements, re.sub(" on [^)]*", "", str(raised.value)).replace(str(folder), "{tmp}")


def _starts_on_a_damaged_state_file(env, folder):
    env.configure(
        Configuration.from_dict(
            {
                "execution.checkpointing.dir": str(folder / "checkpoint"),
                "windrow.source.elements-per-split": "1",
                "windrow.source.splits-per-batch": "1",
            }
        )
    )
    mended = folder / "mended"

    def fails_at_first(number):
        if number == 3 and not mended.exists():
            raise ValueError(number)
        return number

    def run():
        numbers = env.from_collection([1, 2, 3]).uid("numbers").map(fails_at_first).uid("fails")
        numbers.key_by(lambda number: 0).reduce(max).uid("highest").print()
        env.set_parallelism(1).execute()

    with pytest.raises(UserFunctionError):
        run()
    mended.touch()
    (changelog,) = (folder / "checkpoint" / "spark" / "state" / "1" / "0").glob("2_*.changelog")
    data = bytearray(changelog.read_bytes())
    data[len(data) // 2] ^= 1
    changelog.write_bytes(data)
    run()


TRIALS = [
    *settings_of_paths(),
    Trial(
        "a savepoint in no directory",
        _empty_savepoint_path,
        error=ConfigurationTypeError,
        says="savepoint_directory takes a path as a non-empty string; got '' (str)",
    ),
    Trial(
        "a sink on a file system with one slash",
        lambda env, folder: FileSink.for_row_format("dbfs:/x", Encoder.simple_string_encoder()),
        error=ConfigurationError,
        says="base_path of a FileSink takes a path, or a URI such as 's3://bucket/path', with two slashes behind its "
        "scheme and one between names; got 'dbfs:/x'",
        runtimes=("local",),
    ),
    Trial(
        "a sink below a file",
        _writes_to("{tmp}/file/results"),
        error=ConfigurationError,
        says="base_path of a FileSink is a folder; got '{tmp}/file/results', and {tmp}/file is a file",
        runtimes=("local",),
    ),
    Trial(
        "a sink in a folder that cannot be made",
        _writes_to("/proc/results"),
        error=JobExecutionError,
        says="FileSink: /proc/results cannot be written: No such file or directory; mend that and start the job again: "
        "what it has committed stays",
    ),
    Trial(
        "a checkpoint below a file",
        _keeps_its_checkpoint_below_a_file,
        error=ConfigurationError,
        says="the checkpoint directory {tmp}/file/checkpoint (execution.checkpointing.dir) cannot be made: {tmp}/file: "
        "it is a file; name a directory that can be written",
        runtimes=("spark",),
    ),
    Trial(
        "a second job on the checkpoint of one that runs",
        _starts_twice,
        gives=(
            [1],
            "{tmp}/checkpoint is the checkpoint of job 'first' (this process), which runs: two jobs cannot share one; "
            "let that job end, or name another checkpoint directory",
        ),
        runtimes=("spark",),
    ),
    Trial(
        "a restart after a byte of a state file has changed",
        _starts_on_a_damaged_state_file,
        error=CheckpointError,
        says="checkpoint file {tmp}/checkpoint/spark/state/1/0/2_{id}.changelog cannot be read (it is not as Spark has "
        "written it: its checksum differs); it is damaged: it says what operators remember; bring it back from a copy "
        "of the checkpoint, start from a savepoint (execution.state-recovery.path) with another checkpoint directory, "
        "or remove the whole directory and let the job begin anew",
        runtimes=("spark",),
    ),
    Trial("file URIs with a host and with escapes", _reads_and_writes_uris, gives=(["one", "two"], ["a b", "c d"])),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_paths_and_checkpoints_are_what_they_are_called(trial, env, tmp_path):
    """What cannot be used is refused by name before anything is written."""
    play(trial, env, tmp_path)
