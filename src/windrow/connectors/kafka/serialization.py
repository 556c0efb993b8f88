"""Makes records of elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from windrow.common.callables import check_function
from windrow.common.checks import text
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.serialization import SerializationSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

Headers = Iterable[tuple[str, bytes | None]] | Mapping[str, bytes | None]


class ProducerRecord(NamedTuple):
    """A record to write (Kafka's ``org.apache.kafka.clients.producer.ProducerRecord``).

    Attributes:
        topic: its topic.
        value: its value; None for a tombstone.
        key: its key; records of a key go to one partition, the one that Kafka's Java clients choose. None: to any.
        headers: names and values, in order, or a mapping.
        timestamp: in milliseconds; 0 is written as 1, see ``KafkaSink``. Negative: the time at which it is written.
        partition: its partition; None: the key decides.
    """

    topic: str
    value: bytes | None
    key: bytes | None = None
    headers: Headers = ()
    timestamp: int = NO_TIMESTAMP
    partition: int | None = None


class KafkaTopicSelector(ABC):
    """Says for each element which topic it goes to."""

    @abstractmethod
    def apply(self, data: Any) -> str:
        """Name the topic of an element."""


class KafkaRecordSerializationSchema(ABC):
    """Makes a record of an element (Flink's ``KafkaRecordSerializationSchema``); must pickle.

    Derive from it, or put it together with :meth:`builder`.

    Example:
        >>> schema = (
        ...     KafkaRecordSerializationSchema.builder()
        ...     .set_topic_selector(lambda order: "large" if order[1] > 100 else "small")
        ...     .set_key_serialization_schema(lambda order: order[0].encode())
        ...     .set_value_serialization_schema(lambda order: str(order[1]).encode())
        ...     .build()
        ... )
        >>> schema.serialize(("a", 120), timestamp=7)[:3]
        ('large', b'120', b'a')
    """

    @abstractmethod
    def serialize(self, element: Any, timestamp: int) -> ProducerRecord | None:
        """The record of an element; None to write none.

        Args:
            element: The element.
            timestamp: Its timestamp in milliseconds, -2^63 if it has none.
        """

    @staticmethod
    def builder() -> KafkaRecordSerializationSchemaBuilder:
        """Begin a schema."""
        return KafkaRecordSerializationSchemaBuilder()


class KafkaRecordSerializationSchemaBuilder:
    """Builds a schema; a value schema and one of topic and topic selector must be set.

    Wrong arguments are a ``ConfigurationError`` of the call they are given to.
    """

    def __init__(self) -> None:
        self._topic: str | None = None
        self._select: Callable[[Any], str] | None = None
        self._key: Callable[[Any], bytes | None] | None = None
        self._value: Callable[[Any], bytes | None] | None = None
        self._headers: Callable[[Any], Headers] | None = None

    def set_topic(self, topic: str) -> KafkaRecordSerializationSchemaBuilder:
        """Write all elements to one topic."""
        self._only_one_topic()
        self._topic = text(topic, "topic of set_topic")
        return self

    def set_topic_selector(
        self, topic_selector: KafkaTopicSelector | Callable[[Any], str]
    ) -> KafkaRecordSerializationSchemaBuilder:
        """Write each element to the topic that a selector, or a function of the element, names."""
        self._only_one_topic()
        self._select = _function(topic_selector, KafkaTopicSelector, "apply", "set_topic_selector")
        return self

    def set_key_serialization_schema(
        self, key_serialization_schema: SerializationSchema | Callable[[Any], bytes | None]
    ) -> KafkaRecordSerializationSchemaBuilder:
        """Give each record a key: a schema, or a function, that gets the whole element."""
        self._key = _function(
            key_serialization_schema, SerializationSchema, "serialize", "set_key_serialization_schema"
        )
        return self

    def set_value_serialization_schema(
        self, value_serialization_schema: SerializationSchema | Callable[[Any], bytes | None]
    ) -> KafkaRecordSerializationSchemaBuilder:
        """Give each record its value: a schema, or a function, that gets the whole element."""
        self._value = _function(
            value_serialization_schema, SerializationSchema, "serialize", "set_value_serialization_schema"
        )
        return self

    def set_header_provider(self, header_provider: Callable[[Any], Headers]) -> KafkaRecordSerializationSchemaBuilder:
        """Give each record headers: a function of the element, which gives names and values (bytes or None)."""
        check_function(header_provider, 1, "set_header_provider")
        self._headers = header_provider
        return self

    def build(self) -> KafkaRecordSerializationSchema:
        """The schema.

        Raises:
            ConfigurationError: there is no topic, or no value schema.
        """
        if self._topic is None and self._select is None:
            msg = "KafkaRecordSerializationSchema.builder().build(): there is no topic: call set_topic"
            raise ConfigurationError(msg)
        if self._value is None:
            msg = (
                "KafkaRecordSerializationSchema.builder().build(): records have no value: call "
                "set_value_serialization_schema"
            )
            raise ConfigurationError(msg)
        return _Composed(self._topic, self._select, self._key, self._value, self._headers)

    def _only_one_topic(self) -> None:
        if self._topic is not None or self._select is not None:
            msg = "a KafkaRecordSerializationSchema has a topic or a topic selector; one of them is set already"
            raise ConfigurationError(msg)


class _Composed(KafkaRecordSerializationSchema):
    def __init__(
        self,
        topic: str | None,
        select: Callable[[Any], str] | None,
        key: Callable[[Any], bytes | None] | None,
        value: Callable[[Any], bytes | None],
        headers: Callable[[Any], Headers] | None,
    ) -> None:
        self._topic = topic
        self._select = select
        self._key = key
        self._value = value
        self._headers = headers

    def serialize(self, element: Any, timestamp: int) -> ProducerRecord:
        topic, select, key, headers = self._topic, self._select, self._key, self._headers
        return ProducerRecord(
            select(element) if topic is None and select is not None else topic or "",
            self._value(element),
            None if key is None else key(element),
            () if headers is None else headers(element),
            timestamp,
        )


def _function(value: Any, kind: type[Any], method: str, call: str) -> Callable[[Any], Any]:
    if isinstance(value, kind):
        bound: Callable[[Any], Any] = getattr(value, method)
        return bound
    if not callable(value) or (isinstance(value, type) and issubclass(value, kind)):
        msg = f"{call} takes a {kind.__name__} or a function of an element; got {shorten(value)}"
        raise ConfigurationTypeError(msg)
    check_function(value, 1, call)
    function: Callable[[Any], Any] = value
    return function
