"""Setters of an environment that Flink has and that change nothing here: kept, given back, and said so once."""

from __future__ import annotations

from typing import Self

from windrow.common.checks import instance_of
from windrow.common.settings.notices import Notices
from windrow.common.time import Duration, Time, to_millis
from windrow.datastream.slot_sharing_group import SlotSharingGroup
from windrow.datastream.state_backend import CustomStateBackend, HashMapStateBackend, StateBackend


class AcceptedSettings:
    """An environment's settings that have no effect: ``docs/settings.md`` says why, and so does a warning."""

    def __init__(self) -> None:
        self._notices = Notices()
        self._state_backend: StateBackend | None = None
        self._changelog: bool | None = None
        self._buffer_timeout = 100
        self._chaining = True

    def set_state_backend(self, state_backend: StateBackend) -> Self:
        """Accepted, with a warning where it is not RocksDB: state is in Spark's RocksDB state store.

        Raises:
            ConfigurationError: it is written in Java.
        """
        backend = instance_of(state_backend, StateBackend, "state_backend")
        if isinstance(backend, CustomStateBackend):
            self._notices.check("state.backend.type", backend.state_backend)
        self._notices.check("state.backend.type", "hashmap" if isinstance(backend, HashMapStateBackend) else "rocksdb")
        self._state_backend = backend
        return self

    def get_state_backend(self) -> StateBackend | None:
        return self._state_backend

    def enable_changelog_state_backend(self, enabled: bool) -> Self:
        """Accepted, with a warning: Spark's state store keeps a change log in any case."""
        self._notices.check("state.changelog.enabled", enabled)
        self._changelog = bool(enabled)
        return self

    def is_changelog_state_backend_enabled(self) -> bool | None:
        """Give what was asked for; None if nothing was."""
        return self._changelog

    def set_buffer_timeout(self, timeout_millis: int | Duration | Time) -> Self:
        """Accepted, with a warning: on Spark a batch is what is buffered. -1 is for never."""
        timeout = to_millis(timeout_millis, "timeout_millis")
        self._notices.check("execution.buffer-timeout.interval", max(timeout, 0))
        self._buffer_timeout = timeout
        return self

    def get_buffer_timeout(self) -> int:
        return self._buffer_timeout

    def disable_operator_chaining(self) -> Self:
        """Accepted, with a warning: chaining changes no result."""
        self._notices.check("pipeline.operator-chaining.enabled", value=False)
        self._chaining = False
        return self

    def is_chaining_enabled(self) -> bool:
        return self._chaining

    def is_chaining_of_operators_with_different_max_parallelism_enabled(self) -> bool:
        return True

    def register_slot_sharing_group(self, slot_sharing_group: SlotSharingGroup) -> Self:
        """Accepted, with a warning: Spark shares its executors among all operators."""
        instance_of(slot_sharing_group, SlotSharingGroup, "slot_sharing_group")
        self._notices.check("StreamExecutionEnvironment.register_slot_sharing_group")
        return self

    def add_default_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Accepted, with a warning, from Flink 1.x: elements are pickled."""
        self._notices.check("StreamExecutionEnvironment.add_default_kryo_serializer")

    def register_type_with_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Accepted, as :meth:`add_default_kryo_serializer`."""
        self._notices.check("StreamExecutionEnvironment.register_type_with_kryo_serializer")

    def register_type(self, type_class_name: str) -> None:
        """Accepted, as :meth:`add_default_kryo_serializer`."""
        self._notices.check("StreamExecutionEnvironment.register_type")
