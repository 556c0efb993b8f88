"""Tables that are topics of Apache Kafka."""
