"""The base of every user function, and what it can ask the runtime for when it is opened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.accumulators import Accumulator, DoubleCounter, Histogram, IntCounter, LongCounter
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
    """Gives a function its keyed state. A state always shows the value of the current key."""

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


class RuntimeContext(ExplainsAbsentMethods, KeyedStateStore):
    """Tells a function where it runs, and gives it its state; handed to ``Function.open``."""

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
        """Count how often this subtask was started before."""

    @abstractmethod
    def get_task_name_with_subtasks(self) -> str:
        """The operator's name with the subtask's number, counted from 1, as in ``name (3/4)``."""

    @abstractmethod
    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A value from ``ExecutionConfig.set_global_job_parameters``."""

    def is_object_reuse_enabled(self) -> bool:
        """Tell whether what functions are given and give is not copied (``ExecutionConfig.enable_object_reuse``)."""
        return False

    @abstractmethod
    def get_metrics_group(self) -> MetricGroup:
        """Give the group where this function's metrics are registered."""

    @abstractmethod
    def add_accumulator(self, name: str, accumulator: Accumulator[Any, Any]) -> None:
        """Register an accumulator; what is added to it is merged over all operators and subtasks under its name.

        Each element counts once, however often a failed task is run again, and a job that starts again from its
        checkpoint goes on from what was committed. What ``open`` and ``close`` add counts once for each subtask.
        The object that is given holds what this subtask has added and not yet handed over; the whole is in
        ``JobExecutionResult.get_accumulator_result(name)`` and, while the job runs, in
        ``JobClient.get_accumulators()``. An accumulator of another type under the same name in another operator
        makes the job fail.

        Raises:
            UsageError: this function has registered one of that name (Flink's ``addAccumulator``).

        Example:
            >>> from windrow.common import Configuration
            >>> from windrow.common.accumulators import AverageAccumulator
            >>> from windrow.datastream import MapFunction, StreamExecutionEnvironment
            >>> class Length(MapFunction):
            ...     def open(self, runtime_context):
            ...         self.mean = AverageAccumulator()
            ...         runtime_context.add_accumulator("mean length", self.mean)
            ...
            ...     def map(self, value):
            ...         self.mean.add(len(value))
            ...         return value
            >>> local = Configuration().set_string("windrow.runtime", "local")
            >>> env = StreamExecutionEnvironment.get_execution_environment(local)
            >>> _ = env.from_collection(["a", "bcd"]).map(Length()).print()
            >>> result = env.execute().get_accumulator_result("mean length")
            a
            bcd
            >>> result
            2.0
        """

    @abstractmethod
    def get_accumulator(self, name: str) -> Accumulator[Any, Any] | None:
        """The accumulator that this function has registered under the name; None if it has none."""

    @abstractmethod
    def get_int_counter(self, name: str) -> IntCounter:
        """The ``IntCounter`` of that name, registered when it is first asked for.

        Raises:
            UsageError: this function has an accumulator of another type under that name.
        """

    @abstractmethod
    def get_long_counter(self, name: str) -> LongCounter:
        """The ``LongCounter`` of that name; see :meth:`get_int_counter`."""

    @abstractmethod
    def get_double_counter(self, name: str) -> DoubleCounter:
        """The ``DoubleCounter`` of that name; see :meth:`get_int_counter`."""

    @abstractmethod
    def get_histogram(self, name: str) -> Histogram:
        """The ``Histogram`` of that name; see :meth:`get_int_counter`."""


class Function(ABC):  # noqa: B024  (open and close do nothing unless a subclass needs them)
    """Base of all user functions. One object serves one operator in one subtask; its fields are not state."""

    def open(self, runtime_context: RuntimeContext) -> None:  # noqa: B027
        """Called once before the first element: get state here, open connections."""

    def close(self) -> None:  # noqa: B027
        """Called once after the last element."""
