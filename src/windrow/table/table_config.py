"""The settings of a table environment."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from difflib import get_close_matches
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of
from windrow.common.configuration import Configuration
from windrow.common.settings.table import setting_of
from windrow.common.settings.values import parse_duration
from windrow.datastream.environment.undoable import UndoableSettings
from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.table.environment_settings import RUNTIME_MODE, runtime_mode
from windrow.table.planner.emit_settings import EMIT_SETTINGS, check_emit_setting

LOCAL_TIME_ZONE = "table.local-time-zone"
MAX_COLUMN_WIDTH = "table.display.max-column-width"
IDLE_TIMEOUT = "table.exec.source.idle-timeout"
#: How ``windrow sql`` shows results that have no end.
RESULT_MODE = "sql-client.execution.result-mode"

_RESULT_MODES = ("table", "changelog", "tableau")
#: For how long rows of joins are kept that have no bound in time.
STATE_TTL = "table.exec.state.ttl"
#: Whether an INSERT INTO is waited for.
DML_SYNC = "table.dml-sync"
_READ = (LOCAL_TIME_ZONE, MAX_COLUMN_WIDTH, IDLE_TIMEOUT, STATE_TTL, DML_SYNC)
#: Settings of Flink's planner, and of its client, that change no result: they are kept, and nothing reads them.
_OF_SPEED = (
    *(
        "table.optimizer.",
        "table.plan.",
        "table.planner",
        "table.generated-code.",
        "table.exec.sort.",
    ),
    *("table.exec.mini-batch.", "table.exec.resource.", "table.exec.shuffle-mode", "table.exec.spill-compression."),
    *("table.exec.async-", "table.exec.disabled-operators", "table.exec.window-agg.", "sql-client.", "sql-gateway."),
)
_STATE = "state is kept as long as results need it; group by windows, whose state ends with them"
_DONE_ANYWAY = (
    ("table.exec.sink.not-null-enforcer", "ERROR"),
    ("table.exec.sink.type-length-enforcer", "IGNORE"),
)
#: Settings that change results, by how they begin, and what to do.
_REFUSED = {
    "state.ttl": _STATE,
    "table.exec.sink.not-null-enforcer": "NULL for a NOT NULL column is an error; leave such rows out with WHERE",
}


class TableConfig(ExplainsAbsentMethods):
    """Settings by key (PyFlink's class of the same name).

    Args:
        configuration: What it begins with.
        streaming: Whether tables are read as streams.
        environment: The environment of the jobs, which the settings are made of; None: one that is configured so.
        switch: Is told by ``execution.runtime-mode`` whether tables are read as streams from now on; it raises where
            that cannot be. None: it never can.

    Raises:
        ConfigurationError: there is a setting that asks for what there is not.

    Example:
        >>> TableConfig(Configuration()).set("table.local-time-zone", "UTC").get("table.local-time-zone", "")
        'UTC'
    """

    def __init__(
        self,
        configuration: Configuration,
        *,
        streaming: bool = True,
        environment: StreamExecutionEnvironment | None = None,
        switch: Callable[[bool], None] | None = None,
    ) -> None:
        for key, value in configuration.to_dict().items():
            if key.startswith("table."):
                _check(key, value)
        self._environment = environment or StreamExecutionEnvironment.get_execution_environment(configuration)
        self._configuration = self._environment._configuration
        self._first_mode = self._mode = "STREAMING" if streaming else "BATCH"
        self._switch = switch
        self._undoable = UndoableSettings(self._environment)
        #: What was set here, in that order.
        self._set: dict[str, str] = {}

    def set(self, key: str, value: str) -> Self:
        """Set a key.

        Raises:
            ConfigurationError: there is no such key, the value is none that it takes, or it asks for what there is not.
        """
        _check(key, instance_of(value, str, f"the value of {key!r}"))
        if key == RUNTIME_MODE:
            self._read_as(value)
        with self._undoable.recorded():
            if key.startswith(_OF_SPEED):  # nothing reads it
                self._configuration.set_string(key, value)
            else:
                self._environment.configure(Configuration().set_string(key, value))
        self._set.pop(key, None)
        self._set[key] = value
        return self

    def get(self, key: str, default_value: str) -> str:
        """The value of a key, or the default."""
        found = self._configuration.get_string(key, default_value)
        return default_value if found is None else found

    def reset(self, key: str | None = None) -> None:
        """Give a key, or all, the value again that the environment was made with; without one there is none.

        Raises:
            ConfigurationError: ``execution.runtime-mode`` cannot become what it was.
        """
        kept = {} if key is None else {name: value for name, value in self._set.items() if name != key}
        if RUNTIME_MODE in self._set and RUNTIME_MODE not in kept:
            self._read_as(self._first_mode)
        self._undoable.undo()
        self._set = {}
        for name, value in kept.items():
            self.set(name, value)

    def _read_as(self, mode: str) -> None:
        """Have tables read in a runtime mode from now on."""
        mode = runtime_mode(mode)
        if mode == self._mode:
            return
        if self._switch is None:
            msg = f"{RUNTIME_MODE} is {self._mode} here, and cannot become {mode}: say it when the environment is made"
            raise ConfigurationError(msg)
        self._switch(mode == "STREAMING")
        self._mode = mode

    def add_configuration(self, configuration: Configuration) -> None:
        """Set all settings of another configuration.

        Raises:
            ConfigurationError: there is one that asks for what there is not.
        """
        for key, value in instance_of(configuration, Configuration, "configuration").to_dict().items():
            self.set(key, value)

    def get_configuration(self) -> Configuration:
        """All settings."""
        return self._configuration

    def waits_for_inserts(self) -> bool:
        """Tell whether an INSERT INTO, or a set of them, has ended when the call that runs it returns."""
        return self._configuration.get_boolean(DML_SYNC, False)

    def get_local_timezone(self) -> str:
        """The session's time zone, by which points in time are shown."""
        return self.get(LOCAL_TIME_ZONE, "UTC")

    def idle_timeout(self) -> int:
        """After how many milliseconds without rows a source, or a split of one, holds no watermark back; 0: never."""
        return _milliseconds(IDLE_TIMEOUT, self.get(IDLE_TIMEOUT, "0 ms"))

    def state_ttl(self) -> int | None:
        """For how many milliseconds rows of joins are kept that have no bound in time; None: nothing says it."""
        return _milliseconds(STATE_TTL, self.get(STATE_TTL, "0 ms")) or None

    def set_idle_state_retention(self, duration: dt.timedelta) -> None:
        """Set for how long rows of joins are kept that have no bound in time (``table.exec.state.ttl``)."""
        self.set(STATE_TTL, f"{duration // dt.timedelta(milliseconds=1)} ms")

    def get_idle_state_retention(self) -> dt.timedelta:
        """For how long rows of joins are kept that have no bound in time; 0: nothing says it."""
        return dt.timedelta(milliseconds=self.state_ttl() or 0)

    def set_local_timezone(self, timezone_id: str) -> None:
        """Set the session's time zone."""
        self.set(LOCAL_TIME_ZONE, timezone_id)


def _check(key: str, value: str) -> None:
    if key == LOCAL_TIME_ZONE:
        _zone(value)
    if key in (IDLE_TIMEOUT, STATE_TTL):
        _milliseconds(key, value)
    if key == DML_SYNC and value.lower() not in ("true", "false"):
        msg = f"{DML_SYNC} is true or false; got {value!r}"
        raise ConfigurationError(msg)
    if key == RESULT_MODE and value.lower() not in _RESULT_MODES:
        msg = f"{RESULT_MODE} is {', '.join(_RESULT_MODES[:-1])} or {_RESULT_MODES[-1]}; got {value!r}"
        raise ConfigurationError(msg)
    if key in _READ or key.startswith(_OF_SPEED) or (key, value) in _DONE_ANYWAY:
        return
    if key in EMIT_SETTINGS:
        check_emit_setting(key, value)
        return
    reason = next((words for prefix, words in _REFUSED.items() if key.startswith(prefix)), None)
    if reason is not None:
        msg = f"setting {key!r} is not supported: {reason}"
        raise ConfigurationError(msg)
    if key.startswith("table."):
        close = get_close_matches(key, (*_READ, *EMIT_SETTINGS, *_OF_SPEED, *_REFUSED), 1)
        advice = f"did you mean {close[0]!r}?" if close else f"there are {' and '.join(_READ)}"
        msg = f"there is no setting {key!r} here; {advice}"
        raise ConfigurationError(msg)
    setting_of(key)  # what is misspelt is said here


def _milliseconds(key: str, value: str) -> int:
    try:
        return parse_duration(value).to_millis()
    except ValueError:
        msg = f"{key} takes a span of time such as '5 s'; got {value!r}"
        raise ConfigurationError(msg) from None


def _zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        msg = f"{LOCAL_TIME_ZONE} takes a time zone such as 'Europe/Berlin' or 'UTC'; got {name!r}"
        raise ConfigurationError(msg) from error
