"""Stands for the entry of the current key, which is looked up when somebody asks for something in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windrow.state.keyed import KeyedState


class EntryWhenAsked(dict[Any, Any]):
    """A stand-in for ``state.entry`` in a loop over keys whose entries are hardly ever needed.

    Args:
        state: The state whose current key's entry it stands for.

    Example:
        >>> from windrow.state.keyed import KeyedState
        >>> state = KeyedState()
        >>> state.current_key, state.entry = "a", EntryWhenAsked(state)
        >>> state.put("count", None, 1)
        >>> state.entry, list(state.entries())
        ({('count', None): 1}, [('a', {('count', None): 1})])
    """

    __slots__ = ("_state",)

    def __init__(self, state: KeyedState) -> None:
        self._state = state

    def _own(self) -> dict[Any, Any]:
        return self._state.entry_of(self._state.current_key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._own())

    def __len__(self) -> int:
        return len(self._own())


def _asking(name: str) -> Callable[..., Any]:
    def ask(self: EntryWhenAsked, *arguments: Any) -> Any:
        return getattr(self._own(), name)(*arguments)

    ask.__name__ = name
    return ask


for _name in (
    *("__contains__", "__getitem__", "__setitem__", "__delitem__", "__eq__", "__repr__"),
    *("get", "pop", "setdefault", "update", "clear", "items", "keys", "values"),
):
    setattr(EntryWhenAsked, _name, _asking(_name))
