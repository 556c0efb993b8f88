"""URLs of databases: JDBC's and SQLAlchemy's."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from windrow.connectors.jdbc.parameters import java_parameters, of_jdbc, of_scheme
from windrow.connectors.jdbc.sqlalchemy_package import MissingDatabasePackageError, sqlalchemy
from windrow.errors import ConfigurationError

if TYPE_CHECKING:
    from sqlalchemy import URL

#: ``//hosts/database``, or the name of a database on this machine.
_ADDRESS = re.compile(r"//(?P<hosts>[^/]*)(?:/(?P<there>.*))?|(?P<here>[^/]*)")


def connection_url(url: str, driver_name: str | None, user_name: str | None, password: str | None) -> URL:
    """Make the URL that SQLAlchemy connects to.

    Args:
        url: A JDBC URL of PostgreSQL, MySQL, MariaDB or SQLite, or any URL of SQLAlchemy's.
        driver_name: A Java class, which is checked against the URL, or a Python package; None: what is installed.
        user_name: Goes before what is in the URL.
        password: So does it.

    Raises:
        ConfigurationError: the URL cannot be read, or does not fit the driver.
        MissingDatabasePackageError: SQLAlchemy or the driver is not installed.
    """
    parsed = _of_jdbc(url) if url.startswith("jdbc:") else _of_sqlalchemy(url)
    parsed = _with_driver(parsed, driver_name, named=not url.startswith("jdbc:") and "+" in parsed.drivername)
    if user_name is not None:
        parsed = parsed.set(username=user_name)
    if password is not None:
        parsed = parsed.set(password=password)
    if parsed.get_backend_name() == "sqlite":
        parsed = _of_a_file(parsed)
    _check_installed(parsed)
    return parsed


def shown(url: str) -> str:
    """A URL as it was given, without passwords.

    Example:
        >>> shown("postgresql://me:secret@host/db?password=secret&a=b")
        'postgresql://me:***@host/db?password=***&a=b'
    """
    hidden = re.sub(r"(?<=//)([^:/?]*):.*(?=@)", r"\1:***", url)
    return re.sub(r"(?i)(passw(?:or)?d=)[^&;]*", r"\1***", hidden)


def _of_sqlalchemy(url: str) -> URL:
    library = sqlalchemy()
    try:
        parsed: URL = library.make_url(url)
    except (library.exc.ArgumentError, ValueError):
        msg = (
            f"url of JdbcConnectionOptions cannot be read: {shown(url)}; give a JDBC URL "
            "(jdbc:postgresql://host:5432/database) or one of SQLAlchemy's (postgresql+psycopg://host:5432/database)"
        )
        raise ConfigurationError(msg) from None
    return parsed


def _of_jdbc(url: str) -> URL:
    kind, _, rest = url.removeprefix("jdbc:").partition(":")
    database = of_jdbc(kind, shown(url))
    address, _, query = rest.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    if database.scheme == "sqlite":
        return _url("sqlite", database=address, query=given)
    found = _ADDRESS.fullmatch(address)
    if found is None:
        msg = (
            f"url of JdbcConnectionOptions cannot be read: {shown(url)}; JDBC URLs of this database are "
            f"jdbc:{kind}://host:port/database"
        )
        raise ConfigurationError(msg)
    user, password = given.pop("user", None), given.pop("password", None)
    parameters = java_parameters(database, given)
    hosts = found["hosts"] or "localhost"
    host, port = None, None
    if "," in hosts:
        parameters["host"] = tuple(hosts.split(","))
    else:
        host, port = _host_and_port(hosts, url)
    name = unquote(found["there"] or found["here"] or "")
    return _url(database.scheme, user, password, host, port, name, parameters)


def _url(*args: Any, **parts: Any) -> URL:
    url: URL = sqlalchemy().URL.create(*args, **parts)
    return url


def _host_and_port(host: str, url: str) -> tuple[str, int | None]:
    found = re.fullmatch(r"(\[[^\]]+\]|[^:@]+)(?::(\d+))?", host)
    if found is None:
        msg = f"url of JdbcConnectionOptions cannot be read: {shown(url)}: what stands before the database is host:port"
        raise ConfigurationError(msg)
    return found[1].strip("[]"), int(found[2]) if found[2] else None


def _with_driver(url: URL, driver_name: str | None, *, named: bool) -> URL:
    """The URL with a Python driver of its database."""
    backend = url.get_backend_name()
    database = of_scheme(backend)
    if driver_name is not None and "." in driver_name:
        if database is None or driver_name not in database.java_drivers:
            fitting = "" if database is None else f", whose Java drivers are {' and '.join(database.java_drivers)}"
            msg = (
                f"driver_name of JdbcConnectionOptions is {driver_name!r}, a Java class that does not belong to "
                f"{backend}{fitting}; leave it out, or name a Python package"
            )
            raise ConfigurationError(msg)
        driver_name = None
    if driver_name is not None:
        return url.set(drivername=f"{backend}+{driver_name}")
    if named or database is None:
        return url
    installed = [driver for driver, module in database.drivers.items() if find_spec(module)]
    if not installed:
        msg = (
            f"JdbcConnectionOptions: no Python driver of {backend} is installed; install one of "
            f"{', '.join(database.packages)}"
        )
        raise MissingDatabasePackageError(msg)
    return url.set(drivername=f"{backend}+{installed[0]}")


def _of_a_file(url: URL) -> URL:
    if not url.database or url.database == ":memory:" or "mode=memory" in url.database:
        msg = (
            "JdbcConnectionOptions: a database in SQLite's memory is seen by one process alone, and a sink is written "
            "by several; give the path of a file (jdbc:sqlite:/path/to/file.db)"
        )
        raise ConfigurationError(msg)
    if url.username or url.password:
        msg = "JdbcConnectionOptions: SQLite has no users: leave with_user_name and with_password out"
        raise ConfigurationError(msg)
    if url.database.startswith("file:"):
        return url
    return url.set(database=os.path.abspath(url.database))


def _check_installed(url: URL) -> None:
    library = sqlalchemy()
    try:
        dialect = url.get_dialect()
        if dialect.is_async:
            msg = f"JdbcConnectionOptions: the driver {url.drivername} is an asynchronous one; name another"
            raise ConfigurationError(msg)
        dialect.import_dbapi()
    except (library.exc.NoSuchModuleError, ImportError) as error:
        msg = (
            f"JdbcConnectionOptions: the driver {url.drivername} of {url.render_as_string(hide_password=True)} cannot "
            f"be loaded ({error}); install its Python package, or name another with with_driver_name"
        )
        raise MissingDatabasePackageError(msg) from None
