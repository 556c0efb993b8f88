"""Keys of object stores are in no plan, message, log, page, history or checkpoint."""

import json
import os
import re
import subprocess
import sys

import pytest
import s3fs

from tests.hadoop.object_store import BUCKET
from tests.runtime.spark.expected import lines_in
from tests.runtime.spark.test_secrets import PARTS

#: Of Spark's connector, and of the library that reads and writes files in workers.
ACCESS = ("canary-access-of-spark", "canary-access-of-files")
KEYS = ("canary-key-of-spark", "canary-key-of-files")
PROGRAM = """
import json, logging, sys
from urllib.request import urlopen
from windrow.common import Configuration, Encoder, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink, FileSource, StreamFormat
from windrow.errors import WindrowError
from windrow.ui import job_ui

folder, place, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
logging.basicConfig(level=logging.INFO)  # Amazon's library shows the name of a key at DEBUG, and no key
logging.getLogger("windrow").setLevel(logging.DEBUG)

def fails(line):
    raise LookupError(f"no such line: {line}")

def tried(name, function, out):
    configuration = Configuration.from_dict({
        **settings,
        **({"execution.checkpointing.dir": f"{place}/checkpoint"} if name == "good" else {}),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"{folder}/history",
        "spark.eventLog.compress": "false",
        "windrow.ui.enabled": "true",
    })
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(1)
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), f"{place}/in").build()
    sink = FileSink.for_row_format(out, Encoder.simple_string_encoder()).build()
    lines = env.from_source(source, WatermarkStrategy.no_watermarks(), "files").map(function, Types.STRING())
    lines.key_by(lambda line: line).reduce(lambda a, b: a).sink_to(sink)
    for shown in (source, sink, configuration, repr(env), env.explain(), env.get_execution_plan()):
        print(shown)
    try:
        env.execute(name)
    except WindrowError as error:
        logging.exception("job %s", name)
        print("FAILED", name, type(error).__name__, error)
    else:
        print("DONE", name)

tried("good", str.upper, f"{place}/out")
tried("raises", fails, f"{place}/out-raises")
tried("denied", str.upper, f"s3://no-such-bucket/out")
(server,) = job_ui._program._servers.values()
for job in job_ui._program.jobs:
    base, _, at = server.url_of(job.id).partition("#")
    for part in PARTS:
        with urlopen(base.replace("/?", f"{at}{part}?")) as answer:
            print("PAGE", part, answer.read().decode())
"""


@pytest.mark.spark
@pytest.mark.hadoop
def test_keys_of_an_object_store_are_shown_and_kept_nowhere(store, tmp_path):
    """One job has checkpoint, source and sink there, and ends; one fails for its function, one for its bucket."""
    place = f"s3a://{BUCKET}/{tmp_path.name}"
    objects = s3fs.S3FileSystem(skip_instance_cache=True, use_listings_cache=False)
    objects.pipe_file(f"{BUCKET}/{tmp_path.name}/in/a", b"one\ntwo\n")
    settings = {
        **store.settings,
        "spark.hadoop.fs.s3a.access.key": ACCESS[0],
        "spark.hadoop.fs.s3a.secret.key": KEYS[0],
    }
    environment = {
        **os.environ,
        **store.environment,
        "AWS_ACCESS_KEY_ID": ACCESS[1],
        "AWS_SECRET_ACCESS_KEY": KEYS[1],
        "TMPDIR": str(tmp_path / "temporary"),
        "WINDROW_SPARK_LOG": str(tmp_path / "spark.log"),
    }
    (tmp_path / "history").mkdir()
    (tmp_path / "temporary").mkdir()
    program = PROGRAM.replace("PARTS", repr(PARTS))
    command = [sys.executable, "-c", program, str(tmp_path), place, json.dumps(settings)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    ends = re.findall(r"^(DONE|FAILED) (\w+)", done.stdout, re.MULTILINE)
    assert ends == [("DONE", "good"), ("FAILED", "raises"), ("FAILED", "denied")], done.stdout + done.stderr
    assert done.stdout.count("PAGE ") == len(PARTS) * len(ends)
    there = {name: objects.cat_file(name) for name in objects.find(f"{BUCKET}/{tmp_path.name}")}
    folders = {name.split("/")[2] for name in there}
    assert folders >= {"checkpoint", "checkpoint.history", "out"}
    assert sorted(lines_in(f"s3://{BUCKET}/{tmp_path.name}/out")) == ["ONE", "TWO"]
    files = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.removeprefix(f"{tmp_path}/").partition("/")[0] for path in files} >= {"history", "spark.log"}
    texts = {"standard output": done.stdout.encode(), "standard error": done.stderr.encode(), **files, **there}
    assert [(place, word) for place, text in texts.items() for word in (*KEYS, *ACCESS) if word.encode() in text] == []
