"""Values of a field are taken and joined whether NumPy or Arrow has them."""

import numpy as np
import pyarrow as pa
import pytest

from windrow.elements.fields import concatenated, take


@pytest.mark.parametrize("field", [np.array([7, 8, 9]), pa.array([7, 8, 9]), pa.array([0, 7, 8, 9])[1:]])
def test_values_are_taken_by_their_places(field):
    """In the order of these."""
    assert list(map(int, take(field, np.array([2, 0])))) == [9, 7]
    assert type(take(field, np.array([], np.int64))) is type(field)


def test_numbers_stay_numpys_unless_some_are_arrows():
    """Which may have nulls."""
    assert isinstance(concatenated([np.array([1]), np.array([2])]), np.ndarray)
    assert concatenated([np.array([1]), pa.array([None, 2])]).to_pylist() == [1, None, 2]
    assert concatenated([pa.array(["a"]), pa.array(["b"])]).to_pylist() == ["a", "b"]
