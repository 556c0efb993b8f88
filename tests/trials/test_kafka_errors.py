"""What a program that cannot reach its Kafka brokers is told."""

import logging

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import SimpleStringSchema, WatermarkStrategy
from windrow.datastream.connectors.kafka import (
    KafkaConnectorError,
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)
from windrow.errors import ConfigurationError

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

#: No broker listens there.
NOWHERE = "127.0.0.1:1"
ADVICE = (
    "check bootstrap.servers, that a broker runs there, and that its advertised.listeners can be reached from here, or "
    "wait longer with the property default.api.timeout.ms"
)


class _Lines(logging.Handler):
    """Keeps what is logged as a program that sets nothing up would show it: warnings and worse."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def _read(env, folder):
    builder = KafkaSource.builder().set_bootstrap_servers(NOWHERE).set_topics("orders")
    builder.set_value_only_deserializer(SimpleStringSchema()).set_bounded(KafkaOffsetsInitializer.latest())
    source = builder.set_property("default.api.timeout.ms", "3000").build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "orders").execute_and_collect(limit=1)


def _write(env, folder):
    schema = SimpleStringSchema()
    serializer = KafkaRecordSerializationSchema.builder().set_topic("orders").set_value_serialization_schema(schema)
    sink = KafkaSink.builder().set_bootstrap_servers(NOWHERE).set_record_serializer(serializer.build())
    env.from_collection(["a"]).sink_to(sink.set_property("delivery.timeout.ms", "3000").build())
    env.execute("trial")


def _lines(do):
    """How a program's lines begin, and whether there are more than attempts of one, two and four seconds make."""

    def watch(env, folder):
        handler, logger = _Lines(), logging.getLogger("windrow.kafka")
        logger.addHandler(handler)
        try:
            with pytest.raises(KafkaConnectorError):
                do(env, folder)
        finally:
            logger.removeHandler(handler)
        return handler.lines[0].partition(";")[0], len(handler.lines) <= 4

    return watch


def _property(name, value):
    def do(env, folder):
        builder = KafkaSource.builder().set_bootstrap_servers(NOWHERE).set_topics("orders").set_property(name, value)
        return builder.set_value_only_deserializer(SimpleStringSchema()).build()

    return do


OAUTH = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientSecret="secret";'
TRIALS = [
    Trial(
        "a property whose name is mistyped",
        _property("fetch.min.byte", "1"),
        error=ConfigurationError,
        says="the Kafka client refuses the properties: neither librdkafka nor Windrow knows the property "
        "fetch.min.byte: is fetch.min.bytes meant?",
        runtimes=["local"],
    ),
    Trial(
        "a login module that librdkafka does not have",
        _property("sasl.jaas.config", OAUTH),
        error=ConfigurationError,
        says="the property sasl.jaas.config cannot be said to librdkafka: librdkafka has no login module "
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule: set sasl.oauthbearer.method=oidc, "
        "sasl.oauthbearer.client.id, sasl.oauthbearer.client.secret, sasl.oauthbearer.scope and "
        "sasl.oauthbearer.token.endpoint.url",
        runtimes=["local"],
    ),
    Trial(
        "a trust store that is not there",
        _property("ssl.truststore.location", "/no/such/trust.jks"),
        error=ConfigurationError,
        says="the file /no/such/trust.jks of the property ssl.truststore.location cannot be read: No such file or "
        "directory; mend it, or set ssl.ca.location, the path of a PEM file",
        runtimes=["local"],
    ),
    Trial(
        "brokers that are not there, for a source",
        _read,
        error=KafkaConnectorError,
        says="KafkaSource could not list topics at 127.0.0.1:1: no answer within 3 s (the last error was: 127.0.0.1:1: "
        f"Connection refused); {ADVICE}",
    ),
    Trial(
        "brokers that are not there, for a sink",
        _write,
        error=KafkaConnectorError,
        says="KafkaSink could not write to topic 'orders' at 127.0.0.1:1: Local: Message timed out (_MSG_TIMED_OUT), "
        "after 127.0.0.1:1: Connection refused (_TRANSPORT); check that the brokers can be reached; how long they are "
        "waited for is the property delivery.timeout.ms",
    ),
    Trial(
        "the lines that a source logs meanwhile: one for each attempt",
        _lines(_read),
        gives=("KafkaSource could not list topics at 127.0.0.1:1: 127.0.0.1:1: Connection refused", True),
    ),
    Trial(
        "the lines that a sink logs meanwhile",
        _lines(_write),
        gives=("KafkaSink: 127.0.0.1:1: Connection refused (_TRANSPORT)", True),
        runtimes=["local"],  # on Spark they are the workers'
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_brokers_that_are_not_there_are_said_in_a_line(trial, env, tmp_path):
    """And who they were for; nothing of the client's inner life is on the way."""
    play(trial, env, tmp_path)
