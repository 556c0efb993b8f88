"""Keeping one of several elements whole, the one with the least or the greatest key, for many places at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs

#: Places in the order of arrival of what is not there: behind all others, where the first of equals is chosen, and
#: before them, where the last one is.
NEVER, NEVER_LAST = 2**63 - 1, -1


class Choosing(NamedTuple):
    """The folds that choose the element that is kept, and those that are its fields.

    Args:
        key: The number of the fold by whose values elements are chosen.
        came: The number of the one that says when the chosen element came.
        fields: The numbers of those that are fields of it.
        greatest: Whether the greatest key is chosen; else the least.
        first: Whether the first of several with that key is; else the last.
    """

    key: int
    came: int
    fields: tuple[int, ...]
    greatest: bool
    first: bool

    @staticmethod
    def of(folds: Sequence[FieldFold]) -> Choosing | None:
        """Find the folds that choose an element; None if elements are combined field by field."""
        came = next((number for number, fold in enumerate(folds) if fold.kind == "came"), None)
        if came is None:
            return None
        fields = tuple([number for number, fold in enumerate(folds) if fold.kind == "chosen"])
        return Choosing(came - 1, came, fields, folds[came - 1].kind == "greatest", folds[came].identity == NEVER)

    def add(
        self,
        held: Sequence[Array],
        places: Longs,
        is_fresh: npt.NDArray[np.bool_],
        sequence: Longs,
        inputs: Sequence[Array | None],
    ) -> None:
        """Choose among elements and what is at their places.

        Args:
            held: The values of each fold.
            places: Where each element belongs, in the order of arrival.
            is_fresh: Whether nothing was there before them.
            sequence: When they came.
            inputs: Their values.
        """
        best, keys = held[self.key], inputs[self.key]
        assert keys is not None, "elements have a key"
        before = best[places]
        (np.maximum if self.greatest else np.minimum).at(best, places, keys)
        wins = keys == best[places]
        if self.first:
            wins &= is_fresh | (keys != before)
        # Of several for one place the one that is written last stays.
        winners = np.flatnonzero(wins)[::-1] if self.first else np.flatnonzero(wins)
        won = places[winners]
        held[self.came][won] = sequence[winners]
        for number in self.fields:
            values = inputs[number]
            assert values is not None, "a chosen field is a value"
            held[number][won] = values[winners]

    def merge_into(self, earlier: Sequence[Array], later: Sequence[Array]) -> None:
        """Choose between what two have, place by place; what has nothing is never chosen.

        What was there before columns has the place of the first element that comes then, and is the earlier one.
        """
        key, other = earlier[self.key], later[self.key]
        came, other_came = earlier[self.came], later[self.came]
        is_better = other > key if self.greatest else other < key
        is_better |= (other == key) & (other_came < came if self.first else other_came >= came)
        for number in (self.key, self.came, *self.fields):
            np.copyto(earlier[number], later[number], where=is_better)

    def best(self, keys: Sequence[Any], came: Sequence[int]) -> int:
        """The number of the one that is chosen among some; of several at one place as in :meth:`merge_into`."""

        def rank(number: int) -> tuple[Any, int]:
            key = keys[number] if self.greatest else -keys[number]
            return key, -came[number] if self.first else came[number]

        numbers = range(len(keys))
        return max(numbers if self.first else reversed(numbers), key=rank)
