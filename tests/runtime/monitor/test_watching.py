"""Jobs that are watched: the record that comes of it, in each runtime, and its file."""

from __future__ import annotations

import json
import tempfile
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.runtime.monitor.programs import environment, orders, wait_until
from windrow.common import Configuration, WatermarkStrategy
from windrow.common.job_id import JobID
from windrow.connectors.discarding import DiscardingSink
from windrow.errors import ConfigurationError, UserFunctionError
from windrow.runtime import submit
from windrow.runtime.monitor import next_output
from windrow.runtime.monitor.history_file import beside, history_files, read_history
from windrow.runtime.monitor.ui_settings import UiSettings
from windrow.runtime.monitor.watching import shown_settings, temporary_folder, watch
from windrow.runtime.submit import run
from windrow.ui.job_ui import close_pages
from windrow.ui.rest.job import job_details
from windrow.ui.rest.past import batches_of, checkpoints_of, exceptions_of
from windrow.ui.rest.settings import config_of, settings_of


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    """Histories go to a folder of the test, and pages close behind it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    close_pages()


def history_in(folder: Path):
    return read_history(history_files(next(folder.glob("windrow-history-*")))[-1])


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def ran(request, tmp_path):
    """The record of a job that has run to its end; on Spark as a streaming query with a checkpoint."""
    spark = request.getfixturevalue("spark_session") if request.param == "spark" else None
    settings = {} if spark is None else {"execution__checkpointing__dir": str(tmp_path / "state" / "orders")}
    env = environment(request.param, spark, **settings)
    orders(env, bounded=True).sink_to(DiscardingSink())
    client = env.execute_async("orders")
    client.get_job_execution_result().result()
    if spark is None:
        return request.param, history_in(tmp_path)
    return request.param, read_history(history_files(beside(tmp_path / "state" / "orders"))[-1])


def test_the_record_of_a_job_has_what_it_did(ran):
    """Graph, counts, watermarks, splits, states: out of the file, when the job is over."""
    runtime, record = ran
    by_name = {each["name"]: record.vertices[each["id"]] for each in record.job["vertices"]}
    assert record.job["runtime"] == runtime
    assert [state["state"] for state in record.states] == ["RUNNING", "FINISHED"]
    assert sum(by_name["Source: orders"]["records_out"].values()) == 2000
    assert sum(by_name["by kind"]["records_in"].values()) == 2000
    assert by_name["Source: orders"]["records_by_split"] == {"orders-0": 1000, "orders-1": 1000}
    (source,) = [each["id"] for each in record.job["vertices"] if each["kind"] == "source"]
    seen = [vertices.get(source, {}).get("last_by_split", {}) for _, vertices in record.replay()]
    assert set().union(*seen) == {"orders-0", "orders-1"}
    assert by_name["TumblingEventTimeWindows"]["input_watermark"] == {"0": "end"}
    assert sum(by_name["Sink: Writer"]["records_in"].values()) == 70
    assert batches_of(record)[-1]["records-in"] == 2000
    assert batches_of(record)[-1]["records-out"] == 70


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def held(request, tmp_path):
    """A job without end, one of whose splits gives no more: it is cancelled behind the test."""
    spark = request.getfixturevalue("spark_session") if request.param == "spark" else None
    settings = {} if spark is None else {"execution__checkpointing__dir": str(tmp_path / "state" / "orders")}
    env = environment(request.param, spark, **settings)
    orders(env, quiet=True).sink_to(DiscardingSink())
    client = env.execute_async("orders")
    yield client
    client.cancel().result()


def test_a_job_that_gives_nothing_says_which_window_waits_for_which_watermark(held, monkeypatch):
    """In its JSON, of which terminals and the page are made."""
    monkeypatch.setattr(next_output, "QUIET", 0)
    base = held.get_web_interface_url().partition("?")[0]
    found = []

    def told():
        with urlopen(f"{base}jobs/{held.get_job_id()}/findings", timeout=30) as answer:
            found[:] = [finding for finding in json.load(answer) if finding["kind"] == "next"]
        return found and "held back" in found[0]["text"]

    wait_until(told)
    assert [finding["text"] for finding in found] == [
        "window 2025-11-25 12:00:00 to 2025-11-25 12:00:10 of `TumblingEventTimeWindows` fires when the watermark "
        "reaches 2025-11-25 12:00:09.999; it stands at 2025-11-25 11:59:58.999, held back by `orders-1`"
    ]


def test_batches_are_checkpoints_on_spark_alone(ran):
    """The local runtime keeps none."""
    runtime, record = ran
    assert bool(checkpoints_of(record)["history"]) is (runtime == "spark")


def test_a_failure_is_in_the_record(tmp_path):
    """With the user's own traceback, the operator, and the element."""

    def parse(value):
        return int(value)

    env = environment("local")
    env.from_collection(["1", "x"]).map(parse).name("parse").sink_to(DiscardingSink())
    with pytest.raises(UserFunctionError):
        env.execute("fails")
    record = history_in(tmp_path)
    (entry,) = exceptions_of(record)["exceptionHistory"]["entries"]
    assert record.state == "FAILED"
    assert entry["exceptionName"] == "ValueError"
    assert entry["message"] == "invalid literal for int() with base 10: 'x'"
    assert "return int(value)" in entry["stacktrace"]
    assert (entry["taskName"], entry["element"]) == ("parse", "'x'")


def test_no_page_is_opened_and_no_file_written_where_nobody_asks(tmp_path, capfd, monkeypatch):
    """A program under a test runner is as quiet as it was."""
    from windrow.datastream import StreamExecutionEnvironment

    monkeypatch.delenv("WINDROW_UI", raising=False)
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([1]).sink_to(DiscardingSink())
    client = env.execute_async()
    client.get_job_execution_result().result()
    assert client.get_web_interface_url() is None
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


