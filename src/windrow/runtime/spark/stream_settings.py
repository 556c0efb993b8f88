"""Settings of a streaming query, out of the program's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from windrow.common.configuration import Configuration


@dataclass(frozen=True)
class StreamSettings:
    """Says how a streaming query is driven."""

    #: How many splits of each channel a batch reads; 0: few, and more while batches are short.
    splits_per_batch: int = 0
    #: Splits that can be cut are cut into parts of so many elements; None: they stay as the source made them.
    elements_per_split: int | None = None
    #: Milliseconds between two ticks, for processing-time timers and for watermarks of silent inputs; 0: no ticks.
    tick_interval: int = 200
    #: Milliseconds between batches; 0: as fast as they come.
    trigger_interval: int = 0
    #: Whether the job ends when what is there when it starts is read.
    available_now: bool = False
    #: The port on which the program's process serves files of the checkpoint to the workers; 0: a free one.
    driver_port: int = 0

    @staticmethod
    def of(configuration: Configuration) -> StreamSettings:
        """The settings that a program's configuration gives."""
        elements = configuration.get_integer("windrow.source.elements-per-split", 0)
        return StreamSettings(
            configuration.get_integer("windrow.source.splits-per-batch", 0),
            elements or None,
            configuration.get_integer("pipeline.auto-watermark-interval", 200),
            configuration.get_integer("windrow.trigger.interval", 0),
            configuration.get_boolean("windrow.trigger.available-now", False),
            configuration.get_integer("windrow.driver.port", 0),
        )
