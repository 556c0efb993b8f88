"""What a call on a file system raises."""

from __future__ import annotations

from collections.abc import Callable


def raised(kind: type[Exception], call: Callable[[], object]) -> bool:
    """Tell whether a call raises an error of just that kind."""
    try:
        call()
    except OSError as error:
        return type(error) is kind
    return False
