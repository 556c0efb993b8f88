"""Functions that return, or are called with, something else than is expected of them."""

from functools import partial

import numpy as np
import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Types, WatermarkStrategy
from windrow.common.watermark import Watermark
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.datastream import AggregateFunction, KeySelector, MapFunction, ReduceFunction
from windrow.datastream.window import CountTrigger, Evictor, GlobalWindows
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError

PAIRS = [("a", 1), ("b", 2)]


def yields(value):
    yield value


async def awaits(value):
    return value


class Yields(MapFunction):
    def map(self, value):
        yield value


class Awaits(KeySelector):
    async def get_key(self, value):
        return value


class Sums(ReduceFunction):
    def reduce(self, value1, value2):
        yield value1 + value2


class Collects(AggregateFunction):
    def create_accumulator(self):
        return []

    def add(self, value, accumulator):
        yield [*accumulator, value]

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Opens(MapFunction):
    async def open(self, runtime_context):
        self.open = True

    def map(self, value):
        return value


class Evicts(Evictor):
    def evict_before(self, elements, size, window, evictor_context):
        yield elements.pop()

    def evict_after(self, elements, size, window, evictor_context):
        pass


class Emits(WatermarkGenerator):
    def on_event(self, event, event_timestamp, output):
        yield Watermark(event_timestamp)

    def on_periodic_emit(self, output):
        pass


def _of(use):
    """Does something with a stream of pairs; the type of its elements is not declared."""
    return lambda env, _: use(env.from_collection(PAIRS).name("pairs"))


def _collected(use):
    return _of(lambda stream: use(stream).name("under test").execute_and_collect(limit=9))


def _of_declared(use):
    return lambda env, _: use(env.from_collection(PAIRS, type_info=Types.TUPLE([Types.STRING(), Types.INT()])))


def _assigner(assigner):
    return lambda env, _: WatermarkStrategy.no_watermarks().with_timestamp_assigner(assigner)


NOT_AWAITED = "is async def, and nobody would await what it gives: use AsyncDataStream, or def without async"
NO_VALUE = "is a generator function, but one value is expected: return it, or yield many in a flat_map"
LATER = "which is no element: return the value itself (flat_map takes many, AsyncDataStream what has to be waited for)"


def _refused(done, do, says, error=ConfigurationTypeError):
    """At the line of the user's, where there is no runtime yet."""
    return Trial(done, do, error=error, says=says, runtimes=["local"])


