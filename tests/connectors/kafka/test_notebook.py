"""The notebook about Kafka, in a kernel, with a broker."""

import uuid

from tests.examples.notebooks import executed, outputs


def test_the_notebook_about_kafka(broker, tmp_path):
    """It reads what it has written, from a topic with an end and from one without."""
    topic = uuid.uuid4().hex
    notebook = executed("kafka.ipynb", tmp_path, KAFKA_SERVERS=broker.servers, KAFKA_TOPIC=topic)
    assert "the first 5 elements" in "".join(outputs(notebook, "stdout"))
    assert len(outputs(notebook, "image/svg+xml")) == 1
