"""Credentials in the form of Java's login modules: ``sasl.jaas.config``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn

from windrow.errors import ConfigurationError

_QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'"
_MODULE = re.compile(
    rf"\s*(?P<module>[\w.$]+)\s+(?:required|requisite|sufficient|optional)"
    rf"(?P<options>(?:\s+[\w.\-]+\s*=\s*(?:{_QUOTED}|[^\s;\"']+))*)\s*;\s*",
    re.IGNORECASE | re.DOTALL,
)
_OPTION = re.compile(rf"([\w.\-]+)\s*=\s*({_QUOTED}|[^\s;\"']+)", re.DOTALL)
_WITH_PASSWORDS = ("PlainLoginModule", "ScramLoginModule")
_INSTEAD = {
    "OAuthBearerLoginModule": "set sasl.oauthbearer.method=oidc, sasl.oauthbearer.client.id, "
    "sasl.oauthbearer.client.secret, sasl.oauthbearer.scope and sasl.oauthbearer.token.endpoint.url",
    "Krb5LoginModule": "set sasl.kerberos.service.name, sasl.kerberos.principal and sasl.kerberos.keytab, with a "
    "librdkafka that was built with GSSAPI",
}


def credentials(given: Mapping[str, str]) -> dict[str, str]:
    """User and password for librdkafka, from the one property ``sasl.jaas.config``.

    Raises:
        ConfigurationError: it cannot be read, or its login module is another than those of PLAIN and SCRAM.

    Example:
        >>> module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        >>> credentials({"sasl.jaas.config": f'{module} required username="me" password="secret";'})
        {'sasl.username': 'me', 'sasl.password': 'secret'}
    """
    (text,) = given.values()
    found = _MODULE.fullmatch(text)
    if found is None:
        # Nothing of the text is shown: there is a password in it.
        _refuse('it is not of the form \'<login module> required username="..." password="...";\'')
    module = found["module"].rpartition(".")[2]
    if module not in _WITH_PASSWORDS:
        _refuse(f"librdkafka has no login module {found['module']}: {_INSTEAD.get(module, _instead())}")
    options = {name: _unquoted(value) for name, value in _OPTION.findall(found["options"])}
    missing = [name for name in ("username", "password") if name not in options]
    if missing:
        _refuse(f"there is no {' and no '.join(missing)} in it")
    return {"sasl.username": options["username"], "sasl.password": options["password"]}


def _instead() -> str:
    return "set sasl.username and sasl.password, or the properties sasl.oauthbearer.*"


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL) if value[0] in "\"'" else value


def _refuse(why: str) -> NoReturn:
    msg = f"the property sasl.jaas.config cannot be said to librdkafka: {why}"
    raise ConfigurationError(msg)
