import pytest

from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.errors import ConfigurationError

SERVERS = {"bootstrap.servers": "b:1"}


def settings(**values):
    named = {name.replace("_", "."): value for name, value in values.items()}
    return ConsumerSettings(SERVERS | named, KafkaOffsetResetStrategy.NONE)


def test_readers_read_as_kafkas_java_consumers_do():
    """Uncommitted records are read, nothing is committed by itself, and offsets that are gone are as the user says."""
    reader = settings().for_reader(3)
    assert reader["isolation.level"] == "read_uncommitted"
    assert reader["enable.auto.commit"] == "false"
    assert reader["auto.offset.reset"] == "error"
    assert settings(isolation_level="read_committed").read_committed


def test_clients_are_named_by_prefix_group_or_nothing():
    """With the reader's number; consumers have a group in any case."""
    assert settings(group_id="g").for_reader(3)["client.id"] == "g-3"
    assert settings(group_id="g", client_id_prefix="p").for_reader(3)["client.id"] == "p-3"
    assert settings().for_reader(0)["group.id"] == "windrow"
    assert settings().for_enumerator()["client.id"] == "windrow-enumerator-admin-client"


def test_the_enumerator_gets_no_properties_of_consumers():
    """An admin client would warn of each."""
    asked = settings(group_id="g", fetch_min_bytes="1", security_protocol="SSL").for_enumerator()
    assert set(asked) == {"bootstrap.servers", "security.protocol", "client.id"}


def test_offsets_are_committed_where_there_is_a_group():
    """Unless the property says no."""
    assert settings(group_id="g").commits_on_checkpoint
    assert not settings().commits_on_checkpoint
    assert not settings(group_id="g", commit_offsets_on_checkpoint="false").commits_on_checkpoint


def test_times_have_flinks_and_kafkas_defaults():
    """Five minutes between discoveries, a minute to wait for brokers."""
    assert (settings().discovery_interval, settings().timeout) == (300_000, 60)
    assert (settings().max_poll_records, settings().max_batched_records) == (16_384, 65_536)
    given = settings(max_poll_records="10")
    assert given.max_poll_records == given.max_batched_records == 10


@pytest.mark.parametrize("name", ["default_api_timeout_ms", "max_poll_records"])
def test_what_must_be_positive_is_checked(name):
    """The message names the property."""
    with pytest.raises(ConfigurationError, match=f"{name.replace('_', '.')} must be at least 1"):
        settings(**{name: "0"})


def test_what_a_source_sets_itself_is_said_to_have_no_effect(caplog):
    """As Flink says it of auto.offset.reset; all else is silent."""
    settings(auto_offset_reset="earliest", client_id="me", group_id="g")
    assert caplog.messages == [
        "KafkaSource: the property auto.offset.reset has no effect: set_starting_offsets says it",
        "KafkaSource: the property client.id has no effect: set_client_id_prefix says what ids begin with",
    ]
