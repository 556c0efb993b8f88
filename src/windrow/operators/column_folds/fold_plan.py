"""A fold on elements of a known shape: from columns to arrays, and back to elements and accumulators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.field_fold import Array, FieldFold
from windrow.operators.column_folds.listed_fields import listed_fields
from windrow.operators.column_folds.local_accumulators import LocalAccumulatorShape
from windrow.operators.column_function import same
from windrow.tracing.outcome import NotExact

#: What becomes of a field that may turn out to be the key.
MAY_BE_KEYS = frozenset({"first", "last", "min", "max", "chosen"})
_LEAST, _GREATEST = frozenset({"min", "least"}), frozenset({"max", "greatest"})
#: A column of Arrow, or NumPy's numbers.
Column: TypeAlias = Any


class FoldPlan:
    """The plan by which elements are folded in windows, field by field of their accumulators.

    Args:
        shape: What an accumulator is made of.
        folds: What becomes of each of its fields.
        evaluate: Gives the columns that are folded, of some elements; raises ``NotExact`` if Python has to.
        initial: The fields of the accumulator of no elements; None: there is none.
        result: Makes results of accumulators, and may raise ``NotExact``; None: they are the results.
        result_shape: What results are made of.
        of_key: How many of the first fields follow from the key.
        sources: For each fold the field of elements that it folds as it is, None: it computes what it folds; by
            default that of its own number.
    """

    def __init__(
        self,
        shape: Shape,
        folds: Sequence[FieldFold],
        evaluate: Callable[[Columns], Sequence[Column]],
        initial: Sequence[Any] | None = None,
        result: Callable[[Columns], Columns] | None = None,
        result_shape: Shape | None = None,
        of_key: int = 0,
        sources: Sequence[int | None] | None = None,
    ) -> None:
        self.shape = shape
        self.folds = list(folds)
        self.evaluate = evaluate
        #: The fields of the accumulator of no elements; None: there is none.
        self.initial = initial
        self._result = result
        self.result_shape = result_shape or shape
        self.of_key = of_key
        self.sources = range(len(self.folds)) if sources is None else sources

    @property
    def gives_elements(self) -> bool:
        """True if an accumulator is an element, as that of a reduce function is."""
        return self.initial is None and self._result is None

    @property
    def chooses(self) -> bool:
        """True if one of the elements is kept whole."""
        return any(fold.kind == "came" for fold in self.folds)

    @property
    def has_keys(self) -> bool:
        """True if some fields are taken to be the key."""
        return any(fold.kind == "key" for fold in self.folds)

    def with_keys(self, keys: Column, elements: Columns) -> FoldPlan:
        """The same for a stream in which some fields are the key, as these elements show."""
        try:
            columns = self.folded(elements)
        except NotExact:
            return self
        folds = [
            replace(fold, kind="key") if fold.kind in MAY_BE_KEYS and equal_columns(column, keys) else fold
            for fold, column in zip(self.folds, columns, strict=True)
        ]
        return self.with_folds(folds)

    def with_folds(self, folds: Sequence[FieldFold]) -> FoldPlan:
        """The same with other folds: some fields are taken to be the key, or are not."""
        return FoldPlan(
            self.shape, folds, self.evaluate, self.initial, self._result, self.result_shape, self.of_key, self.sources
        )

    def in_any_order(self) -> FoldPlan:
        """The same where sums need not be those of the order of arrival."""
        return self.with_folds([replace(fold, ordered=False) for fold in self.folds])

    def local_shape(self, element: Shape) -> LocalAccumulatorShape:
        """The shape of what elements of a shape come to before they cross an exchange."""
        of_folds = zip(self.folds, self.shape.types, strict=True)
        types = [kind if fold.dtype.hasobject else pa.from_numpy_dtype(fold.dtype) for fold, kind in of_folds]
        kinds = tuple([fold.kind for fold in self.folds])
        return LocalAccumulatorShape(tuple(types), self.shape.declared, element, self.shape, kinds)

    def folded(self, elements: Columns) -> Sequence[Column]:
        """The columns that are folded, of elements or of what some of them have come to.

        Raises:
            NotExact: Python has to combine them.
        """
        return elements.fields if isinstance(elements.shape, LocalAccumulatorShape) else self.evaluate(elements)

    def inputs(self, elements: Columns, keys: Column) -> list[Array | None] | None:
        """The columns that are folded, as arrays; None if the elements have to be combined one by one.

        Raises:
            KeysDiffer: a field that was the key is not.
        """
        try:
            columns = self.folded(elements)
        except NotExact:
            return None
        counted = ("came",) if isinstance(elements.shape, LocalAccumulatorShape) else ("count", "came")
        arrays: list[Array | None] = []
        for fold, column in zip(self.folds, columns, strict=True):
            array = None
            if fold.kind == "key":
                if not equal_columns(column, keys):
                    raise KeysDiffer
            elif fold.kind not in counted:
                array = array_of(column, fold)
                if array is None:
                    return None
            arrays.append(array)
        return arrays

    def accumulators(self, fields: Sequence[Column]) -> list[Any]:
        """Accumulators out of what was folded, as the row path keeps them."""
        try:
            return self._columns(fields).rows()
        except NotExact:
            # With what they begin with some leave 64 bits.
            lists = []
            for number, (fold, values) in enumerate(self._of_shape(fields)):
                listed = values.to_pylist() if isinstance(values, pa.Array) else values.tolist()
                lists.append(_each_with_initial(fold, listed, self.initial[number] if self.initial else None))
            return self.shape.elements(lists, len(lists[0]))

    def results(self, fields: Sequence[Column]) -> Columns:
        """Results out of what was folded.

        Raises:
            NotExact: Python has to make them of the accumulators.
        """
        accumulators = self._columns(fields)
        return accumulators if self._result is None else self._result(accumulators)

    def _columns(self, fields: Sequence[Column]) -> Columns:
        arrays = []
        for number, (fold, values) in enumerate(self._of_shape(fields)):
            combined = values if self.initial is None else _with_initial(fold, values, self.initial[number])
            arrays.append(combined if self.shape.dtypes else _column(combined, self.shape.types[number]))
        return Columns.of(self.shape, arrays)

    def _of_shape(self, fields: Sequence[Column]) -> list[tuple[FieldFold, Column]]:
        """The folds of an accumulator's fields, with what was folded; not those that say which element was chosen."""
        return list(zip(self.folds, fields, strict=True))[: len(self.shape.types)]

    def fields_of(self, accumulators: Sequence[Any], keys: Sequence[Any]) -> list[Array | None] | None:
        """Turn accumulators that the row path has kept into arrays of fields; None if they are of another shape."""
        columns = listed_fields(self.shape, accumulators)
        if columns is None or (self.shape.declared is not None and any(self.shape.converts)):
            return None  # objects that columns are converted to do not become columns again
        if self.chooses:
            return self._chosen_of(columns, keys)
        arrays: list[Array | None] = []
        for number, (fold, values) in enumerate(zip(self.folds, columns, strict=True)):
            array = None
            if fold.kind == "key":
                if list(keys) != values or not {int, str}.issuperset(map(type, values)):
                    return None
            else:
                initial = None if self.initial is None else self.initial[number]
                array = _kept(fold, values, initial)
                if array is None:
                    return None
            arrays.append(array)
        return arrays

    def _chosen_of(self, columns: Sequence[Sequence[Any]], keys: Sequence[Any]) -> list[Array | None] | None:
        """The same of elements that were kept whole."""
        try:
            arrays = [pa.array(values, of) for values, of in zip(columns, self.shape.types, strict=True)]
            elements = Columns.of(self.shape, arrays)
            if not same([array.to_pylist() for array in arrays], [list(values) for values in columns]):
                return None
            of_keys = np.array(keys, np.int64) if type(keys[0]) is int else pa.array(keys, pa.string())
            return self.inputs(elements, of_keys)
        except (pa.ArrowException, KeysDiffer, OverflowError, TypeError, ValueError):
            return None


