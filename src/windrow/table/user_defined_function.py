"""The base of functions of a program's own, and what they can know of their job."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.datastream.functions.base import RuntimeContext
    from windrow.metrics import MetricGroup


class FunctionContext:
    """Tells a function of the job that it runs in (PyFlink's class of the same name)."""

    def __init__(self, runtime_context: RuntimeContext) -> None:
        self._runtime_context = runtime_context

    def get_metric_group(self) -> MetricGroup:
        """The group in which the function may report counters, gauges and the like."""
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
        """The number of subtasks that call it."""
        return self._runtime_context.get_number_of_parallel_subtasks()

    def get_max_number_of_parallel_subtasks(self) -> int:
        """The number of subtasks that could."""
        return self._runtime_context.get_max_number_of_parallel_subtasks()

    def get_index_of_this_subtask(self) -> int:
        """The number of the subtask, counted from 0."""
        return self._runtime_context.get_index_of_this_subtask()

    def get_attempt_number(self) -> int:
        """The number of times that the subtask was started before."""
        return self._runtime_context.get_attempt_number()


class UserDefinedFunction:
    """The base of all functions of a program's own (PyFlink's class of the same name)."""

    def open(self, function_context: FunctionContext) -> None:
        """Called once in each subtask, before the first row."""

    def close(self) -> None:
        """Called when a subtask has had its last row."""

    def is_deterministic(self) -> bool:
        """Tell whether equal arguments give equal results: then a query that is named twice is computed once."""
        return True
