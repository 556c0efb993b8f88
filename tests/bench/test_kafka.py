"""The benchmark of Kafka."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import kafka
from bench.measure import Measurement
from bench.peers import Amount
from bench.workload import Answer, answer
from scripts.maven_artifacts import UnavailableError
from tests.kafka_broker import KafkaBroker


class Topics:
    """Topics that nobody fills."""

    servers = "127.0.0.1:1"

    def events(self, count: int) -> str:
        return f"events-{count}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is measured, no broker is started, and files go to a folder of the test's own."""

    @contextmanager
    def started(_: Path) -> Iterator[None]:
        yield

    for peer in kafka.PEERS:
        monkeypatch.setattr(peer, "prepare", lambda: None)
    monkeypatch.setattr(KafkaBroker, "started", started)
    monkeypatch.setattr(kafka, "Topics", lambda _: Topics())
    monkeypatch.setattr(kafka, "ROOT", tmp_path)
    monkeypatch.setattr(kafka, "BENCH", tmp_path / ".bench")
    return tmp_path


def test_all_peers_are_measured_and_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are checked by windows, reading by records; the slow get fewer."""
    asked = {}

    def measured(peer: kafka.KafkaPeer, events: int, runs: int, expected: Answer) -> Measurement:
        asked[peer.name] = expected
        return Measurement(peer.name, peer.title, "1", events, [1.0] * runs)

    monkeypatch.setattr(kafka, "measure", measured)
    done = CliRunner().invoke(kafka.main, ["--events", "1000000", "--runs", "2"])
    assert done.exit_code == 0, done.output
    whole = answer(1_000_000)
    assert asked["windrow-sum"] == asked["spark-sum"] == whole
    assert asked["windrow-discard"] == Answer(1_000_000, whole.total)
    assert asked["pyflink-sum"] == answer(50_000)
    kept = json.loads((folder / "bench" / "kafka_results.json").read_text())
    assert [peer["name"] for peer in kept["peers"]] == [peer.name for peer in kafka.PEERS]
    assert kept["job"]["partitions"] == kafka.PARTITIONS


def test_programs_are_told_the_topics_of_the_warm_up_and_of_the_run() -> None:
    """In the order in which they take them."""
    peer = kafka.Windrow("windrow", "sum", "Windrow")
    peer.topics = Topics()  # type: ignore[assignment]
    assert peer.command(Amount(10, 80, 3))[2:] == ["sum", "2", "127.0.0.1:1", "events-10", "events-80", "3"]
    in_sql = kafka.WindrowSql("windrow-sql", "hop", "Windrow's SQL")
    in_sql.topics = Topics()  # type: ignore[assignment]
    texts = str(kafka.SQL)
    assert in_sql.command(Amount(10, 80, 3))[2:] == [
        "windrow",
        texts,
        "hop",
        "2",
        "127.0.0.1:1",
        "events-10",
        "events-80",
        "3",
    ]


def test_texts_name_the_topic_and_the_brokers() -> None:
    """Each statement is one of both dialects; nothing is left to fill in."""
    text = (kafka.SQL / "kafka.sql").read_text().format(topic="events-10", servers="127.0.0.1:1")
    assert "'topic' = 'events-10'" in text
    assert "'properties.bootstrap.servers' = '127.0.0.1:1'" in text
    assert text.count(";") == 1


def test_a_broker_that_cannot_be_had_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And an exit code."""

    @contextmanager
    def unavailable(_: Path) -> Iterator[None]:
        message = "the Kafka broker needs java"
        raise UnavailableError(message)
        yield

    monkeypatch.setattr(KafkaBroker, "started", unavailable)
    done = CliRunner().invoke(kafka.main, [])
    assert done.exit_code == 1
    assert "Error: the Kafka broker needs java" in done.output


def test_windows_of_sql_are_measured_by_themselves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With Flink's beside each, into a file of their own, as `make bench` does."""
    monkeypatch.setattr(
        kafka, "measure", lambda peer, events, runs, _: Measurement(peer.name, peer.title, "1", events, [1.0] * runs)
    )
    done = CliRunner().invoke(kafka.main, ["--sql", "--events", "1000000", "--runs", "1"])
    assert done.exit_code == 0, done.output
    kept = json.loads((folder / "bench" / "kafka_sql_results.json").read_text())
    names = [f"{engine}-sql-{window}" for window in ("tumble", "hop", "session") for engine in ("windrow", "pyflink")]
    assert [peer["name"] for peer in kept["peers"]] == names
