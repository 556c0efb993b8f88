"""Says which value cannot be stored, where pickling a page full of them only says that something cannot."""

from __future__ import annotations

from typing import Any

from windrow.elements.stored import dumps
from windrow.errors import UsageError, shorten


class NotStorableError(UsageError):
    """A value in a state cannot be pickled; whoever knows the operator says its name."""


def check_storable(what: str, value: Any) -> None:
    """Refuse a value that cannot be pickled.

    Raises:
        NotStorableError: it cannot.

    Example:
        >>> from threading import Lock
        >>> check_storable("state 'waiting' of key 'a'", Lock())
        Traceback (most recent call last):
        windrow.state.storable.NotStorableError: state 'waiting' of key 'a' holds <unlocked _thread.lock object at ...
    """
    try:
        dumps(value)
    except Exception as error:  # whatever the __reduce__ of a user's class raises
        msg = (
            f"{what} holds {shorten(value)}, which cannot be stored ({error}); keep plain values in state, and open "
            "what belongs to a process in open()"
        )
        raise NotStorableError(msg) from None
