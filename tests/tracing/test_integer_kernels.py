"""Integer operations on columns give what Python gives, element by element."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.tracing.integer_kernels import modulo
from windrow.tracing.values import Ints

WHOLE = st.integers(-(2**63), 2**63 - 1)
SIZES = st.sampled_from([2**8, 2**31, 2**32, 2**40, 2**63])


@given(SIZES.flatmap(lambda size: st.lists(st.integers(0, size - 1), min_size=1)), WHOLE.filter(bool))
def test_the_remainder_of_what_is_not_negative_is_pythons(numbers, divisor):
    """Whether it is computed with 32 bits, with 64 without sign, or with a sign."""
    found = modulo(Ints(np.array(numbers, np.int64)), Ints(divisor)).data
    assert (found.dtype, found.tolist()) == (np.int64, [number % divisor for number in numbers])


@given(st.lists(WHOLE, min_size=1), WHOLE.filter(bool))
def test_the_remainder_of_any_number_is_pythons(numbers, divisor):
    """The least number of 64 bits as well."""
    assert modulo(Ints(np.array(numbers, np.int64)), Ints(divisor)).data.tolist() == [n % divisor for n in numbers]
