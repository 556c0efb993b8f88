"""The operators that give a stream its time, as streaming and batch execution need them."""

from __future__ import annotations

from functools import partial

from windrow.common.execution_config import ExecutionConfig
from windrow.common.watermark_generators import NoWatermarksGenerator
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.datastream.streams.program import OperatorFactory
from windrow.operators.watermarks.emitter import EMIT_EVERY
from windrow.operators.watermarks.per_split import PerSplitStrategy, PerSplitTimestampsAndWatermarksOperator
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator


def timestamps_and_watermarks(
    strategy: WatermarkStrategy, config: ExecutionConfig
) -> tuple[OperatorFactory, OperatorFactory]:
    """The operator for a strategy, in streaming and in batch execution.

    An automatic watermark interval of 0 means that generators are never asked, as in Flink.
    """
    interval = config.get_auto_watermark_interval()
    operator = TimestampsAndWatermarksOperator
    if isinstance(strategy, PerSplitStrategy):
        operator = PerSplitTimestampsAndWatermarksOperator
    streaming = partial(
        operator,
        strategy,
        auto_interval=interval,
        emit_every=EMIT_EVERY if interval > 0 else None,
    )
    return streaming, partial(operator, strategy, emit_progressive=False)


def does_nothing(strategy: WatermarkStrategy) -> bool:
    """Tell whether the strategy leaves the timestamps as they are and makes no watermarks."""
    generator = strategy.generator
    return generator is NoWatermarksGenerator and strategy.timestamp_assigner is None and strategy.idle_timeout is None
