"""Functions that yield at most one result are traced, and others are refused."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.elements.shape import LONG, TupleShape
from windrow.tracing.outcome import NotExact, NotTraceable
from windrow.tracing.results import trace_results

PAIR = TupleShape((pa.int64(), pa.int64()))


def yields(x):
    yield x[0] + x[1]


def returns(x):
    return [x[0] - x[1]]


def yields_some(x):
    if x[0] > x[1]:
        yield x[0], "greater"
    elif x[0] == x[1]:
        yield x[1], "equal"


def returns_some(x):
    return [x[0] // x[1]] if x[1] else None


def ends_early(x):
    if x[0] < 0:
        return
    yield x[0]


@pytest.mark.parametrize("function", [yields, returns, yields_some, returns_some, ends_early])
def test_results_are_those_of_the_function(function):
    """Which arguments have a result, and what it is."""
    rows = [(3, 1), (1, 3), (2, 2), (-5, 4), (0, 0), (7, -2)]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    traced = trace_results(function, [PAIR])
    has_result = np.ones(len(rows), bool)
    if traced.has_result is not None:
        has_result = np.asarray(traced.has_result.evaluate(columns)[0])
    made = traced.result.evaluate([column[has_result] for column in columns])
    arrays = [pa.array(column) for column in made]
    given = traced.result.shape.rows(pa.RecordBatch.from_arrays(arrays, schema=traced.result.shape.schema))
    assert given == [result for row in rows for result in (function(row) or ())]


def test_arguments_are_arranged():
    """A function may be given other arguments than a stand-in for each shape."""
    traced = trace_results(lambda a, times: [a + times[1]], [LONG, LONG, LONG], lambda given: [given[0], given[1:]])
    assert traced.result.evaluate([np.array([1]), np.array([5]), np.array([7])])[0].tolist() == [8]


def of_a_tuple(key, elements):
    for element in elements:
        if element < 0:
            continue
        yield key, element


def of_the_first(key, elements):
    return [key + next(iter(elements))]


def of_none(key, elements):
    return [(key, next(iter(()), len(elements)))]


@pytest.mark.parametrize("kind", [tuple, list])
@pytest.mark.parametrize("function", [of_a_tuple, of_the_first, of_none])
def test_a_loop_over_what_is_given_is_followed(function, kind):
    """A tuple or a list of stand-ins ends, whatever is done with each."""
    traced = trace_results(function, [LONG, LONG], lambda given: [given[0], kind(given[1:])])
    rows = [(3, 1), (1, -3), (2, 2)]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    has_result = np.ones(len(rows), bool)
    if traced.has_result is not None:
        has_result = np.asarray(traced.has_result.evaluate(columns)[0])
    made = traced.result.evaluate([column[has_result] for column in columns])
    arrays = [pa.array(column) for column in made]
    given = traced.result.shape.rows(pa.RecordBatch.from_arrays(arrays, schema=traced.result.shape.schema))
    assert given == [result for key, value in rows for result in function(key, kind([value]))]


MANY = tuple(range(30_000))


def test_a_loop_of_many_rounds_is_left_to_python():
    """It is given up before it costs more time, or a deeper stack, than to call the function."""

    def long(x):
        total = x[0]
        for each in MANY:
            total = (total * 31 + each) % 1_000_003
        yield total

    found = trace_results(long, [PAIR])
    assert isinstance(found, NotTraceable)
    assert "computes more than" in found.reason


def test_what_is_used_many_times_is_looked_at_once():
    """Else each round of this loop would double the time of the trace."""

    def mixes(x):
        mixed = x[0]
        for each in MANY[:60]:
            mixed = mixed ^ (mixed & each)
        if x[1] > 3:
            yield mixed
        else:
            yield mixed ^ 1

    traced = trace_results(mixes, [PAIR])
    made = traced.result.evaluate([np.array([77, 1234]), np.array([1, 5])])[0]
    assert made.tolist() == [next(mixes((77, 1))), next(mixes((1234, 5)))]


def counts_up(x):
    number = 0
    while number < 1:
        number = number + 1
    yield number + x[0]


def goes_through_text(x):
    for letter in "ab":
        yield from letter


def goes_through_a_number(x):
    for each in x[0]:
        yield each + 1


def several(x):
    yield x[0]
    yield x[1]


def loops(x):
    for each in x:
        yield each + 1


def tries(x):
    try:
        yield x[0]
    except ValueError:
        yield x[1]


def cleans_up(x):
    try:
        yield x[0]
    finally:
        print(x)


def delegates(x):
    yield from [x[0]]


def nothing(x):
    if x[0] > 0:
        return


async def later(x):
    return [x[0]]


async def yields_later(x):
    yield x[0]


@pytest.mark.parametrize(
    "function",
    [
        *(several, loops, tries, cleans_up, delegates, nothing, later, yields_later, lambda x: x[0], lambda x: (x[0],)),
        *(counts_up, goes_through_text, goes_through_a_number, lambda x: [next(x)], lambda x: [*iter(x[0])]),
    ],
)
def test_what_gives_other_results_is_refused(function):
    """Several, none at all, later ones, or what is no list."""
    assert isinstance(trace_results(function, [PAIR]), NotTraceable)


def test_a_row_without_a_result_is_left_to_python():
    """Who asks for results asks only where there are some."""
    traced = trace_results(ends_early, [PAIR])
    with pytest.raises(NotExact):
        traced.result.evaluate([np.array([-1]), np.array([0])])
