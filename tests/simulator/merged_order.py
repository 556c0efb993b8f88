"""The one order in which an operator sees several channels, and the watermarks it sees: naively once more.

Of each batch next is always the active channel with the lowest watermark (of equals the first, idle ones last), and of
it the elements up to its next watermark or change of status. The operator's watermark is the least of all channels
that are active and have caught up with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.simulator.program import LONG_MAX, LONG_MIN, Element, Event, Status, Watermark


def merged(channels: Sequence[Sequence[Event]], batch_size: int | None) -> list[Event]:
    """What an operator sees of channels each of which gives ``batch_size`` events a batch (None: all)."""
    size = batch_size or max([1, *map(len, channels)])
    batches = max([1, *[-(-len(events) // size) for events in channels]])
    seen: list[Event] = []
    gate = [_Channel() for _ in channels]
    sent = [LONG_MIN for _ in channels]
    valve = _Valve(len(channels), seen)
    for batch in range(batches):
        pending: dict[int, list[Event | None]] = {}
        for number, events in enumerate(channels):
            pending[number] = [*_cut_to(events, batch, size)]
            # The batch with a channel's last event ends it; a channel without any event ends in the first batch.
            if batch == max(0, -(-len(events) // size) - 1):
                pending[number] += [Watermark(LONG_MAX), None]
        while any(pending.values()):
            number = min((n for n in pending if pending[n]), key=lambda n: (gate[n].idle, gate[n].watermark, n))
            while pending[number]:
                event = pending[number].pop(0)
                if isinstance(event, Element):
                    seen.append(event)
                    continue
                if isinstance(event, Watermark):
                    if event.time <= sent[number]:
                        continue  # the source itself sends on only watermarks that rise
                    sent[number] = gate[number].watermark = event.time
                elif isinstance(event, Status):
                    gate[number].idle = event.idle
                else:
                    gate[number].watermark = LONG_MAX
                valve.input(number, event)
                break
    return seen


def _cut_to(events: Sequence[Event], batch: int, size: int) -> Sequence[Event]:
    return events[batch * size : (batch + 1) * size]


class _Channel:
    """What is known of a channel. One that is back from idle is behind until its watermark has caught up."""

    def __init__(self) -> None:
        self.watermark = LONG_MIN
        self.idle = False
        self.behind = False
        self.ended = False


class _Valve:
    """Combines the channels' watermarks, writing those that come out to ``seen``."""

    def __init__(self, channels: int, seen: list[Event]) -> None:
        self._channels = [_Channel() for _ in range(channels)]
        self._seen = seen
        self._last = LONG_MIN

    def input(self, number: int, event: Event | None) -> None:
        channel = self._channels[number]
        if isinstance(event, Watermark):
            if not channel.idle and event.time > channel.watermark:
                channel.watermark = event.time
                channel.behind = channel.behind and channel.watermark < self._last
                self._emit_least()
        elif isinstance(event, Status):
            self._status(channel, idle=event.idle)
        else:
            channel.ended = True
            if all(other.ended for other in self._channels):
                self._emit(LONG_MAX)

    def _status(self, channel: _Channel, *, idle: bool) -> None:
        if idle == channel.idle:
            return
        channel.idle = idle
        if not idle:
            channel.behind = channel.watermark < self._last
        elif channel.watermark == self._last:
            if all(other.idle for other in self._channels):
                self._emit(max(other.watermark for other in self._channels))
            else:
                self._emit_least()

    def _emit_least(self) -> None:
        counted = [channel.watermark for channel in self._channels if not channel.idle and not channel.behind]
        if counted:
            self._emit(min(counted))

    def _emit(self, time: int) -> None:
        if time > self._last:
            self._last = time
            self._seen.append(Watermark(time))
