"""Kafka brokers on free ports of 127.0.0.1: ``with KafkaBroker.started(folder) as broker``.

The first one of an environment is there only for Java to write its classes into an archive, which lies beside Spark's
(`tests/fast_java.py`): a start takes 1.4 s of processor time then, and 4.3 without it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from itertools import count, repeat
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic, OffsetSpec

from scripts.maven_artifacts import UnavailableError, resolve
from tests.fast_java import archive_of, put
from tests.free_ports import free_ports

POM = Path(__file__).parent / "connectors" / "kafka" / "pom.xml"
START_SECONDS = 60
#: So long Java may take to write the archive; half of that is enough on a quiet machine.
ARCHIVE_SECONDS = 60
JAVA_OPTIONS = [
    "-Xmx512m",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
]
#: Ends the broker too when the process that has started it ends in whatever way: its end of the pipe is closed.
KEEPER = '"$@" & broker=$!; echo $broker; read _; kill $broker 2>/dev/null; wait $broker'
_names = count()
#: What the folder of a new cluster has in it, by name: the same for all, so that Java is started for it once.
_new_cluster: dict[str, bytes] = {}


class KafkaBroker:
    """A broker, and what tests do with it from outside.

    Args:
        folder: Where it keeps everything.
        users: Passwords of users of the listener ``secured``, by name.
        store: Has that listener speak TLS.
        first: The first broker of its cluster, which is the cluster's controller; None: it is the first itself.
        node: Its number in the cluster.
    """

    def __init__(
        self,
        folder: Path,
        users: Mapping[str, str],
        store: tuple[Path, str] | None = None,
        *,
        first: KafkaBroker | None = None,
        node: int = 1,
    ) -> None:
        self.folder = folder
        self.node = node
        java = shutil.which("java")
        if java is None:
            msg = "the Kafka broker needs java"
            raise UnavailableError(msg)
        self._java = [java, *JAVA_OPTIONS, "-cp", f"{resolve(POM)}{os.sep}*"]
        #: Where Java has the broker's classes from, or writes them to.
        self.archive: list[str] = []
        self._config = folder / "server.properties"
        port, controller, secured = free_ports(3)
        self.servers = f"127.0.0.1:{port}"
        self.secured = f"127.0.0.1:{secured}"
        self._controller: str = f"127.0.0.1:{controller}" if first is None else first._controller
        properties = _properties(folder, self.servers, self._controller)
        if first is not None:
            properties |= _joining(self.servers, node)
        if users:
            properties |= _security(self.servers, self.secured, f"127.0.0.1:{controller}", users)
        if store is not None:
            properties |= _encryption(properties, *store)
        self._config.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))
        self._keeper: subprocess.Popen[str] | None = None
        self._pid = 0
        self.admin = AdminClient({"bootstrap.servers": self.servers, "log_level": 0, **QUICK})

    @staticmethod
    def started(
        folder: Path, users: Mapping[str, str] | None = None, store: tuple[Path, str] | None = None
    ) -> AbstractContextManager[KafkaBroker]:
        """A broker that runs until the end of the block.

        Args:
            folder: Where it keeps everything.
            users: Passwords of users of the listener ``secured``, by name; they may do nothing unless an ACL says so.
            store: Has that listener speak TLS, with the key of a store (JKS) and the store's password.
        """
        return KafkaBroker(folder, users or {}, store)._from_archive()._running()

    def joined(self, folder: Path, node: int) -> AbstractContextManager[KafkaBroker]:
        """Another broker of its cluster, that runs until the end of the block.

        Args:
            folder: Where it keeps everything.
            node: Its number in the cluster: 2 or more.
        """
        return KafkaBroker(folder, {}, first=self, node=node)._from_archive()._running()

    def _from_archive(self) -> Self:
        archive = archive_of("kafka", str(resolve(POM)))
        if archive is not None and (archive.exists() or _write_archive(archive)):
            self.archive = ["-Xshare:auto", f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]
        return self

    @contextmanager
    def _running(self) -> Iterator[Self]:
        self.format()
        try:
            self.start()
            yield self
        finally:
            self.kill()

    def format(self) -> None:
        """Make the folder of a new cluster."""
        logs = self.folder / "logs"
        if not _new_cluster:
            command = [*self._java, "kafka.tools.StorageTool", "format", "-t", "d2luZHJvdy10ZXN0LTAwMQ", "-c"]
            done = subprocess.run([*command, str(self._config)], check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            _new_cluster.update((file.name, file.read_bytes()) for file in logs.iterdir())
            return
        logs.mkdir()
        for name, data in _new_cluster.items():
            (logs / name).write_bytes(data)
        if self.node > 1:
            metadata = logs / "meta.properties"
            own = {"node.id": self.node, "directory.id": urlsafe_b64encode(uuid4().bytes).decode().rstrip("=")}
            fields = dict(line.split("=", 1) for line in metadata.read_text().splitlines() if "=" in line)
            metadata.write_text("".join(f"{name}={value}\n" for name, value in {**fields, **own}.items()))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "broker.log").open("a") as log:
            java, *options = self._java
            command = ["sh", "-c", KEEPER, "keeper", java, *self.archive, *options, "kafka.Kafka", str(self._config)]
            self._keeper = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._keeper.stdout is not None
        self._pid = int(self._keeper.stdout.readline())
        deadline = time.monotonic() + START_SECONDS
        while True:
            with suppress(KafkaException):
                self.admin.list_topics(timeout=1)
                return
            running = _exists(self._pid)
            if not running or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(
                    "the Kafka broker did not start:\n" + (self.folder / "broker.log").read_text()[-4000:]
                )
            time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as when its machine dies; it can be started again on the same port."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            assert keeper.stdin is not None
            assert keeper.stdout is not None
            keeper.stdin.close()
            keeper.wait(timeout=10)
            keeper.stdout.close()

    def end(self) -> None:
        """End it as somebody does who wants to use it again, and wait for that."""
        assert self._keeper is not None
        self._keeper.communicate(timeout=ARCHIVE_SECONDS)
        self._keeper = None

    def topic(self, partitions: int = 1, name: str | None = None, *, replicas: int = 1, **config: str) -> str:
        """Make a topic, with a name of its own unless it is given one; its name."""
        name = name or f"topic{next(_names)}"
        settings = {key.replace("_", "."): value for key, value in config.items()}
        self.admin.create_topics([NewTopic(name, partitions, replicas, config=settings)])[name].result()
        self._wait_for_leaders(name, partitions)
        return name

    def add_partitions(self, topic: str, total: int) -> None:
        """Give a topic more partitions."""
        self.admin.create_partitions([NewPartitions(topic, total)])[topic].result()
        self._wait_for_leaders(topic, total)

    def _wait_for_leaders(self, topic: str, partitions: int) -> None:
        """Until they can be written to: what a producer tries again comes behind what it has sent meanwhile."""
        latest = {TopicPartition(topic, partition): OffsetSpec.latest() for partition in range(partitions)}
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.admin.list_topics(topic, timeout=1)  # or the client goes on with what it has heard before
                for asked in self.admin.list_offsets(latest).values():
                    asked.result()
            except KafkaException:
                assert time.monotonic() < deadline, f"nobody leads the partitions of {topic}"
                time.sleep(0.01)
            else:
                return

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Do away with a partition's first records."""
        asked = TopicPartition(topic, partition, before)
        self.admin.delete_records([asked])[asked].result()

    def produce(
        self, topic: str, partition: int, values: Sequence[Any], timestamps: Sequence[int] | None = None, **record: Any
    ) -> None:
        """Append records and wait until they are there; ``record``: what they have in common (key, headers)."""
        producer = self.producer()
        for value, timestamp in zip(values, timestamps or repeat(0), strict=False):
            while True:
                try:
                    producer.produce(
                        topic, value, partition=partition, timestamp=timestamp, on_delivery=_check, **record
                    )
                    break
                except BufferError:
                    producer.poll(0.1)
        assert producer.flush(60) == 0

    def producer(self, **settings: Any) -> Producer:
        """A producer."""
        return Producer({"bootstrap.servers": self.servers, "linger.ms": 5, **QUICK, **settings})

    def read(self, topic: str, partitions: int, count: int, timeout: float = 30, **settings: Any) -> list[Any]:
        """The first ``count`` messages of a topic, or more if they are there, partition by partition."""
        consumer = Consumer({"bootstrap.servers": self.servers, "group.id": "tests", **QUICK, **settings})
        consumer.assign([TopicPartition(topic, partition, 0) for partition in range(partitions)])
        messages: list[Any] = []
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            got = consumer.consume(1, 0.3 if len(messages) >= count else 1)
            if not got and len(messages) >= count:
                break
            messages += [message for message in [*got, *consumer.consume(10_000, 0)] if message.error() is None]
        consumer.close()
        assert len(messages) >= count, f"{len(messages)} of {count} messages came in {timeout} s"
        return sorted(messages, key=lambda message: (message.partition(), message.offset()))

    def committed(self, group: str, topic: str, partition: int = 0) -> int | None:
        """The offset that a group has committed to; None if it has not."""
        consumer = Consumer({"bootstrap.servers": self.servers, "group.id": group})
        (found,) = consumer.committed([TopicPartition(topic, partition)], timeout=10)
        consumer.close()
        return found.offset if found.offset >= 0 else None

    def commit(self, group: str, topic: str, partition: int, offset: int) -> None:
        """Commit an offset for a group."""
        consumer = Consumer({"bootstrap.servers": self.servers, "group.id": group})
        consumer.commit(offsets=[TopicPartition(topic, partition, offset)], asynchronous=False)
        consumer.close()


