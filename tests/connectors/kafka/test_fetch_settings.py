"""Librdkafka's settings, as far as they say how record batches are fetched."""

import sys

import pytest

from windrow.common.secret import Secret
from windrow.connectors.kafka.fetch_settings import FetchSettings
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.settings import ConsumerSettings

pytest.importorskip("aiokafka", reason="no client for record batches: pip install aiokafka")

CREDENTIALS = {"sasl_mechanism": "SCRAM-SHA-256", "sasl_username": "me", "sasl_password": Secret(lambda: "hidden")}


def settings(**values):
    named = {name.replace("_", "."): value for name, value in values.items()}
    consumer = ConsumerSettings({"bootstrap.servers": "b:1", **named}, KafkaOffsetResetStrategy.EARLIEST)
    return FetchSettings.of(consumer.for_reader(2))


def test_what_is_not_said_is_as_kafkas_java_clients_have_it():
    """A megabyte of a partition, fifty in all, at once; checksums are looked at, and what is not committed is read."""
    found = settings()
    assert (found.partition_bytes, found.max_bytes, found.min_bytes, found.max_wait) == (1 << 20, 50 << 20, 1, 500)
    assert (found.check, found.read_committed) == (True, False)
    assert found.connection == {
        "bootstrap_servers": ["b:1"],
        "client_id": "windrow-2",
        "security_protocol": "PLAINTEXT",
    }


def test_properties_are_passed_on():
    """By the names that Kafka's Java clients have for them."""
    found = settings(
        fetch_min_bytes="10",
        fetch_max_wait_ms="20",
        fetch_max_bytes="1000",
        max_partition_fetch_bytes="100",
        isolation_level="read_committed",
        check_crcs="false",
    )
    assert (found.partition_bytes, found.max_bytes, found.min_bytes, found.max_wait) == (100, 1000, 10, 20)
    assert (found.check, found.read_committed) == (False, True)


@pytest.mark.parametrize(("value", "expected"), [("READ_COMMITTED", True), ("Read_Uncommitted", False)])
def test_values_are_read_as_librdkafka_reads_them(value, expected):
    """Whatever their case; an empty server between two commas is none."""
    assert settings(isolation_level=value).read_committed is expected
    assert [settings(check_crcs=value).check for value in ("True", "1", "t", "FALSE", "0", "f")] == [True] * 3 + [
        False
    ] * 3
    assert settings(bootstrap_servers="a:1, b:2,").connection["bootstrap_servers"] == ["a:1", "b:2"]


def test_passwords_are_passed_on():
    """Those of PLAIN and SCRAM."""
    found = settings(security_protocol="SASL_PLAINTEXT", **CREDENTIALS).connection
    assert found["sasl_mechanism"] == "SCRAM-SHA-256"
    assert (found["sasl_plain_username"], found["sasl_plain_password"]) == ("me", "hidden")


def test_names_of_hosts_are_checked_unless_the_property_says_no():
    """As librdkafka does it; an empty value is Kafka's for no."""
    checked = settings(security_protocol="SSL").connection["ssl_context"]
    assert checked.check_hostname
    unchecked = settings(security_protocol="SSL", ssl_endpoint_identification_algorithm="").connection["ssl_context"]
    assert not unchecked.check_hostname


@pytest.mark.parametrize(
    "values",
    [
        {"client_rack": "a"},
        {"isolation_level": "read_somehow"},
        {"check_crcs": "perhaps"},
        {"debug": "fetch"},
        {"queued_min_messages": "1"},
        {"enable_ssl_certificate_verification": "false"},
        {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "OAUTHBEARER"},
        {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "GSSAPI"},
        {"security_protocol": "SSL", "ssl_ca_location": "/nowhere/ca.pem"},
    ],
)
def test_what_only_librdkafka_does_or_can_say_is_for_librdkafka(values):
    """No setting is passed over in silence."""
    assert settings(**values) is None


def test_without_the_client_librdkafka_reads(monkeypatch):
    """Nobody has to install it."""
    monkeypatch.setitem(sys.modules, "aiokafka.record.default_records", None)
    assert settings() is None


def test_where_the_decoder_is_not_compiled_librdkafka_reads(monkeypatch):
    """In Python it takes longer than librdkafka."""
    module = sys.modules["aiokafka.record.default_records"]
    monkeypatch.setattr(module, "DefaultRecordBatch", module._DefaultRecordBatchPy)
    assert settings() is None
