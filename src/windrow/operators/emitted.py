"""Results of which the operator keeps the original, because it goes on from it."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

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
    kind = type(result)
    if kind in _ATOMS:
        return result
    if kind is tuple and _ATOMS.issuperset(map(type, result)):
        return result
    if kind is list and _ATOMS.issuperset(map(type, result)):
        return copy(result)
    return deepcopy(result)
