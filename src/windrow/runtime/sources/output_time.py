"""The watermark generator of one output of a reader, and the clock of its idleness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.common.watermark import WatermarkOutput
from windrow.common.watermark_generators import NoWatermarksGenerator, WatermarkGenerator
from windrow.common.watermark_idleness import WatermarksWithIdleness
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.elements.stored import dumps, loads
from windrow.errors import user_function_error
from windrow.operators.user_function import NamingErrors, NoElement
from windrow.operators.watermarks.clock import PausableRelativeClock


class OutputTime:
    """A generator and its clock, which stands still while the output is paused.

    Args:
        name: The source's, for error messages.
        strategy: Makes the generator.
        now: Processing time in milliseconds.
        progressive: False in BATCH: there is no generator.
    """

    def __init__(self, name: str, strategy: WatermarkStrategy, now: Callable[[], int], *, progressive: bool) -> None:
        self._name = name
        self._clock = PausableRelativeClock(now)
        with NamingErrors(name, "its watermark generator"):
            self.generator: WatermarkGenerator = (
                strategy.create_watermark_generator(self._clock.relative_time)
                if progressive
                else NoWatermarksGenerator()
            )
        self.listener = self.generator.batch_listener()
        self._paused = False

    def ask(self, output: WatermarkOutput) -> None:
        """Ask for a watermark, and whether the output is idle by now."""
        self._call(self.generator.on_periodic_emit, output)

    def ask_idleness(self, output: WatermarkOutput) -> None:
        """Ask only whether the output is idle by now."""
        if isinstance(self.generator, WatermarksWithIdleness):
            self._call(self.generator.emit_idleness, output)

    def pause(self, *, paused: bool) -> None:
        """Let the clock stand still, or go on."""
        if paused and not self._paused:
            self._clock.pause()
        elif self._paused and not paused:
            self._clock.un_pause()
        self._paused = paused

    def snapshot(self) -> Any:
        """All of it; picklable."""
        with NamingErrors(self._name, "snapshot_state"):
            state = self.generator.snapshot_state()
        return dumps(state), self._clock.snapshot(), self._paused

    def restore(self, snapshot: Any) -> None:
        """Take back what :meth:`snapshot` gave."""
        state, clock, self._paused = snapshot
        with NamingErrors(self._name, "restore_state"):
            self.generator.restore_state(loads(state))
        self._clock.restore(clock)

    def _call(self, method: Callable[[WatermarkOutput], None], output: WatermarkOutput) -> None:
        try:
            method(output)
        except BaseException as error:
            raise user_function_error(self._name, NoElement("on_periodic_emit"), error) from error
