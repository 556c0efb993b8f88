"""A producer whose records are seen together or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from windrow.connectors.kafka.client import FATAL, client, connector_error, kafka_error, new_producer
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.producers import Reports
from windrow.connectors.kafka.sender import OF_OTHERS, RecordSender

#: Seconds between two attempts at what the client says may be tried again.
_PAUSE = 0.1
#: Seconds after which it is looked whether the client has reported what is wrong.
_SLICE = 1.0
#: Seconds for taking back what has failed: whoever writes next does it too.
_ABORT = 5.0
#: What says no more than that it took too long.
_TIMED_OUT = frozenset({"_TIMED_OUT", "_MSG_TIMED_OUT"})


class TransactionalProducer:
    """Takes over a transactional id: Kafka ends the transaction of whoever had it before.

    Args:
        settings: librdkafka's, of the sink's producers.
        transactional_id: The id; whoever else writes under it cannot go on.
        timeout: How long brokers are waited for, in seconds.

    Raises:
        KafkaConnectorError: (all methods) the brokers do not answer, refuse something, or somebody else has taken over.
    """

    def __init__(self, settings: Mapping[str, str], transactional_id: str, timeout: float) -> None:
        self._servers = settings["bootstrap.servers"]
        self._id = transactional_id
        self._timeout = timeout
        self._reports = Reports()
        self._producer = new_producer({**settings, "transactional.id": transactional_id}, self._reports)
        self._call("begin to write", self._producer.init_transactions, timeout)

    @contextmanager
    def transaction(self) -> Iterator[RecordSender]:
        """Begin a transaction; what its records are given to. It is aborted if the block ends with an error."""
        self._call("begin a transaction", lambda _: self._producer.begin_transaction(), self._timeout)
        try:
            yield RecordSender(self._producer, self._reports, self._servers, self._reason)
        except BaseException:
            self._abort()
            raise

    def add_offsets(self, offsets: list[Any], group_metadata: Any) -> None:
        """Commit offsets of a consumer group with the transaction."""
        send = self._producer.send_offsets_to_transaction
        self._call("note which batch is written", lambda left: send(offsets, group_metadata, left), self._timeout)

    def commit(self) -> None:
        """Have the records and offsets of the transaction seen.

        Where this takes too long nobody knows whether they are: whoever takes over the id finds out.
        """
        try:
            self._call("commit a transaction", self._producer.commit_transaction, self._timeout)
        except _RequiresAbortError:
            self._abort()
            raise

    def _abort(self) -> None:
        """Take the transaction back at once, and not when somebody takes over the id or it has been open too long."""
        try:
            self._call("abort a transaction", self._producer.abort_transaction, _ABORT)
        except KafkaConnectorError:
            self._producer.purge()  # nothing may keep the producer alive

    def _reason(self, error: Any) -> Any:
        """Find out why a record failed that failed because of others."""
        if error.name() not in OF_OTHERS:
            return error
        try:
            self._producer.begin_transaction()  # a transaction that has failed says why
        except client().KafkaException as refused:
            said = kafka_error(refused)
            return error if said is None or said.name() in OF_OTHERS else said
        return error

    def _call(self, doing: str, call: Callable[[float], Any], timeout: float) -> None:
        """Call ``call(timeout in seconds)``, and again as long as the client says that it may be."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                call(min(max(deadline - time.monotonic(), _PAUSE), _SLICE))
            except client().KafkaException as error:
                said = self._fatal() or kafka_error(error)
                if said is None:
                    raise
                reported = self._reports.last_error
                if reported is not None and reported.name() in FATAL:
                    raise self._error(doing, reported) from error
                if not said.retriable() or said.name() == "_CONFLICT" or time.monotonic() + _PAUSE >= deadline:
                    kind = _RequiresAbortError if said.txn_requires_abort() else KafkaConnectorError
                    raise self._error(doing, said, kind) from error
            else:
                return
            time.sleep(_PAUSE)

    def _fatal(self) -> Any:
        """Let the client report what is wrong; the error after which it can do nothing any more, if there is one."""
        try:
            self._producer.poll(0)
        except client().KafkaException as error:
            return kafka_error(error)
        return None

    def _error(
        self, doing: str, error: Any, kind: type[KafkaConnectorError] = KafkaConnectorError
    ) -> KafkaConnectorError:
        made = connector_error(
            f"KafkaSink could not {doing} with the transactional id {self._id!r} at {self._servers}",
            error,
            "check that the brokers can be reached; how long they are waited for is the property delivery.timeout.ms",
            self._reports.last if error.name() in _TIMED_OUT else None,
        )
        return made if kind is KafkaConnectorError else kind(str(made))


class _RequiresAbortError(KafkaConnectorError):
    """The transaction has failed, and can be aborted."""