SECRETS = {
    "my.password": "pa55",
    "s3.secret-key": "pa55",
    "my.api-key": "pa55",
    "spark.hadoop.fs.s3a.access.key": "pa55",
    "db.pwd": "pa55",
    "ssl.passphrase": "pa55",
    "my.private-key": "pa55",
    "fs.azure.sas.container": "pa55",
    "my.url": "pg://me:pa55@host/db",
    "other.url": "pg://me:pa55/pa55@host/db",
    "jdbc.url": "jdbc:postgresql://host/db?user=me&password=pa55",
    "spark.driver.extraJavaOptions": "-Djavax.net.ssl.trustStorePassword=pa55 -Dx=1",
    "blob.url": "https://host/blob?sv=1&sig=pa55&se=2",
    "my.json": '{"user": "me", "client_secret": "pa55"}',
}


def test_passwords_are_not_shown():
    """Neither of settings whose names say so, nor in addresses and options."""
    shown = shown_settings(Configuration.from_dict(SECRETS))
    assert "pa55" not in json.dumps(shown)
    assert shown["my.url"] == "pg://me:******@host/db"
    assert shown["jdbc.url"] == "jdbc:postgresql://host/db?user=me&password=******"
    assert shown["spark.driver.extraJavaOptions"] == "-Djavax.net.ssl.trustStorePassword=****** -Dx=1"


def test_what_is_no_secret_is_shown():
    """Somebody asks why a job does what it does."""
    settings = {
        "sasl.mechanism": "PLAIN",
        "windrow.ui.host": "10.0.0.1",
        "my.servers": "a:9092,b:9092",
        "x": "design=7",
    }
    assert shown_settings(Configuration.from_dict(settings)) == settings


def test_no_secret_is_in_history_or_json(tmp_path):
    """Whichever way a program gives them: settings of its configuration, parameters of its job."""
    env = environment("local", **{name.replace(".", "__").replace("-", "_"): value for name, value in SECRETS.items()})
    env.get_config().set_global_job_parameters(SECRETS)
    env.from_collection([1]).sink_to(DiscardingSink())
    env.execute("secrets")
    (file,) = history_files(next(tmp_path.glob("windrow-history-*")))
    assert "pa55" not in file.read_text()
    record = read_history(file)
    assert set(record.job["parameters"]) == set(SECRETS)
    assert "pa55" not in json.dumps([config_of(record), settings_of(record)])


def test_what_a_program_was_told_about_its_settings_is_in_the_record(tmp_path):
    """So that it is on the page, too, and not in a log alone."""
    env = environment("local", execution__buffer_timeout__interval="5 s")
    env.from_collection([1]).sink_to(DiscardingSink())
    env.execute("warned")
    (words,) = history_in(tmp_path).job["warnings"]
    assert words.startswith("execution.buffer-timeout.interval has no effect")


def job_graph():
    env = environment("local")
    env.from_collection([1]).sink_to(DiscardingSink())
    return env._take_job("numbers")


def test_a_history_that_cannot_stand_beside_its_checkpoint_stands_elsewhere(tmp_path, caplog):
    """The user may write into the checkpoint, and not beside it; a job runs without a history, if need be."""
    settings = UiSettings(enabled=False, history=5)
    checkpoint = tmp_path / "orders"
    beside(checkpoint).write_text("in the way")
    monitor = watch(job_graph(), JobID(), settings, "local", str(checkpoint))
    assert monitor.file.path.parent == temporary_folder()
    assert "cannot be written" in caplog.text
    tempfile.tempdir = str(beside(checkpoint))
    assert watch(job_graph(), JobID(), settings, "local", str(checkpoint)).file is None


def test_a_supplier_that_fails_is_no_error_of_the_watch():
    """The job itself comes to that, and says it as it always does."""

    def fails():
        raise ZeroDivisionError("in a supplier")

    env = environment("local")
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    env.from_collection([1]).assign_timestamps_and_watermarks(strategy).sink_to(DiscardingSink())
    job = env._take_job("numbers")
    for node in job.nodes():
        if node.makes_watermarks:
            node.factory = fails
    monitor = watch(job, JobID(), UiSettings(enabled=True), "local")
    with monitor.reading() as record:
        assert job_details(record, 0, stoppable=False)["vertices"] == []


class Unlucky:
    """A view with a fault."""

    def begin(self, monitor):
        raise ZeroDivisionError("a fault of ours")

    def started(self, job):
        pass

    def following(self, monitor):
        return nullcontext()


def test_what_keeps_a_page_from_being_there_keeps_no_job_from_starting(monkeypatch, caplog):
    """It is said, and the job runs: without a page, or without a record at all."""
    env = environment("local")
    env.from_collection([1]).sink_to(DiscardingSink())
    settings = replace(env._submit_settings(), view=Unlucky())
    run(env._take_job("numbers"), settings)
    assert "job 'numbers' has no page: a fault of ours" in caplog.text

    def fails(*arguments):
        raise ZeroDivisionError("another fault")

    monkeypatch.setattr(submit, "watch", fails)
    env.from_collection([1]).sink_to(DiscardingSink())
    run(env._take_job("numbers"), settings)
    assert "job 'numbers' has no page and no history: another fault" in caplog.text


def test_a_wrong_setting_of_the_page_is_an_error():
    """The person who has set it is told."""
    env = environment("local", windrow__ui__port="70000")
    env.from_collection([1]).sink_to(DiscardingSink())
    with pytest.raises(ConfigurationError, match="70000"):
        env.execute()
