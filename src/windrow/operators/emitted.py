"""Results of which the operator keeps the original, because it goes on from it."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

from windrow.common.types import Row

#: Types whose values never change.
_ATOMS = frozenset({int, float, str, bytes, bool, type(None)})


def emitted(result: Any) -> Any:
    """What to emit of a result that is kept: user functions may change the kept one later, as Flink allows.

    Flink's operators hand on copies, as every value is written out. A value that cannot change is itself.

    Example:
        >>> kept = ("a", [1])
        >>> sent = emitted(kept)
        >>> kept[1].append(2)
        >>> sent
        ('a', [1])
    """
    if _never_changes(result):
        return result
    kind = type(result)
    if kind is list or kind is Row:
        return copy(result) if all(map(_never_changes, result)) else deepcopy(result)
    if kind is dict:
        return copy(result) if all(map(_never_changes, result.values())) else deepcopy(result)
    return deepcopy(result)


def _never_changes(value: Any) -> bool:
    if type(value) in _ATOMS:
        return True
    # A named tuple is a tuple too; a subclass whose objects have attributes may hold more than its fields.
    return isinstance(value, tuple) and (
        _ATOMS.issuperset(map(type, value)) or (not hasattr(value, "__dict__") and all(map(_never_changes, value)))
    )
