"""Groups of operators that share resources: kept and given back, as Spark shares all of an executor."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class SlotSharingGroup:
    """A named group with the resources it asks for; make one with :meth:`builder`."""

    name: str
    cpu_cores: float | None = None
    task_heap_memory: MemorySize | None = None
    task_off_heap_memory: MemorySize | None = None
    managed_memory: MemorySize | None = None
    external_resources: dict[str, float] = field(default_factory=dict, hash=False)

    @staticmethod
    def builder(name: str) -> Builder:
        """Start a group of that name."""
        return Builder(name)

    def get_name(self) -> str:
        return self.name

    def get_cpu_cores(self) -> float | None:
        return self.cpu_cores

    def get_task_heap_memory(self) -> MemorySize | None:
        return self.task_heap_memory

    def get_task_off_heap_memory(self) -> MemorySize | None:
        return self.task_off_heap_memory

    def get_managed_memory(self) -> MemorySize | None:
        return self.managed_memory

    def get_external_resources(self) -> dict[str, float]:
        return dict(self.external_resources)


class Builder:
    """Gathers what a :class:`SlotSharingGroup` asks for."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            msg = f"the name of a SlotSharingGroup is a non-empty str; got {name!r}"
            raise ConfigurationError(msg)
        self._name = name
        self._cpu_cores: float | None = None
        self._task_heap: MemorySize | None = None
        self._task_off_heap: MemorySize | None = None
        self._managed: MemorySize | None = None
        self._external: dict[str, float] = {}

    def set_cpu_cores(self, cpu_cores: float) -> Builder:
        if cpu_cores <= 0:
            msg = f"cpu_cores must be positive; got {cpu_cores}"
            raise ConfigurationError(msg)
        self._cpu_cores = cpu_cores
        return self

    def set_task_heap_memory(self, task_heap_memory: MemorySize) -> Builder:
        """Set how much heap memory the group's tasks ask for.

        Raises:
            ConfigurationError: it is none.
        """
        if task_heap_memory.get_bytes() == 0:
            msg = f"task_heap_memory of slot sharing group {self._name!r} must be positive; got {task_heap_memory}"
            raise ConfigurationError(msg)
        self._task_heap = task_heap_memory
        return self

    def set_task_heap_memory_mb(self, task_heap_memory_mb: int) -> Builder:
        return self.set_task_heap_memory(MemorySize.of_mebi_bytes(task_heap_memory_mb))

    def set_task_off_heap_memory(self, task_off_heap_memory: MemorySize) -> Builder:
        self._task_off_heap = task_off_heap_memory
        return self

    def set_task_off_heap_memory_mb(self, task_off_heap_memory_mb: int) -> Builder:
        return self.set_task_off_heap_memory(MemorySize.of_mebi_bytes(task_off_heap_memory_mb))

    def set_managed_memory(self, managed_memory: MemorySize) -> Builder:
        self._managed = managed_memory
        return self

    def set_managed_memory_mb(self, managed_memory_mb: int) -> Builder:
        return self.set_managed_memory(MemorySize.of_mebi_bytes(managed_memory_mb))

    def set_external_resource(self, name: str, value: float) -> Builder:
        self._external[name] = value
        return self

    def build(self) -> SlotSharingGroup:
        """The group.

        Raises:
            ConfigurationError: cores and heap memory go together, as in Flink, and one of the two is missing.
        """
        asks = (self._task_off_heap, self._managed, *self._external)
        if (self._cpu_cores is None) != (self._task_heap is None) or (self._cpu_cores is None and any(asks)):
            msg = f"slot sharing group {self._name!r} needs both cpu_cores and task_heap_memory, or no resources at all"
            raise ConfigurationError(msg)
        nothing = None if self._task_heap is None else MemorySize(0)
        off_heap = self._task_off_heap or nothing
        managed = self._managed or nothing
        return SlotSharingGroup(self._name, self._cpu_cores, self._task_heap, off_heap, managed, self._external)
