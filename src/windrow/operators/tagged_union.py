"""The elements of two streams as those of one, each knowing which of the two it is from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from windrow.common.copies import copied
from windrow.common.unchangeable import PARTS
from windrow.datastream.functions import KeySelector, RuntimeContext


class TaggedUnion:
    """An element of the first or of the second of two streams (Flink's ``CoGroupedStreams.TaggedUnion``).

    Example:
        >>> element = TaggedUnion.two("b")
        >>> element.is_one(), element.is_two(), element.get_one(), element.get_two()
        (False, True, None, 'b')
    """

    # A class for each side and no flag: such an element costs an exchange or a page one reference to a class.
    __slots__ = ("value",)
    #: Whether it is from the first stream.
    from_first: ClassVar[bool]

    def __init__(self, value: Any) -> None:
        #: The element itself.
        self.value = value

    @staticmethod
    def one(value: Any) -> TaggedUnion:
        """An element of the first stream."""
        return One(value)

    @staticmethod
    def two(value: Any) -> TaggedUnion:
        """An element of the second stream."""
        return Two(value)

    def is_one(self) -> bool:
        """Tell whether it is from the first stream."""
        return self.from_first

    def is_two(self) -> bool:
        """Tell whether it is from the second stream."""
        return not self.from_first

    def get_one(self) -> Any:
        """The first stream's element; None if it is from the second."""
        return self.value if self.from_first else None

    def get_two(self) -> Any:
        """The second stream's element; None if it is from the first."""
        return None if self.from_first else self.value

    def __deepcopy__(self, _memo: dict[int, Any]) -> TaggedUnion:
        return type(self)(copied(self.value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash((self.from_first, self.value))

    def __repr__(self) -> str:
        return f"TaggedUnion.{'one' if self.from_first else 'two'}({self.value!r})"

    # What object's own method finds out about slots takes pickle twice as long and twice the bytes.
    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.value,)


class One(TaggedUnion):
    """An element of the first stream."""

    __slots__ = ()
    from_first = True


class Two(TaggedUnion):
    """An element of the second stream."""

    __slots__ = ()
    from_first = False


# Nobody puts another element into one.
PARTS[One] = PARTS[Two] = lambda element: (element.value,)


class UnionKeySelector(KeySelector):
    """The key of an element, by the key selector of the stream it is from.

    Args:
        first: Gives the key of an element of the first stream.
        second: Gives the key of an element of the second stream.

    Example:
        >>> UnionKeySelector(len, abs).get_key(TaggedUnion.two(-3))
        3
    """

    def __init__(self, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> None:
        self._first = first
        self._second = second

    def get_key(self, value: TaggedUnion) -> Any:
        return (self._first if value.is_one() else self._second)(value.value)

    def of(self, tag: type[TaggedUnion]) -> Callable[[Any], Any]:
        """The key selector of the stream whose elements have this tag."""
        return self._first if tag is One else self._second


class OpenedUnionKeySelector(UnionKeySelector):
    """The same, where key selectors are to be opened and closed; one that serves both streams is opened once.

    Args:
        first: Gives the key of an element of the first stream.
        second: Gives the key of an element of the second stream.
        selectors: What the user gave for them.
    """

    def __init__(self, first: Callable[[Any], Any], second: Callable[[Any], Any], selectors: tuple[Any, Any]) -> None:
        super().__init__(first, second)
        self._opened = list({id(one): one for one in selectors if isinstance(one, KeySelector)}.values())

    def open(self, runtime_context: RuntimeContext) -> None:
        for selector in self._opened:
            selector.open(runtime_context)

    def close(self) -> None:
        for selector in self._opened:
            selector.close()
