"""Marks the last batch that a partition of a sink has written: an offset of a consumer group nobody else uses.

Its value is the number of the batch plus one; its metadata says what tells the batch's records from others. Every topic
that the batch has written to has it, for its first partition.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from windrow.connectors.kafka.admin import keeper
from windrow.connectors.kafka.client import FATAL, client, connector_error, kafka_error, new_consumer
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.logs import plain
from windrow.connectors.spool import Contents, Written

_PARTITION = 0
#: How metadata begins and ends; what is behind the end is the client's.
_SIGN, _END = "windrow", ";"
#: Seconds between two attempts.
_PAUSE = 0.1


class Marks:
    """The marks of one partition of a sink.

    Args:
        settings: librdkafka's, of the sink's producers.
        group: The consumer group.
        timeout: How long brokers are waited for, in seconds.
    """

    def __init__(self, settings: Mapping[str, str], group: str, timeout: float) -> None:
        self._servers = settings["bootstrap.servers"]
        self._settings = {
            **settings,
            "group.id": group,
            "isolation.level": "read_committed",
            "enable.auto.commit": "false",
            "log_level": "3",  # or it says of each property of producers that a consumer has none
        }
        self._group = group
        self._timeout = timeout
        #: Names the group in a transaction; there is one when marks have been read.
        self.group_metadata: Any = None

    def read(self, topics: Collection[str]) -> Written | None:
        """Give the last batch that is in these topics; None: none is.

        Nobody may have a transaction open that could still write a mark.

        Raises:
            KafkaConnectorError: the brokers do not say, or an offset of the group is no mark.
        """
        errors: deque[Any] = deque(maxlen=1)
        consumer = new_consumer(self._settings, keeper(errors))
        try:
            self.group_metadata = consumer.consumer_group_metadata()
            found = self._ask(consumer, topics, errors)
        finally:
            consumer.close()
        marks = [self._mark(each) for each in found if each.offset >= 0]
        return max(marks, key=lambda mark: mark.batch, default=None)

    def offsets(self, topics: Collection[str], mark: Written) -> list[Any]:
        """The mark, as offsets for a transaction."""
        contents = mark.contents
        metadata = f"{_SIGN} {contents.rows} {contents.checksum}{_END}"
        return [client().TopicPartition(topic, _PARTITION, mark.batch + 1, metadata) for topic in sorted(topics)]

    def _ask(self, consumer: Any, topics: Collection[str], errors: deque[Any]) -> list[Any]:
        asked = [client().TopicPartition(topic, _PARTITION) for topic in sorted(topics)]
        deadline = time.monotonic() + self._timeout
        while True:
            left = max(deadline - time.monotonic(), _PAUSE)
            failed = None
            try:
                # As long as the group's coordinator is not known, the client says what is wrong only to who looks.
                found: list[Any] = consumer.committed(asked, min(left, 2.0))
                failed = next((each.error for each in found if _has_failed(each)), None)
            except client().KafkaException as error:
                failed = kafka_error(error)
            if failed is None:
                return found
            errors.extend(message.error() for message in consumer.consume(100, 0))
            fatal = next((each for each in (failed, *errors) if each.name() in FATAL), None)
            if fatal is not None or time.monotonic() + _PAUSE >= deadline:
                what = f"KafkaSink could not ask consumer group {self._group!r} at {self._servers} what is written"
                before = plain(errors[0].str()) if errors and fatal is None else None
                raise connector_error(what, fatal or failed, "check that the brokers can be reached", before)
            time.sleep(_PAUSE)

    def _mark(self, found: Any) -> Written:
        try:
            sign, rows, checksum = (found.metadata or "").partition(_END)[0].split(" ")
            if sign == _SIGN:
                return Written(found.offset - 1, Contents(int(rows), int(checksum)))
        except ValueError:
            pass
        msg = (
            f"the consumer group {self._group!r} has an offset of {found.topic}-{found.partition} that no KafkaSink "
            "has committed: give the sink another prefix with set_transactional_id_prefix"
        )
        raise KafkaConnectorError(msg)


def _has_failed(found: Any) -> bool:
    return found.error is not None and found.error.name() != "UNKNOWN_TOPIC_OR_PART"
