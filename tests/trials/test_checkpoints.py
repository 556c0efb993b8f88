"""Paths and URIs, checkpoint directories and what is in them, jobs that start again."""

import os

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration, Encoder, WatermarkStrategy
from windrow.datastream.connectors.file_system import FileSink, FileSource, StreamFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError


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
    for path in ("hdfs:/x", "dbfs:/x", "s3a://bucket/x"):
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
        says="base_path of a FileSink takes a local path or a file: URI; got 'dbfs:/x': dbfs: is another file system, "
        "which is not supported: a commit renames files, and only local and mounted file systems do that in one step",
        runtimes=("local",),
    ),
    Trial("file URIs with a host and with escapes", _reads_and_writes_uris, gives=(["one", "two"], ["a b", "c d"])),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_paths_and_checkpoints_are_what_they_are_called(trial, env, tmp_path):
    """What cannot be used is refused by name before anything is written."""
    play(trial, env, tmp_path)
