"""What every user function is, and what it can ask the runtime for when it is opened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

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
from windrow.metrics import MetricGroup


class KeyedStateStore(ABC):
    """Where a function gets its keyed state. A state always shows the value of the current key."""

    @abstractmethod
    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        """The value state of that name."""

    @abstractmethod
    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        """The list state of that name."""

    @abstractmethod
    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        """The map state of that name."""

    @abstractmethod
    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        """The reducing state of that name."""

    @abstractmethod
    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        """The aggregating state of that name."""


class RuntimeContext(KeyedStateStore):
    """What a function learns about where it runs, and its state; handed to ``Function.open``."""

    @abstractmethod
    def get_task_name(self) -> str:
        """The operator's name."""

    @abstractmethod
    def get_number_of_parallel_subtasks(self) -> int:
        """The operator's parallelism."""

    @abstractmethod
    def get_max_number_of_parallel_subtasks(self) -> int:
        """The operator's maximum parallelism, that is the number of key groups."""

    @abstractmethod
    def get_index_of_this_subtask(self) -> int:
        """This subtask's number, from 0 to parallelism - 1."""

    @abstractmethod
    def get_attempt_number(self) -> int:
        """How often this subtask was started before."""

    @abstractmethod
    def get_task_name_with_subtasks(self) -> str:
        """The operator's name with the subtask's number, counted from 1, as in ``name (3/4)``."""

    @abstractmethod
    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A value from ``ExecutionConfig.set_global_job_parameters``."""

    @abstractmethod
    def get_metrics_group(self) -> MetricGroup:
        """Where this function's metrics are registered."""


class Function(ABC):  # noqa: B024  (open and close do nothing unless a subclass needs them)
    """Base of all user functions. One object serves one operator in one subtask; its fields are not state."""

    def open(self, runtime_context: RuntimeContext) -> None:  # noqa: B027
        """Called once before the first element: get state here, open connections."""

    def close(self) -> None:  # noqa: B027
        """Called once after the last element."""
