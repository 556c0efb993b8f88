"""The settings ``table.exec.emit.*``: when windows give results besides their end."""

from __future__ import annotations

from windrow.common.configuration import Configuration
from windrow.common.settings.values import parse_duration
from windrow.errors import ConfigurationError
from windrow.sql.plan import Emit

PREFIX = "table.exec.emit."
#: The settings, and whether they are spans of time; else they are true or false.
EMIT_SETTINGS = {
    f"{PREFIX}early-fire.enabled": False,
    f"{PREFIX}early-fire.delay": True,
    f"{PREFIX}late-fire.enabled": False,
    f"{PREFIX}late-fire.delay": True,
    f"{PREFIX}allow-lateness": True,
}


def check_emit_setting(key: str, value: str) -> None:
    """Refuse a value that a setting does not take.

    Raises:
        ConfigurationError: it is none.

    Example:
        >>> check_emit_setting("table.exec.emit.early-fire.delay", "5 s")
    """
    if not EMIT_SETTINGS[key]:
        if value not in ("true", "false"):
            msg = f"setting {key!r} takes true or false; got {value!r}"
            raise ConfigurationError(msg)
        return
    try:
        parse_duration(value)
    except ValueError:
        msg = f"setting {key!r} takes a span of time such as '5 s', of zero or more; got {value!r}"
        raise ConfigurationError(msg) from None


def emit_of(configuration: Configuration) -> Emit | None:
    """Read the settings; None: windows give their result once, at their end.

    Raises:
        ConfigurationError: a delay is missing, or longer than what may be late.
    """
    given = configuration.to_dict()
    early, late = (_delay(given, kind) for kind in ("early-fire", "late-fire"))
    if early is None and late is None:
        return None
    lateness = 0
    if late is not None:
        lateness = parse_duration(given.get(f"{PREFIX}allow-lateness", "0")).to_millis()
        if lateness <= 0 or late > lateness:
            msg = (
                f"setting '{PREFIX}late-fire.enabled' takes '{PREFIX}allow-lateness' of more than zero, and no less "
                f"than '{PREFIX}late-fire.delay'; got {lateness} ms and {late} ms"
            )
            raise ConfigurationError(msg)
    return Emit(early, late, lateness)


def _delay(given: dict[str, str], kind: str) -> int | None:
    """In milliseconds; None: it is not enabled."""
    if given.get(f"{PREFIX}{kind}.enabled") != "true":
        return None
    delay = given.get(f"{PREFIX}{kind}.delay")
    if delay is None:
        msg = f"setting '{PREFIX}{kind}.enabled' takes '{PREFIX}{kind}.delay' as well: '0 s' for each row, or a span"
        raise ConfigurationError(msg)
    return parse_duration(delay).to_millis()
