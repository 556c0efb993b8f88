"""Combining the watermarks of several outputs, the splits of a source, into one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.common.limits import MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.errors import ConfigurationError


class PartialWatermark:
    """The watermark and status of one output; the watermark only rises, and emitting one makes the output active."""

    __slots__ = ("idle", "watermark")

    def __init__(self, watermark: int = MIN_WATERMARK, *, idle: bool = False) -> None:
        self.watermark = watermark
        self.idle = idle

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
    """

    def __init__(self) -> None:
        self.partial_watermarks: dict[Any, PartialWatermark] = {}
        self.watermark = MIN_WATERMARK
        self.idle = False

    def update(self) -> bool:
        """Combine anew; whether the combined watermark has risen. Without any parts nothing changes."""
        if not self.partial_watermarks:
            return False
        parts = self.partial_watermarks.values()
        active = [part.watermark for part in parts if not part.idle]
        self.idle = not active
        combined = min(active) if active else max(part.watermark for part in parts)
        risen = combined > self.watermark
        if risen:
            self.watermark = combined
        return risen


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
        self._combined.partial_watermarks[output_id] = PartialWatermark()

    def unregister_output(self, output_id: Hashable) -> bool:
        """Take an output away; whether it was there."""
        return self._combined.partial_watermarks.pop(output_id, None) is not None

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
        self._combined.partial_watermarks = {
            name: PartialWatermark(watermark, idle=idle) for name, (watermark, idle) in parts.items()
        }

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
