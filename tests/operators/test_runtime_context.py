"""The runtime context of user functions."""

import pytest

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    ValueStateDescriptor,
)
from windrow.errors import UsageError
from windrow.operators.runtime_context import OperatorRuntimeContext
from windrow.state.keyed import KeyedState


class Last(AggregateFunction):
    def create_accumulator(self):
        return ""

    def add(self, value, accumulator):
        return value

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_b


ALL = [
    ("get_state", ValueStateDescriptor("s")),
    ("get_list_state", ListStateDescriptor("s")),
    ("get_map_state", MapStateDescriptor("s")),
    ("get_reducing_state", ReducingStateDescriptor("s", max)),
    ("get_aggregating_state", AggregatingStateDescriptor("s", Last())),
]


def test_a_function_learns_where_it_runs():
    """Name, numbers and job parameters come back; a subtask's number is counted from 1 in its name."""
    context = OperatorRuntimeContext(
        "count", parallelism=4, max_parallelism=64, subtask_index=2, attempt=1, job_parameters={"a": "1"}
    )
    assert context.get_task_name() == "count"
    assert context.get_number_of_parallel_subtasks() == 4
    assert context.get_max_number_of_parallel_subtasks() == 64
    assert context.get_index_of_this_subtask() == 2
    assert context.get_attempt_number() == 1
    assert context.get_task_name_with_subtasks() == "count (3/4)"
    assert context.get_job_parameter("a", "0") == "1"
    assert context.get_job_parameter("b", "0") == "0"
    assert context.get_metrics_group() is context.get_metrics_group()


@pytest.mark.parametrize(("method", "descriptor"), ALL)
def test_state_of_the_current_key(method, descriptor):
    """State that is asked for once shows each key its own."""
    keyed = KeyedState()
    state = getattr(OperatorRuntimeContext("count", state=keyed), method)(descriptor)
    for key in ("a", "b"):
        keyed.set_current_key(key)
        assert keyed.entry == {}
        write = getattr(state, "update", None) if method == "get_state" else getattr(state, "add", None)
        state.put(key, key) if write is None else write(key)
        assert len(keyed.entry) == 1


@pytest.mark.parametrize(("method", "descriptor"), ALL)
def test_without_keys_there_is_no_state(method, descriptor):
    """The error names the operator and says what to do."""
    with pytest.raises(UsageError, match=r"operator 'parse' asked for .*'s'.*keyed stream: call key_by"):
        getattr(OperatorRuntimeContext("parse"), method)(descriptor)
