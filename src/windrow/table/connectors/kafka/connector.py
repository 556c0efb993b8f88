"""Topics as tables: rows are appended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.interfaces import DeliveryGuarantee
from windrow.connectors.kafka.offsets import KafkaOffsetsInitializer
from windrow.connectors.kafka.properties import DISCOVERY_INTERVAL
from windrow.connectors.kafka.settings import is_of_consumers
from windrow.connectors.kafka.sink import KafkaSink
from windrow.connectors.kafka.source import KafkaSource
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import SqlError
from windrow.operators.table.rows import ToTuplesOperator
from windrow.sql.catalog import CATALOG, DATABASE
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.connectors.errors import TableError
from windrow.table.connectors.kafka.messages import METADATA, Messages
from windrow.table.connectors.kafka.offsets import ENDS, RESET, STARTS, offsets_of
from windrow.table.connectors.kafka.parts import Part, key_part, named_keys, value_part
from windrow.table.connectors.kafka.records import Records
from windrow.table.connectors.options import check_pattern
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType

_GUARANTEES = {
    "at-least-once": DeliveryGuarantee.AT_LEAST_ONCE,
    "exactly-once": DeliveryGuarantee.EXACTLY_ONCE,
    "none": DeliveryGuarantee.NONE,
}
_DISCOVERY = "scan.topic-partition-discovery.interval"
_PREFIX, _GUARANTEE = "sink.transactional-id-prefix", "sink.delivery-guarantee"


class KafkaTable(TableConnector):
    """The base of the tables of Kafka."""

    #: Where reading begins, and what is in keys and values: whoever is a connector says it.
    starting: KafkaOffsetsInitializer
    key: Part | None
    value: Part

    def configure(self) -> None:
        options = self.options
        self.topics = options.listed("topic")
        self._pattern: str | None = None
        self._properties = options.beginning_with("properties.")
        if "bootstrap.servers" not in self._properties:
            options.needed("properties.bootstrap.servers")
        self._bounded = offsets_of(options, "bounded", "unbounded", ENDS, self.table.name, self.topics)
        self._interval = options.milliseconds(_DISCOVERY, "5 min")
        self._guarantee = options.choice(_GUARANTEE, _GUARANTEES, "at-least-once")
        self._transactions = options.get(_PREFIX)
        if self._guarantee is DeliveryGuarantee.EXACTLY_ONCE and self._transactions is None:
            options.refuse(_GUARANTEE, f"= 'exactly-once' needs the option '{_PREFIX}', another for each sink")
        self._scan_parallelism = options.number("scan.parallelism")
        self._sink_parallelism = options.number("sink.parallelism")

    def metadata(self) -> Mapping[str, DataType]:
        return {name: kind for name, (kind, _) in METADATA.items()}

    def writable_metadata(self) -> Collection[str]:
        return ("headers", "timestamp")

    # Reading

    def stream(self, environment: Any) -> DataStream:
        return self._tuples(environment, WatermarkStrategy.no_watermarks(), timestamps=True)

    def stream_with_time(self, environment: Any, strategy: WatermarkStrategy) -> DataStream:
        return self._tuples(environment, strategy, timestamps=False)

    def _tuples(self, environment: Any, strategy: WatermarkStrategy, *, timestamps: bool) -> DataStream:
        stream = environment.from_source(
            self._source(timestamps=timestamps), strategy, f"{self.table.name} ({self.name})"
        )
        if self._scan_parallelism is not None:
            stream.set_parallelism(self._scan_parallelism)
        names = [*self.names, *[each.column.name for each in self.table.metadata], *["$kind"] * self.changes]
        make = factory(ToTuplesOperator, names, self.read_types(), list(range(len(names))))
        return stream._transform("To tuples", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]

    def read_types(self) -> list[DataType]:
        """The types of the tuples that are read."""
        known = self.metadata()
        return [*self.types, *[known[each.key] for each in self.table.metadata], *[ROW_KIND] * self.changes]

    def _source(self, *, timestamps: bool) -> KafkaSource:
        builder = KafkaSource.builder()
        properties = {name: value for name, value in self._properties.items() if f"properties.{name}" != RESET}
        group = f"KafkaSource-{CATALOG}.{DATABASE}.{self.table.name}"
        if any(each is not None and each.needs_group() for each in (self.starting, self._bounded)):
            properties.setdefault("group.id", group)
        builder.set_properties({DISCOVERY_INTERVAL: str(self._interval or -1), **properties})
        if self._pattern is None:
            builder.set_topics(*self.topics)
        else:
            builder.set_topic_pattern(self._pattern)
        builder.set_starting_offsets(self.starting)
        if self._bounded is not None:
            builder.set_bounded(self._bounded)
        wanted = [each.key for each in self.table.metadata]
        return builder.set_deserializer(
            Messages(len(self.columns), self.value, self.key, wanted, changes=self.changes, timestamps=timestamps)
        ).build()

    # Writing

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return self.send(stream, changes=False)

    def send(self, stream: DataStream, *, changes: bool) -> Any:
        """Send tuples there; ``changes``: whether their last field is their kind.

        Raises:
            SqlError: the table has several topics.
        """
        if len(self.topics) != 1:
            msg = f"table {self.table.name!r} cannot be written: 'topic' has to name one topic for that"
            raise SqlError(msg)
        places = [column.name for column in self.table.writable]
        written = {each.key: places.index(each.column.name) for each in self.table.metadata if not each.virtual}
        moved = {place: places.index(name) for place, name in enumerate(self.names)}
        key = None if self.key is None else self.key.moved(moved)
        serializer = Records(self.topics[0], self.value.moved(moved), key, written, changes=changes)
        properties = {name: value for name, value in self._properties.items() if not is_of_consumers(name)}
        builder = KafkaSink.builder().set_record_serializer(serializer).set_delivery_guarantee(self._guarantee)
        for name, value in properties.items():
            builder.set_property(name, value)
        if self._transactions is not None:
            builder.set_transactional_id_prefix(self._transactions)
        if self._sink_parallelism is None:
            return stream.sink_to(builder.build())
        if self.table.primary_key and key is not None:  # the rows of a key keep their order
            stream = stream.key_by(itemgetter(*key.places))
        return stream.sink_to(builder.build()).set_parallelism(self._sink_parallelism)


class Kafka(KafkaTable):
    """Records are rows (``kafka``)."""

    name = "kafka"

    def configure(self) -> None:
        super().configure()
        options = self.options
        self._pattern = options.get("topic-pattern")
        if (self._pattern is None) == (not self.topics):
            both = "one of 'topic' and 'topic-pattern', not both" if self.topics else "the option 'topic'"
            hint = "" if self.topics else options.hint("topic")
            msg = f"table {self.table.name!r} needs {both}{hint}"
            raise TableError(msg, option="topic-pattern" if self.topics else options.like("topic"))
        if self._pattern is not None:
            check_pattern(options, "topic-pattern", self._pattern)
        if self.table.primary_key:
            msg = (
                f"table {self.table.name!r}: a record of 'kafka' takes the place of none, so there is no PRIMARY KEY: "
                "leave it out, or take the connector 'upsert-kafka'"
            )
            raise SqlError(msg)
        starting = offsets_of(options, "startup", "group-offsets", STARTS, self.table.name, self.topics)
        assert starting is not None
        self.starting = starting
        options.get(RESET)
        keys = named_keys(options, self.columns)
        self.value = value_part(options, self.columns, keys, needs_value=False)
        self.key = key_part(options, self.columns, keys) if keys else None
        partitioner = options.get("sink.partitioner", "default")
        if partitioner not in ("default", "round-robin"):
            options.refuse(
                "sink.partitioner",
                f"is 'default', by the key as Java's clients do, or 'round-robin', without a key; got {partitioner!r}",
            )
        if partitioner == "round-robin" and keys:
            options.refuse("sink.partitioner", "= 'round-robin' is for records without a key: leave 'key.fields' out")
