"""Elements as arrays that a page of columns takes, and back: a list of objects where they are of no plain form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from windrow.datastream.window import TimestampedValue
from windrow.elements.batch import columns_of
from windrow.operators.tagged_union import One, TaggedUnion, Two
from windrow.operators.window.kept_pane import Objects, as_objects
from windrow.state.column_page import Array

#: What stands around elements: nothing, the side of a union, or a timestamp; that is an array of its own.
_PLAIN, _UNION, _TIMED = "plain", "union", "timed"


class Form(NamedTuple):
    """The form of the arrays of some elements, by which they are read; plain data but for the class of an object.

    Attributes:
        around: What stands around each element.
        kind: What an element is made of: ``value``, ``tuple``, ``row``, ``object`` (of a dataclass); None: any object.
        types: A letter for the type of each field.
        names: The fields' names; None if they have none.
        made: The class of an object.
        key_field: The number of the field that is the key of each element; None: the key stands beside them.
    """

    around: str
    kind: str | None = None
    types: str = ""
    names: tuple[str, ...] | None = None
    made: type | None = None
    key_field: int | None = None


#: A form, an array of keys, and the other arrays.
Formed: TypeAlias = tuple[Form, Array, list[Array]]


def formed(elements: Any, keys: Array) -> Formed:
    """Make arrays of elements, each of which has a key; whole numbers, floats, texts and truth values become columns.

    Args:
        elements: An array of objects, or columns.
        keys: The keys: integers of 64 bits, or objects.

    Example:
        >>> elements = as_objects([("a", 1), ("b", 2)])
        >>> form, keys, arrays = formed(elements, as_objects(["a", "b"]))
        >>> form.types, keys.tolist(), [array.tolist() for array in arrays]
        ('sl', ['a', 'b'], [[1, 2]])
        >>> read_formed(form, keys, arrays).rows()
        [('a', 1), ('b', 2)]
    """
    around = _PLAIN
    arrays: list[Array] = []
    if isinstance(elements, np.ndarray):
        around, arrays, elements = _taken_apart(elements)
    else:
        around, arrays, elements = _parted(elements)
    columns = _columns(elements)
    if columns is None:
        return Form(around), keys, [*arrays, as_objects(elements)]
    kind, types, names, made = _described(columns.shape)
    fields = [_array(column) for column in columns.batch.columns]
    key_field = next((number for number, field in enumerate(fields) if _is_same(field, keys)), None)
    others = [field for number, field in enumerate(fields) if number != key_field]
    return Form(around, kind, types, names, made, key_field), keys, [*arrays, *others]


def read_formed(form: Form, keys: Array, arrays: Sequence[Array]) -> Any:
    """Give the elements that :func:`formed` has made arrays of: columns, or a list or an array of objects."""
    aside, fields = (None, list(arrays)) if form.around == _PLAIN else (arrays[0], list(arrays[1:]))
    elements: Any
    if form.kind is None:
        elements = fields[0]
    else:
        if form.key_field is not None:
            fields.insert(form.key_field, keys)
        elements = _read_columns(form, fields)
    if aside is None:
        return elements
    if form.around == _UNION:
        if form.kind is not None:
            from windrow.elements.columns import Columns
            from windrow.operators.tagged_shape import UnionShape

            return Columns.of(UnionShape.of(elements.shape), [aside, *elements.batch.columns])
        return [(One if first else Two)(element) for first, element in zip(aside.tolist(), elements, strict=True)]
    return [TimestampedValue(element, time) for time, element in zip(aside.tolist(), elements, strict=True)]


def _taken_apart(elements: Objects) -> tuple[str, list[Array], Any]:
    kinds = set(map(type, elements))
    if kinds == {TimestampedValue}:
        values, times = zip(*elements, strict=True)
        return _TIMED, [np.array(times, np.int64)], as_objects(values)
    if kinds and kinds <= {One, Two}:
        union: list[TaggedUnion] = elements.tolist()
        firsts = np.array([each.is_one() for each in union])
        return _UNION, [firsts], as_objects([each.value for each in union])
    return _PLAIN, [], elements


def _parted(elements: Any) -> tuple[str, list[Array], Any]:
    """The same of columns, which have no timestamps around them."""
    from windrow.operators.tagged_shape import parted  # imports Arrow

    columns = columns_of(elements)
    found = None if columns is None else parted(columns)
    return (_PLAIN, [], elements) if found is None else (_UNION, [found[0]], found[1])


def _columns(elements: Any) -> Any:
    """The elements as columns of types that arrays give back exactly; None if they are of others."""
    columns = columns_of(elements)
    if columns is None or _described(columns.shape) is None:
        # Here, because it imports Arrow.
        from windrow.elements.inference import columns_from

        columns = columns_from(list(elements))
    return None if columns is None or _described(columns.shape) is None else columns


def _described(shape: Any) -> Any:
    """The kind of a shape, the types and names of its fields, and the class; None if there is no form for it."""
    import pyarrow as pa

    from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape

    kinds = {ScalarShape: "value", TupleShape: "tuple", RowShape: "row", DataclassShape: "object"}
    letters = {pa.int64(): "l", pa.float64(): "d", pa.string(): "s", pa.bool_(): "b"}
    types = [letters.get(of) for of in shape.types]
    if shape.declared is not None or None in types or not types or type(shape) not in kinds:
        return None
    names = getattr(shape, "field_names", None)
    return kinds[type(shape)], "".join(map(str, types)), names, getattr(shape, "kind", None)


def _read_columns(form: Form, arrays: Sequence[Array]) -> Any:
    import pyarrow as pa

    from windrow.elements.columns import Columns
    from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape

    of_letters = {"l": pa.int64(), "d": pa.float64(), "s": pa.string(), "b": pa.bool_()}
    types = tuple([of_letters[letter] for letter in form.types])
    shape: Shape
    match form.kind:
        case "row":
            shape = RowShape(types, None, form.names)
        case "object":
            assert form.made is not None, "an object is of a class"
            shape = DataclassShape(types, None, form.made, form.names or ())
        case "tuple":
            shape = TupleShape(types)
        case _:
            shape = ScalarShape(types)
    return Columns.of(shape, [pa.array(array, of) for array, of in zip(arrays, types, strict=True)])


def _array(column: Any) -> Array:
    """NumPy's numbers; objects of text, and where some are null."""
    import pyarrow as pa

    if column.null_count or pa.types.is_string(column.type):
        return as_objects(column.to_pylist())
    array: Array = column.to_numpy(zero_copy_only=False)
    return array


def _is_same(field: Array, keys: Array) -> bool:
    """Tell whether a field is the key in each element; types are compared, because 1 and True are equal."""
    if field.dtype != keys.dtype or (keys.dtype != np.int64 and not keys.dtype.hasobject):
        return False
    if not keys.dtype.hasobject:
        return bool(np.array_equal(field, keys))
    return {str}.issuperset(map(type, keys)) and field.tolist() == keys.tolist()
