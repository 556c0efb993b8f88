"""Properties of Kafka's Java clients."""

import pytest

from tests.connectors.kafka.building import NOWHERE, builder
from windrow.connectors.kafka.java_properties import translated
from windrow.errors import ConfigurationError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"fetch.max.wait.ms": "5"}, {"fetch.wait.max.ms": "5"}),
        ({"max.request.size": "5000"}, {"message.max.bytes": "5000"}),
        ({"buffer.memory": "33554432"}, {"queue.buffering.max.kbytes": "32768"}),
        ({"buffer.memory": "1"}, {"queue.buffering.max.kbytes": "1"}),
        ({"ssl.endpoint.identification.algorithm": ""}, {"ssl.endpoint.identification.algorithm": "none"}),
        ({"ssl.endpoint.identification.algorithm": "HTTPS"}, {"ssl.endpoint.identification.algorithm": "https"}),
        ({"ssl.enabled.protocols": "TLSv1.2,TLSv1.3", "ssl.protocol": "TLSv1.3"}, {}),
        ({"ssl.cipher.suites": "A-B, C-D"}, {"ssl.cipher.suites": "A-B:C-D"}),
        ({"ssl.truststore.certificates": "x", "ssl.truststore.type": "PEM"}, {"ssl.ca.pem": "x"}),
        (
            {"ssl.keystore.key": "k", "ssl.keystore.certificate.chain": "c", "ssl.key.password": "p"},
            {"ssl.key.pem": "k", "ssl.certificate.pem": "c", "ssl.key.password": "p"},
        ),
        ({"key.deserializer": "x", "metrics.num.samples": "2"}, {}),
        ({"security.protocol": "SASL_SSL"}, {"security.protocol": "SASL_SSL"}),
    ],
)
def test_what_librdkafka_has_under_another_name(given, expected):
    """Or in another form; what changes no result is left out."""
    assert translated(given) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ssl.enabled.protocols": "TLSv1.1"}, r"ssl\.enabled\.protocols is 'TLSv1\.1': librdkafka takes the newest"),
        ({"ssl.cipher.suites": "TLS_RSA_WITH_AES"}, r"ssl\.cipher\.suites has OpenSSL's names here"),
        ({"buffer.memory": "much"}, r"buffer\.memory is a number of bytes; got 'much'"),
        (
            {"sasl.jaas.config": "PlainLoginModule required username=a password=b;", "sasl.username": "c"},
            r"the properties sasl\.jaas\.config say what sasl\.username says",
        ),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(given, said):
    """And what is said twice, in two ways."""
    with pytest.raises(ConfigurationError, match=said):
        translated(given)


def test_the_client_takes_what_comes_of_a_javas_programs_properties():
    """As a program of Flink's gives them; it is built without a broker."""
    properties = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.jaas.config": 'x.ScramLoginModule required username="me" password="secret";',
        "ssl.endpoint.identification.algorithm": "",
        "key.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
        "request.timeout.ms": "30000",
        "max.poll.records": "500",
        "metrics.recording.level": "INFO",
    }
    assert builder(NOWHERE, "t").set_properties(properties).build() is not None
