import pytest

from tests.connectors.kafka.building import NOWHERE, builder
from windrow.common import Secret
from windrow.connectors.kafka.properties import Properties, boolean, librdkafka, number
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_values_become_text():
    """As in Java's properties: a bool is true or false."""
    properties = Properties("KafkaSource")
    properties.set("enable.auto.commit", value=True)
    properties.set("fetch.min.bytes", 10)
    assert properties.values() == {"enable.auto.commit": "true", "fetch.min.bytes": "10"}


@pytest.mark.parametrize(("key", "value"), [("", "x"), (3, "x"), ("a", None), ("a", ["x"])])
def test_a_property_is_text(key, value):
    """Other names and values are refused."""
    with pytest.raises(ConfigurationTypeError, match="KafkaSource"):
        Properties("KafkaSource").set(key, value)


def test_properties_of_java_alone_are_refused_with_what_replaces_them():
    """Where the call is made."""
    with pytest.raises(ConfigurationError, match=r"partitioner\.class: set partitioner; murmur2_random"):
        Properties("KafkaSink").set("partitioner.class", "org.example.Partitioner")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("fetch.min.byte", ": is fetch.min.bytes meant?"),
        ("max.poll.record", ": is max.poll.records meant?"),
        ("ssl.truststore.locaton", ": is ssl.truststore.location meant?"),
        ("partition.discovery.interval", ": is partition.discovery.interval.ms meant?"),
        ("colour", ""),
    ],
)
def test_an_unknown_property_is_refused_with_the_nearest(name, near):
    """Out of librdkafka's, those of Java's clients and our own."""
    with pytest.raises(ConfigurationError) as raised:
        builder(NOWHERE, "t").set_property(name, "1").build()
    said = f"the Kafka client refuses the properties: neither librdkafka nor Windrow knows the property {name}{near}"
    assert str(raised.value) == said


def test_the_client_gets_what_is_its_own_under_its_names():
    """The connector's properties stay here, Java's deserializers have no meaning, and some are spelt in another way."""
    given = {
        "partition.discovery.interval.ms": "10",
        "commit.offsets.on.checkpoint": "true",
        "client.id.prefix": "a",
        "default.api.timeout.ms": "10",
        "value.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
        "fetch.max.wait.ms": "5",
        "security.protocol": "SSL",
    }
    assert librdkafka(given) == {"fetch.wait.max.ms": "5", "security.protocol": "SSL"}


def test_numbers_and_bools_are_read():
    """With defaults, and errors that name the property."""
    assert number({"a": "5"}, "a", 1) == 5
    assert number({}, "a", 1) == 1
    assert boolean({"a": "FALSE"}, "a", default=True) is False
    assert boolean({}, "a", default=True) is True
    with pytest.raises(ConfigurationError, match="the property a is a number of milliseconds; got 'soon'"):
        number({"a": "soon"}, "a", 1)
    with pytest.raises(ConfigurationError, match="the property a is 'true' or 'false'; got 'perhaps'"):
        boolean({"a": "perhaps"}, "a", default=True)


def test_a_secret_is_a_value_until_a_client_is_made():
    """A plain property keeps it; of one that has to be read for it, what it gives is one."""
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"
    properties = Properties("KafkaSink")
    properties.set("ssl.key.password", Secret(lambda: "pa55"))
    properties.set("sasl.jaas.config", Secret(lambda: f'{module} required username="me" password="w0rd";'))
    settings = librdkafka(properties.values())
    assert "pa55" not in repr(settings)
    assert "w0rd" not in repr(settings)
    assert {name: value.get() for name, value in settings.items()} == {
        "ssl.key.password": "pa55",
        "sasl.username": "me",
        "sasl.password": "w0rd",
    }


@pytest.mark.parametrize("name", ["sasl.password", "sasl.jaas.config", "sasl.oauthbearer.client.secret", "ssl.key.pem"])
def test_a_wrong_value_of_a_secret_property_is_not_shown(name):
    """Only what it is."""
    with pytest.raises(ConfigurationTypeError, match=r"must be a str; got \(bytes\)"):
        Properties("KafkaSink").set(name, b"pa55")


@pytest.mark.parametrize("name", ["delivery.timeout.ms", "isolation.level", "bootstrap.servers"])
def test_what_is_no_secret_takes_none(name):
    """It has to be known where the source or sink is built."""
    with pytest.raises(ConfigurationTypeError, match=f"the property {name} of KafkaSink is no secret"):
        Properties("KafkaSink").set(name, Secret(lambda: "x"))


def test_a_secret_user_name_may_stand_beside_one_that_is_the_same():
    """What they are decides, and not how they were given."""
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"
    jaas = Secret(lambda: f'{module} required username="me" password="w0rd";')
    settings = librdkafka({"sasl.jaas.config": jaas, "sasl.username": "me"})
    assert (settings["sasl.password"].get(), str(settings["sasl.username"])) == ("w0rd", "Secret(...)")
