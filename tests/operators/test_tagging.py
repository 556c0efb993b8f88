"""Tags around the elements of a stream."""

import numpy as np
import pytest

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG
from windrow.operators.tagged_shape import TaggedShape
from windrow.operators.tagged_union import One, TaggedUnion, Two
from windrow.operators.tagging import TaggingOperator
from windrow.testing.harness import OperatorHarness


class Taken:
    """An output that keeps batches as they are."""

    def __init__(self):
        self.batches = []

    def emit_batch(self, batch):
        self.batches.append(batch)


@pytest.mark.parametrize(("tag", "make"), [(One, TaggedUnion.one), (Two, TaggedUnion.two)])
def test_an_element_keeps_its_timestamp(tag, make):
    """Row by row."""
    harness = OperatorHarness(TaggingOperator(tag))
    harness.process_elements([("a", 1), ([2], 5)])
    assert [tuple(record) for record in harness.records()] == [(make("a"), 1), (make([2]), 5)]


@pytest.mark.parametrize("columns", [True, False])
def test_columns_stay_columns(columns):
    """Unless they are switched off for the job."""
    operator, output = TaggingOperator(One), Taken()
    OperatorHarness(operator)
    operator.context.output, operator.context.columns = output, columns
    operator.process_batch(Batch(Columns.of(LONG, [np.array([7, 8])]), [1, 2]))
    (batch,) = output.batches
    assert (batch.columns is not None) == columns
    assert list(batch.elements) == [TaggedUnion.one(7), TaggedUnion.one(8)]
    assert batch.timestamp_list() == [1, 2]


def test_the_plan_knows_the_form():
    """Columns in, columns out; rows in, rows out."""
    assert TaggingOperator(Two).forecast(LONG).shape == TaggedShape.of(Two, LONG)
    assert str(TaggingOperator(Two).forecast(None)) == "rows: its input is rows"
