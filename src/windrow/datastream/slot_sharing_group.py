"""Groups of operators that share resources: kept and given back, as Spark shares all of an executor."""

from __future__ import annotations

from dataclasses import dataclass, field

from windrow.common.memory_size import MemorySize
from windrow.errors import ConfigurationError

__all__ = ["MemorySize", "SlotSharingGroup"]


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
