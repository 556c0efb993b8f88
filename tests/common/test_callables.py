"""What is known of functions before they are called."""

from functools import partial

import pytest

from windrow.common.callables import check_function, check_results
from windrow.errors import ConfigurationTypeError


def yields(value):
    yield value


async def awaits(value):
    return value


async def yields_later(value):
    yield value


class Yielding:
    def __call__(self, value):
        yield value

    def method(self, value):
        yield value


@pytest.mark.parametrize("function", [yields, partial(yields), Yielding(), Yielding().method, lambda value: (yield)])
def test_a_generator_function_is_no_function_of_one_value(function):
    """However it is given; where many results are wanted it is one."""
    with pytest.raises(ConfigurationTypeError, match="is a generator function, but one value is expected"):
        check_function(function, 1, "map")
    check_function(function, 1, "flat_map", many=True)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("function", [awaits, yields_later, partial(awaits)])
def test_async_functions_are_never_awaited(function, many):
    """So they are refused, also where many results are wanted."""
    with pytest.raises(ConfigurationTypeError, match="the function given to map is async def"):
        check_function(function, 1, "map", many=many)


@pytest.mark.parametrize("function", [lambda value: value, len, int, str.upper, partial(max, 1), bool])
def test_other_functions_are_taken(function):
    """Lambdas, functions written in C, classes, and what does not say what it takes."""
    check_function(function, 1, "map", many=True)
    check_results(function, "it")


@pytest.mark.parametrize(("function", "arguments"), [(lambda: 1, 1), (lambda a: a, 2), (lambda a, b: a, 1)])
def test_functions_of_another_number_of_arguments_are_refused(function, arguments):
    """The text says with how many it is called, and what it takes."""
    with pytest.raises(ConfigurationTypeError, match=r"map is called with .* arguments?, but <lambda> has"):
        check_function(function, arguments, "map")
