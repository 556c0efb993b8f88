"""Builds operators behind two streams."""

from __future__ import annotations

from windrow.common.typeinfo import DeclaredType, as_type_information
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import OperatorFactory, typed
from windrow.graph.transformations import TwoInputTransformation
from windrow.operators.interval_join import Interval


def two_inputs(
    name: str,
    first: DataStream,
    second: DataStream,
    make: OperatorFactory,
    output_type: DeclaredType,
    *,
    uses_processing_time: bool = False,
    operation: Interval | None = None,
) -> DataStream:
    """An operator behind two streams of one environment, each partitioned as it is; its results get ``output_type``."""
    type_info = as_type_information(output_type, f"output_type of {name}")
    environment = first.get_execution_environment()
    transformation = TwoInputTransformation(
        environment._program.next_id(),
        name,
        [first._input(), second._input()],
        type_info,
        factory=typed(make, type_info),
        uses_processing_time=uses_processing_time,
        operation=operation,
    )
    return DataStream(environment, transformation)
