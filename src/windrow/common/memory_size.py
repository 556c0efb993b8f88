"""Amounts of memory, as settings and groups of operators name them."""

from __future__ import annotations

from functools import total_ordering

from windrow.common.settings.values import parse_memory
from windrow.errors import ConfigurationError

_KIBI = 1024


@total_ordering
class MemorySize:
    """An amount of memory.

    Example:
        >>> MemorySize.of_mebi_bytes(2).get_kibi_bytes()
        2048
    """

    __slots__ = ("_bytes",)

    def __init__(self, bytes_size: int) -> None:
        if bytes_size < 0:
            msg = f"bytes_size must not be negative; got {bytes_size}"
            raise ConfigurationError(msg)
        self._bytes = bytes_size

    @staticmethod
    def parse(text: str) -> MemorySize:
        """An amount in words; without a unit, of bytes.

        Raises:
            ConfigurationError: it is none.

        Example:
            >>> print(MemorySize.parse("2048 kb"))
            2 mb
        """
        try:
            return MemorySize(parse_memory(text))
        except ValueError:
            msg = f"an amount of memory is a number and a unit, such as 64 mb; got {text!r}"
            raise ConfigurationError(msg) from None

    @staticmethod
    def of_mebi_bytes(mebi_bytes: int) -> MemorySize:
        return MemorySize(mebi_bytes * _KIBI**2)

    def get_bytes(self) -> int:
        return self._bytes

    def get_kibi_bytes(self) -> int:
        return self._bytes // _KIBI

    def get_mebi_bytes(self) -> int:
        return self._bytes // _KIBI**2

    def get_gibi_bytes(self) -> int:
        return self._bytes // _KIBI**3

    def get_tebi_bytes(self) -> int:
        return self._bytes // _KIBI**4

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemorySize) and self._bytes == other._bytes

    def __lt__(self, other: MemorySize) -> bool:
        return self._bytes < other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __str__(self) -> str:
        """In the largest unit of which it is a whole number."""
        for power, unit in ((4, "tb"), (3, "gb"), (2, "mb"), (1, "kb")):
            if self._bytes and self._bytes % _KIBI**power == 0:
                return f"{self._bytes // _KIBI**power} {unit}"
        return f"{self._bytes} bytes"

    def __repr__(self) -> str:
        return f"MemorySize({self._bytes})"
