"""``python -m bench.kafka``: how fast a Kafka topic is read, and summed by key and minute.

The broker runs on this machine, beside the peers, and takes its share of the processors from all of them alike. The
records are those of the main benchmark's events: JSON of key and amount, with the event's time as Kafka's own
timestamp, dealt in turn to four partitions. Every peer reads what is there from the beginning, with two readers.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import click

from bench.environments import BENCH, FLINK_VERSION, ROOT, FlinkEnvironment, SetupError, flink_environment, maven_jar
from bench.measure import WARM_UP_SHARE, Measurement, measure
from bench.peers import PROGRAMS, Amount, Peer
from bench.report import memory_lines
from bench.runner import Runner, chosen, only_option, rates_table
from bench.workload import KEYS, PARALLELISM, WINDOW_MS, Answer, answer, event, hop_answer, session_answer
from scripts.maven_artifacts import UnavailableError
from tests.kafka_broker import KafkaBroker

PARTITIONS = 4
#: The texts of statements.
SQL = ROOT / "bench" / "sql"
#: Where a window begins, so that windows hold what they hold in the main benchmark. (librdkafka takes 0 for "now".)
FIRST_TIMESTAMP = 28_333_334 * WINDOW_MS
#: The topic of kafka_spark.py with the event that releases the last windows.
RELEASE = "release"
CENTURY_MS = 100 * 365 * 24 * 60 * 60 * 1000

#: The newest connector that is there for this Flink.
FLINK_CONNECTOR = ("org.apache.flink", "flink-sql-connector-kafka", "5.0.0-2.2")
#: Spark's connector with what it needs. Maven had none of Spark 4.3 and no token provider newer than 4.0.0 when this
#: was written; they work together.
SPARK_CONNECTOR = [
    ("org.apache.spark", "spark-sql-kafka-0-10_2.13", "4.2.0"),
    ("org.apache.spark", "spark-token-provider-kafka-0-10_2.13", "4.0.0"),
    ("org.apache.kafka", "kafka-clients", "3.9.2"),
    ("org.apache.commons", "commons-pool2", "2.12.1"),
]


class Topics:
    """The topics of a broker, filled when they are first asked for."""

    def __init__(self, broker: KafkaBroker) -> None:
        self.servers = broker.servers
        self._broker = broker
        self._filled: set[str] = set()
        broker.topic(1, RELEASE, message_timestamp_after_max_ms=str(2**62))
        broker.produce(RELEASE, 0, [b'{"key": 0, "amount": 0}'], [FIRST_TIMESTAMP + CENTURY_MS])

    def events(self, count: int) -> str:
        """The topic with so many events."""
        name = f"events-{count}"
        if name not in self._filled:
            self._broker.topic(PARTITIONS, name)
            fill(self._broker, name, count)
            self._filled.add(name)
        return name


def fill(broker: KafkaBroker, topic: str, count: int) -> None:
    """Write the first ``count`` events, in their order in each partition."""
    producer = broker.producer(**{"linger.ms": 50, "batch.size": 1 << 20, "enable.idempotence": True})
    for place in range(count):
        key, amount, timestamp = event(place)
        value = b'{"key": %d, "amount": %d}' % (key, amount)
        while True:
            try:
                producer.produce(topic, value, partition=place % PARTITIONS, timestamp=FIRST_TIMESTAMP + timestamp)
                break
            except BufferError:
                producer.poll(0.05)
    if producer.flush(120):
        message = f"the broker does not take the events of {topic}"
        raise SetupError(message)


class KafkaPeer(Peer):
    """A peer that reads topics; ``mode``: ``discard``, ``sum``, ``sum-checkpointed``, or the name of a text of SQL."""

    def __init__(self, name: str, mode: str, title: str, most_events: int | None = None) -> None:
        self.name = f"{name}-{mode}"
        self.title = title
        self.mode = mode
        self.most_events = most_events
        self.topics: Topics

    def prepare(self) -> None:
        """Nothing to do."""

    def arguments(self, amount: Amount) -> list[str]:
        """What all programs take."""
        topics = self.topics
        warm_up, events = topics.events(amount.warm_up), topics.events(amount.events)
        return [self.mode, str(PARALLELISM), topics.servers, warm_up, events, str(amount.runs)]


class Windrow(KafkaPeer):
    """Windrow on local Spark."""

    worker = "pyspark.worker"

    def version(self) -> str:
        return f"{version('windrow')} on Spark {version('pyspark')}, librdkafka {version('confluent-kafka')}"

    def command(self, amount: Amount) -> list[str]:
        return [sys.executable, str(PROGRAMS / "kafka_windrow.py"), *self.arguments(amount)]


class Spark(KafkaPeer):
    """Spark's own connector; its own windows, if it is to sum."""

    def version(self) -> str:
        return f"{version('pyspark')}, connector {SPARK_CONNECTOR[0][2]}"

    def prepare(self) -> None:
        self._jars = [maven_jar(*each) for each in SPARK_CONNECTOR]

    def command(self, amount: Amount) -> list[str]:
        jars = ",".join(map(str, self._jars))
        return [sys.executable, str(PROGRAMS / "kafka_spark.py"), *self.arguments(amount), jars]


