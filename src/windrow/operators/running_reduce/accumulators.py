"""The results so far of keys whose elements are reduced: an array for each field, by the slots of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from windrow.operators.column_folds.choosing import Choosing
from windrow.operators.column_folds.field_fold import COMBINES, Array, FieldFold, Longs, magnitude
from windrow.operators.column_folds.runs import Runs, accumulate
from windrow.tracing.outcome import NotExact


class Accumulators:
    """The accumulators of keys.

    Args:
        folds: What becomes of each field.
    """

    def __init__(self, folds: Sequence[FieldFold]) -> None:
        self._folds = folds
        self._choosing = Choosing.of(folds)
        self._is_held = np.zeros(0, np.bool_)
        #: By slot, whether it has another accumulator than when state was stored.
        self.changed = np.zeros(0, np.bool_)
        #: For each field what is in each slot; an empty array for one that is the key.
        self.fields: list[Array] = [np.zeros(0, fold.dtype) for fold in folds]

    @classmethod
    def of(cls, folds: Sequence[FieldFold], fields: Sequence[Array], count: int) -> Accumulators:
        """The accumulators of as many slots, as they were stored."""
        made = cls(folds)
        made.widen(count)
        slots = np.arange(count)
        made.put(slots, [values if values.size else None for values in fields])
        made.changed[slots] = False
        return made

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes; an object is counted as a pointer."""
        return sum(array.nbytes for array in (self._is_held, self.changed, *self.fields))

    def widen(self, count: int) -> None:
        """Make room for so many slots."""
        before = self._is_held.size
        if count <= before:
            return
        width = max(count, 2 * before, 1024)
        self._is_held, self.changed = _wider(self._is_held, width, False), _wider(self.changed, width, False)
        self.fields = [
            values if fold.kind == "key" else _wider(values, width, fold.identity)
            for fold, values in zip(self._folds, self.fields, strict=True)
        ]

    def put(self, slots: Longs, fields: Sequence[Array | None]) -> None:
        """Set the accumulators of slots that have none."""
        self._is_held[slots] = self.changed[slots] = True
        for values, given in zip(self.fields, fields, strict=True):
            if given is not None:
                values[slots] = given

    def held(self) -> Longs:
        """The slots that have one."""
        return np.flatnonzero(self._is_held)

    def add(self, slots: Longs, runs: Runs, inputs: Sequence[Array | None]) -> list[Array | None]:
        """Combine elements with the accumulators of their keys.

        Gives the fields of the accumulator behind each element, in the order of arrival; None for one that is the key.

        Args:
            slots: The slot of each element's key.
            runs: The same elements by slot.
            inputs: A column for each field; None for one that is the key.

        Raises:
            NotExact: a sum may leave 64 bits; nothing is changed then.
        """
        for fold, values, added in zip(self._folds, self.fields, inputs, strict=True):
            if fold.kind == "sum" and fold.dtype.kind == "i" and added is not None:
                _check_range(values[runs.slots], added, int((runs.ends - runs.starts).max()) + 1)
        fresh = ~self._is_held[runs.slots]
        self._is_held[runs.slots] = self.changed[runs.slots] = True
        if self._choosing is not None:
            return _choose(self._choosing, self.fields, inputs, runs, fresh)
        return [
            None if added is None else _add(fold, values, added, slots, runs, fresh)
            for fold, values, added in zip(self._folds, self.fields, inputs, strict=True)
        ]


def _add(fold: FieldFold, values: Array, added: Array, slots: Longs, runs: Runs, fresh: Array) -> Array:
    """Combine one field; gives what it is behind each element."""
    if fold.kind == "first":
        values[runs.slots[fresh]] = added[runs.order[runs.starts[fresh]]]
        return values[slots]
    if fold.kind == "last":
        values[runs.slots] = added[runs.order[runs.ends]]
        return added
    combine = COMBINES[fold.kind]
    so_far = added[runs.order]
    with np.errstate(all="ignore"):
        so_far[runs.starts] = combine(values[runs.slots], so_far[runs.starts])
        accumulate(combine, so_far, runs)
    values[runs.slots] = so_far[runs.ends]
    result = np.empty_like(so_far)
    result[runs.order] = so_far
    return result


def _choose(
    choosing: Choosing, held: Sequence[Array], inputs: Sequence[Array | None], runs: Runs, fresh: Array
) -> list[Array | None]:
    """Choose among elements and what their keys have; gives the fields of what is chosen behind each element."""
    keys, best = inputs[choosing.key], held[choosing.key]
    assert keys is not None, "elements have a key"
    ordered = keys[runs.order]
    so_far = ordered.copy()
    combine = np.maximum if choosing.greatest else np.minimum
    had = best[runs.slots]
    so_far[runs.starts] = combine(had, so_far[runs.starts])
    accumulate(combine, so_far, runs)
    before = np.empty_like(so_far)
    before[1:] = so_far[:-1]
    before[runs.starts] = had
    is_better = ordered > before if choosing.greatest else ordered < before
    if not choosing.first:
        is_better |= ordered == before
    is_better[runs.starts[fresh]] = True
    # Of each place the last element of its run up to there that was better than all before; -1: what the key had.
    lengths = runs.ends - runs.starts + 1
    places = np.maximum.accumulate(np.where(is_better, np.arange(ordered.size), -1))
    is_held = places < np.repeat(runs.starts, lengths)
    of_held = np.repeat(runs.slots, lengths)[is_held]
    results: list[Array | None] = [None] * len(held)
    for number in choosing.fields:
        added, values = inputs[number], held[number]
        assert added is not None, "a chosen field is a value"
        chosen = added[runs.order[places]]
        chosen[is_held] = values[of_held]
        values[runs.slots] = chosen[runs.ends]
        result = np.empty_like(chosen)
        result[runs.order] = chosen
        results[number] = result
    best[runs.slots] = so_far[runs.ends]
    return results


def _check_range(values: Array, added: Array, most: int) -> None:
    """Raise if a sum of a value and up to ``most`` added ones may leave 64 bits."""
    if magnitude(values) + most * magnitude(added) >= 2**63:
        msg = "a sum may leave 64 bits"
        raise NotExact(msg)


def _wider(values: Array, width: int, value: Any) -> Array:
    wider = np.full(width, value, values.dtype)
    wider[: values.size] = values
    return wider
