"""Values of a program's metrics and accumulators as a person sees them."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

#: So many characters of a value are kept.
_LONGEST = 200
#: Of collections no more is looked at than can be shown.
_repr = Repr()
_repr.maxlist = _repr.maxtuple = _repr.maxset = _repr.maxfrozenset = _repr.maxdict = _repr.maxdeque = 50
_repr.maxstring = _repr.maxother = _LONGEST


def shown_value(value: Any) -> str:
    """A value as text of bounded length; one whose own text cannot be made is no error of the job.

    Example:
        >>> shown_value(7), shown_value("seven"), shown_value([1, 2])
        ('7', 'seven', '[1, 2]')
        >>> len(shown_value("a" * 1000)), len(shown_value(list(range(1000)))) <= 200
        (200, True)
    """
    try:
        text = _repr.repr(value) if isinstance(value, list | tuple | set | frozenset | dict) else str(value)
    except Exception as error:
        return f"<{type(value).__name__} whose str raised {type(error).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
