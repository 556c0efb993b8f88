"""Folds: what a reduce or an aggregate function does to each field of what it has so far."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.elements.shape import Shape
from windrow.tracing.tracer import Traced


class FoldKind(Enum):
    """The way in which a field of the accumulator changes with each element."""

    FIRST = "first"
    LAST = "last"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    COUNT = "count"


@dataclass(frozen=True)
class Choice:
    """One of the elements, whole: the one with the least or the greatest key (``min_by``, ``max_by``).

    Args:
        key: Gives one column, by which elements are chosen.
        greatest: Whether it is the greatest key; else the least.
        first: Whether the first of several with that key is taken; else the last one.
    """

    key: Traced
    greatest: bool
    first: bool


@dataclass(frozen=True)
class Fold:
    """A function that folds elements, field by field of its accumulator.

    An accumulator of some elements has in each field the first, last, sum, least, greatest, or number of the values
    that ``inputs`` gives for them. Sums begin with ``initial``, least and greatest values regard it, and it has no part
    in first and last ones. Sums of integers may leave 64 bits: who folds has to look. So has who folds floats: their
    sums depend on the order, and for their least and greatest values see :func:`are_ordinary`.

    Args:
        shape: What an accumulator is made of.
        inputs: Gives for each element the column of values of each field.
        kinds: What becomes of each field; all are FIRST where there is a choice.
        initial: The accumulator of no elements, a value for each field; None: that of one element are its inputs.
        result: Makes results of accumulators; None: they are the results.
        choice: Which element is kept whole, for functions that give one of their two.
        associative: Whether accumulators of one part of the elements and of the next, each without ``initial``, can be
            combined: no field is a float that is summed.
        commutative: Whether the parts may be combined in any order.
        merges: Whether combining two accumulators so is what the function's own ``merge`` does.
    """

    shape: Shape
    inputs: Traced
    kinds: tuple[FoldKind, ...]
    initial: tuple[Any, ...] | None = None
    result: Traced | None = None
    choice: Choice | None = None
    associative: bool = True
    commutative: bool = True
    merges: bool = True


def are_ordinary(numbers: NDArray[np.float64]) -> bool:
    """Tell whether least and greatest of floats depend neither on the order nor on which of two equals is taken.

    A NaN is neither less nor greater than any other, and 0.0 and -0.0 are equal.

    Example:
        >>> are_ordinary(np.array([1.0, -2.5])), are_ordinary(np.array([1.0, np.nan])), are_ordinary(np.array([-0.0]))
        (True, False, False)
    """
    return not bool(np.isnan(numbers).any() or (numbers == 0.0).any())
