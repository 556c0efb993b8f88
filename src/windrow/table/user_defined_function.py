"""What functions of a program's own have in common, and what they can know of their job."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.datastream.functions.base import RuntimeContext
    from windrow.metrics import MetricGroup


class FunctionContext:
    """What a function can know of the job it runs in (PyFlink's class of the same name)."""

    def __init__(self, runtime_context: RuntimeContext) -> None:
        self._runtime_context = runtime_context

    def get_metric_group(self) -> MetricGroup:
        """Where the function may report counters, gauges and the like."""
        return self._runtime_context.get_metrics_group()

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A parameter of the job (``pipeline.global-job-parameters``)."""
        return self._runtime_context.get_job_parameter(key, default_value)

    def get_task_name(self) -> str:
        """The name of the operator that calls the function."""
        return self._runtime_context.get_task_name()

    def get_task_name_with_subtasks(self) -> str:
        """The same with the number of the subtask, counted from 1, and of how many."""
        return self._runtime_context.get_task_name_with_subtasks()

    def get_number_of_parallel_subtasks(self) -> int:
        """How many subtasks call it."""
        return self._runtime_context.get_number_of_parallel_subtasks()

    def get_max_number_of_parallel_subtasks(self) -> int:
        """How many subtasks could."""
        return self._runtime_context.get_max_number_of_parallel_subtasks()

    def get_index_of_this_subtask(self) -> int:
        """The number of the subtask, counted from 0."""
        return self._runtime_context.get_index_of_this_subtask()

    def get_attempt_number(self) -> int:
        """How often the subtask was started before."""
        return self._runtime_context.get_attempt_number()


class UserDefinedFunction:
    """What all functions of a program's own may have (PyFlink's class of the same name)."""

    def open(self, function_context: FunctionContext) -> None:
        """Called once in each subtask, before the first row."""

    def close(self) -> None:
        """Called when a subtask has had its last row."""

    def is_deterministic(self) -> bool:
        """Whether equal arguments give equal results: then a query that is named twice is computed once."""
        return True
