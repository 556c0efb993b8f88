"""Takes a configuration over into an environment: each setting by the setter that the table of settings names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from windrow.common.configuration import Configuration
from windrow.common.settings.notices import Notices
from windrow.common.settings.setting import Setting
from windrow.common.settings.table import TABLE
from windrow.datastream.checkpointing_mode import CheckpointingMode
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
from windrow.datastream.state_backend import EmbeddedRocksDBStateBackend, HashMapStateBackend, StateBackend
from windrow.datastream.time_characteristic import TimeCharacteristic

if TYPE_CHECKING:
    from windrow.datastream.environment.settings import EnvironmentSettings

_RETENTION = "execution.checkpointing.externalized-checkpoint-retention"


def _state_backend(name: str) -> StateBackend:
    return EmbeddedRocksDBStateBackend() if name in ("rocksdb", "forst") else HashMapStateBackend()


#: What a setter takes in place of a name.
_TAKEN: Mapping[str, Callable[[Any], Any]] = {
    "execution.runtime-mode": RuntimeExecutionMode.__getitem__,
    "execution.checkpointing.mode": CheckpointingMode.__getitem__,
    _RETENTION: ExternalizedCheckpointRetention.__getitem__,
    "pipeline.closure-cleaner-level": lambda level: level != "NONE",
    "pipeline.time-characteristic": TimeCharacteristic.__getitem__,
    "state.backend.type": _state_backend,
}
#: Where a setting that has a setter is in the table, by each of its names: setters are called in the table's order.
_PLACES = {name: place for place, row in enumerate(TABLE) if row.setter is not None for name in (row.key, *row.older)}


def configure(environment: EnvironmentSettings, given: Configuration, notices: Notices) -> None:
    """Make every setting of a configuration that has a setter.

    Raises:
        ConfigurationError: a setting has a value that it cannot have, is refused, or is none of those that there are.
            Nothing is taken over then.
    """
    settings: dict[str, Any] = {}
    given.add_all_to_dict(settings)
    values = {key: notices.check(key, value) for key, value in settings.items()}
    for place in sorted({_PLACES[key] for key in values if key in _PLACES}):
        row = TABLE[place]
        _set(environment, row, next(values[name] for name in (row.key, *row.older) if name in values))


def _set(environment: EnvironmentSettings, row: Setting, value: Any) -> None:
    assert row.setter is not None
    owner, _, method = row.setter.partition(".")
    if row.key in _TAKEN:
        value = _TAKEN[row.key](value)
    on, switch, off = method.partition("|")
    if switch:
        method = on if value else off
    if method:
        setter = getattr(owner_of(environment, owner), method)
        setter(*(() if switch else (value,)))


def owner_of(environment: EnvironmentSettings, owner: str) -> Any:
    """Find the object that a setter's first word stands for in the table of settings."""
    return {
        "env": lambda: environment,
        "config": environment.get_config,
        "checkpoints": environment.get_checkpoint_config,
    }[owner]()