TRIALS = [
    _refused(
        "a generator function for map", _of(lambda pairs: pairs.map(yields)), f"the function given to map {NO_VALUE}"
    ),
    _refused("async def for map", _of(lambda pairs: pairs.map(awaits)), f"the function given to map {NOT_AWAITED}"),
    _refused("a MapFunction that yields", _of(lambda pairs: pairs.map(Yields())), f"map of Yields {NO_VALUE}"),
    _refused(
        "a partial of a generator function for filter",
        _of(lambda pairs: pairs.filter(partial(yields))),
        f"the function given to filter {NO_VALUE}",
    ),
    _refused(
        "async def for flat_map",
        _of(lambda pairs: pairs.flat_map(awaits)),
        f"the function given to flat_map {NOT_AWAITED}",
    ),
    _refused(
        "a generator function for key_by",
        _of(lambda pairs: pairs.key_by(yields)),
        f"the function given to key_by {NO_VALUE}",
    ),
    _refused(
        "a KeySelector that is async", _of(lambda pairs: pairs.key_by(Awaits())), f"get_key of Awaits {NOT_AWAITED}"
    ),
    _refused(
        "a ReduceFunction that yields",
        _of(lambda pairs: pairs.key_by(0).reduce(Sums())),
        f"reduce of Sums {NO_VALUE}",
    ),
    _refused(
        "an AggregateFunction that yields",
        _of(lambda pairs: pairs.key_by(0).window(GlobalWindows.create()).aggregate(Collects())),
        f"add of Collects {NO_VALUE}",
    ),
    _refused(
        "a MapFunction whose open is async",
        _of(lambda pairs: pairs.map(Opens())),
        f"open of Opens {NOT_AWAITED}",
    ),
    _refused(
        "an Evictor that yields",
        _of(lambda pairs: pairs.key_by(0).window(GlobalWindows.create()).evictor(Evicts())),
        f"evict_before of Evicts {NO_VALUE}",
    ),
    _refused(
        "a WatermarkGenerator that yields",
        _collected(
            lambda pairs: pairs.assign_timestamps_and_watermarks(WatermarkStrategy.for_generator(Emits)).map(str)
        ),
        f"on_event of Emits {NO_VALUE}",
    ),
    _refused(
        "async def for add_sink",
        _of(lambda pairs: pairs.add_sink(awaits)),
        f"the function given to add_sink {NOT_AWAITED}",
    ),
    _refused(
        "a timestamp assigner of one argument",
        _assigner(lambda event: event[1]),
        "the function given to with_timestamp_assigner is called with 2 arguments, but <lambda> has (event): "
        "too many positional arguments",
    ),
    _refused(
        "a timestamp assigner that yields",
        _assigner(lambda event, before: (yield event)),
        f"the function given to with_timestamp_assigner {NO_VALUE}",
    ),
    _refused(
        "a key's field that the declared type has not",
        _of_declared(lambda pairs: pairs.key_by(5)),
        "key_by: the stream's type TupleTypeInfo(String, Integer) has no field 5; it has f0, f1 (0 to 1)",
        ConfigurationError,
    ),
    _refused(
        "a sum of a field that the declared type has not",
        _of_declared(lambda pairs: pairs.key_by(0).sum("x")),
        "sum: the stream's type TupleTypeInfo(String, Integer) has no field 'x'; it has f0, f1 (0 to 1)",
        ConfigurationError,
    ),
    Trial(
        "a lambda that gives a generator, for map",
        _collected(lambda pairs: pairs.map(lambda pair: (each for each in pair))),
        error=UserFunctionError,
        says=f"TypeError: the map function returned a generator, {LATER} in operator 'under test' on element ('a', 1)",
    ),
    Trial(
        "a lambda that gives a coroutine, for filter",
        _collected(lambda pairs: pairs.filter(lambda pair: awaits(pair[0]))),
        error=UserFunctionError,
        says=f"TypeError: the filter function returned a coroutine, {LATER} in operator 'under test' on element "
        "('a', 1)",
        runtimes=["local"],
    ),
    Trial(
        "a filter that gives an array",
        _collected(lambda pairs: pairs.filter(lambda pair: np.array([1, 2]) < pair[1])),
        error=UserFunctionError,
        says="TypeError: the filter function must return True or False; it returned array([False, False]) (ndarray): "
        "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all() in operator "
        "'under test' on element ('a', 1)",
    ),
    Trial(
        "a key selector beyond the last field",
        _collected(lambda pairs: pairs.key_by(lambda pair: pair[5]).map(str)),
        error=UserFunctionError,
        says="IndexError: tuple index out of range in operator 'key_by after pairs' on element ('a', 1)",
    ),
    Trial(
        "a key's index beyond the last field",
        _collected(lambda pairs: pairs.key_by(5).map(str)),
        error=UserFunctionError,
        says="IndexError: tuple index out of range in operator 'key_by after pairs' on element ('a', 1)",
    ),
    Trial(
        "a sum of a field that elements have not",
        _collected(lambda pairs: pairs.key_by(lambda pair: 0).sum("x")),
        error=UserFunctionError,
        says="TypeError: an element has no field 'x': ('a', 1) (tuple) in operator 'under test' on element ('a', 1)",
    ),
    Trial(
        "the greatest value of a field that elements have not, in windows",
        _collected(
            lambda pairs: pairs.key_by(lambda _: 0).window(GlobalWindows.create()).trigger(CountTrigger.of(1)).max(3)
        ),
        error=UserFunctionError,
        says="TypeError: an element has no field 3: ('a', 1) (tuple) in operator 'under test' on element ('a', 1)",
    ),
    Trial(
        "a projection to a field that elements have not",
        _collected(lambda pairs: pairs.project(7)),
        error=UserFunctionError,
        says="TypeError: tuple index out of range in operator 'under test' on element ('a', 1)",
        runtimes=["local"],
    ),
    Trial(
        "a function written in C that fails",
        _collected(lambda pairs: pairs.map(int)),
        error=UserFunctionError,
        says="TypeError: int() argument must be a string, a bytes-like object or a real number, not 'tuple' in "
        "operator 'under test' on element ('a', 1)",
        runtimes=["local"],
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_wrong_returns_are_told(trial, env, tmp_path):
    """At the line that names the function where that can be known, else with operator and element."""
    play(trial, env, tmp_path)
