"""Settings of readers that fetch in threads."""

from __future__ import annotations

from windrow.common.config_options import ConfigOptions


class SourceReaderOptions:
    """Flink's ``org.apache.flink.connector.base.source.reader.SourceReaderOptions``."""

    #: Milliseconds that closing a reader waits for its fetchers to end.
    SOURCE_READER_CLOSE_TIMEOUT = ConfigOptions.key("source.reader.close.timeout").long_type().default_value(30_000)
    #: How many fetches' results are held ready for the reader.
    ELEMENT_QUEUE_CAPACITY = ConfigOptions.key("source.reader.element.queue.capacity").int_type().default_value(2)
