"""The function of a co-group on columns: which elements it gives something for, by who has elements of their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_function import ColumnFunction
from windrow.operators.forecast import SEVERAL_FORMS, Forecast
from windrow.operators.tagged_shape import TaggedShape, parted
from windrow.operators.tagged_union import One
from windrow.operators.window.kept_pane import Longs
from windrow.operators.window.whole_windows import WindowColumns
from windrow.tracing.groups import OfGroup, TracedGroups, trace_groups
from windrow.tracing.outcome import NotExact, NotTraceable

if TYPE_CHECKING:
    from windrow.operators.window.whole_windows import Chunks

#: The function of two lists.
CoGroup: TypeAlias = Callable[[list[Any], list[Any]], Iterable[Any] | None]

#: So many keys of the first window are computed by Python as well.
_CHECKED = 1 << 10


def forecast_co_group(function: CoGroup, shapes: Sequence[Shape]) -> Forecast:
    """The forecast for a co-group to which columns of these shapes come.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> from windrow.operators.tagged_union import Two
        >>> def unanswered(questions, answers):
        ...     return None if answers else questions
        >>> print(forecast_co_group(unanswered, [TaggedShape.of(One, LONG), TaggedShape.of(Two, LONG)]))
        columns
    """
    streams = [
        {shape.inner for shape in shapes if isinstance(shape, TaggedShape) and (shape.tag is One) is is_first}
        for is_first in (True, False)
    ]
    if [len(inner) for inner in streams] != [1, 1]:
        return Forecast(False, SEVERAL_FORMS)
    (first,), (second,) = streams
    assert first is not None, "made by of()"
    assert second is not None, "made by of()"
    traced = trace_groups(function, first, second)
    if isinstance(traced, NotTraceable):
        return Forecast(False, f"its function {traced.reason}")
    made = {case.function.result.shape for case in traced if case.function is not None}
    if len(made) > 1:
        return Forecast(False, "its results are of several forms")
    return Forecast(True, shape=next(iter(made), None))


class _Side(NamedTuple):
    """The elements that a window has of one stream."""

    places: Longs
    slots: Longs
    elements: Columns

    def chosen(self, those: Any) -> _Side:
        """Some of them: truth values, or indexes."""
        indexes = np.flatnonzero(those) if those.dtype == bool else those
        return _Side(self.places[indexes], self.slots[indexes], _taken(self.elements, indexes))


class CoGroupColumns(WindowColumns):
    """Computes what a co-group's function gives for a window, once it is known that Python gives the same.

    Args:
        operator: The operator's name, for the warning.
        function: It.
    """

    def __init__(self, operator: str, function: CoGroup) -> None:
        self._function = function
        self._checked = ColumnFunction(operator, function)
        self._traced: dict[tuple[Shape, Shape], TracedGroups | None] = {}
        #: The shapes that were asked for last: to hash them takes longer than to compare them.
        self._last: tuple[tuple[Shape, ...], TracedGroups | None] = (), None
        #: What elements of the first and of the second stream were made of last.
        self._shapes: list[Shape | None] = [None, None]
        self._is_off = False

    def takes(self, shape: Shape) -> bool:
        """Tell whether elements of this shape are to be kept as columns, as far as it is known yet."""
        if isinstance(shape, TaggedShape):
            self._shapes[0 if shape.tag is One else 1] = shape.inner
        first, second = self._shapes
        if self._is_off:
            return False
        return first is None or second is None or self._of_shapes(first, second) is not None

    def _of_shapes(self, first: Shape, second: Shape) -> TracedGroups | None:
        shapes = first, second
        if shapes != self._last[0]:
            if shapes not in self._traced:
                found = trace_groups(self._function, *shapes)
                self._traced[shapes] = None if isinstance(found, NotTraceable) else found
            self._last = shapes, self._traced[shapes]
        return self._last[1]

    def results(self, chunks: Chunks, timestamp: int) -> Batch | None:
        """The results of a window, key by key as these came; None: the function has to be called for each key."""
        sides = None if self._is_off else _sides(chunks)
        if sides is None:
            return None
        traced = self._of_shapes(sides[0].elements.shape, sides[1].elements.shape)
        if traced is None:
            return None
        firsts = _first_places(sides)
        try:
            if not self._checked.is_checked and not self._check(traced, sides, firsts):
                return None
            made = _computed(traced, sides, firsts)
        except NotExact:
            return None
        return Batch(made, np.full(len(made), timestamp, np.int64))

    def _check(self, traced: TracedGroups, sides: tuple[_Side, _Side], firsts: Longs) -> bool:
        """Compare what some keys give; False if Python has to go on."""
        limit = np.sort(firsts)[min(_CHECKED, firsts.size) - 1]
        some = sides[0].chosen(firsts[sides[0].slots] <= limit), sides[1].chosen(firsts[sides[1].slots] <= limit)
        try:
            expected = _called(self._function, some, firsts)
        except Exception:  # where it is called for each key, it is raised again, and says where
            return False
        given = _computed(traced, some, firsts)
        if (len(given) or expected) and not self._checked.check(given, expected):
            self._is_off = True
            return False
        return True


def _sides(chunks: Chunks) -> tuple[_Side, _Side] | None:
    """The elements of the first stream, and of the second; None if not all are columns, or one has none."""
    found: tuple[list[_Side], list[_Side]] = ([], [])
    for places, slots, elements in chunks:
        both = None if isinstance(elements, np.ndarray) or not elements.are_true else parted(elements)
        if both is None:
            return None
        firsts, untagged = both
        for number, those in enumerate((firsts, ~firsts)):
            if those.all():
                found[number].append(_Side(places, slots, untagged))
            elif those.any():
                found[number].append(_Side(places, slots, untagged).chosen(those))
    joined = _joined(found[0]), _joined(found[1])
    return None if joined[0] is None or joined[1] is None else (joined[0], joined[1])


def _joined(parts: Sequence[_Side]) -> _Side | None:
    """All of them, in the order of arrival."""
    if not parts or not all(parts[0].elements.is_like(part.elements) for part in parts):
        return None
    if len(parts) == 1:
        return parts[0]
    places, slots, elements = zip(*parts, strict=True)
    whole = _Side(np.concatenate(places), np.concatenate(slots), _behind_each_other(elements))
    if bool((whole.places[1:] < whole.places[:-1]).any()):
        return whole.chosen(np.argsort(whole.places))
    return whole


def _first_places(sides: tuple[_Side, _Side]) -> Longs:
    """By slot the place of the first element of a key; the end of all places for those that have none."""
    count = 1 + max(int(side.slots.max()) for side in sides)
    firsts = np.full(count, np.iinfo(np.int64).max)
    for side in sides:
        np.minimum.at(firsts, side.slots, side.places)
    return firsts


def _present(side: _Side, count: int) -> Any:
    found = np.zeros(count, np.bool_)
    found[side.slots] = True
    return found


def _computed(traced: TracedGroups, sides: tuple[_Side, _Side], firsts: Longs) -> Columns:
    """The results, by the first places of keys.

    Raises:
        NotExact: the function has to be called for each key.
    """
    in_first, in_second = _present(sides[0], firsts.size), _present(sides[1], firsts.size)
    cases = [
        (traced.both, in_first & in_second),
        (traced.first, in_first & ~in_second),
        (traced.second, in_second & ~in_first),
    ]
    made = [result for each, keys in cases if (result := _of_case(each, sides, keys)) is not None]
    shapes = {result.elements.shape for result in made}
    if len(shapes) > 1:
        msg = "results are of several shapes"
        raise NotExact(msg)
    if not made:
        return sides[0].elements.part(0, 0)
    places, slots, elements = zip(*made, strict=True)
    whole = _behind_each_other(elements)
    order = np.lexsort((np.concatenate(places), firsts[np.concatenate(slots)]))
    return _taken(whole, order)


def _of_case(case: OfGroup, sides: tuple[_Side, _Side], keys: Any) -> _Side | None:
    """Compute the results for the elements of some keys, in the places of these; None: there are none."""
    if case.function is None:
        return None
    side = sides[0] if case.is_first else sides[1]
    side = side.chosen(keys[side.slots])
    if case.function.has_result is not None and side.slots.size:
        side = side.chosen(np.asarray(case.function.has_result.evaluate(side.elements.fields)[0]))
    if not side.slots.size:
        return None
    return side._replace(elements=case.function.result.columns(side.elements))


def _called(function: CoGroup, sides: tuple[_Side, _Side], firsts: Longs) -> list[Any]:
    """The results as Python gives them."""
    groups: dict[int, tuple[list[Any], list[Any]]] = {}
    for number, side in enumerate(sides):
        for slot, element in zip(side.slots.tolist(), side.elements.shape.rows(side.elements.batch), strict=True):
            groups.setdefault(slot, ([], []))[number].append(element)
    expected: list[Any] = []
    for slot in sorted(groups, key=firsts.__getitem__):
        expected += function(*groups[slot]) or ()
    return expected


def _taken(elements: Columns, indexes: Longs) -> Columns:
    taken = elements.take(indexes)
    assert isinstance(taken, Columns), "nobody has changed one"
    return taken


def _behind_each_other(parts: Sequence[Columns]) -> Columns:
    joined = Columns.joined(parts)
    assert joined is not None, "they are of one shape"
    return joined
