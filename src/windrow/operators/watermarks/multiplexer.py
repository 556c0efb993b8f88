"""Combining the watermarks of several outputs, the splits of a source, into one."""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.errors import ConfigurationError

#: So many parts that are gone may stand among those that are there, whatever their number.
_FEW = 64


class PartialWatermark:
    """The watermark and status of one output; the watermark only rises, and emitting one makes the output active."""

    __slots__ = ("_idle", "_whole", "watermark")

    def __init__(self, whole: CombinedWatermarkStatus, watermark: int = MIN_WATERMARK, *, idle: bool = False) -> None:
        self._whole: CombinedWatermarkStatus | None = whole
        self.watermark = watermark
        self._idle = idle

    @property
    def idle(self) -> bool:
        """True while it is idle: then it holds nothing back."""
        return self._idle

    @idle.setter
    def idle(self, idle: bool) -> None:
        was_idle, self._idle = self._idle, idle
        if was_idle and not idle and self._whole is not None:
            self._whole.counts_again(self)

    @property
    def counts(self) -> bool:
        """True while it is active, and a part of what is combined."""
        return not self._idle and self._whole is not None

    def leave(self) -> None:
        """Be no part of what is combined any more, whatever is emitted."""
        self._whole = None

    def set_watermark(self, watermark: int) -> bool:
        """Raise the watermark; whether it has risen."""
        self.idle = False
        risen = watermark > self.watermark
        if risen:
            self.watermark = watermark
        return risen


class CombinedWatermarkStatus:
    """The minimum over the active ones of several partial watermarks; it never falls. Flink's class.

    When all are idle it is their maximum: what comes out does not depend on which of them became idle first.

    A reader may have ten thousand splits that end one after the other, and each end combines anew. So the active ones
    stand in a heap, by what their watermarks were when they were last looked at: watermarks only rise, so the first one
    that still has its own is the least. Who is idle or gone is dropped when it comes to the front.
    """

    def __init__(self) -> None:
        self.partial_watermarks: dict[Any, PartialWatermark] = {}
        self.watermark = MIN_WATERMARK
        self.idle = False
        self._numbers = count()
        #: A watermark, a number that makes it differ from all others, and whose it is.
        self._heap: list[tuple[int, int, PartialWatermark]] = []
        #: Those that stand in the heap.
        self._standing: set[PartialWatermark] = set()

    def add(self, name: Hashable) -> None:
        """Add a part, which holds the combined watermark where it is."""
        part = self.partial_watermarks[name] = PartialWatermark(self)
        self.counts_again(part)

    def remove(self, name: Hashable) -> bool:
        """Take a part away; whether it was there."""
        part = self.partial_watermarks.pop(name, None)
        if part is None:
            return False
        part.leave()
        if len(self._heap) > 2 * len(self.partial_watermarks) + _FEW:  # one that never moves keeps all others in it
            self._stand_anew()
        return True

    def restore(self, parts: dict[Any, tuple[int, bool]]) -> None:
        """Have these parts, each a watermark and whether it is idle, and no others."""
        for part in self.partial_watermarks.values():
            part.leave()
        self.partial_watermarks = {
            name: PartialWatermark(self, watermark, idle=idle) for name, (watermark, idle) in parts.items()
        }
        self._stand_anew()

    def counts_again(self, part: PartialWatermark) -> None:
        """A part is active from now on."""
        if part not in self._standing:
            self._standing.add(part)
            heappush(self._heap, (part.watermark, next(self._numbers), part))

    def update(self) -> bool:
        """Combine anew; whether the combined watermark has risen. Without any parts nothing changes."""
        if not self.partial_watermarks:
            return False
        least = self._least()
        self.idle = least is None
        if least is None:
            least = max(part.watermark for part in self.partial_watermarks.values())
        risen = least > self.watermark
        if risen:
            self.watermark = least
        return risen

    def _least(self) -> int | None:
        """The least watermark of those that are active; None: none is."""
        heap = self._heap
        while heap:
            watermark, number, part = heap[0]
            if not part.counts:
                heappop(heap)
                self._standing.discard(part)
            elif part.watermark > watermark:
                heapreplace(heap, (part.watermark, number, part))
            else:
                return watermark
        return None

    def _stand_anew(self) -> None:
        active = [part for part in self.partial_watermarks.values() if part.counts]
        self._heap = [(part.watermark, next(self._numbers), part) for part in active]
        heapify(self._heap)
        self._standing = set(active)


