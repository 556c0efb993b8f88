"""Combining the watermarks and statuses of several input channels into one."""

from __future__ import annotations

from heapq import heapify, heappop, heappush, heapreplace
from typing import Any, Protocol

from windrow.common.limits import MIN_WATERMARK
from windrow.errors import ConfigurationError


class ValveOutput(Protocol):
    """Takes what comes out of a valve."""

    def emit_watermark(self, timestamp: int) -> None:
        """The combined watermark has risen to ``timestamp``."""

    def emit_status(self, *, idle: bool) -> None:
        """All channels are idle, or one is active again."""


class InputChannelStatus:
    """The state of one channel of a valve."""

    __slots__ = ("active", "aligned", "queued", "watermark")

    def __init__(self) -> None:
        self.watermark = MIN_WATERMARK
        self.active = True
        #: Whether the channel counts for the minimum. One back from idle does not until it has caught up.
        self.aligned = True
        #: Whether the valve's heap has an entry for the channel, with this or an earlier watermark.
        self.queued = True


class StatusWatermarkValve:
    """The minimum of the watermarks of all active, aligned channels, as Flink's class of the same name decides it.

    All channels start active, at -2^63. A watermark on an idle channel is ignored, and so is one that does not rise.
    A channel that becomes active behind the last watermark that came out is left out of the minimum until it has
    caught up. When the last active channel becomes idle and it held the minimum, the maximum over all channels comes
    out before the status, so that what is complete is not held back.

    Args:
        channels: How many channels there are.
        output: Takes what comes out.

    Raises:
        ConfigurationError: There is no channel.
    """

    def __init__(self, channels: int, output: ValveOutput) -> None:
        if channels < 1:
            msg = f"a valve needs at least one channel; got {channels}"
            raise ConfigurationError(msg)
        self.channels = [InputChannelStatus() for _ in range(channels)]
        self.last_output_watermark = MIN_WATERMARK
        self.active = True
        self._output = output
        # (watermark, channel) for all aligned channels, brought up to date only when an entry comes up: so that there
        # is at most one for each, however far one channel runs ahead of the others.
        self._by_watermark = [(MIN_WATERMARK, number) for number in range(channels)]

    def input_watermark(self, channel: int, timestamp: int) -> None:
        """A watermark has come in on ``channel`` (counted from 0)."""
        status = self.channels[channel]
        if not status.active or timestamp <= status.watermark:
            return
        status.watermark = timestamp
        if status.aligned or timestamp >= self.last_output_watermark:
            self._align(channel)
        self._output_minimum()

    def input_status(self, channel: int, *, idle: bool) -> None:
        """``channel`` (counted from 0) has become idle or active."""
        status = self.channels[channel]
        if status.active != idle:
            return
        if idle:
            self._on_idle(status)
        else:
            self._on_active(channel)

    def snapshot(self) -> Any:
        """All that the valve knows; picklable."""
        channels = [(status.watermark, status.active, status.aligned) for status in self.channels]
        return channels, self.last_output_watermark, self.active

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave."""
        channels, self.last_output_watermark, self.active = snapshot
        for status, kept in zip(self.channels, channels, strict=True):
            status.watermark, status.active, status.aligned = kept
            status.queued = True
        self._by_watermark = [(status.watermark, number) for number, status in enumerate(self.channels)]
        heapify(self._by_watermark)

    def _on_idle(self, status: InputChannelStatus) -> None:
        status.active = False
        status.aligned = False
        held_minimum = status.watermark == self.last_output_watermark
        if any(other.active for other in self.channels):
            if held_minimum:
                self._output_minimum()
            return
        if held_minimum:
            self._output_watermark(max(other.watermark for other in self.channels))
        self.active = False
        self._output.emit_status(idle=True)

    def _on_active(self, channel: int) -> None:
        status = self.channels[channel]
        status.active = True
        if status.watermark >= self.last_output_watermark:
            self._align(channel)
        if not self.active:
            self.active = True
            self._output.emit_status(idle=False)

    def _align(self, channel: int) -> None:
        status = self.channels[channel]
        status.aligned = True
        if not status.queued:
            status.queued = True
            heappush(self._by_watermark, (status.watermark, channel))

    def _output_minimum(self) -> None:
        """Emit the minimum over the aligned channels, if there is one and it has risen."""
        heap = self._by_watermark
        while heap:
            watermark, channel = heap[0]
            status = self.channels[channel]
            if not status.aligned:
                heappop(heap)
                status.queued = False
            elif status.watermark > watermark:
                heapreplace(heap, (status.watermark, channel))
            else:
                self._output_watermark(watermark)
                return

    def _output_watermark(self, timestamp: int) -> None:
        if timestamp > self.last_output_watermark:
            self.last_output_watermark = timestamp
            self._output.emit_watermark(timestamp)
