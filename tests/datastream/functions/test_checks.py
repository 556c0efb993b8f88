"""Checks of the functions that a user passes."""

import pytest

from windrow.datastream.functions import FlatMapFunction, MapFunction
from windrow.datastream.functions.checks import check_methods, function_of, object_of
from windrow.datastream.window import CountTrigger, Trigger, TriggerResult
from windrow.errors import ConfigurationTypeError


class Doubled(MapFunction):
    def map(self, value):
        return 2 * value


class Yielded(MapFunction):
    def map(self, value):
        yield value


class Both(FlatMapFunction):
    def flat_map(self, value):
        yield value
        yield value


def test_an_object_of_the_kind_or_a_plain_function_is_taken():
    """A class of functions is none: it would be called for each element."""
    doubled = Doubled()
    assert function_of(doubled, MapFunction, "map") is doubled
    assert function_of(abs, MapFunction, "map") is abs
    for wrong in (Doubled, CountTrigger(2), 5, lambda one, two: one):
        with pytest.raises(ConfigurationTypeError, match="map"):
            function_of(wrong, MapFunction, "map")


def test_a_method_that_returns_a_value_is_no_generator():
    """One that gives many results may be."""
    check_methods(Both())
    for check in (check_methods, lambda function: object_of(function, MapFunction, "func")):
        with pytest.raises(ConfigurationTypeError, match="map of Yielded is a generator function"):
            check(Yielded())


def test_a_trigger_is_checked_as_functions_are():
    """What it is asked is one value."""

    class Asynchronous(CountTrigger):
        async def on_element(self, element, timestamp, window, ctx):
            return TriggerResult.FIRE

    assert isinstance(object_of(CountTrigger(2), Trigger, "trigger"), CountTrigger)
    with pytest.raises(ConfigurationTypeError, match="on_element of Asynchronous is async def"):
        object_of(Asynchronous(2), Trigger, "trigger")
