"""Makes elements of records."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any, ClassVar, Self

from windrow.common.callables import check_function
from windrow.common.json_values import PYTHON
from windrow.common.serialization import ByteArraySchema, DeserializationSchema, SimpleStringSchema
from windrow.common.typeinfo import TypeInformation, Types
from windrow.connectors.kafka.fetched import FetchedRecords
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.rows.deserialization import RowDeserializationSchema
from windrow.errors import ConfigurationTypeError, shorten
from windrow.metrics import Counter
from windrow.operators.watermarks.timestamp_assignment import Timestamps


class KafkaRecordDeserializationSchema(ABC):
    """Makes an element of a whole record: key, headers, timestamp, topic, partition and offset included.

    Flink's ``KafkaRecordDeserializationSchema``. What it raises is a ``MalformedRecordError``, or goes to the
    dead-letter side output of the source.

    Example:
        >>> class KeyAndValue(KafkaRecordDeserializationSchema):
        ...     def deserialize(self, record):
        ...         return record.key.decode(), int(record.value)
        >>> KeyAndValue().deserialize(ConsumerRecord("orders", 0, 17, 1_700_000_000_000, b"a", b"5"))
        ('a', 5)
    """

    #: What to do about a record that cannot be read, for the error message.
    advice: ClassVar[str] = (
        "mend the deserializer, or give such records to a side output with "
        "KafkaSource.builder().set_dead_letter(OutputTag(...))"
    )

    @abstractmethod
    def deserialize(self, record: ConsumerRecord) -> Any:
        """The element of a record; None to skip it."""

    @staticmethod
    def value_only(deserialization_schema: DeserializationSchema) -> KafkaRecordDeserializationSchema:
        """Of the value alone.

        Args:
            deserialization_schema: A schema, or a function of bytes such as ``json.loads``.

        Raises:
            ConfigurationTypeError: it is neither.
        """
        return ValueOnly(deserialization_schema)


class ValueOnly(KafkaRecordDeserializationSchema):
    """Of the value alone; the connector takes a short cut to it."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self.of_value = _function_of(schema, "set_value_only_deserializer", "bytes")

    def deserialize(self, record: ConsumerRecord) -> Any:
        return self.of_value(record.value)

    def of_values(self, values: Sequence[bytes | None]) -> list[Any]:
        """The elements of many values."""
        if self.of_value is json.loads:
            return PYTHON.loads_all(values)
        if isinstance(self._schema, RowDeserializationSchema):
            return self._schema.deserialize_all(values)
        return [self.of_value(value) for value in values]

    def produced_type(self) -> TypeInformation | None:
        """The type of the elements, if the schema is one of ours."""
        match self._schema:
            case SimpleStringSchema():
                return Types.STRING()
            case ByteArraySchema():
                return Types.PRIMITIVE_ARRAY(Types.BYTE())
            case RowDeserializationSchema():
                return self._schema.get_produced_type()
        return None


class OfFetched(KafkaRecordDeserializationSchema):
    """Of records as they were fetched, many at a time."""

    #: Whether elements have their records' timestamps: asking librdkafka for one is a tenth of what a record costs.
    has_timestamps = True

    @abstractmethod
    def of_fetched(self, records: FetchedRecords, timestamps: Timestamps) -> Sequence[Any]:
        """The elements of many records: a list, with None for each that is skipped, or columns of them all.

        Args:
            records: What was fetched.
            timestamps: Their timestamps; ``NO_TIMESTAMP`` for each, if elements do not have them.
        """

    @abstractmethod
    def counted_by(self, errors: Counter) -> Self:
        """The same, which counts what it leaves out because it cannot be read."""

    def deserialize(self, record: ConsumerRecord) -> Any:
        msg = f"{type(self).__name__} reads what was fetched, not one record"
        raise NotImplementedError(msg)


class RecordFunction(KafkaRecordDeserializationSchema):
    """A plain function of records."""

    def __init__(self, function: Callable[[ConsumerRecord], Any]) -> None:
        check_function(function, 1, "set_deserializer")
        self._function = function

    def deserialize(self, record: ConsumerRecord) -> Any:
        return self._function(record)


def _function_of(schema: Any, call: str, what: str) -> Callable[[Any], Any]:
    if type(schema) is SimpleStringSchema:
        return methodcaller("decode", schema.charset)  # without a call of a Python function for each record
    if isinstance(schema, DeserializationSchema):
        return schema.deserialize
    if callable(schema) and not (isinstance(schema, type) and issubclass(schema, DeserializationSchema)):
        check_function(schema, 1, call)
        function: Callable[[Any], Any] = schema
        return function
    msg = f"{call} takes a DeserializationSchema or a function of {what}; got {shorten(schema)}"
    raise ConfigurationTypeError(msg)
