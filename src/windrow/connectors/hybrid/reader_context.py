"""Serves the reader of one of a hybrid source's sources."""

from __future__ import annotations

from windrow.common.configuration import Configuration
from windrow.connectors.hybrid.messages import SplitRequestEvent, UnderlyingReaderEvent
from windrow.connectors.source import SourceEvent, SourceReaderContext
from windrow.metrics import MetricGroup


class UnderlyingReaderContext(SourceReaderContext):
    """Says with all that the reader sends which source it reads."""

    def __init__(self, context: SourceReaderContext, source_index: int) -> None:
        self._context = context
        self.source_name = context.source_name
        self._index = source_index

    def send_split_request(self) -> None:
        request = SplitRequestEvent(self._index, self.get_local_host_name())
        self._context.send_source_event_to_coordinator(request)

    def send_source_event_to_coordinator(self, source_event: SourceEvent) -> None:
        self._context.send_source_event_to_coordinator(UnderlyingReaderEvent(self._index, source_event))

    def get_index_of_subtask(self) -> int:
        return self._context.get_index_of_subtask()

    def current_parallelism(self) -> int:
        return self._context.current_parallelism()

    def get_local_host_name(self) -> str:
        return self._context.get_local_host_name()

    def get_configuration(self) -> Configuration:
        return self._context.get_configuration()

    def metric_group(self) -> MetricGroup:
        return self._context.metric_group()
