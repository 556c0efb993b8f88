"""The table of all settings, and how a name is looked up in it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from windrow.common.settings.honoured import HONOURED
from windrow.common.settings.of_clusters import METHODS, OF_CLUSTERS, REFUSED
from windrow.common.settings.of_state import OF_STATE
from windrow.common.settings.setting import Setting
from windrow.common.settings.without_effect import WITHOUT_EFFECT
from windrow.errors import ConfigurationError

if TYPE_CHECKING:  # a Configuration reads its values with this package
    from windrow.common.configuration import Configuration

#: Every setting; what a method alone can set stands there under the method's name.
TABLE: Final = (*HONOURED, *OF_STATE, *WITHOUT_EFFECT, *REFUSED, *OF_CLUSTERS, *METHODS)

#: No name begins so but those of the table.
_CLOSED = ("windrow", "execution", "parallelism", "pipeline", "python", "restart-strategy", "state")
#: Names that are given to Spark as they are.
_OF_SPARK = "spark."
#: How alike two names are (1: the same) of which one is taken for a slip of the pen in the other.
_SLIP = 0.92
#: Names begin alike by chance; words as long as this do not.
_LONG_WORD = 8
#: How alike they are if it is known that one of them is wrong.
_ALIKE = 0.6

_BY_NAME: Final = {name: row for row in TABLE if not row.is_prefix for name in (row.key, *row.older)}
_FIRST_WORDS: Final = {row.key.split(".")[0] for row in TABLE if row.key[0].islower()}
_PREFIXES: Final = sorted((row for row in TABLE if row.is_prefix), key=lambda row: -len(row.key))


def setting_of(key: str) -> Setting | None:
    """The row of a name; None for a name of the user's own, and for Spark's.

    Raises:
        ConfigurationError: there is no setting of that name, and it cannot be the user's own: it begins as those of
            Windrow or Flink do, or differs from one of theirs by a letter or two.

    Example:
        >>> setting_of("state.checkpoints.dir").key
        'execution.checkpointing.dir'
        >>> setting_of("my.threshold") is None
        True
        >>> setting_of("windrow.run-time")
        Traceback (most recent call last):
        ...
        windrow.errors.ConfigurationError: there is no setting 'windrow.run-time'; did you mean 'windrow.runtime'?
    """
    row = _BY_NAME.get(key) or next((row for row in _PREFIXES if row.covers(key)), None)
    if row is not None or key.startswith(_OF_SPARK):
        return row
    alike, nearest = _nearest(key)
    closed = key.split(".", maxsplit=1)[0] in _CLOSED
    if closed or (alike >= _SLIP and nearest.count(".") == key.count(".")) or _begins_with_a_slip(key):
        advice = f"did you mean {nearest!r}?" if alike >= _ALIKE else "docs/settings.md lists those that there are"
        msg = f"there is no setting {key!r}; {advice}"
        raise ConfigurationError(msg)
    return None


def text_of(configuration: Configuration, key: str) -> str | None:
    """Give a configuration's text under a setting's name, or under one that it had before; None if there is none."""
    row = _BY_NAME[key]
    said = (configuration.get_string(name, None) for name in (row.key, *row.older))
    return next((text for text in said if text), None)


def _begins_with_a_slip(key: str) -> bool:
    """Tell whether the first word is nearly that of Flink's settings: taskmanger.numberOfTaskSlots."""
    word = key.split(".", maxsplit=1)[0]
    long = (first for first in _FIRST_WORDS if len(first) >= _LONG_WORD)
    return any(word != first and SequenceMatcher(None, word, first).ratio() >= _SLIP for first in long)


def _nearest(key: str) -> tuple[float, str]:
    names = (name for name in _BY_NAME if name[0].islower())
    return max((SequenceMatcher(None, key, name).ratio(), name) for name in names)
