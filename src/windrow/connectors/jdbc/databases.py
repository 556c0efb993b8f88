"""The databases that a process is connected to: connections outlive batches."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.errors import WindrowError

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine

log = logging.getLogger("windrow.jdbc")

#: Seconds that a writer of a SQLite file waits for the others.
_SQLITE_TIMEOUT = 60
#: Primary error codes of SQLite that pass: busy and locked.
_SQLITE_BUSY = {5, 6}

_engines: dict[tuple[int, Any], Engine] = {}
_lock = threading.Lock()


class JdbcConnectorError(WindrowError, RuntimeError):
    """The database cannot be reached, or refuses what a sink writes."""


def engine(url: URL) -> Engine:
    """This process's engine for the database, made when it is first asked for; a dead connection is not given out."""
    # Connections do not survive a fork, so an engine is not the child's.
    key = os.getpid(), url
    with _lock:
        if key not in _engines:
            _engines[key] = _new_engine(url)
        return _engines[key]


def _new_engine(url: URL) -> Engine:
    arguments = {}
    if url.get_backend_name() == "sqlite" and "timeout" not in url.query:
        arguments["timeout"] = _SQLITE_TIMEOUT
    made: Engine = sqlalchemy().create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=arguments)
    return made


def is_transient(error: Any) -> bool:
    """Tell whether an error of SQLAlchemy's may be gone next time: a lost connection, a deadlock, a busy file."""
    exceptions = sqlalchemy().exc
    if isinstance(error, exceptions.TimeoutError):
        return True
    if not isinstance(error, exceptions.DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 255 in _SQLITE_BUSY
    return error.connection_invalidated or isinstance(error, (exceptions.OperationalError, exceptions.InterfaceError))


def error_message(error: BaseException) -> str:
    """Say in a line what the database says: the driver's error, and its text."""
    inside = getattr(error, "orig", None) or error
    return f"{type(inside).__name__}: {' '.join(str(inside).split())}"
