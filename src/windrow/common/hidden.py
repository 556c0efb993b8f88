"""Hides secrets where settings are shown: values whose names speak of secrets, and secrets inside of other values."""

from __future__ import annotations

import re
from typing import Final

STARS: Final = "******"

#: Words for what opens something.
_WORDS = (
    r"password|passwd|passphrase|pwd|secret|token|credential|jaas|api[._-]?key|access[._-]?key|account[._-]?key|"
    r"private[._-]?key|service[._-]?key"
)
#: Words in a setting's name that hide its value, as Flink's page hides it.
_NAME = re.compile(
    rf"{_WORDS}|\.key\b|keystore|certificate|auth-params|basic-auth|http-headers|(?:^|[._-])(?:sas|sig)(?:[._-]|$)",
    re.IGNORECASE,
)
#: A setting inside of a value: of Java's options, of an address, of JSON.
_INSIDE = re.compile(
    rf"((?:{_WORDS}|(?<![a-z])sig)[\w.-]*[\"']?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s,;&\"')]+)", re.IGNORECASE
)
#: A user's password in an address, which may have any sign but a space.
_IN_ADDRESS = re.compile(r"(//[^/:@\s]*:)\S+@")


def speaks_of_secret(name: str) -> bool:
    """Tell whether a setting of this name has a value that is shown nowhere.

    Example:
        >>> [speaks_of_secret(name) for name in ("my.password", "fs.s3a.access.key", "fs.azure.sas", "sasl.mechanism")]
        [True, True, True, False]
    """
    return _NAME.search(name) is not None


def shown_setting(name: str, value: object) -> str:
    """A setting's value as it may be shown.

    Example:
        >>> shown_setting("my.password", "pa55"), shown_setting("my.url", "pg://me:pa/55@host/db?password=pa55&ssl=on")
        ('******', 'pg://me:******@host/db?password=******&ssl=on')
    """
    if speaks_of_secret(name):
        return STARS
    return without_secrets(str(value))


def without_secrets(shown: str) -> str:
    """A text without the secrets in it: of settings whose names speak of them, and of addresses.

    Example:
        >>> without_secrets("WITH ('username' = 'me', 'password' = 'pa55')")
        "WITH ('username' = 'me', 'password' = ******)"
    """
    return _INSIDE.sub(rf"\1{STARS}", _IN_ADDRESS.sub(rf"\1{STARS}@", shown))
