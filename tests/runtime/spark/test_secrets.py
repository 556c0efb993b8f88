"""Passwords and keys are in no plan, message, log, history or checkpoint."""

import base64
import os
import re
import subprocess
import sys

import pytest

PASSWORDS = ("canary-of-sink", "canary-of-jaas", "canary-of-database", "canary-plain", "canary-in-url")
PROGRAM = """
import logging, os, sys
from windrow.common import Configuration, Secret, SimpleStringSchema, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcSink
from windrow.datastream.connectors.kafka import KafkaRecordSerializationSchema, KafkaSink, KafkaSource
from windrow.errors import WindrowError

folder = sys.argv[1]
logging.basicConfig(level=logging.DEBUG)
of_kafka = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "socket.timeout.ms": "1000"}
module = "org.apache.kafka.common.security.plain.PlainLoginModule"

def configured(name):
    settings = {
        "execution.checkpointing.dir": f"{folder}/checkpoint-{name}",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"{folder}/history",
        "spark.eventLog.compress": "false",
        "windrow.ui.enabled": "true",
        "my.password": "canary-plain",
    }
    return StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(1)

def source():
    builder = KafkaSource.builder().set_bootstrap_servers("127.0.0.1:1").set_topics("orders").set_group_id("a")
    builder.set_value_only_deserializer(SimpleStringSchema()).set_property("default.api.timeout.ms", "3000")
    jaas = Secret(lambda: f'{module} required username="me" password="canary-of-jaas";')
    return builder.set_properties({**of_kafka, "sasl.jaas.config": jaas}).build()

def kafka_sink(password):
    schema = KafkaRecordSerializationSchema.builder().set_topic("out")
    builder = KafkaSink.builder().set_bootstrap_servers("127.0.0.1:1")
    builder.set_record_serializer(schema.set_value_serialization_schema(SimpleStringSchema()).build())
    for name, value in {**of_kafka, "delivery.timeout.ms": "3000", "sasl.username": "me"}.items():
        builder.set_property(name, value)
    return builder.set_property("sasl.password", password).build()

def jdbc_sink(url, password):
    options = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(url).with_user_name("me")
    options = (options if password is None else options.with_password(password)).build()
    return JdbcSink.sink("insert into t values (?)", Types.ROW([Types.STRING()]), options)

DATABASE = "jdbc:postgresql://127.0.0.1:1/shop"
SINKS = {
    "secret": lambda: kafka_sink(Secret.env("SINK_PASSWORD")),
    "plain": lambda: kafka_sink("canary-plain"),
    "jdbc": lambda: jdbc_sink(DATABASE, Secret.env("DATABASE_PASSWORD")),
    "url": lambda: jdbc_sink(DATABASE + "?password=canary-in-url", None),
}

def tried(name, build):
    env = configured(name)
    sink = build(env)
    for shown in (sink, repr(env), env.explain(), env.get_execution_plan()):
        print(shown)
    try:
        env.execute(name)
    except WindrowError as error:
        logging.exception("job %s", name)
        print("FAILED", name, type(error).__name__, error)

def to_sink(name):
    def build(env):
        sink, rows = SINKS[name](), Types.ROW([Types.STRING()])
        texts = env.from_collection(["a"])
        (texts.map(lambda text: (text,), rows) if "Jdbc" in repr(sink) else texts).sink_to(sink)
        return sink
    return build

def from_source(env):
    made = source()
    env.from_source(made, WatermarkStrategy.no_watermarks(), "orders").print()
    return made

for name in SINKS:
    tried(name, to_sink(name))
tried("source", from_source)
del os.environ["SINK_PASSWORD"]
tried("gone", lambda env: env.from_collection(["a"]).sink_to(late) and late)

from urllib.request import urlopen
from windrow.ui import job_ui

(server,) = job_ui._program._servers.values()
for job in job_ui._program.jobs:
    base, _, place = server.url_of(job.id).partition("#")
    for part in PARTS:
        with urlopen(base.replace("/?", f"{place}{part}?")) as answer:
            print("PAGE", part, answer.read().decode())
"""
#: What the page asks for of a job.
PARTS = (
    "",
    "/config",
    "/exceptions",
    "/plan",
    "/checkpoints",
    "/accumulators",
    "/metrics",
    "/findings",
    "/splits",
    "/batches",
)


@pytest.mark.spark
def test_passwords_are_shown_and_kept_nowhere(tmp_path):
    """Of jobs that fail for brokers and databases that are not there: what is printed, logged, written and shown."""
    script = tmp_path / "program.py"
    program = PROGRAM.replace("PARTS", repr(PARTS))
    script.write_text(program.replace('del os.environ["SINK', 'late = SINKS["secret"]()\ndel os.environ["SINK'))
    written = tmp_path / "written"
    (written / "history").mkdir(parents=True)
    environment = {
        **os.environ,
        "SINK_PASSWORD": "canary-of-sink",
        "DATABASE_PASSWORD": "canary-of-database",
        "WINDROW_SPARK_LOG": str(written / "spark.log"),
    }
    command = [sys.executable, str(script), str(written)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    failed = [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert [name for name, _ in failed] == ["secret", "plain", "jdbc", "url", "source", "gone"], done.stderr[-3000:]
    assert failed[-1] == ["gone", "ConfigurationError"]
    assert done.stdout.count("PAGE ") == len(PARTS) * len(failed)
    files = {str(path): path.read_bytes() for path in written.rglob("*") if path.is_file()}
    assert {
        "history",
        "spark.log",
        "checkpoint-secret",
        "checkpoint-jdbc",
        "checkpoint-source",
        "checkpoint-url.history",
    } <= {path.removeprefix(f"{written}/").partition("/")[0] for path in files}
    texts = {"standard output": done.stdout.encode(), "standard error": done.stderr.encode(), **files}
    marks = [
        base64.b64decode(mark) for text in texts.values() for mark in re.findall(rb"<windrow-error:([^>]*)>", text)
    ]
    texts |= {f"error {number}": mark for number, mark in enumerate(marks)}
    found = [(place, word) for place, text in texts.items() for word in PASSWORDS if word.encode() in text]
    assert found == []
