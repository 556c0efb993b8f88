"""Avro, by the library fastavro."""
