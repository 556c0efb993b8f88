"""Apache Kafka as a source and a sink, by librdkafka's Python client."""
