import re
import sys

import pytest

from tests.connectors.kafka.building import NOWHERE, builder
from windrow.common import SimpleStringSchema, Types
from windrow.connectors.source import Boundedness
from windrow.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaSource,
    KafkaTopicPartition,
    MissingKafkaClientError,
)
from windrow.errors import ConfigurationError

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")


def test_a_source_has_no_end_unless_it_is_bounded():
    """set_unbounded with stop offsets leaves it without one."""
    stop = KafkaOffsetsInitializer.latest()
    assert builder(NOWHERE, "a").build().get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert builder(NOWHERE, "a").set_unbounded(stop).build().get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert builder(NOWHERE, "a").set_bounded(stop).build().get_boundedness() is Boundedness.BOUNDED


def test_strings_have_their_type():
    """The type of the elements follows from the schema."""
    assert builder(NOWHERE, "a").build().produced_type == Types.STRING()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (KafkaSource.builder(), "there is no broker: call set_bootstrap_servers"),
        (builder(), "there is no topic: call set_topics"),
        (KafkaSource.builder().set_bootstrap_servers(NOWHERE).set_topics("a"), "there is no deserializer"),
    ],
)
def test_what_is_missing_is_named(made, message):
    """Brokers, topics, deserializer."""
    with pytest.raises(ConfigurationError, match=message):
        made.build()


def test_there_is_one_way_to_name_what_is_read():
    """Topics, a pattern or partitions."""
    with pytest.raises(ConfigurationError, match="topics a, b is set already"):
        builder(NOWHERE, "a", "b").set_topic_pattern("a.*")


@pytest.mark.parametrize(
    "call",
    [
        lambda made: made.set_topics(),
        lambda made: made.set_topics(3),
        lambda made: made.set_topic_pattern("("),
        lambda made: made.set_partitions(set()),
        lambda made: made.set_partitions({"a-0"}),
        lambda made: made.set_starting_offsets("earliest"),
        lambda made: made.set_bounded(None),
        lambda made: made.set_group_id(""),
        lambda made: made.set_dead_letter("tag"),
        lambda made: made.set_value_only_deserializer(SimpleStringSchema),
        lambda made: made.set_property("a", None),
        lambda made: made.set_properties([("a", "b")]),
    ],
)
def test_wrong_arguments_fail_at_their_call(call):
    """Every setter checks what it is given."""
    with pytest.raises(ConfigurationError):
        call(builder())


def test_a_pattern_may_be_compiled():
    """As a text or as re.compile gives it."""
    made = builder().set_topic_pattern(re.compile("a.*")).build()
    assert repr(made) == f"KafkaSource(topic pattern a.* at {NOWHERE})"
    partitions = {KafkaTopicPartition("a", 1), KafkaTopicPartition("a", 0)}
    assert repr(builder().set_partitions(partitions).build()) == f"KafkaSource(partitions a-0, a-1 at {NOWHERE})"


def test_committed_offsets_need_a_group():
    """Whether reading begins or ends there."""
    for made in (
        builder(NOWHERE, "a").set_starting_offsets(KafkaOffsetsInitializer.committed_offsets()),
        builder(NOWHERE, "a").set_bounded(KafkaOffsetsInitializer.committed_offsets()),
    ):
        with pytest.raises(ConfigurationError, match="call set_group_id"):
            made.build()


def test_the_client_checks_properties_when_the_source_is_built():
    """One that it does not know, or that it cannot work with, is named."""
    with pytest.raises(ConfigurationError, match=r"no\.such\.property"):
        builder(NOWHERE, "a").set_property("no.such.property", "1").build()
    with pytest.raises(ConfigurationError, match=r"fetch\.min\.bytes"):
        builder(NOWHERE, "a").set_property("fetch.min.bytes", "many").build()


def test_without_the_client_it_says_what_to_install(monkeypatch):
    """The package is imported when a source is built, not before."""
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)
    with pytest.raises(MissingKafkaClientError, match=re.escape("pip install 'windrow[kafka]'")):
        builder(NOWHERE, "a").build()
