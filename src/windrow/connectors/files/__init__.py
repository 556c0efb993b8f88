"""Files as sources and sinks. Programs take them from ``windrow.datastream.connectors.file_system``."""
