"""What functions of two groups become, and what they may not do to become columns."""

# ruff: noqa: B007, SIM113, UP028 (what is written otherwise is another case)

import pytest

from windrow.elements.shape import LONG, TupleShape
from windrow.tracing.groups import trace_groups
from windrow.tracing.outcome import NotTraceable


def semi(first, second):
    if second:
        for each in first:
            yield each


def semi_by_loop(first, second):
    for _ in second:
        for each in first:
            yield each * 2
        return


def some(first, second):
    if not second:
        for each in first:
            if each > 3:
                yield each, "alone"


def outer(first, second):
    if not second:
        for one in first:
            yield one, -1
    if not first:
        for two in second:
            yield -1, two


def of_second(first, second):
    for _ in first:
        for each in second:
            yield each
        break


def unanswered(first, second):
    return first if not second else None


def nothing(first, second):
    for each in first:
        if each > 3:
            return


def of_cases(case):
    return case.is_first, case.function is not None


@pytest.mark.parametrize(
    ("function", "both", "first", "second"),
    [
        (semi, (True, True), False, False),
        (semi_by_loop, (True, True), False, False),
        (some, (True, False), True, False),
        (outer, (True, False), True, True),
        (of_second, (False, True), False, False),
        (unanswered, (True, False), True, False),
        (nothing, (True, False), False, False),
    ],
)
def test_says_whose_elements_give_results(function, both, first, second):
    """Where both streams have elements of a key, and where only one has."""
    traced = trace_groups(function, LONG, LONG)
    assert not isinstance(traced, NotTraceable)
    assert of_cases(traced.both) == both
    assert of_cases(traced.first) == (True, first)
    assert of_cases(traced.second) == (False, second)


def test_elements_may_be_taken_apart():
    """A loop over tuples assigns several variables."""

    def sums(first, second):
        for one, two in first:
            yield one + two

    assert not isinstance(trace_groups(sums, TupleShape(LONG.types * 2), LONG), NotTraceable)


def stops(first, second):
    for each in first:
        yield each
        break


def stops_at_some(first, second):
    for each in first:
        if each > 3:
            return
        yield each


def counts(first, second):
    number = 0
    for each in first:
        number += 1
        if number < 5:
            yield each


def remembers(first, second):
    for before in (0,):
        pass
    for each in first:
        yield before
        for before in (each,):
            pass


def remembers_in_an_argument(first, second):
    for each in first:
        if not second:
            yield each
        for second in ((1,),):
            pass


def some_of_a_list(first, second):
    for each in [*first][3:]:
        yield each


def largest(first, second):
    for _ in second:
        yield max(first)
        return


def last(first, second):
    for each in first:
        pass
    yield each


def asks_behind_the_loop(first, second):
    for each in first:
        yield each
    if each > 3:
        return


def pairs(first, second):
    for one in first:
        for _ in second:
            yield one


def twice(first, second):
    for one in first:
        yield one
    for two in first:
        yield two


def several(first, second):
    for each in first:
        yield each
        yield each


def a_list(first, second):
    return [1]


def how_many(first, second):
    return first if len(second) > 1 else None


def each_of(group):
    for each in group:
        yield each


def by_another(first, second):
    for each in each_of(first):
        yield each


def looks_at_the_other(first, second):
    for other in second:
        for each in first:
            yield each + other
        return


def equals(first, second):
    return first if second == [1] else None


def of_none(first, second):
    for each in first:
        yield None


@pytest.mark.parametrize(
    "function",
    [
        *(stops, stops_at_some, counts, remembers, remembers_in_an_argument, some_of_a_list, largest, last),
        *(asks_behind_the_loop, pairs, twice, several, a_list, how_many, by_another, looks_at_the_other, equals),
        of_none,
        sorted,
    ],
)
def test_what_might_depend_on_other_elements_is_left_to_python(function):
    """How many there are, which came before, and what the other group's are."""
    assert isinstance(trace_groups(function, LONG, LONG), NotTraceable)


def test_elements_without_fields_are_left_to_python():
    """There is no column whose length says how many they are."""
    assert isinstance(trace_groups(semi, TupleShape(()), LONG), NotTraceable)
