"""What is said of a value that cannot be stored."""

from threading import Lock

import pytest

from windrow.errors import UsageError
from windrow.state.storable import check_storable


def test_what_can_be_stored_is_let_through():
    """Nothing is said of a plain value."""
    check_storable("what it keeps", [1, "a"])
    with pytest.raises(UsageError, match="what it keeps holds <unlocked"):
        check_storable("what it keeps", Lock())
