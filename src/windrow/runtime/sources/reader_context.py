"""Serves a reader."""

from __future__ import annotations

import socket
from collections.abc import Callable

from windrow.common.configuration import Configuration
from windrow.connectors.source import SourceEvent, SourceReaderContext
from windrow.metrics import MetricGroup
from windrow.runtime.sources.messages import EventToEnumerator, SplitRequest, ToEnumerator


class TaskReaderContext(SourceReaderContext):
    """Keeps what the reader sends until its task takes it."""

    def __init__(
        self, subtask: int, parallelism: int, configuration: Configuration, source_name: str = "source"
    ) -> None:
        self.source_name = source_name.removeprefix("Source: ")
        self._subtask = subtask
        self._parallelism = parallelism
        self._configuration = configuration
        self._metrics = MetricGroup()
        self._sent: list[ToEnumerator] = []
        #: Called when the reader has sent something, in any thread.
        self.on_send: Callable[[], None] = lambda: None

    def take_sent(self) -> list[ToEnumerator]:
        """Take what the reader has sent since the last call."""
        sent, self._sent = self._sent, []
        return sent

    @property
    def has_sent(self) -> bool:
        """True if the reader has sent something since the last :meth:`take_sent`."""
        return bool(self._sent)

    @property
    def awaits_splits(self) -> bool:
        """True if the reader has asked for splits since the last :meth:`take_sent`."""
        return any(isinstance(message, SplitRequest) for message in self._sent)

    def get_index_of_subtask(self) -> int:
        return self._subtask

    def current_parallelism(self) -> int:
        return self._parallelism

    def get_local_host_name(self) -> str:
        return socket.gethostname()

    def get_configuration(self) -> Configuration:
        return self._configuration

    def metric_group(self) -> MetricGroup:
        return self._metrics

    def send_split_request(self) -> None:
        self._send(SplitRequest(self.get_local_host_name()))

    def send_source_event_to_coordinator(self, source_event: SourceEvent) -> None:
        self._send(EventToEnumerator(source_event))

    def _send(self, message: ToEnumerator) -> None:
        self._sent.append(message)
        self.on_send()
