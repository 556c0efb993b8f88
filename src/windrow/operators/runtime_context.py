"""The runtime context that operators open user functions with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from windrow.common.accumulators import Accumulator, DoubleCounter, Histogram, IntCounter, LongCounter
from windrow.datastream.functions import RuntimeContext
from windrow.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    ValueState,
    ValueStateDescriptor,
)
from windrow.errors import UsageError
from windrow.metrics import MetricGroup
from windrow.operators.accumulator_registry import AccumulatorRegistry
from windrow.state.keyed import KeyedState
from windrow.state.store import KeyedStateStoreView


@dataclass
class OperatorRuntimeContext(RuntimeContext):
    """Tells functions where their operator runs, and gives them keyed state.

    Example:
        >>> OperatorRuntimeContext("parse", parallelism=4, subtask_index=2).get_task_name_with_subtasks()
        'parse (3/4)'
    """

    #: The operator's name.
    task_name: str
    parallelism: int = 1
    max_parallelism: int = 128
    subtask_index: int = 0
    #: How often this subtask was started before.
    attempt: int = 0
    job_parameters: Mapping[str, str] = field(default_factory=dict)
    metric_group: MetricGroup = field(default_factory=MetricGroup)
    #: None on a stream without keys.
    state: KeyedState | None = None
    object_reuse: bool = False

    def __post_init__(self) -> None:
        self.accumulators = AccumulatorRegistry(self.task_name)

    def get_task_name(self) -> str:
        return self.task_name

    def get_number_of_parallel_subtasks(self) -> int:
        return self.parallelism

    def get_max_number_of_parallel_subtasks(self) -> int:
        return self.max_parallelism

    def get_index_of_this_subtask(self) -> int:
        return self.subtask_index

    def get_attempt_number(self) -> int:
        return self.attempt

    def get_task_name_with_subtasks(self) -> str:
        return f"{self.task_name} ({self.subtask_index + 1}/{self.parallelism})"

    def get_job_parameter(self, key: str, default_value: str) -> str:
        return self.job_parameters.get(key, default_value)

    def is_object_reuse_enabled(self) -> bool:
        return self.object_reuse

    def get_metrics_group(self) -> MetricGroup:
        return self.metric_group

    def add_accumulator(self, name: str, accumulator: Accumulator[Any, Any]) -> None:
        self.accumulators.add(name, accumulator)

    def get_accumulator(self, name: str) -> Accumulator[Any, Any] | None:
        return self.accumulators.get(name)

    def get_int_counter(self, name: str) -> IntCounter:
        return self.accumulators.get_or_add(name, IntCounter)

    def get_long_counter(self, name: str) -> LongCounter:
        return self.accumulators.get_or_add(name, LongCounter)

    def get_double_counter(self, name: str) -> DoubleCounter:
        return self.accumulators.get_or_add(name, DoubleCounter)

    def get_histogram(self, name: str) -> Histogram:
        return self.accumulators.get_or_add(name, Histogram)

    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        return self._store(state_descriptor).get_state(state_descriptor)

    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        return self._store(state_descriptor).get_list_state(state_descriptor)

    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        return self._store(state_descriptor).get_map_state(state_descriptor)

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        return self._store(state_descriptor).get_reducing_state(state_descriptor)

    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        return self._store(state_descriptor).get_aggregating_state(state_descriptor)

    def _store(self, descriptor: object) -> KeyedStateStoreView:
        if self.state is None:
            msg = (
                f"operator {self.task_name!r} asked for {descriptor!r}, but keyed state needs a keyed stream: "
                "call key_by before it"
            )
            raise UsageError(msg)
        return KeyedStateStoreView(self.state)
