"""The union of two streams as columns: those of the elements themselves, since a batch is of one stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.tagged_union import One, TaggedUnion, Two, UnionKeySelector


@dataclass(frozen=True)
class TaggedShape(Shape):
    """An element with a tag around it that says which stream it is from.

    Example:
        >>> import pyarrow as pa
        >>> from windrow.elements.shape import LONG
        >>> TaggedShape.of(One, LONG).rows(pa.record_batch({"f0": [1, 2]}))
        [TaggedUnion.one(1), TaggedUnion.one(2)]
    """

    tag: type[TaggedUnion] = One
    #: What the element itself is made of.
    inner: Shape | None = None

    @staticmethod
    def of(tag: type[TaggedUnion], inner: Shape) -> TaggedShape:
        """The shape of elements of the shape ``inner``, with this tag."""
        return TaggedShape(inner.types, inner.declared, tag, inner)

    @property
    def names(self) -> Sequence[str]:
        return self._inner.names

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        tag = self.tag
        return [tag(element) for element in self._inner.elements(columns, count)]

    @property
    def never_changes(self) -> bool:
        return self._inner.never_changes

    @property
    def _inner(self) -> Shape:
        assert self.inner is not None, "made by of()"
        return self.inner


@dataclass(frozen=True)
class UnionShape(Shape):
    """An element of either stream, where both have elements of one shape: whether it is from the first, and its fields.

    Example:
        >>> import pyarrow as pa
        >>> from windrow.elements.shape import LONG
        >>> UnionShape.of(LONG).rows(pa.record_batch({"f0": [True, False], "f1": [1, 2]}))
        [TaggedUnion.one(1), TaggedUnion.two(2)]
    """

    #: What the element itself is made of.
    inner: Shape | None = None

    @staticmethod
    def of(inner: Shape) -> UnionShape:
        """The shape of elements of the shape ``inner``."""
        declared = None if inner.declared is None else (None, *inner.declared)
        return UnionShape((pa.bool_(), *inner.types), declared, inner)

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        firsts, *fields = columns
        elements = self._inner.elements(fields, count)
        return [(One if first else Two)(element) for first, element in zip(firsts, elements, strict=True)]

    @property
    def never_changes(self) -> bool:
        return self._inner.never_changes

    @property
    def _inner(self) -> Shape:
        assert self.inner is not None, "made by of()"
        return self.inner


def united(columns: Columns) -> Columns | None:
    """Elements of one stream as those of either; those of either as they are; None for other elements."""
    shape = columns.shape
    if not isinstance(shape, TaggedShape):
        return columns if isinstance(shape, UnionShape) else None
    assert shape.inner is not None, "made by of()"
    firsts = np.full(len(columns), shape.tag is One)
    return Columns.of(UnionShape.of(shape.inner), [firsts, *columns.fields])


def parted(columns: Columns) -> tuple[NDArray[np.bool_], Columns] | None:
    """Tell of each element whether it is of the first stream, and give all without tags; None for other shapes."""
    shape = columns.shape
    if isinstance(shape, TaggedShape):
        assert shape.inner is not None, "made by of()"
        return np.full(len(columns), shape.tag is One), columns.shaped(shape.inner)
    if not isinstance(shape, UnionShape):
        return None
    assert shape.inner is not None, "made by of()"
    firsts, *fields = columns.fields
    truths = Columns.of(ScalarShape.of(pa.bool_()), [firsts]).truths()
    return truths, Columns.of(shape.inner, fields)


def untagged(function: Callable[..., Any], shapes: Sequence[Shape]) -> tuple[Callable[..., Any], Sequence[Shape]]:
    """Give what takes the elements themselves in place of a union's key selector, and their shape.

    Every other function, and other elements, as they are.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> selector = UnionKeySelector(len, abs)
        >>> untagged(selector.get_key, [TaggedShape.of(One, LONG)]) == (len, [LONG])
        True
    """
    first = shapes[0] if len(shapes) == 1 else None
    if isinstance(first, TaggedShape) and isinstance(function, MethodType):
        selector = function.__self__
        if isinstance(selector, UnionKeySelector) and first.inner is not None:
            return selector.of(first.tag), [first.inner]
    return function, shapes
