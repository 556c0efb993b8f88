"""In place of PyFlink's ways to Java: settings of an environment are set; all else is refused."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from windrow.common import Configuration


class EnvironmentSettings:
    """The settings of an environment, under the names of Java's methods and of Python's."""

    def __init__(self, env: Any) -> None:
        self._env = env

    def set_string(self, key: str, value: str) -> None:
        self._env.configure(Configuration().set_string(key, value))

    def set_integer(self, key: str, value: int) -> None:
        self._env.configure(Configuration().set_integer(key, value))

    def get_string(self, key: str, default: str) -> str:
        found: str = self._env._configuration.get_string(key, default)
        return found

    setString = set_string  # noqa: N815
    setInteger = set_integer  # noqa: N815


def get_j_env_configuration(env: Any) -> EnvironmentSettings:
    return EnvironmentSettings(env)


def on_windows() -> bool:
    return sys.platform == "win32"


def _refused(*arguments: Any, **named: Any) -> NoReturn:
    message = "there is no Java gateway behind Windrow"
    raise NotImplementedError(message)


get_gateway = load_java_class = get_field_value = get_field = is_instance_of = to_jarray = invoke_method = _refused
_find_flink_home = _find_flink_source_root = get_log_dir = prepare_environment_variables = _refused
