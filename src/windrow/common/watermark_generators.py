"""Watermark generators: the interface, and those that come built in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from windrow.common.limits import LONG_MIN, MIN_WATERMARK
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.errors import ConfigurationError


class WatermarkGenerator(ABC):
    """Makes watermarks, from the events it sees (punctuated) or when it is asked from time to time (periodic).

    Flink's ``org.apache.flink.api.common.eventtime.WatermarkGenerator``. There is one generator per parallel stream of
    the operator, and its fields are part of the job's checkpoints: see :meth:`snapshot_state`.

    Example:
        >>> class OnMarker(WatermarkGenerator):
        ...     def on_event(self, event, event_timestamp, output):
        ...         if event == "marker":
        ...             output.emit_watermark(Watermark(event_timestamp))
        ...
        ...     def on_periodic_emit(self, output):
        ...         pass
    """

    @abstractmethod
    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        """Called for every event, after it was emitted: look at it, or emit a watermark that follows it at once.

        Args:
            event: The element.
            event_timestamp: Its timestamp as assigned, in milliseconds.
            output: Takes watermarks.
        """

    @abstractmethod
    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Called every so many events, every so often and at the end of a bounded input: emit a watermark, or not."""

    def snapshot_state(self) -> Any:
        """Give what a checkpoint keeps of this generator; it must be picklable. By default, all its fields.

        Override it together with :meth:`restore_state` where a field cannot be pickled.
        """
        # object.__getstate__: the instance dictionary, or a pair with the slots beside it.
        return self.__getstate__()

    def restore_state(self, state: Any) -> None:
        """Take back, in a newly made generator, what :meth:`snapshot_state` gave."""
        set_state = getattr(self, "__setstate__", None)
        if set_state is not None:
            set_state(state)
            return
        for fields in state if isinstance(state, tuple) else (state,):
            for name, value in (fields or {}).items():
                setattr(self, name, value)

    def batch_listener(self) -> Callable[[int], None] | None:
        """Give what is told the newest timestamp of several events in place of :meth:`on_event` for each of them.

        None, the default, means that this generator looks at each event. One that does not takes whole batches.
        """
        return None


class NewestTimestampGenerator(WatermarkGenerator):
    """A generator that of all events needs to know only the newest timestamp, and that emits only periodically."""

    @abstractmethod
    def on_newest_timestamp(self, timestamp: int) -> None:
        """Events were seen, at least one; ``timestamp`` is the newest of their timestamps in milliseconds."""

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self.on_newest_timestamp(event_timestamp)

    def batch_listener(self) -> Callable[[int], None] | None:
        # A user's subclass that overrides on_event wants to see the events themselves.
        inherited = type(self).on_event is NewestTimestampGenerator.on_event
        return self.on_newest_timestamp if inherited else None


class BoundedOutOfOrdernessWatermarks(NewestTimestampGenerator):
    """Watermarks for events that come at most a fixed time later than the newest event before them.

    The watermark is the newest timestamp - ``max_out_of_orderness`` - 1, and -2^63 before any event. It is emitted
    at each periodic emit, also when it has not changed. Flink's class of the same name.

    Args:
        max_out_of_orderness: How late an event may be, in milliseconds.

    Raises:
        ConfigurationError: ``max_out_of_orderness`` is negative.

    Example:
        >>> generator = BoundedOutOfOrdernessWatermarks(10)
        >>> generator.on_newest_timestamp(1337)
        >>> generator.current_watermark()
        1326
    """

    def __init__(self, max_out_of_orderness: int) -> None:
        if max_out_of_orderness < 0:
            msg = f"max_out_of_orderness must not be negative; got {max_out_of_orderness} ms"
            raise ConfigurationError(msg)
        self._bound = max_out_of_orderness
        self._newest = LONG_MIN

    def on_newest_timestamp(self, timestamp: int) -> None:
        self._newest = max(self._newest, timestamp)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        output.emit_watermark(Watermark(self.current_watermark()))

    def current_watermark(self) -> int:
        """The watermark that the next periodic emit hands out, in milliseconds."""
        return max(MIN_WATERMARK, self._newest - self._bound - 1)

    def snapshot_state(self) -> int:
        # Without the bound: a program that is started again with another bound means the other one.
        return self._newest

    def restore_state(self, state: int) -> None:
        self._newest = state


class AscendingTimestampsWatermarks(BoundedOutOfOrdernessWatermarks):
    """Watermarks for events whose timestamps never go down: the newest timestamp - 1. Flink's class."""

    def __init__(self) -> None:
        super().__init__(0)


class NoWatermarksGenerator(NewestTimestampGenerator):
    """Emits no watermarks: for streams that are not read in event time. Flink's class of the same name."""

    def on_newest_timestamp(self, timestamp: int) -> None:
        """Nothing to remember."""

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Nothing to emit."""
