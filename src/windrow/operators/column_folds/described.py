"""Folds as plain data, for checkpoints: the keys, the form of accumulators, and how each field is folded.

So who has another function, or no columns at all, can make accumulators of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.common.typeinfo import TypeInformation, Types
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape
from windrow.operators.column_folds.field_fold import FieldFold
from windrow.operators.column_folds.fold_plan import MAY_BE_KEYS, Column, FoldPlan, field_fold
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, TextKeyIndex
from windrow.tracing.outcome import NotExact

#: A sum of floats that need not be in the order of arrival.
_ANY_ORDER = "sum in any order"
_SHAPES = {"value": ScalarShape, "tuple": TupleShape, "row": RowShape, "object": DataclassShape}
#: Declared types of fields, by their names in checkpoints.
_BASIC: dict[str, TypeInformation | None] = {
    "none": None,
    "boolean": Types.BOOLEAN(),
    "byte": Types.BYTE(),
    "short": Types.SHORT(),
    "int": Types.INT(),
    "long": Types.LONG(),
    "float": Types.FLOAT(),
    "double": Types.DOUBLE(),
    "string": Types.STRING(),
}


class Folded(NamedTuple):
    """The shape, plan and keys that arrays were made with."""

    elements: Shape
    plan: FoldPlan
    #: Without keys.
    keys: KeyIndex


def described(elements: Shape, plan: FoldPlan, keys: KeyIndex) -> tuple[Any, ...] | None:
    """Describe how arrays are to be read; None if fields are of declared types that have no name in checkpoints.

    None, too, where elements are kept whole: by what they were chosen is not known to another program.

    Args:
        elements: What an element is made of.
        plan: What becomes of elements.
        keys: The keys, of which only the kind is described.
    """
    of_elements, shape = described_shape(elements), described_shape(plan.shape)
    if of_elements is None or shape is None or plan.chooses:
        return None
    initial = None if plan.initial is None else list(plan.initial)
    return isinstance(keys, TextKeyIndex), of_elements, shape, [_kind_of(fold) for fold in plan.folds], initial


def read_described(text: bool, elements: Any, of: Any, kinds: Sequence[str], initial: Sequence[Any] | None) -> Folded:
    """Make again what :func:`described` has described; the plan has no function for elements."""
    shape = read_shape(of)
    folds = [
        _fold(kind, of, None if initial is None else initial[number])
        for number, (kind, of) in enumerate(zip(kinds, shape.types, strict=True))
    ]
    return Folded(
        read_shape(elements), FoldPlan(shape, folds, _no_elements, initial), TextKeyIndex() if text else IntKeyIndex()
    )


def goes_on_with(plan: FoldPlan, kept: FoldPlan) -> bool:
    """Tell whether a plan can go on with what another one has folded; fields that were always the key may be."""
    return (
        plan.shape == kept.shape
        and repr(plan.initial and list(plan.initial)) == repr(kept.initial)
        and all(
            (before.kind == now.kind and before.ordered == now.ordered)
            or (before.kind == "key" and now.kind in MAY_BE_KEYS)
            for before, now in zip(kept.folds, plan.folds, strict=True)
        )
    )


def _kind_of(fold: FieldFold) -> str:
    return _ANY_ORDER if fold.kind == "sum" and fold.dtype.kind == "f" and not fold.ordered else fold.kind


def _fold(kind: str, of: pa.DataType, initial: Any) -> FieldFold:
    if kind == _ANY_ORDER:
        return replace(_fold("sum", of, initial), ordered=False)
    fold = field_fold("first" if kind == "key" else kind, of, initial)
    assert fold is not None, "what was folded can be folded"
    return replace(fold, kind=kind)


def described_shape(shape: Shape) -> tuple[Any, ...] | None:
    """A shape as plain data; None if its fields are of declared types that have no name here."""
    declared = None if shape.declared is None else [_name_of(of) for of in shape.declared]
    if declared is not None and None in declared:
        return None
    for name, kind in _SHAPES.items():
        if type(shape) is kind:
            types = pa.schema([(f"f{number}", of) for number, of in enumerate(shape.types)]).serialize().to_pybytes()
            return name, types, declared, getattr(shape, "field_names", None), getattr(shape, "kind", None)
    return None


def read_shape(described: tuple[Any, ...]) -> Shape:
    """The shape that :func:`described_shape` has described."""
    name, schema, named, names, made = described
    types = tuple(pa.ipc.read_schema(pa.py_buffer(schema)).types)
    declared = None if named is None else tuple([_BASIC[of] for of in named])
    match name:
        case "row":
            return RowShape(types, declared, names)
        case "object":
            return DataclassShape(types, declared, made, names)
        case "tuple":
            return TupleShape(types, declared)
    return ScalarShape(types, declared)


def _name_of(declared: TypeInformation | None) -> str | None:
    return next((name for name, of in _BASIC.items() if of == declared), None)


def _no_elements(_: Columns) -> Sequence[Column]:
    msg = "who reads what was kept has no function for elements"
    raise NotExact(msg)