class WatermarkOutputMultiplexer:
    """Several outputs that come and go, combined into one, as in Flink's class of the same name.

    An output is fed in two ways, which may be mixed: through its immediate output, after each call of which the
    watermarks are combined, and through its deferred output, which is taken into account at the next combination,
    at the latest that of :meth:`on_periodic_emit`.

    Args:
        underlying_output: Takes the combined watermark when it rises, and then that all outputs are idle, if they are.
    """

    def __init__(self, underlying_output: WatermarkOutput) -> None:
        self._underlying_output = underlying_output
        self._combined = CombinedWatermarkStatus()

    @property
    def combined_watermark(self) -> int:
        """The combined watermark, in milliseconds."""
        return self._combined.watermark

    def register_new_output(self, output_id: Hashable) -> None:
        """Add an output. It holds the combined watermark back until it emits one or is marked as idle.

        Raises:
            ConfigurationError: There is an output with this id.
        """
        if output_id in self._combined.partial_watermarks:
            msg = f"there is a watermark output with the id {output_id!r} already; unregister it first"
            raise ConfigurationError(msg)
        self._combined.add(output_id)

    def unregister_output(self, output_id: Hashable) -> bool:
        """Take an output away; whether it was there."""
        return self._combined.remove(output_id)

    def get_immediate_output(self, output_id: Hashable) -> WatermarkOutput:
        """The output whose every call combines the watermarks at once.

        Raises:
            ConfigurationError: No output with this id is registered.
        """
        return _ImmediateOutput(self, self._part(output_id))

    def get_deferred_output(self, output_id: Hashable) -> WatermarkOutput:
        """The output whose calls wait for the next combination.

        Raises:
            ConfigurationError: No output with this id is registered.
        """
        return _DeferredOutput(self._part(output_id))

    def on_periodic_emit(self) -> None:
        """Combine all watermarks, those of deferred outputs included, and emit what comes of it."""
        if self._combined.update():
            self._underlying_output.emit_watermark(Watermark(self._combined.watermark))
        if self._combined.idle:
            self._underlying_output.mark_idle()

    def active_watermarks(self) -> dict[Any, int]:
        """The watermarks of the outputs that are not idle; -2^63: it has none yet."""
        parts = self._combined.partial_watermarks
        return {output_id: part.watermark for output_id, part in parts.items() if not part.idle}

    def statuses(self) -> dict[Any, tuple[int, bool]]:
        """The watermark of each output, -2^63 if it has none yet, and whether it is idle."""
        parts = self._combined.partial_watermarks
        return {output_id: (part.watermark, part.idle) for output_id, part in parts.items()}

    def snapshot(self) -> Any:
        """The outputs with their watermarks and statuses, and the combined ones; picklable."""
        parts = {name: (part.watermark, part.idle) for name, part in self._combined.partial_watermarks.items()}
        return parts, self._combined.watermark, self._combined.idle

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave; outputs got before are no longer connected."""
        parts, self._combined.watermark, self._combined.idle = snapshot
        self._combined.restore(parts)

    def _part(self, output_id: Hashable) -> PartialWatermark:
        part = self._combined.partial_watermarks.get(output_id)
        if part is None:
            registered = ", ".join(map(repr, self._combined.partial_watermarks)) or "none"
            msg = f"no watermark output with the id {output_id!r} is registered; registered are: {registered}"
            raise ConfigurationError(msg)
        return part


class _DeferredOutput(WatermarkOutput):
    def __init__(self, part: PartialWatermark) -> None:
        self._part = part

    def emit_watermark(self, watermark: Watermark) -> None:
        self._part.set_watermark(watermark.timestamp)

    def mark_idle(self) -> None:
        self._part.idle = True

    def mark_active(self) -> None:
        self._part.idle = False


class _ImmediateOutput(WatermarkOutput):
    def __init__(self, multiplexer: WatermarkOutputMultiplexer, part: PartialWatermark) -> None:
        self._multiplexer = multiplexer
        self._part = part

    def emit_watermark(self, watermark: Watermark) -> None:
        risen = self._part.set_watermark(watermark.timestamp)
        if risen and watermark.timestamp > self._multiplexer.combined_watermark:
            self._multiplexer.on_periodic_emit()

    def mark_idle(self) -> None:
        self._part.idle = True
        self._multiplexer.on_periodic_emit()

    def mark_active(self) -> None:
        self._part.idle = False
        self._multiplexer.on_periodic_emit()
