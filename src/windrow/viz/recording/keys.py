"""Keys as a trace shows them."""

from __future__ import annotations

from typing import Any

from windrow.common.copies import copied
from windrow.state.keys import key_of_user


def shown_key(key: Any) -> Any:
    """A key as its selector gave it."""
    return copied(key_of_user(key))
