"""Lists and maps in accumulators of aggregate functions (PyFlink's module of the same name).

In PyFlink they are state outside of the accumulator. Here an accumulator is state as a whole, so they are plain lists
and dicts with PyFlink's methods, for programs that are written with them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

__all__ = ["DataView", "ListView", "MapView"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class DataView(ABC):
    """The base of lists and maps that functions keep (PyFlink's class of the same name)."""

    @abstractmethod
    def clear(self) -> None:
        """Forget all that is in it."""


class ListView(DataView, Generic[T]):
    """A list (PyFlink's class of the same name).

    Example:
        >>> view = ListView()
        >>> view.add(1)
        >>> view.add_all([2, 3])
        >>> list(view.get())
        [1, 2, 3]
    """

    def __init__(self) -> None:
        self._list: list[T] = []

    def get(self) -> Iterable[T]:
        """All values."""
        return self._list

    def add(self, value: T) -> None:
        """Take a value."""
        self._list.append(value)

    def add_all(self, values: Sequence[T]) -> None:
        """Take several."""
        self._list.extend(values)

    def clear(self) -> None:
        self._list = []

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, ListView) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[T]:
        return iter(self._list)


class MapView(DataView, Generic[K, V]):
    """A map (PyFlink's class of the same name).

    Example:
        >>> view = MapView()
        >>> view.put("a", 1)
        >>> view["b"] = 2
        >>> view.get("a"), view.get("c"), "b" in view, list(view.items())
        (1, None, True, [('a', 1), ('b', 2)])
    """

    def __init__(self) -> None:
        self._dict: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """The value of a key; None: there is none."""
        return self._dict.get(key)

    def put(self, key: K, value: V) -> None:
        """Give a key a value."""
        self._dict[key] = value

    def put_all(self, dict_value: Mapping[K, V]) -> None:
        """Give several keys their values."""
        self._dict.update(dict_value)

    def remove(self, key: K) -> None:
        """Forget a key, if it is there."""
        self._dict.pop(key, None)

    def contains(self, key: K) -> bool:
        """Tell whether a key is there."""
        return key in self._dict

    def items(self) -> Iterable[tuple[K, V]]:
        """All keys with their values."""
        return self._dict.items()

    def keys(self) -> Iterable[K]:
        """All keys."""
        return self._dict.keys()

    def values(self) -> Iterable[V]:
        """All values."""
        return self._dict.values()

    def is_empty(self) -> bool:
        """Tell whether there is no key."""
        return not self._dict

    def clear(self) -> None:
        self._dict = {}

    def __eq__(self, other: object) -> bool:
        return self._dict == other._dict if isinstance(other, MapView) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, key: K) -> V | None:
        return self.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())
