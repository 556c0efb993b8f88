import asyncio
import gc
import signal
import threading

import pytest

from tests.operators.async_calls import LONG, NO_RETRY, SHORT, Calls, WithTimeout, forever, harnesses
from windrow.common import Types
from windrow.datastream import AsyncFunction, AsyncRetryStrategy, OutputTag
from windrow.datastream.async_retry_predicates import empty_result_predicate, has_exception_predicate
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import UserFunctionError
from windrow.operators.async_wait import AsyncWaitOperator
from windrow.testing.harness import OperatorHarness


@pytest.fixture
def opened():
    with harnesses() as harness:
        yield harness


def later_first(count):
    """A coroutine function for the values 0 to count - 1: each waits until the next one is complete."""
    complete = [asyncio.Event() for _ in range(count)]

    async def invoke(value):
        if value + 1 < count:
            await complete[value + 1].wait()
        complete[value].set()
        return [value]

    return invoke


def elements(count):
    return [(n, 10 * n) for n in range(count)]


# Order, capacity, timestamps


@pytest.mark.parametrize(("ordered", "expected"), [(True, [0, 1, 2, 3]), (False, [3, 2, 1, 0])])
def test_order_of_results(opened, ordered, expected):
    """Ordered results come in the order of the elements, unordered ones as they complete; each keeps its timestamp."""
    harness = opened(Calls(later_first(4)), ordered=ordered)
    harness.process_elements(elements(4))
    assert [tuple(record) for record in harness.records()] == [(n, 10 * n) for n in expected]


def test_unordered_results_stay_between_watermarks(opened):
    """A result does not pass the watermark before or behind its element."""
    harness = opened(Calls(later_first(4)), ordered=False)
    harness.process_elements(elements(4)[2:])
    harness.process_watermark(15)
    harness.process_elements(elements(4)[:2])
    assert [getattr(item, "value", "watermark") for item in harness.output] == [3, 2, "watermark", 1, 0]


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(("count", "capacity", "expected"), [(9, 3, 3), (2, 3, 2), (5, 1, 1)])
def test_capacity_is_used_and_never_exceeded(opened, ordered, count, capacity, expected):
    """As many elements as there is capacity for are in flight, and no more."""

    async def invoke(value):
        await asyncio.sleep(0.001)
        return [value]

    function = Calls(invoke)
    harness = opened(function, capacity=capacity, ordered=ordered)
    harness.process_elements(elements(count))
    assert function.most_in_flight == expected
    assert sorted(harness.values()) == list(range(count))


def test_any_number_of_results(opened):
    """An element gives no, one or many results, in any iterable; a tagged one goes to its side output."""
    odd = OutputTag("odd")

    async def invoke(value):
        return ((odd, n) if n % 2 else n for n in range(value))

    harness = opened(Calls(invoke))
    harness.process_elements([(0, 1), (1, 2), (4, 3)])
    assert [tuple(record) for record in harness.records()] == [(0, 2), (0, 3), (2, 3)]
    assert [tuple(record) for record in harness.side_output(odd)] == [(1, 3), (3, 3)]


# Timeout


def test_timeout_gives_the_results(opened):
    """The call of an element that takes too long is cancelled, and timeout gives its results; others go on."""

    async def invoke(value):
        return await forever(value) if value == 1 else [value]

    function = WithTimeout(invoke)
    harness = opened(function, timeout=SHORT)
    harness.process_elements(elements(3))
    assert [tuple(record) for record in harness.records()] == [(0, 0), (("too long", 1), 10), (2, 20)]
    assert function.in_flight == 0


def test_without_a_handler_a_timeout_is_an_error(opened):
    """Unless timeout is overridden the job fails with a TimeoutError that names the element."""
    harness = opened(Calls(forever), timeout=SHORT)
    with pytest.raises(UserFunctionError, match="TimeoutError: async_invoke took longer than its timeout") as raised:
        harness.process_element("slow", 1)
    assert raised.value.element == "'slow'"


def test_a_timeout_of_zero_is_without_end(opened):
    """With timeout 0 an element is waited for."""

    async def invoke(value):
        await asyncio.sleep(0.002)
        return [value]

    harness = opened(WithTimeout(invoke), timeout=0)
    harness.process_element("v", 1)
    assert harness.values() == ["v"]


