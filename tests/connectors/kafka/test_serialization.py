import cloudpickle
import pytest

from windrow.common import SimpleStringSchema
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, KafkaTopicSelector, ProducerRecord
from windrow.errors import ConfigurationError, ConfigurationTypeError


def schema():
    return KafkaRecordSerializationSchema.builder()


class BySize(KafkaTopicSelector):
    def apply(self, data):
        return "large" if len(data) > 3 else "small"


def test_a_record_is_put_together():
    """Topic, key, value, headers and the element's timestamp; after a journey to a worker, too."""
    made = (
        schema()
        .set_topic("t")
        .set_key_serialization_schema(lambda element: element[:1].encode())
        .set_value_serialization_schema(SimpleStringSchema())
        .set_header_provider(lambda element: [("n", b"1")])
        .build()
    )
    made = cloudpickle.loads(cloudpickle.dumps(made))
    assert made.serialize("word", 7) == ProducerRecord("t", b"word", b"w", [("n", b"1")], 7)


def test_a_selector_names_the_topic():
    """A class of its own, or a function."""
    made = schema().set_topic_selector(BySize()).set_value_serialization_schema(SimpleStringSchema()).build()
    assert [made.serialize(word, 0).topic for word in ("a", "word")] == ["small", "large"]
    made = schema().set_topic_selector(str.upper).set_value_serialization_schema(SimpleStringSchema()).build()
    assert made.serialize("a", 0).topic == "A"


def test_what_is_missing_is_named():
    """A topic and a value schema are needed."""
    with pytest.raises(ConfigurationError, match="set_topic"):
        schema().set_value_serialization_schema(SimpleStringSchema()).build()
    with pytest.raises(ConfigurationError, match="set_value_serialization_schema"):
        schema().set_topic("t").build()


def test_there_is_one_topic_or_a_selector():
    """The second one is refused."""
    with pytest.raises(ConfigurationError, match="one of them is set already"):
        schema().set_topic("t").set_topic_selector(str)


@pytest.mark.parametrize("wrong", [SimpleStringSchema, 3, lambda: b""])
def test_schemas_are_schemas_or_functions_of_an_element(wrong):
    """Anything else is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match="set_value_serialization_schema"):
        schema().set_value_serialization_schema(wrong)
