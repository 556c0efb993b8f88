"""What user functions are when a program does not say more."""

import asyncio

import pytest

from windrow.datastream import functions
from windrow.datastream.functions import (
    AsyncFunction,
    CoProcessFunction,
    Function,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    NullByteKeySelector,
    PassThroughAllWindowFunction,
    PassThroughWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
)

ABSTRACT = {
    "AggregateFunction": {"create_accumulator", "add", "get_result", "merge"},
    "AllWindowFunction": {"apply"},
    "AsyncFunction": {"async_invoke"},
    "AsyncRetryPredicate": {"result_predicate", "exception_predicate"},
    "AsyncRetryStrategy": {"can_retry", "get_backoff_time_millis", "get_retry_predicate"},
    "BroadcastProcessFunction": {"process_element", "process_broadcast_element"},
    "CoFlatMapFunction": {"flat_map1", "flat_map2"},
    "CoMapFunction": {"map1", "map2"},
    "CoProcessFunction": {"process_element1", "process_element2"},
    "FilterFunction": {"filter"},
    "FlatMapFunction": {"flat_map"},
    "FoldFunction": {"fold"},
    "KeySelector": {"get_key"},
    "KeyedBroadcastProcessFunction": {"process_element", "process_broadcast_element"},
    "KeyedCoProcessFunction": {"process_element1", "process_element2"},
    "KeyedProcessFunction": {"process_element"},
    "MapFunction": {"map"},
    "OutputSelector": {"select"},
    "Partitioner": {"partition"},
    "ProcessAllWindowFunction": {"process"},
    "ProcessFunction": {"process_element"},
    "ProcessWindowFunction": {"process"},
    "ReduceFunction": {"reduce"},
    "WindowFunction": {"apply"},
}


@pytest.mark.parametrize("name", sorted(ABSTRACT))
def test_what_a_program_must_define(name):
    """Exactly PyFlink's abstract methods are abstract."""
    assert getattr(functions, name).__abstractmethods__ == ABSTRACT[name]


def test_open_and_close_do_nothing_by_default():
    """There is no rich and non-rich function: every function can be opened and closed."""
    selector = NullByteKeySelector()
    assert isinstance(selector, Function)
    assert selector.open(None) is None
    assert selector.close() is None
    assert selector.get_key("anything") == 0


@pytest.mark.parametrize(
    "base", [KeyedProcessFunction, CoProcessFunction, KeyedCoProcessFunction, KeyedBroadcastProcessFunction]
)
def test_timers_fire_into_nothing_by_default(base):
    """on_timer may be left out."""
    methods = dict.fromkeys(base.__abstractmethods__, lambda *_: None)
    assert type("F", (base,), methods)().on_timer(1, None) is None


@pytest.mark.parametrize("base", [ProcessWindowFunction, ProcessAllWindowFunction])
def test_clear_may_be_left_out(base):
    """A window function without per-window state needs no clear; type arguments are allowed."""
    generic = base[int, int, str, object] if base is ProcessWindowFunction else base[int, int, object]
    assert type("F", (base,), {"process": lambda *_: None})().clear(None) is None
    assert generic.__origin__ is base


def test_pass_through_window_functions():
    """They emit what they are given."""
    assert list(PassThroughWindowFunction().apply("key", "window", [1, 2])) == [1, 2]
    assert list(PassThroughAllWindowFunction().apply("window", [1, 2])) == [1, 2]


def test_a_timeout_is_an_error_by_default():
    """An asynchronous call that takes too long ends the job unless the function says otherwise."""

    class Slow(AsyncFunction):
        async def async_invoke(self, value):
            return [value]

    assert asyncio.run(Slow().async_invoke(1)) == [1]
    with pytest.raises(TimeoutError, match="for element 'x'"):
        Slow().timeout("x")