@pytest.mark.parametrize("answer", ["result", "error"])
def test_what_a_call_gives_after_its_timeout_does_not_count(opened, answer):
    """A call that keeps its cancellation to itself is neither a result nor an error, and is not tried again."""

    async def invoke(value):
        try:
            await forever(value)
        except asyncio.CancelledError:
            if answer == "error":
                raise LookupError(value) from None
            return []

    strategy = AsyncRetryStrategy.fixed_delay(3, 1, empty_result_predicate, has_exception_predicate)
    function = WithTimeout(invoke)
    harness = opened(function, timeout=SHORT, strategy=strategy)
    harness.process_element("v", 1)
    assert harness.values() == [("too long", "v")]
    assert function.calls == ["v"]


def test_a_timeout_error_of_the_function_is_its_own(opened):
    """A TimeoutError that async_invoke raises in time is an exception like others: timeout is not called."""

    async def invoke(_):
        raise TimeoutError("of the service")

    with pytest.raises(UserFunctionError, match="of the service"):
        opened(WithTimeout(invoke)).process_element("v", 1)


# Errors


def test_an_exception_names_the_element_and_cancels_the_others(opened):
    """The error shows the user's lines first and names the element; what else is in flight is cancelled."""

    async def invoke(value):
        if value == 1:
            raise KeyError(value)
        await forever(value)

    function = Calls(invoke)
    harness = opened(function)
    with pytest.raises(UserFunctionError) as raised:
        harness.process_elements(elements(3))
    assert (raised.value.operator, raised.value.element) == ("op", "1")
    assert "in invoke" in raised.value.user_traceback
    assert "src/windrow/" not in raised.value.user_traceback
    assert isinstance(raised.value.__cause__, KeyError)
    assert function.in_flight == 0


def test_a_failure_is_not_covered_by_a_function_that_swallows_cancellation(opened):
    """Calls that go on after they were cancelled take no further elements."""

    async def invoke(value):
        if value == 0:
            await asyncio.sleep(0)
            raise KeyError(value)
        try:
            await forever(value)
        except asyncio.CancelledError:
            return [value]

    function = Calls(invoke)
    with pytest.raises(UserFunctionError) as raised:
        opened(function, capacity=2).process_elements(elements(50))
    assert raised.value.element == "0"
    assert function.calls == [0, 1]


@pytest.mark.parametrize("error", [SystemExit("stop"), KeyboardInterrupt("stop"), asyncio.CancelledError("stop")])
def test_no_exception_gets_lost(opened, error):
    """Exceptions that asyncio treats specially fail the job too, also with retries; no element is dropped."""

    async def invoke(value):
        raise error

    strategy = AsyncRetryStrategy.fixed_delay(3, 1, None, has_exception_predicate)
    with pytest.raises(UserFunctionError, match=f"{type(error).__name__}: stop"):
        opened(Calls(invoke), strategy=strategy).process_element("v", 1)


def test_an_interrupted_batch_is_given_up(opened, caplog):
    """Ctrl-C while a batch waits cancels all calls; they have ended when the interrupt goes on, without a trace."""

    async def invoke(value):
        if value == 2:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        await forever(value)

    function = Calls(invoke)
    harness = opened(function)
    with pytest.raises(KeyboardInterrupt) as raised:
        harness.process_elements(elements(3))
    assert (function.calls, function.in_flight, harness.output) == ([0, 1, 2], 0, [])
    del raised
    gc.collect()
    assert caplog.records == []


@pytest.mark.parametrize("result", [None, 3])
def test_results_must_be_iterable(opened, result):
    """Anything but an iterable is an error that names method, result and element; it is not tried again."""

    async def invoke(_):
        return result

    function = Calls(invoke)
    strategy = AsyncRetryStrategy.fixed_delay(3, 1, None, has_exception_predicate)
    said = rf"Calls: The result of AsyncFunction .*: async_invoke returned {result}.*return a list"
    with pytest.raises(UserFunctionError, match=said) as raised:
        opened(function, strategy=strategy).process_element("v", 1)
    assert (raised.value.element, function.calls) == ("'v'", ["v"])


