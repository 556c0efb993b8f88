"""The union of two streams as columns."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.deferred import ReadFields
from windrow.elements.shape import LONG, RowShape, TupleShape
from windrow.operators.column_function import ColumnFunction
from windrow.operators.tagged_shape import TaggedShape, parted, united, untagged
from windrow.operators.tagged_union import One, TaggedUnion, Two, UnionKeySelector
from windrow.runtime.stage.chunk import Chunk

PAIR = TupleShape((pa.int64(), pa.int64()))


def tagged(tag, elements):
    """Elements with a tag around each."""
    return elements.shaped(TaggedShape.of(tag, elements.shape))


def pairs(count=3):
    return Columns.of(PAIR, [np.arange(count), np.arange(count) * 10])


@pytest.mark.parametrize(("tag", "make"), [(One, TaggedUnion.one), (Two, TaggedUnion.two)])
def test_elements_have_their_tag(tag, make):
    """Columns of elements give what tags around rows give, by their fields' names."""
    elements = tagged(tag, pairs())
    assert elements.untouched
    assert elements.shape.names == ["f0", "f1"]
    assert list(elements) == [make((0, 0)), make((1, 10)), make((2, 20))]


def test_who_can_be_changed_is_said_by_the_element():
    """Nobody changes the tag."""
    assert TaggedShape.of(One, PAIR).never_changes
    assert not TaggedShape.of(One, RowShape((pa.int64(),), field_names=("n",))).never_changes


def test_elements_of_two_streams_are_of_two_shapes():
    """Else one would be taken for the other where batches are put together."""
    assert TaggedShape.of(One, PAIR) == TaggedShape.of(One, PAIR)
    assert TaggedShape.of(One, PAIR) != TaggedShape.of(Two, PAIR)
    assert TaggedShape.of(One, PAIR) != TaggedShape.of(One, TupleShape((pa.int64(), pa.float64())))
    assert TaggedShape.of(One, PAIR) != PAIR


def test_a_tag_asks_for_no_field():
    """Fields that are still to be read are read when somebody looks at an element, or when it goes on."""
    elements = tagged(Two, Columns.deferred(PAIR, ReadFields(None, 0, 2, 3)))
    assert elements.is_deferred


@pytest.mark.parametrize("tag", [One, Two])
def test_elements_of_either_stream_are_parted_from_their_tags(tag):
    """As elements of one stream, and as those of a union."""
    for elements in (tagged(tag, pairs()), united(tagged(tag, pairs()))):
        firsts, parts = parted(elements)
        assert firsts.tolist() == [tag is One] * 3
        assert (parts.shape, list(parts)) == (PAIR, list(pairs()))
    assert parted(pairs()) is None


def test_they_cross_an_exchange_as_columns():
    """With keys that are columns."""
    keys = Columns.of(LONG, [np.arange(3)])
    sent = Chunk(Batch(tagged(Two, pairs()), np.arange(3), keys))
    taken = Chunk.decode(sent.encode()).batch
    assert taken.columns is not None
    assert taken.columns.shape == TaggedShape.of(Two, PAIR)
    assert list(taken.elements) == [TaggedUnion.two((0, 0)), TaggedUnion.two((1, 10)), TaggedUnion.two((2, 20))]


def test_keys_are_computed_by_the_selector_of_the_stream():
    """On columns each stream's selector is traced for its elements."""
    selector = UnionKeySelector(lambda pair: pair[0], lambda pair: pair[1] + 1)
    keys = ColumnFunction("keys", selector.get_key)

    def by_rows(rows):
        return [selector.get_key(element) for element in rows.elements]

    for tag, expected in ((One, [0, 1, 2]), (Two, [1, 11, 21])):
        found = keys.of(Batch(tagged(tag, pairs()), [0, 0, 0]), by_rows)
        assert found is not None
        assert list(found) == expected


def test_other_functions_see_the_tag():
    """A union's key selector alone is known to look at nothing but the element."""
    shapes = [TaggedShape.of(One, PAIR)]
    assert untagged(len, shapes) == (len, shapes)
    selector = UnionKeySelector(len, abs)
    assert untagged(selector.get_key, [PAIR]) == (selector.get_key, [PAIR])
    assert untagged(selector.get_key, shapes) == (len, [PAIR])
    assert untagged(selector.get_key, [TaggedShape.of(Two, PAIR)]) == (abs, [PAIR])
