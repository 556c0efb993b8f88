"""What several tests build."""

from windrow.common import SimpleStringSchema
from windrow.datastream.connectors.kafka import KafkaSource

#: No broker listens there.
NOWHERE = "127.0.0.1:1"
QUICK = {"reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "200"}


def builder(servers=NOWHERE, *topics, **properties):
    """The builder of a source of strings; underscores stand for dots in properties."""
    building = (
        KafkaSource.builder()
        .set_bootstrap_servers(servers)
        .set_value_only_deserializer(SimpleStringSchema())
        .set_properties(QUICK | {name.replace("_", "."): value for name, value in properties.items()})
    )
    return building.set_topics(*topics) if topics else building


def numbers(start, stop=None):
    """Numbers as records' values."""
    return [b"%d" % number for number in (range(start) if stop is None else range(start, stop))]


def texts(start, stop=None):
    """What a source of strings makes of them."""
    return [value.decode() for value in numbers(start, stop)]