def test_results_of_timeout_must_be_iterable(opened):
    """The same is asked of timeout."""

    class NoList(Calls):
        def timeout(self, value):
            return None

    with pytest.raises(UserFunctionError, match="AsyncFunction cannot be none: timeout returned None"):
        opened(NoList(forever), timeout=SHORT).process_element("v", 1)


def test_async_invoke_must_be_async(opened):
    """A plain async_invoke is an error that says what to do."""

    class Plain(AsyncFunction):
        def async_invoke(self, value):
            return [value]

    with pytest.raises(UserFunctionError, match=r"Plain: async_invoke returned .* make it async def"):
        opened(Plain()).process_element("v", 1)


# The function's life


class Life(AsyncFunction):
    """Notes the loop and the thread that each of its methods is called in."""

    def __init__(self):
        self.seen = []

    def see(self, method):
        self.seen.append((method, asyncio.get_running_loop(), threading.current_thread()))

    def open(self, runtime_context):
        assert runtime_context.get_task_name() == "op"
        self.see("open")

    async def async_invoke(self, value):
        self.see("async_invoke")
        if value == "slow":
            await forever(value)
        return [value]

    def timeout(self, value):
        self.see("timeout")
        return []

    def close(self):
        self.see("close")


class AsyncLife(Life):
    async def open(self, runtime_context):
        await asyncio.sleep(0)
        super().open(runtime_context)

    async def close(self):
        await asyncio.sleep(0)
        super().close()


@pytest.mark.parametrize("kind", [Life, AsyncLife])
def test_all_methods_share_a_loop_and_a_thread(kind):
    """Open, each call in each batch, timeout and close see the same running loop, whether or not they are async def."""
    function = kind()
    harness = OperatorHarness(AsyncWaitOperator(function, SHORT, 100, NO_RETRY, True), name="op")
    harness.process_element("a", 1)
    harness.process_elements([("b", 2), ("slow", 3)])
    harness.close()
    assert [method for method, _, _ in function.seen] == ["open", *["async_invoke"] * 3, "timeout", "close"]
    assert len({(loop, thread) for _, loop, thread in function.seen}) == 1
    _, loop, thread = function.seen[0]
    assert loop.is_closed()
    assert not thread.is_alive()


@pytest.mark.parametrize("make_async", [False, True])
def test_an_error_in_open_leaves_no_thread(make_async):
    """If open fails, the error says so, and the loop's thread has ended."""
    before = threading.enumerate()

    class Broken(Calls):
        def open(self, runtime_context):
            if make_async:
                return self.fail()
            raise ConnectionError("refused")

        async def fail(self):
            raise ConnectionError("refused")

    with pytest.raises(UserFunctionError, match=r"ConnectionError: refused[\s\S]*open was called"):
        OperatorHarness(AsyncWaitOperator(Broken(forever), LONG, 1, NO_RETRY, True), name="op")
    assert threading.enumerate() == before


def test_an_error_in_close_leaves_no_thread():
    """If close fails, the error is raised, and the loop's thread has ended."""
    before = threading.enumerate()

    class Broken(Calls):
        async def close(self):
            raise ConnectionError("reset")

    harness = OperatorHarness(AsyncWaitOperator(Broken(forever), LONG, 1, NO_RETRY, True), name="op")
    with pytest.raises(ConnectionError, match="reset"):
        harness.close()
    assert threading.enumerate() == before


def test_it_works_where_a_loop_is_running(opened):
    """A job that is run from a notebook's cell, whose thread runs a loop, waits as anywhere."""

    async def notebook_cell():
        harness = opened(Calls(later_first(3)), ordered=False)
        harness.process_elements(elements(3))
        return harness.values()

    assert asyncio.run(notebook_cell()) == [2, 1, 0]


def test_there_is_no_keyed_state(opened):
    """On a keyed stream the function sees values, and using keyed state is an error."""

    class Stateful(Calls):
        def open(self, runtime_context):
            self.state = runtime_context.get_state(ValueStateDescriptor("n", Types.INT()))

    async def invoke(value):
        return [function.state.value()] if value == "use it" else [value]

    function = Stateful(invoke)
    harness = opened(function, key_selector=len)
    harness.process_elements([("a", 1), ("bb", 2)])
    assert harness.values() == ["a", "bb"]
    with pytest.raises(UserFunctionError, match="no current key"):
        harness.process_element("use it", 3)
