"""What becomes of the arrays that elements were folded to."""

import numpy as np
import pyarrow as pa

from windrow.datastream.functions import AggregateFunction
from windrow.elements.shape import ScalarShape
from windrow.operators.column_folds.planning import of_fold
from windrow.tracing.fold_tracing import trace_aggregate


class FromTen(AggregateFunction):
    def create_accumulator(self):
        return 10

    def add(self, value, accumulator):
        return accumulator + value

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b - 10


def test_a_firing_without_a_result_gives_none():
    """Also where sums begin with something else than 0, of which a sum may leave 64 bits."""
    plan = of_fold(trace_aggregate(FromTen(), ScalarShape.of(pa.int64())))
    assert list(plan.results([np.array([], np.int64)])) == []
    assert list(plan.results([np.array([-3])])) == [7]
