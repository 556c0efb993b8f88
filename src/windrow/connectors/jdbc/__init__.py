"""Databases as sinks, by SQLAlchemy. Programs take them from ``windrow.datastream.connectors.jdbc``."""