class PyFlink(KafkaPeer):
    """PyFlink's KafkaSource: without a function no record leaves the JVM."""

    def version(self) -> str:
        return f"{FLINK_VERSION}, connector {FLINK_CONNECTOR[2]}"

    def prepare(self) -> None:
        self._environment: FlinkEnvironment = flink_environment()
        self._jar = maven_jar(*FLINK_CONNECTOR)

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "kafka_pyflink.py")
        return [str(self._environment.python), program, *self.arguments(amount), str(self._jar)]

    def variables(self) -> dict[str, str]:
        return self._environment.variables()


class WindrowSql(Windrow):
    """Windrow's SQL: JSON into sums that are dropped where they are made."""

    def command(self, amount: Amount) -> list[str]:
        return [sys.executable, str(PROGRAMS / "kafka_sql.py"), "windrow", str(SQL), *self.arguments(amount)]


class FlinkSql(PyFlink):
    """The same texts for Flink's planner; no record leaves the JVM."""

    def command(self, amount: Amount) -> list[str]:
        program = str(PROGRAMS / "kafka_sql.py")
        arguments = ["pyflink", str(SQL), *self.arguments(amount), str(self._jar)]
        return [str(self._environment.python), program, *arguments]


#: Of windows that Flink computes most slowly, both engines get fewer.
_FEW = 6_000_000
PEERS: list[KafkaPeer] = [
    WindrowSql("windrow-sql", "tumble", "Windrow's SQL, TUMBLE of JSON, sum by key"),
    FlinkSql("pyflink-sql", "tumble", "Flink's SQL, TUMBLE of JSON, sum by key"),
    WindrowSql("windrow-sql", "hop", "Windrow's SQL, HOP 60 s by 5 s of JSON"),
    FlinkSql("pyflink-sql", "hop", "Flink's SQL, HOP 60 s by 5 s of JSON"),
    WindrowSql("windrow-sql", "session", "Windrow's SQL, SESSION of JSON, gap 5 s", _FEW),
    FlinkSql("pyflink-sql", "session", "Flink's SQL, SESSION of JSON, gap 5 s", _FEW),
    Windrow("windrow", "sum", "Windrow, keyed windowed sum"),
    Windrow("windrow", "sum-checkpointed", "Windrow, the same with a checkpoint"),
    Spark("spark", "sum", "Spark's connector, groupBy(window)"),
    PyFlink("pyflink", "sum", "PyFlink, process mode, keyed windowed sum", 50_000),
    Windrow("windrow", "discard", "Windrow, texts dropped"),
    Spark("spark", "discard", "Spark's connector, texts dropped"),
    PyFlink("pyflink", "discard", "PyFlink, all in the JVM, texts dropped"),
]


def expected(peer: KafkaPeer, events: int) -> Answer:
    """What the peer has to find: the windows and their sums, or all records and theirs.

    >>> expected(PEERS[-1], 4)
    Answer(results=4, total=6)
    """
    match peer.mode:
        case "discard":
            return Answer(events, answer(events).total)
        case "hop":
            return hop_answer(events)
        case "session":
            return session_answer(events)
    return answer(events)


@click.command()
@click.option("--events", default=8_000_000, show_default=True, type=click.IntRange(min=8), help="Records per run.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(min=1), help="Timed runs of each peer.")
@click.option("--sql", is_flag=True, help="Windows of SQL alone, beside Flink's.")
@only_option(PEERS)
def main(events: int, runs: int, sql: bool, only: str | None) -> None:
    """Measure how fast Windrow, Spark and PyFlink read Kafka, and sum what they read by key and minute.

    The broker is Apache Kafka, resolved with Maven. All numbers are kept in bench/kafka_results.json, those of a run
    with --sql in bench/kafka_sql_results.json; those of a run with --only in .bench/, under the same names.
    """
    peers = chosen(only, [peer for peer in PEERS if not sql or isinstance(peer, WindrowSql | FlinkSql)])
    results = "kafka_sql_results.json" if sql else "kafka_results.json"
    runner = Runner()

    def take(peer: Peer) -> Measurement:
        assert isinstance(peer, KafkaPeer)
        return measure(peer, events, runs, expected(peer, min(events, peer.most_events or events)))

    BENCH.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BENCH, prefix="kafka-") as folder:
        try:
            with KafkaBroker.started(Path(folder)) as broker:
                topics = Topics(broker)
                for peer in peers:
                    assert isinstance(peer, KafkaPeer)
                    peer.topics = topics
                runner.run(peers, take)
        except UnavailableError as error:
            raise click.ClickException(str(error)) from error
    job = {
        "partitions": PARTITIONS,
        "keys": KEYS,
        "window_ms": WINDOW_MS,
        "parallelism": PARALLELISM,
        "warm_up_share": WARM_UP_SHARE,
    }
    for line in memory_lines(runner.measurements):
        runner.console.print(line, highlight=False)
    shown = rates_table("Kafka in, thousand records per second", 1e3, runner.measurements, list(runner.failures))
    runner.finish([shown], (BENCH if only else ROOT / "bench") / results, job)


if __name__ == "__main__":
    main()
