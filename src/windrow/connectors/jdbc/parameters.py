"""Knows the databases whose JDBC URLs are understood: drivers, and parameters of URLs."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from windrow.errors import ConfigurationError

#: Parameters of a Python driver, from the value of one of Java's.
Translated = dict[str, Any]


@dataclass(frozen=True)
class Database:
    """A kind of database: its names, and the drivers that reach it."""

    #: As SQLAlchemy calls it.
    scheme: str
    #: As JDBC URLs call it.
    jdbc: tuple[str, ...]
    java_drivers: tuple[str, ...]
    #: Python drivers as SQLAlchemy calls them, best first, and their modules.
    drivers: Mapping[str, str]
    #: What to install.
    packages: tuple[str, ...]
    #: How parameters of the Java driver are said to the Python drivers.
    translated: Mapping[str, Callable[[str], Translated]] = field(default_factory=dict)
    #: Parameters of the Java driver that change no result: how it sends and caches statements.
    passed_over: frozenset[str] = frozenset()


def _as(name: str) -> Callable[[str], Translated]:
    return lambda value: {name: value}


def _ssl(value: str) -> Translated:
    return {"sslmode": "disable" if value.lower() == "false" else "verify-full"}


def _seconds(value: str) -> Translated:
    return {"connect_timeout": value}


def _milliseconds(value: str) -> Translated:
    return {"connect_timeout": str(max(int(value) // 1000, 1))}


_TARGETS = {
    "any": "any",
    "primary": "primary",
    "master": "primary",
    "secondary": "standby",
    "slave": "standby",
    "preferSecondary": "prefer-standby",
    "preferSlave": "prefer-standby",
}

DATABASES = (
    Database(
        "postgresql",
        ("postgresql",),
        ("org.postgresql.Driver",),
        {"psycopg": "psycopg", "psycopg2": "psycopg2", "pg8000": "pg8000"},
        ("psycopg[binary]", "psycopg2-binary", "pg8000"),
        {
            "ApplicationName": _as("application_name"),
            "connectTimeout": _seconds,
            "currentSchema": lambda value: {"options": f"-csearch_path={value}"},
            "loginTimeout": _seconds,
            "options": _as("options"),
            "ssl": _ssl,
            "sslcert": _as("sslcert"),
            "sslkey": _as("sslkey"),
            "sslmode": _as("sslmode"),
            "sslpassword": _as("sslpassword"),
            "sslrootcert": _as("sslrootcert"),
            "targetServerType": lambda value: {"target_session_attrs": _TARGETS.get(value, value)},
            "tcpKeepAlive": lambda value: {"keepalives": "1" if value.lower() == "true" else "0"},
        },
        frozenset(
            {
                "autosave",
                "binaryTransfer",
                "databaseMetadataCacheFields",
                "defaultRowFetchSize",
                "preferQueryMode",
                "preparedStatementCacheQueries",
                "preparedStatementCacheSizeMiB",
                "prepareThreshold",
                "reWriteBatchedInserts",
                "stringtype",
            }
        ),
    ),
    Database(
        "mysql",
        ("mysql", "mariadb"),
        ("com.mysql.cj.jdbc.Driver", "com.mysql.jdbc.Driver", "org.mariadb.jdbc.Driver"),
        {"pymysql": "pymysql", "mysqldb": "MySQLdb", "mariadbconnector": "mariadb"},
        ("pymysql", "mysqlclient", "mariadb"),
        {"connectTimeout": _milliseconds},
        frozenset(
            {
                "autoReconnect",
                "cachePrepStmts",
                "characterEncoding",
                "rewriteBatchedStatements",
                "useCursorFetch",
                "useServerPrepStmts",
                "useUnicode",
            }
        ),
    ),
    Database("sqlite", ("sqlite",), ("org.sqlite.JDBC",), {"pysqlite": "sqlite3"}, ()),
)


def of_scheme(scheme: str) -> Database | None:
    """The database that SQLAlchemy calls so; None if nothing is known of it."""
    return next((each for each in DATABASES if scheme in (each.scheme, *each.jdbc)), None)


def of_jdbc(kind: str, url: str) -> Database:
    """The database that JDBC URLs call so.

    Raises:
        ConfigurationError: JDBC URLs of this database are not understood.
    """
    for each in DATABASES:
        if kind in each.jdbc:
            return each
    known = ", ".join(f"jdbc:{name}:" for each in DATABASES for name in each.jdbc)
    msg = (
        f"JdbcConnectionOptions understands the JDBC URLs {known}; got {url}: give SQLAlchemy's URL of the database "
        "instead, such as mssql+pymssql://host/database or oracle+oracledb://host/?service_name=name"
    )
    raise ConfigurationError(msg)


def java_parameters(database: Database, given: Mapping[str, str]) -> Translated:
    """The parameters of a JDBC URL as the Python drivers know them.

    Raises:
        ConfigurationError: one has no counterpart.
    """
    result: Translated = {}
    for name, value in given.items():
        if name in database.translated:
            result |= database.translated[name](value)
        elif name not in database.passed_over:
            known = [*database.translated, *database.passed_over, "user", "password"]
            near = difflib.get_close_matches(name, known, 1)
            msg = (
                f"JdbcConnectionOptions: the parameter {name} of a JDBC URL of {database.scheme} "
                f"{f'is not known: {near[0]}?' if near else 'has no counterpart in Python'}; leave it out, or give "
                "SQLAlchemy's URL of the database with the Python driver's parameters"
            )
            raise ConfigurationError(msg)
    return result
