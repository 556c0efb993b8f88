"""What is said of a value that cannot be stored."""

from threading import Lock

import pytest

from windrow.elements.codec import loads
from windrow.errors import UsageError
from windrow.state.storable import NotStorableError, check_storable, dump_items


def test_what_can_be_stored_is_pickled():
    """A page's items come back as they were."""
    items = [("a", {("sum", None): 1}, [], [])]
    assert loads(dump_items(items)) == items


@pytest.mark.parametrize(
    ("namespace", "where"), [(None, "state 'open' of key 'a'"), ((0, 5), "state 'open' of key 'a' in (0, 5)")]
)
def test_the_state_and_the_key_are_named(namespace, where):
    """Of many values in a page, the one that cannot be pickled."""
    items = [("b", {("open", None): 1}, [], []), ("a", {("sum", None): 1, ("open", namespace): Lock()}, [], [])]
    with pytest.raises(NotStorableError, match="which cannot be stored") as raised:
        dump_items(items)
    assert str(raised.value).startswith(f"{where} holds <unlocked")


def test_what_can_be_stored_is_let_through():
    """Nothing is said of a plain value."""
    check_storable("what it keeps", [1, "a"])
    with pytest.raises(UsageError, match="what it keeps holds <unlocked"):
        check_storable("what it keeps", Lock())
