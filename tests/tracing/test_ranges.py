"""Bounds hold for every pair of values within the operands' bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from windrow.tracing import ranges
from windrow.tracing.ranges import Range

VALUES = st.one_of(st.integers(-10, 10), st.integers(-(2**63), 2**63 - 1))
RANGES = st.lists(VALUES, min_size=3, max_size=3).map(sorted)


@pytest.mark.parametrize(
    ("rule", "operation"),
    [
        (ranges.total, operator.add),
        (ranges.difference, operator.sub),
        (ranges.product, operator.mul),
        (ranges.quotient, operator.floordiv),
        (ranges.remainder, operator.mod),
        (ranges.bits, operator.or_),
        (ranges.bits, operator.xor),
        (ranges.bits, operator.and_),
        (ranges.common_bits, operator.and_),
        (ranges.union, lambda a, b: a),
        (ranges.union, lambda a, b: b),
    ],
)
@settings(deadline=None)
@given(a=RANGES, b=RANGES)
def test_bounds_of_two(
    rule: Callable[[Range, Range], Range], operation: Callable[[int, int], int], a: list[int], b: list[int]
) -> None:
    """The result of two values is within the bounds that the rule gives for theirs."""
    found = rule(Range(a[0], a[2]), Range(b[0], b[2])) if b[0] != 0 or b[2] != 0 else None
    assume(found is not None)
    for one in a:
        for other in b:
            if other != 0:
                assert found is not None
                assert found.least <= operation(one, other) <= found.greatest


@pytest.mark.parametrize(("rule", "operation"), [(ranges.negation, operator.neg), (ranges.magnitude, abs)])
@settings(deadline=None)
@given(a=RANGES)
def test_bounds_of_one(rule: Callable[[Range], Range], operation: Callable[[int], int], a: list[int]) -> None:
    """The result of a value is within the bounds that the rule gives for its own."""
    found = rule(Range(a[0], a[2]))
    assert all(found.least <= operation(each) <= found.greatest for each in a)


@pytest.mark.parametrize(
    ("rule", "operation"), [(ranges.shifted_left, operator.lshift), (ranges.shifted_right, operator.rshift)]
)
@settings(deadline=None)
@given(a=RANGES, by=st.lists(st.integers(-3, 100), min_size=3, max_size=3).map(sorted))
def test_bounds_of_shifts(
    rule: Callable[[Range, Range], Range], operation: Callable[[int, int], int], a: list[int], by: list[int]
) -> None:
    """A shifted value is within the bounds that the rule gives; counts that could be negative, and are not, as well."""
    found = rule(Range(a[0], a[2]), Range(by[0], by[2]))
    assert all(found.least <= operation(one, count) <= found.greatest for one in a for count in by if count >= 0)
