"""The form of arrays of results: their types, the results as rows, and their description in checkpoints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described, goes_on_with, read_described
from windrow.operators.column_folds.field_fold import Array
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, TextKeyIndex

#: What descriptions of groups begin with; those of folds begin with a truth value.
_GROUPS = "groups"


class ResultForm(ABC):
    """The form of the arrays that hold what an operator keeps of each key."""

    @property
    @abstractmethod
    def dtypes(self) -> Sequence[np.dtype[Any] | None]:
        """The type of each array; None for a field that is the key and has no array."""

    @abstractmethod
    def rows(self, columns: Sequence[Any]) -> list[Any]:
        """The results of some keys, at least one, as the operator over rows keeps them.

        Args:
            columns: The arrays; in place of one that is the key a column of the keys.
        """

    @abstractmethod
    def goes_on_with(self, kept: ResultForm) -> bool:
        """Tell whether arrays of this form can go on from those of another; in place of keys it may have arrays."""

    @abstractmethod
    def described(self, keys: KeyIndex) -> tuple[Any, ...] | None:
        """The form as plain data, with what the keys are; None if it cannot be described."""

    def alive(self, columns: Sequence[Array]) -> Array | None:
        """Tell of each row whether it is a result or says that an older one is none any more. None: all are results."""
        return None


class FoldForm(ResultForm):
    """The form of what elements were folded to.

    Args:
        elements: What an element is made of.
        plan: What became of elements.
    """

    def __init__(self, elements: Shape, plan: FoldPlan) -> None:
        self.elements = elements
        self.plan = plan

    @property
    def dtypes(self) -> Sequence[np.dtype[Any] | None]:
        return [None if fold.kind == "key" else fold.dtype for fold in self.plan.folds]

    def rows(self, columns: Sequence[Any]) -> list[Any]:
        return self.plan.accumulators(columns)

    def goes_on_with(self, kept: ResultForm) -> bool:
        return isinstance(kept, FoldForm) and goes_on_with(self.plan, kept.plan)

    def described(self, keys: KeyIndex) -> tuple[Any, ...] | None:
        return described(self.elements, self.plan, keys)


class GroupForm(ResultForm):
    """The form of groups: the number of their rows, and the values of their aggregates.

    An aggregate is a count; a sum with the number of values; or a value, with whether there is one.

    Args:
        aggregates: What each is: ``count``, ``sum`` or ``value``; and the type of sums and values.
        retracts: Whether rows may be taken back; else a group has some, and how many is not known.
    """

    def __init__(self, aggregates: Sequence[tuple[str, pa.DataType]], *, retracts: bool) -> None:
        self._aggregates = list(aggregates)
        self._retracts = retracts

    @property
    def dtypes(self) -> Sequence[np.dtype[Any] | None]:
        counts = np.dtype(np.int64)
        of_each = ([] if kind == "count" else [_dtype(of)] for kind, of in self._aggregates)
        return [counts, *[dtype for dtypes in of_each for dtype in (*dtypes, counts)]]

    def rows(self, columns: Sequence[Any]) -> list[Any]:
        """Give the number of a group's rows, None if that is not known, and the states of accumulators over rows."""
        counts, *others = columns
        arrays = iter(others)
        of_each = [_states(kind, of, next(arrays), arrays) for kind, of in self._aggregates]
        states = [list(each) for each in zip(*of_each, strict=True)] if of_each else [[] for _ in counts]
        return list(zip(counts.tolist() if self._retracts else [None] * len(counts), states, strict=True))

    def goes_on_with(self, kept: ResultForm) -> bool:
        if not isinstance(kept, GroupForm):
            return False
        return kept._retracts == self._retracts and kept._aggregates == self._aggregates

    def described(self, keys: KeyIndex) -> tuple[Any, ...] | None:
        aggregates = [(kind, pa.schema([("", of)]).serialize().to_pybytes()) for kind, of in self._aggregates]
        return _GROUPS, isinstance(keys, TextKeyIndex), aggregates, self._retracts

    def alive(self, columns: Sequence[Array]) -> Array | None:
        found: Array = columns[0] > 0
        return found


def read_form(described: Sequence[Any]) -> tuple[ResultForm, KeyIndex]:
    """The form that was described, and an index for its keys, which has none yet."""
    if described[0] == _GROUPS:
        _, text, aggregates, retracts = described
        kinds = [(kind, pa.ipc.read_schema(pa.py_buffer(schema)).types[0]) for kind, schema in aggregates]
        return GroupForm(kinds, retracts=retracts), TextKeyIndex() if text else IntKeyIndex()
    elements, plan, keys = read_described(*described)
    return FoldForm(elements, plan), keys


def _states(kind: str, of: pa.DataType, first: Array, others: Iterator[Array]) -> list[list[Any]]:
    """The states of an aggregate's accumulators over rows."""
    if kind == "count":
        return [[count] for count in first.tolist()]
    counts = next(others)
    if kind == "sum":
        pairs = zip(first.tolist(), counts.tolist(), strict=True)
        # Of values that were taken back and had never come something may be left.
        return [[total if count or total else None, count] for total, count in pairs]
    return [[value] for value in objects_of(first, counts > 0, of)]


def objects_of(values: Array, valid: Array, kind: pa.DataType) -> list[Any]:
    """Python's objects of numbers, of which those of times are their ticks; None where they are not valid."""
    if values.dtype.hasobject:
        return [value if known else None for value, known in zip(values.tolist(), valid.tolist(), strict=True)]
    made = pa.array(values, mask=~valid)
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        made = made.cast(pa.int32())
    listed: list[Any] = made.cast(kind).to_pylist()
    return listed


def _dtype(kind: pa.DataType) -> np.dtype[Any]:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return np.dtype(object)
    return np.dtype(np.float64 if pa.types.is_floating(kind) else np.int64)
