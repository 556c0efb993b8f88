"""Rows as bytes, and bytes as rows: the schemas for connectors whose records are bytes."""
