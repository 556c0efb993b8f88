"""Asks brokers for record batches, with aiokafka's client."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from windrow.connectors.kafka.fetch_settings import FetchSettings
from windrow.connectors.kafka.record_batches import AbortedTransaction

#: A topic's name and a partition's number.
Key = tuple[str, int]
T = TypeVar("T")

#: Seconds that we wait for a broker beyond the time for which it may wait for records.
_PATIENCE = 5.0
#: While others answer we hardly wait: then it has so many seconds, of any kind, and so often a look for what has come.
_MOST = 20.0
_LOOKS = 400
#: Brokers that are asked about topics, and seconds that each of them has.
_ASKED = 3
_ASKED_SECONDS = 2.0
#: Of aiokafka's own clocks, which go on while nobody calls: an answer that was there in time would be late.
_NEVER = 2**31 - 1
#: Those who fetch say what is wrong, in their own words.
logging.getLogger("aiokafka").addHandler(logging.NullHandler())


class PartitionResponse(NamedTuple):
    """A broker's answer about a partition.

    Attributes:
        error: Kafka's number of what is wrong; 0: nothing is.
        end: the offset behind the partition's last record.
        aborted: transactions that came to nothing, if only what is committed was asked for.
        content: record batches.
    """

    error: int
    end: int
    aborted: Sequence[AbortedTransaction]
    content: bytes


class FetchError(Exception):
    """Brokers do not answer."""


@dataclass
class _Request:
    """A request to a broker that is under way."""

    offsets: Mapping[Key, int]
    task: asyncio.Task[Any]
    sent: float
    #: For how long we have waited for the answer, in seconds, and how often.
    waited: float = 0
    looks: int = 0

    def is_overdue(self, now: float, may_wait: float) -> bool:
        """Tell whether the answer is given up: time in which nobody looked for it does not count by itself."""
        if self.waited > _PATIENCE + may_wait:
            return True
        return self.looks > _LOOKS and now - self.sent > _MOST + may_wait


class FetchClient:
    """Has at most one request under way to each broker.

    Everything happens in the thread that calls, while it calls: what comes meanwhile waits in the connections.
    """

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._client: Any = None
        #: Whether it is to be made anew: one of its connections seems to lead nowhere, or nobody that it knows answers.
        self._hangs = False
        #: By broker.
        self._requests: dict[int, _Request] = {}

    def find(self, topics: Collection[str]) -> None:
        """Look for the leaders of the topics' partitions, as they are now.

        Raises:
            FetchError: no broker says.
        """
        try:
            self._run(self._find(list(topics)))
        except FetchError:
            self._hangs = (
                True  # the brokers that it knows may be gone: next time it begins with those that the user named
            )
            raise

    def send(self, offsets: Mapping[Key, int]) -> set[Key]:
        """Ask for what is at and behind the offsets, those brokers that have no request of ours.

        Returns:
            The partitions that nobody leads.
        """
        by_leader: dict[int, dict[Key, int]] = {}
        leaderless = set()
        for key, offset in offsets.items():
            leader = self._leader(key)
            if leader is None:
                leaderless.add(key)
            elif leader not in self._requests:
                by_leader.setdefault(leader, {})[key] = offset
        for leader, asked in by_leader.items():
            task = self._loop.create_task(self._client.send(leader, self._request(asked)))
            self._requests[leader] = _Request(asked, task, time.monotonic())
        return leaderless

    def receive(self, wait: float) -> Iterator[tuple[Key, int, PartitionResponse | FetchError]]:
        """Each partition that something was answered about, the offset that was asked for, and the answer.

        Args:
            wait: How long the first answer is waited for, in seconds.
        """
        if not self._requests:
            return
        begin = time.monotonic()
        tasks = [request.task for request in self._requests.values()]
        self._run(asyncio.wait(tasks, timeout=wait, return_when=asyncio.FIRST_COMPLETED))
        now = time.monotonic()
        for leader, request in list(self._requests.items()):
            request.waited += now - begin
            request.looks += 1
            if request.task.done():
                del self._requests[leader]
                yield from _answers(leader, request)
            elif request.is_overdue(now, self._settings.max_wait / 1000):
                request.task.cancel()
                del self._requests[leader]
                self._hangs = True
                error = FetchError(f"broker {leader} does not answer")
                yield from ((key, offset, error) for key, offset in request.offsets.items())

    def close(self) -> None:
        """Let go of the connections."""
        tasks = [request.task for request in self._requests.values()]
        self._requests.clear()
        try:
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.wait([*tasks, self._loop.create_task(self._close())]))
        finally:
            self._loop.close()

    def _run(self, what: Coroutine[Any, Any, Any]) -> None:
        try:
            self._loop.run_until_complete(what)
        except Exception as error:  # of aiokafka's kinds and others': whatever it is, librdkafka says it better
            raise FetchError(repr(error)) from error

    async def _find(self, topics: list[str]) -> None:
        from aiokafka.protocol.metadata import MetadataRequest

        if self._hangs:
            await self._close()
            self._client, self._hangs = None, False
        if self._client is None:
            servers = self._settings.connection["bootstrap_servers"]
            self._client = await _first(self._connected, servers)
        # Not the client's own question, which has the broker make topics that are not there.
        request = MetadataRequest(topics, allow_auto_topic_creation=False)
        brokers = [broker.nodeId for broker in self._client.cluster.brokers()]
        self._client.cluster.update_metadata(await _first(lambda broker: self._client.send(broker, request), brokers))

    async def _connected(self, server: str) -> Any:
        from aiokafka import AIOKafkaClient

        connection = {**self._settings.connection, "bootstrap_servers": server}
        client = AIOKafkaClient(**connection, request_timeout_ms=_NEVER, metadata_max_age_ms=_NEVER)
        try:
            await client.bootstrap()
        except BaseException:
            await client.close()
            raise
        return client

    async def _close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def _leader(self, key: Key) -> int | None:
        from aiokafka import TopicPartition

        leader = self._client.cluster.leader_for_partition(TopicPartition(*key))
        return None if leader is None or leader < 0 else int(leader)

    def _request(self, offsets: Mapping[Key, int]) -> Any:
        from aiokafka.protocol.fetch import FetchRequest

        settings = self._settings
        # In their order, which is also that in which they get what there is room for.
        neighbours = groupby(offsets.items(), key=lambda each: each[0][0])
        topics = [
            (topic, [(partition, offset, settings.partition_bytes) for (_, partition), offset in partitions])
            for topic, partitions in neighbours
        ]
        return FetchRequest(
            settings.max_wait, settings.min_bytes, settings.max_bytes, int(settings.read_committed), topics
        )


async def _first(ask: Callable[[T], Awaitable[Any]], those: Sequence[T]) -> Any:
    """The answer of the first of some of them that has one; the error of the last, if none has."""
    if not those:
        msg = "there is no broker to ask"
        raise FetchError(msg)
    failed: Exception
    for one in random.sample(those, min(len(those), _ASKED)):
        try:
            return await asyncio.wait_for(ask(one), _ASKED_SECONDS)
        except Exception as error:  # the next one may answer
            failed = error
    raise failed


def _answers(leader: int, request: _Request) -> Iterator[tuple[Key, int, PartitionResponse | FetchError]]:
    error = asyncio.CancelledError() if request.task.cancelled() else request.task.exception()
    if error is not None:
        failed = FetchError(f"broker {leader}: {error!r}")
        yield from ((key, offset, failed) for key, offset in request.offsets.items())
        return
    silent = dict(request.offsets)
    for topic, partitions in request.task.result().topics:
        for partition, *answer in partitions:
            key = topic, partition
            yield key, silent.pop(key), _response(answer)
    nothing = FetchError(f"broker {leader} says nothing of the partition")  # but an error of the request as a whole
    yield from ((key, offset, nothing) for key, offset in silent.items())


def _response(answer: Sequence[Any]) -> PartitionResponse:
    # Between the end and the batches: the end of what is committed, from version 5 of the response on the log's start,
    # from 4 on the list of aborted transactions, from 11 on a replica to ask instead.
    aborted = next((each for each in answer[2:-1] if isinstance(each, list)), [])
    return PartitionResponse(answer[0], answer[1], [AbortedTransaction(*each) for each in aborted], answer[-1] or b"")
