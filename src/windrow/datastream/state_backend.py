"""State backends, kept for programs written for Flink 1.x: on Spark state is in Spark's own state store."""

from __future__ import annotations

from enum import Enum
from urllib.parse import urlsplit


class PredefinedOptions(Enum):
    """Ready-made settings of RocksDB."""

    DEFAULT = 0
    SPINNING_DISK_OPTIMIZED = 1
    SPINNING_DISK_OPTIMIZED_HIGH_MEM = 2
    FLASH_SSD_OPTIMIZED = 3


class StateBackend:
    """Says how Flink keeps state; a program may name one, and nothing follows from it."""

    def __repr__(self) -> str:
        return type(self).__name__


class HashMapStateBackend(StateBackend):
    """State as objects in memory, Flink's default."""


class EmbeddedRocksDBStateBackend(StateBackend):
    """State in RocksDB; remembers what it is given.

    Args:
        enable_incremental_checkpointing: whether only changes are written; None leaves it to the cluster.
    """

    def __init__(self, enable_incremental_checkpointing: bool | None = None) -> None:
        self._incremental = bool(enable_incremental_checkpointing)
        self._storage_paths: list[str] = []
        self._predefined_options = PredefinedOptions.DEFAULT
        self._options: str | None = None
        self._transfer_threads = 4

    def is_incremental_checkpoints_enabled(self) -> bool:
        return self._incremental

    def set_db_storage_paths(self, *paths: str) -> None:
        """Remember local folders; of a URI the path counts, as in Flink."""
        self._storage_paths = [urlsplit(path).path.rstrip("/") or "/" for path in paths]

    def get_db_storage_paths(self) -> list[str]:
        return self._storage_paths

    def set_predefined_options(self, options: PredefinedOptions) -> None:
        self._predefined_options = options

    def get_predefined_options(self) -> PredefinedOptions:
        return self._predefined_options

    def set_options(self, options_factory_class_name: str) -> None:
        self._options = options_factory_class_name

    def get_options(self) -> str | None:
        return self._options

    def set_number_of_transfer_threads(self, number_of_transfering_threads: int) -> None:
        self._transfer_threads = number_of_transfering_threads

    def get_number_of_transfer_threads(self) -> int:
        return self._transfer_threads


class CustomStateBackend(StateBackend):
    """A backend written in Java, by its class name; it cannot run here."""

    def __init__(self, state_backend: str) -> None:
        self.state_backend = state_backend
