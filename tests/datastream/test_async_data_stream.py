import asyncio
import threading

import pytest

from windrow.common import Configuration, Duration, Time, Types
from windrow.datastream import AsyncDataStream, AsyncFunction, AsyncRetryStrategy, StreamExecutionEnvironment
from windrow.datastream.async_retry_predicates import empty_result_predicate
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError, UserFunctionError

RETRY = AsyncRetryStrategy.fixed_delay(3, 1, empty_result_predicate, None)


@pytest.fixture
def local():
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


class Shout(AsyncFunction):
    """Answers empty the first time; to "never" not at all."""

    async def open(self, runtime_context):
        self.index = runtime_context.get_index_of_this_subtask()
        self.loop = asyncio.get_running_loop()
        self.asked = set()

    async def async_invoke(self, value):
        await asyncio.sleep(0.001)
        assert asyncio.get_running_loop() is self.loop
        if value[1] == "never":
            await asyncio.Event().wait()
        if value not in self.asked:
            self.asked.add(value)
            return []
        return [(value[0], value[1].upper())]

    def timeout(self, value):
        return [(value[0], "too late")]


class Same(AsyncFunction):
    async def async_invoke(self, value):
        return [value]


def test_a_job_waits_on_both_runtimes(env):
    """Behind a source and on a keyed stream, with retries and a timeout, a job gives the same results everywhere."""
    words = env.from_collection(
        [("a", "one"), ("b", "never"), ("a", "two")], Types.TUPLE([Types.STRING(), Types.STRING()])
    )
    behind_source = AsyncDataStream.ordered_wait_with_retry(words, Shout(), Time.seconds(1), RETRY)
    keyed = behind_source.key_by(lambda word: word[0])
    again = AsyncDataStream.unordered_wait_with_retry(keyed, Shout(), Duration.of_seconds(60), RETRY, capacity=2)
    with again.execute_and_collect() as results:
        assert sorted(results) == [("a", "ONE"), ("a", "TWO"), ("b", "TOO LATE")]


@pytest.mark.parametrize("wait", [AsyncDataStream.ordered_wait, AsyncDataStream.unordered_wait])
def test_results_are_converted_to_the_output_type(local, wait):
    """A result that does not fit the declared type ends the job; the stream has the declared type."""
    assert wait(local.from_collection([1]), Same(), 1000, output_type=Types.INT()).get_type() == Types.INT()
    texts = wait(local.from_collection([1]), Same(), 1000, 100, Types.STRING())
    with pytest.raises(TypeConversionError, match="async wait operator"):
        texts.execute_and_collect(limit=9)


def test_on_a_keyed_stream_it_sees_values(local):
    """The function gets the elements that were there before key_by, and the result is no keyed stream."""
    keyed = local.from_collection([("k", 1), ("k", 2)]).key_by(lambda pair: pair[0])
    stream = AsyncDataStream.ordered_wait(keyed, Same(), 1000)
    assert type(stream) is DataStream
    assert not isinstance(stream, KeyedStream)
    assert stream.execute_and_collect(limit=9) == [("k", 1), ("k", 2)]


def test_a_failed_job_leaves_no_thread(local):
    """An exception ends the job with the user's traceback, and the loops' threads end."""
    before = set(threading.enumerate())

    class Fails(AsyncFunction):
        async def async_invoke(self, value):
            raise LookupError(value)

    with pytest.raises(UserFunctionError, match=r"LookupError: 7[\s\S]*in operator 'async wait operator' on element 7"):
        AsyncDataStream.unordered_wait(local.from_collection([7]), Fails(), 1000).execute_and_collect(limit=9)
    assert not [thread for thread in set(threading.enumerate()) - before if "async I/O" in thread.name]


class Yields(AsyncFunction):
    async def async_invoke(self, value):
        yield value


class Waits(AsyncFunction):
    def async_invoke(self, value):
        return [value]


class NoPredicate(AsyncRetryStrategy):
    def can_retry(self, current_attempts):
        return True

    def get_backoff_time_millis(self, current_attempts):
        return 1

    def get_retry_predicate(self):
        return None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"data_stream": [1]}, "data_stream must be an object of DataStream"),
        ({"async_function": Same}, "async_function must be an object of AsyncFunction; got the class Same"),
        ({"async_function": Yields()}, "async_invoke of Yields yields"),
        ({"async_function": Waits()}, "'async_invoke' of class 'Waits' should be declared as 'async def'"),
        ({"async_retry_strategy": None}, "Async retry strategy should not be None"),
        ({"timeout": 1.5}, "timeout takes a Time"),
        ({"async_retry_strategy": AsyncRetryStrategy}, "async_retry_strategy must be an object of AsyncRetryStrategy"),
        ({"async_retry_strategy": NoPredicate()}, "Retry predicate of the async retry strategy 'NoPredicate' is None"),
        ({"capacity": "many"}, "capacity must be an int"),
    ],
)
def test_types_of_arguments_are_checked(local, arguments, message):
    """An argument of another type is refused at the call."""
    all_arguments = {
        "data_stream": local.from_collection([1]),
        "async_function": Same(),
        "timeout": 1000,
        "async_retry_strategy": RETRY,
    }
    with pytest.raises(ConfigurationTypeError, match=message):
        AsyncDataStream.ordered_wait_with_retry(**{**all_arguments, **arguments})


def test_ranges_of_arguments_are_checked(local):
    """Capacity is at least 1; timeout is not negative, and with a retry strategy above 0, as in PyFlink."""
    stream = local.from_collection([1])
    with pytest.raises(ConfigurationError, match="capacity must be at least 1; got 0"):
        AsyncDataStream.ordered_wait(stream, Same(), 1000, 0)
    with pytest.raises(ConfigurationError, match="timeout must not be negative; got -1 ms"):
        AsyncDataStream.unordered_wait(stream, Same(), Time.milliseconds(-1))
    with pytest.raises(ConfigurationError, match="Timeout should be configured when do async with retry: at least 1"):
        AsyncDataStream.ordered_wait_with_retry(stream, Same(), 0, RETRY)
    assert AsyncDataStream.ordered_wait(stream, Same(), 0).execute_and_collect(limit=9) == [1]
