"""The settings of a source's clients, from what its builder was given."""

from __future__ import annotations

from collections.abc import Mapping

from windrow.connectors.kafka.logs import log
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.properties import (
    API_TIMEOUT,
    CLIENT_ID_PREFIX,
    COMMIT_ON_CHECKPOINT,
    DISCOVERY_INTERVAL,
    MAX_POLL_RECORDS,
    boolean,
    librdkafka,
    number,
)
from windrow.errors import ConfigurationError

#: As Flink's: five minutes.
_DISCOVERY_INTERVAL = 300_000
#: As that of Kafka's Java clients.
_API_TIMEOUT = 60_000
#: With half as many a record costs 6 % more, with twice as many 4 %.
_MAX_POLL_RECORDS = 16_384
#: Four times as many save some 5 % where portions cost more than records.
_MAX_BATCHED_RECORDS = 65_536
#: Where librdkafka's defaults differ from those of Kafka's Java clients, or cost most of its throughput: with 1,000 ms
#: of fetch.queue.backoff.ms, its default, a full queue of messages is not filled again for that long.
_DEFAULTS = {
    "check.crcs": "true",
    "enable.auto.commit": "false",
    "fetch.queue.backoff.ms": "1",
    "isolation.level": "read_uncommitted",
}
_RESET = {
    KafkaOffsetResetStrategy.EARLIEST: "earliest",
    KafkaOffsetResetStrategy.LATEST: "latest",
    KafkaOffsetResetStrategy.NONE: "error",
}
#: What the source sets itself, and how it is told what to.
_OVERRIDDEN = {
    "auto.offset.reset": "set_starting_offsets says it",
    "client.id": "set_client_id_prefix says what ids begin with",
    "enable.partition.eof": "the source needs it",
}
#: What only consumers take.
_OF_CONSUMERS = (
    "auto.offset.reset",
    "check.crcs",
    "enable.auto.commit",
    "enable.auto.offset.store",
    "enable.partition.eof",
    "fetch.",
    "group.",
    "isolation.level",
    "max.partition.fetch.bytes",
    "max.poll.",
    "auto.commit.",
    "queued.",
    "heartbeat.",
    "session.",
    "partition.assignment.",
)


def is_of_consumers(name: str) -> bool:
    """Tell whether only consumers take a property: producers, and clients that ask for offsets, go without it.

    Example:
        >>> is_of_consumers("group.id"), is_of_consumers("bootstrap.servers")
        (True, False)
    """
    return name.startswith(_OF_CONSUMERS)


class ConsumerSettings:
    """The settings of one source's clients; must pickle.

    Args:
        values: The properties, as the user has set them.
        reset: What readers do when an offset is not there any more.

    Raises:
        ConfigurationError: a property of the connector's own is not what it can be.
    """

    def __init__(self, values: Mapping[str, str], reset: KafkaOffsetResetStrategy) -> None:
        self.bootstrap_servers = values["bootstrap.servers"]
        self.group_id = values.get("group.id")
        self.discovery_interval = number(values, DISCOVERY_INTERVAL, _DISCOVERY_INTERVAL)
        self.timeout = number(values, API_TIMEOUT, _API_TIMEOUT) / 1000
        self.max_poll_records = number(values, MAX_POLL_RECORDS, _MAX_POLL_RECORDS, "of records")
        #: The same where record batches are read: no object is made for each record, and each portion costs the same.
        self.max_batched_records = number(values, MAX_POLL_RECORDS, _MAX_BATCHED_RECORDS, "of records")
        for name, value in ((API_TIMEOUT, self.timeout), (MAX_POLL_RECORDS, self.max_poll_records)):
            if value <= 0:
                msg = f"the property {name} must be at least 1; got {values[name]!r}"
                raise ConfigurationError(msg)
        self.commits_on_checkpoint = boolean(values, COMMIT_ON_CHECKPOINT, default=True) and self.group_id is not None
        for name in sorted(_OVERRIDDEN.keys() & values.keys()):
            log.warning("KafkaSource: the property %s has no effect: %s", name, _OVERRIDDEN[name])
        self._prefix = values.get(CLIENT_ID_PREFIX, self.group_id or "windrow")
        self._values = {**_DEFAULTS, **librdkafka(values), "auto.offset.reset": _RESET[reset]}
        self.read_committed = self._values["isolation.level"] == "read_committed"

    def for_reader(self, subtask: int) -> dict[str, str]:
        """Librdkafka's settings for the consumer of a reader."""
        settings = {**self._values, "client.id": f"{self._prefix}-{subtask}", "enable.partition.eof": "true"}
        settings.setdefault("group.id", self._prefix)  # consumers must have one, also if they use no group
        return settings

    def for_enumerator(self) -> dict[str, str]:
        """Librdkafka's settings for the client that asks for topics and offsets."""
        settings = {name: value for name, value in self._values.items() if not is_of_consumers(name)}
        return {**settings, "client.id": f"{self._prefix}-enumerator-admin-client"}
