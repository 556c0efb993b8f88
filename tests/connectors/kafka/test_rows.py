"""Rows as JSON and CSV through a broker."""

import pytest

from tests.connectors.kafka.building import builder
from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.kafka import KafkaOffsetsInitializer, KafkaRecordSerializationSchema, KafkaSink
from windrow.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from windrow.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

ORDER = Types.ROW_NAMED(["shop", "total"], [Types.STRING(), Types.DOUBLE()])
ORDERS = [(f"shop, {number % 7}", number / 4) for number in range(1000)]
JSON = (
    JsonRowSerializationSchema.builder().with_type_info(ORDER).build(),
    JsonRowDeserializationSchema.builder().type_info(ORDER).ignore_parse_errors().build(),
)
CSV = (
    CsvRowSerializationSchema.Builder(ORDER).build(),
    CsvRowDeserializationSchema.Builder(ORDER).set_ignore_parse_errors(True).build(),
)


def local():
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


@pytest.mark.parametrize(("writing", "reading"), [JSON, CSV], ids=["json", "csv"])
def test_rows_come_back(broker, writing, reading):
    """Each once, as rows of the declared type; a record that is no row is skipped."""
    topic = broker.topic(partitions=2)
    serializer = (
        KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(writing).build()
    )
    env = local()
    sink = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_record_serializer(serializer).build()
    env.from_collection(ORDERS, type_info=ORDER).sink_to(sink)
    env.execute("write")
    broker.produce(topic, 0, [b'"broken'])

    source = builder(broker.servers, topic).set_value_only_deserializer(reading)
    source = source.set_bounded(KafkaOffsetsInitializer.latest()).build()
    orders = local().from_source(source, WatermarkStrategy.no_watermarks(), "orders")
    assert orders.get_type() == ORDER
    with orders.execute_and_collect() as results:
        found = sorted(results, key=lambda order: order.total)
    assert found == [Row(shop=shop, total=total) for shop, total in ORDERS]