@cache
def _write_archive(archive: Path) -> bool:
    """Have Java write what a broker has loaded; False if it does not, and so all go on without."""
    with tempfile.TemporaryDirectory(prefix="windrow-kafka-") as folder:
        made = Path(folder) / "classes.jsa"
        broker = KafkaBroker(Path(folder), {})
        broker.archive = [f"-XX:ArchiveClassesAtExit={made}", "-Xlog:disable"]
        broker.format()
        try:
            broker.start()
            topic = broker.topic(2)
            broker.produce(topic, 0, [b"value"])
            broker.read(topic, 2, 1)
            broker.commit("group", topic, 0, 1)
            producer = broker.producer(**{"transactional.id": "id"})
            producer.init_transactions()
            broker.end()
        except (AssertionError, KafkaException, subprocess.SubprocessError):
            return False
        finally:
            broker.kill()
        if made.exists():
            put(made, archive)
    return archive.exists()


#: Connect again soon after the broker was away.
QUICK = {"reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "200"}


def _check(error: Any, _message: Any) -> None:
    assert error is None, error


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _properties(folder: Path, server: str, controller: str) -> dict[str, str]:
    return {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.voters": f"1@{controller}",
        "listeners": f"PLAINTEXT://{server},CONTROLLER://{controller}",
        "advertised.listeners": f"PLAINTEXT://{server}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(folder / "logs"),
        "auto.create.topics.enable": "false",
        # A broker that was killed may register again when its session has ended.
        "broker.heartbeat.interval.ms": "200",
        "broker.session.timeout.ms": "1000",
        "group.initial.rebalance.delay.ms": "0",
        "log.retention.ms": "-1",  # tests write records of 1970
        "log.cleaner.enable": "false",  # 128 MiB of buffers
        "offsets.topic.num.partitions": "1",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "transaction.state.log.num.partitions": "1",
        "transaction.state.log.replication.factor": "1",
    }


def _joining(server: str, node: int) -> dict[str, str]:
    """What is another's where a broker is not the cluster's first."""
    return {
        "process.roles": "broker",
        "node.id": str(node),
        "listeners": f"PLAINTEXT://{server}",
        "advertised.listeners": f"PLAINTEXT://{server}",
    }


def _security(server: str, secured: str, controller: str, users: Mapping[str, str]) -> dict[str, str]:
    """The other listeners' anonymous user may do everything."""
    known = " ".join(f'user_{name}="{password}"' for name, password in users.items())
    return {
        "listeners": f"PLAINTEXT://{server},SECURED://{secured},CONTROLLER://{controller}",
        "advertised.listeners": f"PLAINTEXT://{server},SECURED://{secured}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SECURED:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.secured.plain.sasl.jaas.config": (
            f"org.apache.kafka.common.security.plain.PlainLoginModule required {known};"
        ),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
    }


def _encryption(properties: Mapping[str, str], store: Path, password: str) -> dict[str, str]:
    return {
        "listener.security.protocol.map": properties["listener.security.protocol.map"].replace(
            "SASL_PLAINTEXT", "SASL_SSL"
        ),
        "ssl.keystore.location": str(store),
        "ssl.keystore.type": "JKS",
        "ssl.keystore.password": password,
    }
