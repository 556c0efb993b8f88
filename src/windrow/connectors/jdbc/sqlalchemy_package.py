"""SQLAlchemy, imported when it is first used."""

from __future__ import annotations

import importlib
from types import ModuleType

from windrow.errors import ConfigurationError


class MissingDatabasePackageError(ConfigurationError):
    """A Python package that is needed to write to a database is not installed."""


def sqlalchemy() -> ModuleType:
    """The package.

    Raises:
        MissingDatabasePackageError: it is not installed.
    """
    try:
        return importlib.import_module("sqlalchemy")
    except ImportError as error:
        msg = (
            "windrow.datastream.connectors.jdbc needs the package SQLAlchemy, which is not installed: pip "
            "install sqlalchemy, and the Python driver of your database"
        )
        raise MissingDatabasePackageError(msg) from error