class KeysDiffer(Exception):  # noqa: N818  (no error of the program's)
    """Says that a field that was the key so far is not the key of some elements."""


def are_text(field: Array | None) -> bool:
    """Tell whether a column, if it is of objects, holds only what a column of text can hold."""
    if field is None or not field.dtype.hasobject:
        return True
    values = field.tolist()
    try:
        return same(pa.array(values, pa.string()).to_pylist(), values)
    except (pa.ArrowException, UnicodeEncodeError, TypeError):
        return False


def field_fold(kind: str, of: pa.DataType, initial: Any = None) -> FieldFold | None:
    """Give the fold of this kind for a field of an Arrow type; None if that takes Python.

    >>> field_fold("sum", pa.int64())
    FieldFold(kind='sum', dtype=dtype('int64'), ordered=False, identity=0)
    """
    if kind == "count":
        return FieldFold(kind, np.dtype(np.int64), identity=0)
    if pa.types.is_integer(of) and not pa.types.is_uint64(of):
        limits = np.iinfo(np.int64)
        identity = _identity(kind, (limits.min, limits.max), 0)
        return FieldFold(kind, np.dtype(np.int64), identity=identity)
    if pa.types.is_float64(of):
        # 0.0 + -0.0 is 0.0, so the first number is added to -0.0, unless the function itself begins with something.
        begins_with = -0.0 if initial is None else float(initial)
        if kind == "sum" and begins_with != 0:
            return None
        identity = _identity(kind, (-np.inf, np.inf), begins_with)
        return FieldFold(kind, np.dtype(np.float64), ordered=kind == "sum", identity=identity)
    if kind not in ("first", "last", "chosen"):
        return None
    return FieldFold(kind, np.dtype(np.bool_ if pa.types.is_boolean(of) else np.object_), identity=None)


