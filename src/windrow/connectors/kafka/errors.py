"""Errors of Kafka."""

from __future__ import annotations

from windrow.errors import ConfigurationError, WindrowError, shorten


class KafkaConnectorError(WindrowError, RuntimeError):
    """The brokers cannot be reached, refuse something, or do not have what was asked for."""


class MissingKafkaClientError(ConfigurationError):
    """The Python package of the Kafka client is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Kafka needs the package confluent-kafka, which is not installed: pip install 'windrow[kafka]'"
        )


class MalformedRecordError(WindrowError, ValueError):
    """A deserializer could not read a record.

    Attributes:
        source: the source's name in the job.
        topic: the record's topic.
        partition: its partition.
        offset: its offset.
    """

    def __init__(
        self,
        source: str,
        topic: str,
        partition: int,
        offset: int,
        value: bytes | None,
        reason: BaseException,
        advice: str = "mend the deserializer",
    ) -> None:
        self.source = source
        self.topic = topic
        self.partition = partition
        self.offset = offset
        what = "no value (a tombstone)" if value is None else f"the value {shorten(value)}"
        super().__init__(
            f"the deserializer of source {source!r} cannot read the record at offset {offset} of {topic}-{partition}, "
            f"which has {what}: {type(reason).__name__}: {reason}; {advice}"
        )