def _identity(kind: str, limits: tuple[Any, Any], other: Any) -> Any:
    """Give the value that changes no other when combined with it, where values are between these limits."""
    if kind in _LEAST:
        return limits[1]
    return limits[0] if kind in _GREATEST else other


def equal_columns(column: Column, keys: Column) -> bool:
    """Tell whether a column holds the keys, which are NumPy's integers or Arrow's text."""
    if isinstance(keys, np.ndarray):
        if column is keys:  # as it is where an array is there once, whatever it is
            return bool(keys.dtype == np.int64)
        if isinstance(column, pa.Array):
            if column.null_count or not pa.types.is_int64(column.type):
                return False
            column = column.to_numpy()
        return column.dtype == np.int64 and bool(np.array_equal(column, keys))
    return isinstance(column, pa.Array) and bool(column.type == keys.type and column.equals(keys))


def array_of(column: Column, fold: FieldFold) -> Array | None:
    """A column as what is folded; None if that takes Python."""
    if fold.dtype.kind == "O":
        return _objects(column.to_pylist() if isinstance(column, pa.Array) else column.tolist())
    if isinstance(column, pa.Array):
        if column.null_count:
            return None
        column = column.to_numpy(zero_copy_only=False)
    array: Array = column.astype(fold.dtype, copy=False)
    return array if _is_plain(array, fold) else None


def _is_plain(array: Array, fold: FieldFold) -> bool:
    """Tell whether NumPy finds the same least and greatest values as Python, which keeps one of 0.0 and -0.0."""
    if fold.dtype.kind != "f" or fold.kind not in _LEAST | _GREATEST:
        return True
    # What only says which element is chosen may be either zero.
    has_zero = fold.kind in ("min", "max") and (array == 0).any()
    return not (has_zero or np.isnan(array).any())


def _kept(fold: FieldFold, values: Sequence[Any], initial: Any) -> Array | None:
    """Give the array of a field of accumulators, without what they begin with; None if Python has to hold it."""
    if fold.dtype.kind == "O":
        return _objects(values)
    wanted = {"i": int, "f": float, "b": bool}[fold.dtype.kind]
    if not {wanted}.issuperset(map(type, values)):
        return None
    if wanted is int and fold.kind in ("sum", "count") and initial:
        values = [value - initial for value in values]
    try:
        array = np.array(values, fold.dtype)
    except OverflowError:
        return None
    if fold.kind == "sum" and wanted is float and initial is not None and (np.signbit(array) & (array == 0)).any():
        return None  # no sum that begins with 0.0 is -0.0
    return array if _is_plain(array, fold) else None


def _with_initial(fold: FieldFold, values: Column, initial: Any) -> Column:
    match fold.kind:
        case "sum" if fold.dtype.kind == "f":
            return values  # it is where the sum began
        case "sum" | "count":
            if not initial or not values.size:
                return values
            if max(abs(int(values.max())), abs(int(values.min()))) + abs(initial) >= 2**63:
                msg = "a sum leaves 64 bits"
                raise NotExact(msg)
            return values + initial
        case "min":
            return np.minimum(values, initial)
        case "max":
            return np.maximum(values, initial)
    return values


def _each_with_initial(fold: FieldFold, values: list[Any], initial: Any) -> list[Any]:
    if initial is None or fold.dtype.kind != "i":
        return values
    match fold.kind:
        case "sum" | "count":
            return [value + initial for value in values]
        case "min" | "max":
            chosen = min if fold.kind == "min" else max
            return [chosen(value, initial) for value in values]
    return values


def _objects(values: Sequence[Any]) -> Array:
    return np.fromiter(values, object, len(values))


def _column(values: Column, kind: pa.DataType) -> pa.Array:
    if isinstance(values, pa.Array):
        return values if values.type == kind else values.cast(kind)
    if values.dtype.kind == "O":
        return pa.array(values.tolist(), kind)
    column = pa.array(values)
    return column if column.type == kind else column.cast(kind)
